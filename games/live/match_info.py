"""What a table knows of its match besides the course of play, and how both are read from the database."""

import msgspec
from msgspec import Struct

from games.live.protocol import MatchCard, SeatCard
from games.models import Match, Seat
from games.people import Person, person_of, standings_of
from games.rules.events import Event, Kind, senders
from games.rules.evolve import evolve
from games.rules.log import decode_event
from games.rules.refusals import Code, Refusal
from games.rules.registry import book_of
from games.rules.setup import PACES, Setup
from games.rules.state import State


class NoSuchMatch(LookupError):
    pass


class NotSeated(LookupError):
    """The match waits for an opponent."""


class MatchInfo(Struct, frozen=True):
    """A match as it was when its table was set up."""

    slug: str
    pk: int
    setup: Setup
    rated: bool
    seats: tuple[Person, ...]
    rematch_url: str | None = None
    delay: int = 0
    """Seconds by which watchers learn later of everything."""

    def seat_of(self, user_id: int | None) -> int | None:
        """The seat of that user, None for a watcher."""
        if user_id is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.user_id == user_id:
                return number
        return None

    def without(self, user_id: int) -> "MatchInfo":
        """The same match after that user was deleted; the match itself if they do not play it."""
        if self.seat_of(user_id) is None:
            return self
        seats = tuple(person_of(Seat()) if seat.user_id == user_id else seat for seat in self.seats)
        return msgspec.structs.replace(self, seats=seats)

    def card(self, live: bool) -> MatchCard:
        options = msgspec.structs.asdict(self.setup.options)
        known = book_of(self.setup.game).options
        return MatchCard(
            slug=self.slug,
            game=self.setup.game,
            options={name: value for name, value in options.items() if name in known},
            pace=msgspec.structs.asdict(PACES[self.setup.pace]),
            rated=self.rated,
            live=live,
            delay=self.delay,
            seats=tuple(
                SeatCard(seat.name, seat.rating, seat.provisional, seat.is_bot, seat.url) for seat in self.seats
            ),
        )


Answer = int | Refusal
"""What a command id was answered with: the number of its event, or a refusal that the log keeps (G4)."""


class Loaded(Struct):
    """A match from the database."""

    match: MatchInfo
    state: State
    answers: dict[str, Answer]
    """By `answer_key`."""


def answer_key(seat: int, command_id: str) -> str:
    """Two seats may choose the same id. A string, not a pair: the garbage collector need not look at it."""
    return f"{seat}{command_id}"


def answer_of(event: Event, seq: int) -> Answer:
    if event.kind is Kind.MISSED:
        return Refusal(Code.PILE_CHANGED, event.by, event.late)
    return seq


def load_info(slug: str) -> MatchInfo:
    """What there is to know besides the log. Blocks: for a worker's thread.

    :raises NoSuchMatch, NotSeated: there is nothing to play.
    """
    return _load_info(slug)[1]


def _load_info(slug: str) -> tuple[Match, MatchInfo]:
    match = Match.objects.filter(slug=slug).select_related("rematch").first()
    if match is None:
        raise NoSuchMatch(slug)
    if match.state == Match.State.OPEN:
        raise NotSeated(slug)
    setup = match.setup
    seats = list(match.seats.select_related("user").order_by("number"))
    standings = standings_of([seat.user_id for seat in seats])
    people = tuple(person_of(seat, standings.get((seat.user_id, match.game))) for seat in seats)
    rematch = getattr(match, "rematch", None)
    url = rematch.get_absolute_url() if rematch is not None else None
    info = MatchInfo(slug, match.pk, setup, match.rated, people, url, match.delay)
    return match, info


def load(slug: str) -> Loaded:
    """Read a match and fold its log. Blocks: for a worker's thread.

    :raises NoSuchMatch, NotSeated: there is nothing to play.
    """
    match, info = _load_info(slug)
    state = book_of(info.setup.game).start(info.setup)
    answers: dict[str, Answer] = {}
    rows = match.events.order_by("seq").values_list("body", "version")
    for body, version in rows.iterator(chunk_size=2000):
        event = decode_event(body, version)
        state = evolve(state, event)
        if event.command is not None:
            for seat in senders(event):
                answers[answer_key(seat, event.command)] = answer_of(event, state.seq)
    return Loaded(info, state, answers)
