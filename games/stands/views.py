"""The pages of those who only watch: the television, a match in large for streaming, and in a frame of another page."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden, JsonResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from games import visitors, words
from games.lobby import selectors, services
from games.lobby.services import LobbyError, is_guest
from games.models import Match, Onlooker
from games.moderation.reports import TooManyReports, report_line
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from games.stands.programme import great_outcome, programme

EXHIBITION: Final = ("queen", "king")
"""The levels that the computer plays itself with, for who wants to watch."""


@require_safe
@never_cache
def tv(request: HttpRequest, game: str | None = None) -> HttpResponse:
    """The television: the match of the strongest players, and all the others in small; of one game, or of all."""
    if game is not None and game not in BOOKS:
        raise Http404
    found = programme(game)
    context = {
        "game": game,
        "game_name": words.game_name(game) if game else "",
        "games": [(key, name) for key, name in words.GAMES.items() if key in BOOKS],
        "great": great_outcome(game) or great_outcome(),
        "is_empty": not found.channels,
        "section": "watch",
        "tv_data": {
            "socket": "/ws/tv/",
            "match": "/ws/match/",
            "game": game,
            "site": settings.SITE_NAME,
        },
    }
    response = render(request, "stands/tv.html", context)
    visitors.name(request, response)
    return response


@require_POST
def exhibition(request: HttpRequest) -> HttpResponse:
    """Have the computer play itself, and watch."""
    try:
        import_string(settings.CHECK_MATCH)(request)
    except LobbyError:
        messages.error(request, _("Very many matches were begun from where you are. Wait a while, then try again."))
        return redirect("tv")
    game = request.POST.get("game", "")
    key = game if game in BOOKS else next(iter(BOOKS))
    services.exhibition(EXHIBITION, Setup(key, BOOKS[key].defaults))
    return redirect(reverse("tv_game", args=[game]) if game in BOOKS else reverse("tv"))


def watching(request: HttpRequest, match: Match) -> dict[str, Any]:
    """What the page of somebody who watches that match needs besides the table's own."""
    data = stands_data(request)
    return {
        "delay": match.delay,
        "has_chat": settings.WATCHERS_CHAT,
        "has_account": data["hasAccount"],
        "is_named": data["isNamed"],
        "match_url": request.build_absolute_uri(match.get_absolute_url()),
        "embed_code": embed_code(request, match),
        "overlay_url": request.build_absolute_uri(reverse("overlay", args=[match.slug])),
        "stands_data": data,
    }


def stands_data(request: HttpRequest) -> dict[str, Any]:
    """What the scripts of a page with a chat need to know of the reader."""
    user = request.user
    has_account = user.is_authenticated and not is_guest(user)
    choice = Onlooker.objects.filter(pk=user.pk).first() if has_account else None
    return {
        "hasChat": settings.WATCHERS_CHAT,
        "chatIsOn": choice is None or choice.has_chat,
        "hasAccount": has_account,
        "isNamed": choice is not None and choice.is_named,
        "choose": reverse("watching_choice"),
        "report": reverse("chat_report", args=[0]),
        "signIn": f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': request.path})}",
    }


def embed_code(request: HttpRequest, match: Match) -> str:
    """A frame with the match, for another page's source."""
    address = request.build_absolute_uri(reverse("embed", args=[match.slug]))
    return f'<iframe src="{address}" width="640" height="520" style="border:0" title="{settings.SITE_NAME}"></iframe>'


@require_safe
@never_cache
def overlay(request: HttpRequest, slug: str) -> HttpResponse:
    """A match without anything around it, on a transparent ground, for streaming programs."""
    return _bare(request, slug, "stands/overlay.html")


@require_safe
@never_cache
@xframe_options_exempt
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """A match for a frame of another page: to be looked at, with a way to the site."""
    return _bare(request, slug, "stands/embed.html")


def _bare(request: HttpRequest, slug: str, template: str) -> HttpResponse:
    match = Match.objects.filter(slug=slug).first()
    if match is None or match.state == Match.State.OPEN:
        # An invitation is for one person, not for everybody who looks.
        return render(request, "games/no_match.html", status=HTTPStatus.NOT_FOUND)
    people = selectors.people_at(match)
    game = words.game_name(match.game)
    context = {
        "match": match,
        "title": f"{game}: {' – '.join(person.name for person in people)}",
        "bare_data": {
            "socket": f"/ws/match/{match.slug}/",
            "bottom": 1 if request.GET.get("below") == "1" else 0,
            "names": {"game": game, "site": settings.SITE_NAME},
        },
    }
    response = render(request, template, context)
    visitors.name(request, response)
    return response


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep what somebody with an account wants as a watcher: `is_named`, `has_chat`, each `0` or `1`."""
    if not request.user.is_authenticated or is_guest(request.user):
        return HttpResponseForbidden()
    chosen = {name: request.POST[name] == "1" for name in ("is_named", "has_chat") if name in request.POST}
    Onlooker.objects.update_or_create(user_id=request.user.pk, defaults=chosen)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@require_POST
def chat_report(request: HttpRequest, number: int) -> HttpResponse:
    """Tell those who look after the site that a line of the chat should not be there."""
    if not request.user.is_authenticated:
        return HttpResponseForbidden()
    try:
        is_there = report_line(request.user, number)
    except TooManyReports:
        return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS)
    if not is_there:
        raise Http404
    return JsonResponse({"done": True})
