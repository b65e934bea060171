"""What the pages of the lobby and of players show: reads only."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Prefetch, Q, QuerySet
from msgspec import Struct

from games import words
from games.clock import wall
from games.live.onlook import shown_states
from games.lobby import seeks
from games.lobby.services import INVITATION_LASTS
from games.models import End, Match, Seat, Seek
from games.people import Person, name_of, person_of, standings_of, withheld_ends
from games.rules.book import CENTRES, Book
from games.rules.registry import BOOKS
from games.rules.state import SEATS, Cause, State
from games.rules.view import Audience, redacted

SEATED: Final = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))


MOST_LIVE: Final = 300
"""The most matches that are looked at to list those being played."""
COUNTED_EVERY: Final = 60
"""Seconds for which the number of matches is not counted again."""


class Face(Struct, frozen=True):
    """A card that lies open, for a template: `rank` as printed, `suit` one of h, d, s, c."""

    rank: str
    suit: str


class Glance(Struct, frozen=True):
    """A live match at this moment."""

    left: tuple[int, ...]
    """The cards that each seat has yet to get rid of."""
    round: int
    """0 where a game is not made of rounds: without stockpiles."""
    piles: tuple[Face | None, ...]
    """The tops of the centre piles."""


class Shown(Struct, frozen=True):
    """A match that waits or is played, as lists show it."""

    slug: str
    url: str
    game: str
    facts: tuple[str, ...]
    people: tuple[Person, ...]
    """One, while the match waits."""
    is_open: bool
    since: datetime
    until: datetime | None
    """When an invitation lapses; None once the match is played."""
    glance: Glance | None
    """None while nobody has dealt."""


class Outcome(Struct, frozen=True):
    """A match that is over, as lists show it."""

    slug: str
    game: str
    facts: tuple[str, ...]
    people: tuple[Person, ...]
    winner: int | None
    is_draw: bool
    is_void: bool
    is_voided: bool
    """It had a result, and whoever looks after the site has taken that out of the count (`games.moderation`)."""
    cause: str
    length: str
    ended_at: datetime
    end: int
    """The place in the order in which matches ended."""


def live_matches(limit: int = 12) -> list[Shown]:
    """Matches being played, as far as everybody may know, the latest first."""
    return _shown(public_live(limit=limit))


def public_live(
    players: Collection[int] | None = None, held: Collection[int] | None = None, limit: int = MOST_LIVE
) -> list[Match]:
    """The matches that everybody may know to be played, the latest first: each begins and ends here with its delay.

    :param players: only those that one of these people, by their ids, sits at.
    :param held: `withheld_ends()`, of whoever has them already.
    :param limit: so many at most.
    """
    held = withheld_ends() if held is None else held
    is_live = Q(state=Match.State.LIVE)
    if held:
        is_live |= Q(end__in=held)
    found = Match.objects.filter(is_live).order_by("-created_at").prefetch_related(SEATED)
    if held:
        found = found.select_related("end")
    if players is not None:
        found = found.filter(pk__in=Seat.objects.filter(user__in=players).values("match"))
    now = wall()
    shown: dict[int, Match] = {}
    # Of those just begun some are not to be known yet: others take their places.
    for start in range(0, MOST_LIVE, limit):
        page = list(found[start : start + limit])
        # By id: one that begins between two pages moves all others on by a place.
        shown |= {match.pk: match for match in page if not match.delay or _since(match) + _delay(match) <= now}
        if len(shown) >= limit or len(page) < limit:
            break
    return list(shown.values())[:limit]


def matches_of(user: Any) -> list[Shown]:
    """The matches that somebody sits at and that are not over, the latest first; for their own eyes."""
    if not getattr(user, "is_authenticated", False):
        return []
    matches = (
        Match.objects.filter(seats__user=user)
        .exclude(state=Match.State.OVER)
        .order_by("-created_at")
        .prefetch_related(SEATED)
    )
    return _shown(list(matches))


def playing_of(player: Any, held: Collection[int] | None = None) -> list[Shown]:
    """The matches that somebody is known to be playing."""
    return _shown(public_live([player.pk], held))


def _since(match: Match) -> datetime:
    return match.started_at or match.created_at


def _delay(match: Match) -> timedelta:
    return timedelta(seconds=match.delay)


def again_of(user: Any) -> dict[str, Any] | None:
    """What somebody is to look for again, because nothing came of the match that it led to, and who did not come."""
    found = seeks.again(user) if getattr(user, "is_authenticated", False) else None
    if found is None or found.match is None:
        return None
    other = found.match.seats.exclude(user=user).select_related("user").first()
    return {"game": found.game, "rated": found.rated, "name": "" if other is None else name_of(other)}


def came_by_pairing(match: Match, user: Any) -> bool:
    """Whether quick pairing has just led that person to that match, or to one that it is a rematch of."""
    return Seek.objects.filter(match=match, user=user, kind=Seek.Kind.QUICK).exists()


def people_at(match: Match) -> tuple[Person, ...]:
    """Who sits at a match, in the order of the seats."""
    return _people([match])[match.pk]


def people_of(matches: Sequence[Match]) -> dict[int, tuple[Person, ...]]:
    """Who sits at these matches, by the matches' ids; `matches` with their seats read."""
    return _people(matches)


def recent_outcomes(limit: int = 6) -> list[Outcome]:
    """The matches that ended last, with a result (M2)."""
    ends = ended().filter(void=False).order_by("-pk")[:limit]
    return outcomes(list(ends))


def played() -> int:
    """How many matches have been played to a result; up to a minute old."""
    count = cache.get_or_set("games.played", ended().filter(void=False).count, COUNTED_EVERY)
    return count or 0


def is_new(user: Any) -> bool:
    """Whether somebody has never sat at a match here, as far as is known."""
    return not getattr(user, "is_authenticated", False) or not Seat.objects.filter(user=user).exists()


def facts_of(match: Match) -> tuple[str, ...]:
    """A match in words: "Spit", "rated", "no slap"; the game first."""
    return tuple(words.facts(match, match.setup.options, BOOKS[match.game].defaults))


def glance_of(book: Book, state: State) -> Glance:
    """What a list of matches shows of that state: no more than a watcher may see (G9)."""
    state = redacted(state, Audience.WATCHERS)
    tops = [state.places[name][-1] if state.places[name] else None for name in CENTRES]
    return Glance(
        left=tuple(book.cards_left(state, seat) for seat in SEATS),
        round=state.status.round if any(".stockpile." in name for name in state.places) else 0,
        piles=tuple(_face(top) for top in tops),
    )


def _face(card: str | None) -> Face | None:
    if card is None or card[0] == "-":
        return None
    return Face("10" if card[0] == "T" else card[0], card[1])


def _shown(matches: Sequence[Match]) -> list[Shown]:
    people = _people(matches)
    states = shown_states([match for match in matches if match.state != Match.State.OPEN])
    return [
        Shown(
            slug=match.slug,
            url=match.get_absolute_url(),
            game=words.game_name(match.game),
            facts=facts_of(match),
            people=people[match.pk],
            is_open=match.state == Match.State.OPEN,
            since=match.started_at or match.created_at,
            until=match.created_at + INVITATION_LASTS if match.state == Match.State.OPEN else None,
            glance=glance_of(BOOKS[match.game], states[match.pk]) if match.pk in states else None,
        )
        for match in matches
    ]


def ended() -> QuerySet[End]:
    """The ends of matches that everybody may know of, with what `outcomes` reads."""
    return all_ended().filter(Q(withheld_until=None) | Q(withheld_until__lte=wall()))


def all_ended() -> QuerySet[End]:
    """The ends of matches, those too that only the players may know of yet."""
    return End.objects.select_related("match__voided").prefetch_related(
        Prefetch("match__seats", Seat.objects.select_related("user").order_by("number"))
    )


def outcomes(ends: Sequence[End]) -> list[Outcome]:
    """How these matches ended; of `ended`."""
    people = _people([end.match for end in ends])
    return [
        Outcome(
            slug=end.match.slug,
            game=words.game_name(end.match.game),
            facts=facts_of(end.match),
            people=people[end.match_id],
            winner=end.winner,
            is_draw=end.winner is None and not end.void,
            is_void=end.void,
            is_voided=hasattr(end.match, "voided"),
            cause=str(words.CAUSES[Cause(end.cause)]),
            length=words.clock(end.at),
            ended_at=end.ended_at,
            end=end.pk,
        )
        for end in ends
    ]


def _people(matches: Sequence[Match]) -> dict[int, tuple[Person, ...]]:
    """Who sits at these matches, by the matches' ids, with one query for all ratings."""
    seats = {match.pk: list(match.seats.all()) for match in matches}
    users = {seat.user_id for at in seats.values() for seat in at if seat.user_id is not None}
    standings = standings_of(users)
    return {
        match.pk: tuple(
            person_of(seat, standings.get((seat.user_id, match.game)))
            for seat in sorted(seats[match.pk], key=attrgetter("number"))
        )
        for match in matches
    }
