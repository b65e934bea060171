"""The pages of tables, watching and players."""

from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from games import visitors, words
from games.lobby import selectors
from games.lobby.services import is_guest
from games.lobby.views import FEW
from games.models import Match
from games.stands.views import stands_data, watching

MANY: Final = 60
"""How many matches the pages of lists show."""
PER_PAGE: Final = 20
"""How many of a player's matches are on one page."""


@require_safe
@never_cache
def watch(request: HttpRequest) -> HttpResponse:
    """The matches being played. `?cards`: their cards alone, for a page that shows them already; `&few`: of a few."""
    template = "games/live_cards.html" if "cards" in request.GET else "games/watch.html"
    limit = FEW if "few" in request.GET else MANY
    return render(request, template, {"live": selectors.live_matches(limit), "invite": limit == MANY})


@require_safe
@never_cache
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match, for players and watchers. While the match waits: its invitation."""
    match = Match.objects.filter(slug=slug).first()
    if match is None:
        return render(request, "games/no_match.html", status=HTTPStatus.NOT_FOUND)
    people = selectors.people_at(match)
    seats = list(match.seats.order_by("number"))
    you = next((seat.number for seat in seats if request.user.pk is not None and seat.user_id == request.user.pk), None)
    can_join = match.state == Match.State.OPEN and you is None
    facts = selectors.facts_of(match)
    game = words.game_name(match.game)
    title = f"{game}: {' – '.join(person.name for person in people)}"
    came = you is not None and match.state == Match.State.LIVE and selectors.came_by_pairing(match, request.user)
    again = f"{reverse('home')}?again" if came else None
    context = {
        "match": match,
        "seats": people,
        "you": you,
        "can_join": can_join,
        "title": title,
        "facts": " · ".join(facts),
        "share_url": request.build_absolute_uri(match.get_absolute_url()),
        "share_title": title,
        "share_text": " · ".join(facts),
        "table_data": {
            "socket": f"/ws/match/{match.slug}/",
            "replay": reverse("replay", args=[match.slug]),
            "qr": reverse("match_qr", args=[match.slug]),
            "home": reverse("home"),
            "again": again,
            "signIn": f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': request.path})}",
            "names": {"game": str(game), "site": settings.SITE_NAME},
        },
    }
    if match.state == Match.State.OPEN:
        context["title"] = _("{game}: {name} waits for an opponent").format(name=people[0].name, game=game)
        context["share_title"] = _("{name} invites you to a match of {game}").format(name=people[0].name, game=game)
        # Who has no account is asked first whether to play without a rating: nobody is seated by just looking.
        if can_join and match.rated and (not request.user.is_authenticated or is_guest(request.user)):
            return render(request, "games/invitation.html", context)
    template = "games/match.html"
    if you is None and match.state != Match.State.OPEN:
        template = "stands/watch.html"
        context |= watching(request, match)
    elif you is not None and settings.WATCHERS_CHAT:
        context["after_data"] = stands_data(request)
    response = render(request, template, context)
    visitors.name(request, response)
    return response


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A player: name, ratings, results, the matches one page at a time."""
    player = selectors.player_called(username)
    if player is None:
        raise Http404
    if player.get_username() != username:
        return redirect("profile", player.get_username(), permanent=False)
    before = _number(request.GET.get("before"))
    is_own = player.pk == request.user.pk
    found = selectors.outcomes_of(player, before, limit=PER_PAGE + 1, is_own=is_own)
    shown = found[:PER_PAGE]
    context = {
        "player": player,
        "is_you": is_own,
        "ratings": selectors.ratings_of(player, is_own=is_own),
        "record": selectors.record_of(player, is_own=is_own),
        "playing": (
            [match for match in selectors.matches_of(player) if not match.is_open]
            if is_own
            else selectors.playing_of(player)
        ),
        "outcomes": shown,
        "is_first_page": before is None,
        "next": shown[-1].outcome.end if len(found) > PER_PAGE else None,
    }
    return render(request, "games/profile.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, and how it works."""
    return render(request, "site/about.html")


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """The site as an app on a phone's home screen."""
    return render(request, "site/manifest.json", content_type="application/manifest+json")


def _number(text: str | None) -> int | None:
    """A number from an address; what is none is as if it was not there."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 18:
        return None
    return int(text)
