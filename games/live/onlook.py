"""Where a match stands, for pages that list matches, as somebody who only watches may know it (`Match.delay`).

From its table if it is here, else from its log: read only where another process
has the table, or where there is a delay, and from where it last stopped reading.
Never on the path of a play.
"""

import threading
import time
from collections import OrderedDict
from typing import Final

from django.conf import settings
from msgspec import Struct

from games.clock import wall
from games.live.supervisor import get_supervisor
from games.models import End, Match
from games.rules.evolve import evolve
from games.rules.log import decode_event
from games.rules.registry import book_of
from games.rules.state import State

FRESH: Final = 1.0
"""Seconds for which a log is not read again."""
KEPT: Final = 200
"""Matches whose state is remembered."""


class _Read(Struct, frozen=True):
    at: float
    """By `time.monotonic`."""
    state: State
    """What may be known."""
    later: tuple[tuple[State, float], ...] = ()
    """What may not be known yet: the states after the events since, and when each was first read."""

    @property
    def last(self) -> State:
        return self.later[-1][0] if self.later else self.state


_lock = threading.Lock()
_known: OrderedDict[int, _Read] = OrderedDict()


def shown_state(match: Match) -> State | None:
    """The state of a match as it may be shown now, hidden cards and all; None if there is none yet.

    Blocks: for a worker's thread.
    """
    table = get_supervisor().tables.get(match.slug)
    if table is not None and not match.delay:
        # A frozen value: the loop goes on with others meanwhile.
        return table.shown
    return _folded(match) if settings.PLAY_IS_SHARED or match.delay else None


def _folded(match: Match) -> State | None:
    with _lock:
        read = _known.get(match.pk)
    now = time.monotonic()
    if read is None or now - read.at > FRESH:
        read = _read_on(match, read or _Read(now, book_of(match.game).start(match.setup)), now)
        with _lock:
            _known[match.pk] = read
            _known.move_to_end(match.pk)
            while len(_known) > KEPT:
                _known.popitem(last=False)
    return read.state if read.state.seq else None


def _read_on(match: Match, read: _Read, now: float) -> _Read:
    state = read.last
    later = [*read.later]
    for body, version in match.events.filter(seq__gt=state.seq).order_by("seq").values_list("body", "version"):
        state = evolve(state, decode_event(body, version))
        later.append((state, now))
    horizon = _clock(match, state) - match.delay * 1000
    # Where the clock is elsewhere and nobody plays, what was read so long ago happened no later than that.
    known = sum(1 for each, read_at in later if each.at <= horizon or now - read_at >= match.delay)
    return _Read(now, later[known - 1][0] if known else read.state, tuple(later[known:]))


def _clock(match: Match, last: State) -> int:
    """What the match's clock shows, or an earlier time: its table knows, or else its last event."""
    end: End | None = getattr(match, "end", None) if last.is_over else None
    if end is not None:
        return last.at + round((wall() - end.ended_at).total_seconds() * 1000)
    table = get_supervisor().tables.get(match.slug)
    return last.at if table is None else max(last.at, table.now())
