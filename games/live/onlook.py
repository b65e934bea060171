"""Where a live match stands, for pages that list matches: from its table if it is here, else from its log.

Reads the log only where another process has the table, from where it last stopped reading. Never on the path of a play.
"""

import threading
import time
from collections import OrderedDict
from typing import Final

from django.conf import settings
from msgspec import Struct

from games.live.supervisor import get_supervisor
from games.models import Match
from games.rules.evolve import evolve
from games.rules.log import decode_event
from games.rules.registry import book_of
from games.rules.state import State

FRESH: Final = 1.0
"""Seconds for which a log is not read again."""
KEPT: Final = 200
"""Matches of other processes whose state is remembered."""


class _Read(Struct):
    at: float
    state: State


_lock = threading.Lock()
_known: OrderedDict[int, _Read] = OrderedDict()


def shown_state(match: Match) -> State | None:
    """The state of a live match, hidden cards and all; None if it has none yet. Blocks: for a worker's thread."""
    table = get_supervisor().tables.get(match.slug)
    if table is not None:
        # A frozen value: the loop goes on with others meanwhile.
        return table.shown
    return _folded(match) if settings.PLAY_IS_SHARED else None


def _folded(match: Match) -> State | None:
    with _lock:
        read = _known.get(match.pk)
    now = time.monotonic()
    if read is None or now - read.at > FRESH:
        state = book_of(match.game).start(match.setup) if read is None else read.state
        for body, version in match.events.filter(seq__gt=state.seq).order_by("seq").values_list("body", "version"):
            state = evolve(state, decode_event(body, version))
        read = _Read(now, state)
        with _lock:
            _known[match.pk] = read
            _known.move_to_end(match.pk)
            while len(_known) > KEPT:
                _known.popitem(last=False)
    return read.state if read.state.seq else None
