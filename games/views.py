"""The pages of tables and of watching."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe
from msgspec import to_builtins

from games import visitors, words
from games.lobby import selectors
from games.lobby.services import is_guest
from games.lobby.views import FEW
from games.models import End, Match, Seat
from games.moderation.standing import banned_among
from games.ratings.stake import Stake, stake_between
from games.ratings.told import told
from games.rules.state import Cause
from games.stands.views import stands_data, watching

MANY: Final = 60
"""How many matches the pages of lists show."""


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
    came = you is not None and match.state != Match.State.OPEN and selectors.came_by_pairing(match, request.user)
    again = (
        f"{reverse('home')}?again" if came and match.state == Match.State.LIVE and match.rematch_of_id is None else None
    )
    context: dict[str, Any] = {
        "match": match,
        "seats": people,
        "you": you,
        "can_join": can_join,
        "can_withdraw": match.state == Match.State.OPEN and you == 0,
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
            "after": reverse("match_after", args=[match.slug]),
            "decisions": reverse("decisions"),
            "again": again,
            # What quick pairing is to look for again once the match is over.
            "another": {"game": match.game, "rated": match.rated} if came else None,
            # Empty: there is nobody but the computer and the reader. (Whoever waits stays here when somebody comes.)
            "report": (
                reverse("report_match", args=[match.slug])
                if match.state == Match.State.OPEN or _others(seats, request.user.pk)
                else ""
            ),
            "signIn": f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': request.path})}",
            "names": {"game": str(game), "site": settings.SITE_NAME},
        },
    }
    stake = _stake(request, match, seats, you) if match.rated and match.state != Match.State.OVER else None
    context["stake"] = stake
    if stake is not None:
        context["table_data"]["stake"] = stake.text
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
@never_cache
def match_after(request: HttpRequest, slug: str) -> JsonResponse:
    """What a table does not know of the end of its match: `ratings`, what it did to them (`games.ratings.told.Told`);
    and for its players `barred`, of each seat whether it was left because of a ban, which looks like going away. 404
    while the match is played, as far as the reader may know.
    """
    end = End.objects.filter(match__slug=slug).select_related("match__voided").first()
    if end is None:
        raise Http404
    reader = request.user.pk
    users = list(end.match.seats.order_by("number").values_list("user", flat=True))
    is_player = reader is not None and reader in users
    if end.is_withheld and not is_player:
        raise Http404
    banned: set[int] = set()
    if is_player and end.cause in (Cause.LEFT, Cause.ABORTED):
        banned = banned_among(user for user in users if user is not None)
    # Whoever won was not the one to leave.
    barred = [user in banned and end.winner != seat for seat, user in enumerate(users)]
    return JsonResponse({"ratings": to_builtins(told(end, reader)), "barred": barred})


def _stake(request: HttpRequest, match: Match, seats: list[Seat], you: int | None) -> Stake | None:
    """What is at stake for whoever sits at a rated match, or is about to sit down; None: nobody knows yet."""
    if not request.user.is_authenticated or is_guest(request.user) or (you is None and len(seats) > 1):
        return None
    other = next((seat.user for seat in seats if seat.number != you), None)
    return None if other is None else stake_between(request.user, other, match.game)


def _others(seats: list[Seat], reader: int | None) -> bool:
    """Whether somebody sits there whom the reader could report."""
    return any(seat.user_id is not None and seat.user_id != reader for seat in seats)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, and how it works."""
    return render(request, "site/about.html")


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """The site as an app on a phone's home screen."""
    return render(request, "site/manifest.json", content_type="application/manifest+json")
