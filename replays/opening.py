"""The page on which a replay document of any site is opened, and the address that judges it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe
from msgspec import json

from games.words import GAMES
from replays.opened import MOST_BYTES, Code, NotJudged, judge_aside
from replays.sharing import is_within

STATUS = {Code.TOO_LARGE: 413, Code.TOO_OFTEN: 429, Code.BUSY: 503}


@require_safe
def open_replay(request: HttpRequest) -> HttpResponse:
    """A replay file is dropped here, and shown; it stays with the visitor."""
    games = {key: str(name) for key, name in GAMES.items()}
    return render(request, "replays/open.html", {"section": "replays", "most_bytes": MOST_BYTES, "games": games})


@require_POST
def judge_replay(request: HttpRequest) -> HttpResponse:
    """Judge an uploaded document (`document`); it is not kept.

    The answer is `replays.opened.Judged` as JSON, or ``{"code": ..., "sentence": ...}`` with 400, 413, 429
    or 503.
    """
    try:
        if not is_within(request, "judged", settings.JUDGED_PER_ADDRESS):
            raise NotJudged(Code.TOO_OFTEN)
        file = request.FILES.get("document")
        if file is None:
            raise NotJudged(Code.NOT_A_REPLAY)
        if (file.size or 0) > MOST_BYTES:
            raise NotJudged(Code.TOO_LARGE)
        judged = judge_aside(file.read())
    except NotJudged as error:
        answer = {"code": error.code.value, "sentence": error.code.sentence}
        return JsonResponse(answer, status=STATUS.get(error.code, 400))
    return HttpResponse(json.encode(judged), content_type="application/json")
