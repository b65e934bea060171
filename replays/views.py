"""The pages of the replays."""

from typing import Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from games.clock import wall
from games.lobby.selectors import outcomes
from games.models import Match
from replays import documents, selectors

PER_PAGE: Final = 24


@require_safe
def replays(request: HttpRequest) -> HttpResponse:
    """The finished matches, the newest first."""
    paginator = Paginator(selectors.listed(), PER_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "page": page,
        "outcomes": outcomes(list(page)),
        "pages": paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "section": "replays",
    }
    return render(request, "replays/list.html", context)


@require_safe
def replay(request: HttpRequest, slug: str) -> HttpResponse:
    """The replay of a finished match. A live match has none: its page is shown instead (G9)."""
    end = selectors.end_of(slug, request.user)
    if end is None:
        return redirect(get_object_or_404(Match, slug=slug))
    context = {
        "match": end.match,
        "outcome": outcomes([end])[0],
        "is_flagged": selectors.is_flagged(end),
        "bottom": selectors.seat_of(end, request.user),
        "section": "replays",
    }
    return render(request, "replays/replay.html", context)


def _etag(request: HttpRequest, slug: str) -> str | None:
    end = selectors.end_of(slug, request.user)
    return documents.etag(end.match) if end else None


# Names may change, or be deleted: a kept copy has to be asked for again, and a tag tells whether it is still true.
@require_safe
@gzip_page
@cache_control(no_cache=True)
@condition(etag_func=_etag)
def replay_document(request: HttpRequest, slug: str) -> HttpResponse:
    """The document of a finished match (docs/replay-format.md); of a live one nothing is told (G9)."""
    end = selectors.end_of(slug, request.user)
    if end is None:
        raise Http404
    response = HttpResponse(documents.document(end.match), content_type="application/json")
    if end.withheld_until is not None and end.withheld_until > wall():
        # For its players alone: no cache on the way may keep it for others.
        patch_cache_control(response, private=True, no_store=True)
    else:
        patch_cache_control(response, public=True)
    return response
