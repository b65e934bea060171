"""The states of a finished match, as a replay shows them. Pure.

After the match everything is open (G9), so nothing is hidden here. Whoever
calls this must know that the match is over; `replays.documents` sees to it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from games.rules.events import Event
from games.rules.log import states
from games.rules.setup import Setup
from games.rules.state import State
from games.rules.view import View

EVERY: Final = 100
"""A keyframe stands at event 0, 100, 200, ..."""


def open_view(state: State) -> View:
    """The table with all faces, in the form in which a page is sent it."""
    return View(state.seq, state.at, state.places, state.status, state.warned)


def keyframes(course: Iterable[State], every: int = EVERY) -> Iterator[View]:
    """The views from which a reader can begin, instead of from the first event."""
    return (open_view(state) for state in course if state.seq % every == 0)


def state_at(setup: Setup, events: Sequence[Event], seq: int) -> State:
    """The state after event `seq`; before the first and behind the last the nearest there is."""
    seq = min(max(seq, 0), len(events))
    return next(islice(states(setup, events), seq, None))
