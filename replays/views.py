"""The pages of the replays."""

import gzip
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe
from django.views.decorators.vary import vary_on_headers
from msgspec import to_builtins

from games.lobby.selectors import Outcome
from games.models import End, Match
from games.profiles.forms import EverybodyForm
from games.profiles.paging import before_of, same
from replays import documents, selectors
from replays.format import LATEST

PER_PAGE: Final = 24
FOR_GOOD: Final = 365 * 24 * 3600


@require_safe
def replays(request: HttpRequest) -> HttpResponse:
    """The finished matches, those that ended last first; all, or those asked for."""
    form = EverybodyForm(request.GET)
    before = before_of(request)
    found: list[Outcome] = []
    if form.is_valid():
        found = selectors.page_of(form.lookups(), form.cleaned_data["player"], before, PER_PAGE + 1)
    shown = found[:PER_PAGE]
    context = {
        "form": form,
        "outcomes": shown,
        "is_first_page": before is None,
        "newest": same(request, before=None),
        "older": same(request, before=shown[-1].end) if len(found) > PER_PAGE else None,
        "section": "replays",
    }
    return render(request, "replays/list.html", context)


@require_safe
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """The replay of a finished match. A live match has none: its page is shown instead (G9)."""
    end = selectors.end_of(slug, request.user)
    if end is None:
        return redirect(get_object_or_404(Match, slug=slug))
    return render(request, "replays/replay.html", {**replay_context(request, end), "section": "replays"})


def replay_context(request: HttpRequest, end: End) -> dict[str, Any]:
    """What a page needs that shows a replay."""
    match = end.match
    outcome = selectors.outcome_of(end)
    title = " – ".join(person.name for person in outcome.people)
    moment = moment_of(request)
    picture = reverse("replay_image", args=[match.slug])
    return {
        "match": match,
        "outcome": outcome,
        "is_flagged": selectors.is_flagged(end),
        "bottom": selectors.seat_of(end, request.user),
        "can_report": any(person.user_id not in (None, request.user.pk) for person in outcome.people),
        "head": to_builtins(documents.describe(match)),
        "course": f"{reverse('replay_course', args=[match.slug])}?v={documents.packed_tag(match)}",
        "moment": moment,
        "share_title": title,
        "share_text": " · ".join([outcome.cause, *outcome.facts]),
        "share_url": request.path if moment is None else f"{request.path}?t={moment}",
        "share_picture": picture if moment is None else f"{picture}?t={moment}",
        "share_picture_words": _("The table of this replay"),
    }


def moment_of(request: HttpRequest) -> int | None:
    """The milliseconds that an address asks for (`?t=`); None when it asks for none, or for something else."""
    try:
        return min(max(int(request.GET["t"]), 0), LATEST)
    except (KeyError, ValueError):
        return None


@require_safe
@vary_on_headers("Accept-Encoding")
def replay_course(request: HttpRequest, slug: str) -> HttpResponse:
    """The course of a finished match, packed for its page; of a live one nothing is told (G9).

    With the word that tells this one apart (`?v=`) it may be kept for good: neither names nor ratings are in it.
    """
    end = selectors.end_of(slug, request.user)
    if end is None:
        raise Http404
    content = documents.packed(end.match)
    response = HttpResponse(content_type="application/json")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response["Content-Encoding"] = "gzip"
    else:
        content = gzip.decompress(content)
    response.content = content
    if end.is_withheld:
        patch_cache_control(response, private=True, no_store=True)
    elif request.GET.get("v") == documents.packed_tag(end.match):
        patch_cache_control(response, public=True, max_age=FOR_GOOD, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response


def _etag(request: HttpRequest, slug: str) -> str | None:
    end = selectors.end_of(slug, request.user)
    return documents.etag(end.match) if end else None


# Names may change, or be deleted: a kept copy has to be asked for again, and a tag tells whether it is still true.
@require_safe
@cache_control(no_cache=True)
@condition(etag_func=_etag)
def replay_document(request: HttpRequest, slug: str) -> HttpResponse:
    """The document of a finished match (docs/replay-format.md); of a live one nothing is told (G9)."""
    end = selectors.end_of(slug, request.user)
    if end is None:
        raise Http404
    response = HttpResponse(documents.document(end.match), content_type="application/json")
    if end.is_withheld:
        # For its players alone: no cache on the way may keep it for others.
        patch_cache_control(response, private=True, no_store=True)
    else:
        patch_cache_control(response, public=True)
    return response
