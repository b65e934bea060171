"""The log of a match up to some event, for those who may know of everything only later."""

from msgspec import Struct

from games.clock import wall
from games.live.match_info import MatchInfo
from games.models import End, Event
from games.rules.events import Event as RulesEvent
from games.rules.evolve import evolve
from games.rules.log import decode_event
from games.rules.registry import book_of
from games.rules.state import State


class Past(Struct):
    """Events from the first on, and the state after each."""

    start: State
    """Before the first event."""
    events: list[RulesEvent]
    states: list[State]
    over_for: int | None
    """Milliseconds since the match ended, None while it is played."""


def read_past(match: MatchInfo, seq: int) -> Past:
    """The log up to event `seq`. Blocks: for a worker's thread.

    :raises DatabaseError, InterfaceError: it cannot be read.
    """
    start = state = book_of(match.setup.game).start(match.setup)
    past = Past(start, [], [], None)
    rows = Event.objects.filter(match_id=match.pk, seq__lte=seq).order_by("seq").values_list("body", "version")
    for body, version in rows.iterator(chunk_size=2000):
        event = decode_event(body, version)
        state = evolve(state, event)
        past.events.append(event)
        past.states.append(state)
    if state.is_over:
        ended_at = End.objects.values_list("ended_at", flat=True).get(match_id=match.pk)
        past.over_for = max(0, round((wall() - ended_at).total_seconds() * 1000))
    return past
