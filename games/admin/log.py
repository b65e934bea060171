"""The log of a match as a table for people.

Of a match that is still played an administrator sees what every watcher sees
(`games.rules.view`): nobody may know a face-down card (G9).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match
from games.rules.cards import BACK, SECOND, Card, is_face_down, is_red
from games.rules.events import CardMove, Event, Kind
from games.rules.evolve import evolve
from games.rules.log import BadLog, decode_event
from games.rules.registry import book_of
from games.rules.state import Phase, State
from games.rules.view import Audience, view_event, view_state

PAGE: Final = 200
"""Events on one page."""

KINDS: Final[dict[Kind, Promise]] = {
    Kind.SHUFFLED: _("cards shuffled"),
    Kind.DEALT: _("layout dealt"),
    Kind.READIED: _("ready"),
    Kind.CALLED: _("called spit"),
    Kind.CHOSE: _("chose a pile to spit on"),
    Kind.TURNED: _("turn"),
    Kind.PLAYED: _("played"),
    Kind.MISSED: _("came too late"),
    Kind.MOVED: _("moved"),
    Kind.FLIPPED: _("turned up"),
    Kind.REFILLED: _("drew"),
    Kind.STUCK: _("stuck"),
    Kind.CLEARED: _("piles to be taken"),
    Kind.SLAPPED: _("slapped"),
    Kind.TAKEN: _("piles taken"),
    Kind.GATHERED: _("cards gathered"),
    Kind.RESHUFFLED: _("new side piles"),
    Kind.WARNED: _("warned for doing nothing"),
    Kind.FINISHED: _("game over"),
    Kind.ENDED: _("match over"),
}
PHASES: Final[dict[Phase, Promise]] = {
    Phase.DEALING: pgettext_lazy("phase", "dealing"),
    Phase.READY: pgettext_lazy("phase", "getting ready"),
    Phase.COUNTDOWN: pgettext_lazy("phase", "countdown"),
    Phase.PLAYING: pgettext_lazy("phase", "playing"),
    Phase.STUCK: pgettext_lazy("phase", "stuck"),
    Phase.SLAP: pgettext_lazy("phase", "taking the piles"),
    Phase.OVER: pgettext_lazy("phase", "over"),
}
SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Drawn(NamedTuple):
    """A card as the page draws it."""

    text: str
    look: str
    """A CSS class: red, black, down."""


class Step(NamedTuple):
    """Cards that went the same way in one event."""

    cards: list[Drawn]
    source: str
    target: str


class Pile(NamedTuple):
    """A centre pile after an event."""

    top: Drawn | None
    size: int


class Line(NamedTuple):
    """One event."""

    seq: int
    clock: str
    kind: str
    what: Promise | str
    seat: int | None = None
    steps: Sequence[Step] = ()
    cards: int = 0
    """How many cards the steps have in all."""
    card: Drawn | None = None
    place: str | None = None
    late: int | None = None
    centre: Sequence[Pile] = ()
    phase: Promise | str = ""
    fault: str | None = None
    """Why the log cannot be followed beyond this event."""


def clock(ms: int) -> str:
    """Minutes, seconds and milliseconds: "4:07.123"."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def draw(card: Card) -> Drawn:
    if card == BACK:
        return Drawn("", "down")
    face = card.lstrip(BACK)
    text = face[0].replace("T", "10") + SUITS[face[1]] + (SECOND if face.endswith(SECOND) else "")
    if is_face_down(card):
        return Drawn(text, "down")
    return Drawn(text, "red" if is_red(card) else "black")


def lines(match: Match, page: int) -> Iterator[Line]:
    """The lines of one page of a match's log, beginning with page 1."""
    state = book_of(match.game).start(match.setup)
    is_open = match.state == Match.State.OVER
    first, last = (page - 1) * PAGE + 1, page * PAGE
    rows = match.events.filter(seq__lte=last).order_by("seq").values_list("seq", "at", "kind", "version", "body")
    for seq, at, kind, version, body in rows.iterator():
        try:
            event = decode_event(body, version)
            state = evolve(state, event)
        except (BadLog, LookupError, ValueError) as error:
            # The rest cannot be followed; the replay of a finished match is flagged for it.
            yield Line(seq, clock(at), kind, kind, fault=str(error) or repr(error))
            return
        if seq >= first:
            yield _line(seq, event if is_open else view_event(event, Audience.WATCHERS), state)


def _line(seq: int, event: Event, state: State) -> Line:
    view = view_state(state, Audience.WATCHERS)
    steps = list(_steps(event))
    piles = [pile for name, pile in sorted(view.places.items()) if name.startswith("centre.")]
    return Line(
        seq=seq,
        clock=clock(event.at),
        seat=event.seat,
        kind=event.kind.value,
        what=KINDS[event.kind],
        steps=steps,
        cards=sum(len(step.cards) for step in steps),
        card=None if event.card is None else draw(event.card),
        place=event.pile,
        late=event.late,
        centre=[Pile(draw(pile[-1]) if pile else None, len(pile)) for pile in piles],
        phase=PHASES[view.status.phase],
    )


def _steps(event: Event) -> Iterator[Step]:
    for name, pile in (event.orders or {}).items():
        yield Step([draw(card) for card in pile], name, name)

    def way(move: CardMove) -> tuple[str, str]:
        return move.source, move.target

    # A deal goes round by round; sorted, it is read pile by pile. A few moves stay in their order.
    moves = sorted(event.moves, key=way) if len(event.moves) > len(SUITS) else event.moves
    for (source, target), group in groupby(moves, key=way):
        yield Step([draw(move.card) for move in group], source, target)
