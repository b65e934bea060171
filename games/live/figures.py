"""What live play counts about itself: plain numbers of this process.

The path of a play pays for them with an addition here and there, without locks
and without a library: what is counted per play is counted after its frames have
gone out, the rest in the journal's thread, once for a batch. Whoever shows them
(`spitsite.monitoring`) reads them as they are.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, Final

from games.rules.events import Kind

if TYPE_CHECKING:
    from games.live.journal import Entry

SECONDS: Final = (0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
ENTRIES: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)


class Histogram:
    """How often a value fell between two bounds. To be written by one thread only."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        """The upper bounds, each inclusive; what lies above the last has a count of its own."""
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        """The sum of all values."""

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Figures:
    """Counted since the process began. `batch`, `commit`, `events`, `failures` belong to the journal's thread, the
    rest to the event loop."""

    __slots__ = ("batch", "behind", "broken", "commit", "events", "failures", "plays", "publish", "refusals")

    def __init__(self) -> None:
        self.plays: defaultdict[str, int] = defaultdict(int)
        """Cards played, by game."""
        self.refusals: defaultdict[str, int] = defaultdict(int)
        """Refusals told, by code."""
        self.publish = Histogram(SECONDS)
        """Seconds from a command's arrival until all frames of its batch are out."""
        self.behind = 0
        """How often a slow reader was sent the state instead of its backlog."""
        self.broken: defaultdict[str, int] = defaultdict(int)
        """Streams broken, by fault."""
        self.batch = Histogram(ENTRIES)
        """Entries of a batch."""
        self.commit = Histogram(SECONDS)
        """Seconds that a batch took to be in the database."""
        self.events = 0
        """Events in the database."""
        self.failures = 0
        """Attempts to write a batch that failed."""

    def published(self, batch: Sequence["Entry"]) -> None:
        """The frames of a batch are out. In the event loop."""
        now = monotonic()
        publish = self.publish
        for entry in batch:
            if entry.arrived:
                publish.add(now - entry.arrived)
                if entry.events[0].kind is Kind.PLAYED:
                    self.plays[entry.state.setup.game] += 1

    def committed(self, batch: Sequence["Entry"], seconds: float) -> None:
        """A batch is in the database. In the journal's thread."""
        self.batch.add(len(batch))
        self.commit.add(seconds)
        self.events += sum(len(entry.rows) for entry in batch)


figures: Final = Figures()
"""Those of this process."""
