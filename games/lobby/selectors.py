"""What the pages of the lobby and of players show: reads only."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from msgspec import Struct

from games import words
from games.clock import wall
from games.live.onlook import shown_state
from games.lobby.services import INVITATION_LASTS
from games.models import End, Match, Rating, RatingChange, RatingProgress, Seat
from games.people import Person, person_of
from games.rules.book import CENTRES, Book
from games.rules.registry import BOOKS
from games.rules.state import SEATS, Cause, State
from games.rules.view import Audience, redacted
from games.standing import Standing

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
    cause: str
    length: str
    ended_at: datetime
    end: int
    """The place in the order in which matches ended."""


class OwnOutcome(Struct, frozen=True):
    """A match that is over, as the page of one of its players shows it."""

    outcome: Outcome
    other: Person
    verdict: str
    """`won`, `lost`, `drawn` or `void`."""
    word: str
    rating: int | None
    """After the match, when it was rated."""
    gain: int | None
    is_pending: bool
    """It is to be rated, and no worker has got to it yet."""

    @property
    def gain_text(self) -> str:
        return "±0" if self.gain == 0 else f"{self.gain:+}".replace("-", "−") if self.gain else ""


class Record(Struct, frozen=True):
    """A player's results."""

    won: int
    lost: int
    drawn: int

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn


def live_matches(limit: int = 12) -> list[Shown]:
    """Matches being played, as far as everybody may know, the latest first."""
    return _shown(public_live()[:limit])


def public_live() -> list[Match]:
    """The matches that everybody may know to be played, the latest first: each begins and ends here with its delay."""
    held = withheld_ends()
    is_live = Q(state=Match.State.LIVE)
    if held:
        is_live |= Q(end__in=held)
    found = Match.objects.filter(is_live).order_by("-created_at").prefetch_related(SEATED)
    if held:
        found = found.select_related("end")
    now = wall()
    return [match for match in found[:MOST_LIVE] if not match.delay or _since(match) + _delay(match) <= now]


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


def playing_of(player: Any) -> list[Shown]:
    """The matches that somebody is known to be playing."""
    return _shown([match for match in public_live() if any(seat.user_id == player.pk for seat in match.seats.all())])


def withheld_ends() -> list[int]:
    """The ids of the ends that only the players may know of yet (`Match.delay`); nearly always none."""
    return list(End.objects.filter(withheld_until__gt=wall()).values_list("pk", flat=True))


def _since(match: Match) -> datetime:
    return match.started_at or match.created_at


def _delay(match: Match) -> timedelta:
    return timedelta(seconds=match.delay)


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


def outcomes_of(user: Any, before: int | None, limit: int = 20, *, is_own: bool = False) -> list[OwnOutcome]:
    """A player's matches that are over, from the latest on; `before` an `Outcome.end`, older ones only.

    `is_own`: for the player's own eyes, to which nothing comes with a delay.
    """
    wanted = (all_ended() if is_own else ended()).filter(match__seats__user=user)
    if before is not None:
        wanted = wanted.filter(pk__lt=before)
    ends = list(wanted.order_by("-pk")[:limit])
    seats = {seat.match_id: seat.number for end in ends for seat in end.match.seats.all() if seat.user_id == user.pk}
    changes = {change.end_id: change for change in RatingChange.objects.filter(end__in=ends, seat__user=user)}
    pending = _pending(ends)
    return [
        _own(outcome, seats[end.match_id], changes.get(end.pk), end.pk in pending)
        for end, outcome in zip(ends, outcomes(ends), strict=True)
    ]


def _pending(ends: Sequence[End]) -> set[int]:
    """Those of these ends that are still to be rated (R2 may yet leave one out)."""
    progress = RatingProgress.objects.filter(pk=RatingProgress.ONLY).values_list("last_end", flat=True).first() or 0
    return {end.pk for end in ends if end.match.rated and not end.void and end.pk > progress}


def record_of(user: Any, *, is_own: bool = False) -> Record:
    """How often a player has won, lost and drawn, as far as everybody may know."""
    ended = Q(match__end__void=False)
    if not is_own and (held := withheld_ends()):
        ended &= ~Q(match__end__in=held)
    counts = Seat.objects.filter(ended, user=user).aggregate(
        won=Count("pk", Q(match__end__winner=0, number=0) | Q(match__end__winner=1, number=1)),
        drawn=Count("pk", Q(match__end__winner=None)),
        played=Count("pk"),
    )
    return Record(counts["won"], counts["played"] - counts["won"] - counts["drawn"], counts["drawn"])


def ratings_of(user: Any, *, is_own: bool = False) -> list[dict[str, Any]]:
    """A player's ratings, a game each, as far as everybody may know."""
    before = {} if is_own else standings_before({user.pk})
    found = [
        (rating.game, before.get((rating.user_id, rating.game), rating.standing))
        for rating in Rating.objects.filter(user=user).order_by("-matches")
    ]
    return [
        {
            "game": words.game_name(game),
            "value": round(standing.value),
            "provisional": standing.is_provisional,
            "matches": standing.matches,
            "peak": round(standing.peak),
        }
        for game, standing in found
        if standing.matches
    ]


def standings_before(users: Collection[int]) -> dict[tuple[int | None, str], Standing]:
    """Where these people stood, by user and game, before the ends that only the players may know of yet."""
    held = withheld_ends()
    if not held:
        return {}
    changes = RatingChange.objects.filter(end__in=held, seat__user__in=users).select_related("seat__match")
    # The first of several is what was known last.
    return {
        (change.seat.user_id, change.seat.match.game): Standing(change.before, change.matches - 1, change.before)
        for change in changes.order_by("-end")
    }


def played() -> int:
    """How many matches have been played to a result; up to a minute old."""
    count = cache.get_or_set("games.played", ended().filter(void=False).count, COUNTED_EVERY)
    return count or 0


def is_new(user: Any) -> bool:
    """Whether somebody has never sat at a match here, as far as is known."""
    return not getattr(user, "is_authenticated", False) or not Seat.objects.filter(user=user).exists()


def player_called(username: str) -> Any:
    """The player of that name, whatever the case; None if there is none."""
    if "\0" in username:
        # In no name; PostgreSQL refuses even to look for it.
        return None
    people = get_user_model()
    try:
        found = people.objects.get_by_natural_key(username)
    except people.DoesNotExist:
        return None
    return found if found.is_active else None


def facts_of(match: Match) -> tuple[str, ...]:
    """A match in words: "Spit", "rated", "no slap"; the game first."""
    return tuple(words.facts(match, match.setup.options, BOOKS[match.game].defaults))


def glance(match: Match) -> Glance | None:
    """A live match at this moment, if its table is set up."""
    state = shown_state(match)
    return None if state is None else glance_of(BOOKS[match.game], state)


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
            glance=None if match.state == Match.State.OPEN else glance(match),
        )
        for match in matches
    ]


def ended() -> QuerySet[End]:
    """The ends of matches that everybody may know of, with what `outcomes` reads."""
    return all_ended().filter(Q(withheld_until=None) | Q(withheld_until__lte=wall()))


def all_ended() -> QuerySet[End]:
    """The ends of matches, those too that only the players may know of yet."""
    return End.objects.select_related("match").prefetch_related(
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
            cause=str(words.CAUSES[Cause(end.cause)]),
            length=words.clock(end.at),
            ended_at=end.ended_at,
            end=end.pk,
        )
        for end in ends
    ]


def _own(outcome: Outcome, seat: int, change: RatingChange | None, is_pending: bool) -> OwnOutcome:
    if outcome.is_void:
        verdict, word = "void", _("no result")
    elif outcome.is_draw:
        verdict, word = "drawn", _("drawn")
    elif outcome.winner == seat:
        verdict, word = "won", _("won")
    else:
        verdict, word = "lost", _("lost")
    return OwnOutcome(
        outcome=outcome,
        other=outcome.people[1 - seat],
        verdict=verdict,
        word=word,
        rating=round(change.after) if change else None,
        gain=round(change.after) - round(change.before) if change else None,
        is_pending=is_pending and change is None,
    )


def _people(matches: Sequence[Match]) -> dict[int, tuple[Person, ...]]:
    """Who sits at these matches, by the matches' ids, with one query for all ratings."""
    seats = {match.pk: list(match.seats.all()) for match in matches}
    users = {seat.user_id for at in seats.values() for seat in at if seat.user_id is not None}
    standings: dict[tuple[int | None, str], Standing] = {
        (rating.user_id, rating.game): rating.standing for rating in Rating.objects.filter(user__in=users)
    } | standings_before(users)
    return {
        match.pk: tuple(
            person_of(seat, standings.get((seat.user_id, match.game)))
            for seat in sorted(seats[match.pk], key=attrgetter("number"))
        )
        for match in matches
    }
