"""Where a match stands, for pages that list matches, as somebody who only watches may know it (`Match.delay`).

From its table if it is here, else from its log: read only where another process
has the table, or where there is a delay, and from where it last stopped reading.
Never on the path of a play.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django.conf import settings
from django.db.models import Q
from msgspec import Struct

from games.clock import wall
from games.live.supervisor import get_supervisor
from games.models import End, Match
from games.models import Event as EventRow
from games.rules.events import Event
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


def shown_states(matches: Sequence[Match]) -> dict[int, State]:
    """The states of matches as they may be shown now, hidden cards and all, by the matches' ids.

    Those that have none yet are left out. Blocks, for one query at most: for a worker's thread.
    """
    tables = get_supervisor().tables
    states: dict[int, State] = {}
    elsewhere: list[Match] = []
    for match in matches:
        table = tables.get(match.slug)
        if table is not None and not match.delay:
            # A frozen value: the loop goes on with others meanwhile.
            states[match.pk] = table.shown
        elif settings.PLAY_IS_SHARED or match.delay:
            elsewhere.append(match)
    for match, state in _folded(elsewhere):
        if state.seq:
            states[match.pk] = state
    return states


def _folded(matches: Sequence[Match]) -> list[tuple[Match, State]]:
    now = time.monotonic()
    reads: dict[int, _Read] = {}
    stale: list[Match] = []
    with _lock:
        for match in matches:
            read = _known.get(match.pk)
            reads[match.pk] = read or _Read(now, book_of(match.game).start(match.setup))
            if read is None or now - read.at > FRESH:
                stale.append(match)
    if stale:
        news = _events_since({match.pk: reads[match.pk].last.seq for match in stale})
        fresh = {match.pk: _read_on(match, reads[match.pk], news[match.pk], now) for match in stale}
        reads |= fresh
        with _lock:
            for pk, read in fresh.items():
                _known[pk] = read
                _known.move_to_end(pk)
            while len(_known) > KEPT:
                _known.popitem(last=False)
    return [(match, reads[match.pk].state) for match in matches]


def _events_since(seqs: Mapping[int, int]) -> dict[int, list[Event]]:
    """What came after these numbers in the logs of these matches, by their ids, in order."""
    wanted = Q()
    for pk, seq in seqs.items():
        wanted |= Q(match=pk, seq__gt=seq)
    found: dict[int, list[Event]] = {pk: [] for pk in seqs}
    for match_id, body, version in (
        EventRow.objects.filter(wanted).order_by("match", "seq").values_list("match_id", "body", "version")
    ):
        found[match_id].append(decode_event(body, version))
    return found


def _read_on(match: Match, read: _Read, news: Iterable[Event], now: float) -> _Read:
    state = read.last
    later = [*read.later]
    for event in news:
        state = evolve(state, event)
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
