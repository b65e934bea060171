"""`python -m tests.scale.bench_figures`: what counting costs a play, in microseconds; the last line is JSON."""

import json
from time import monotonic, perf_counter
from types import SimpleNamespace
from typing import Any, Final

from games.live.figures import Figures
from games.rules.events import Kind

NUMBER: Final = 200_000
BATCH: Final = 8
"""Entries of a batch: what a busy server has."""


class _Slots:
    __slots__ = ("arrived",)


def _time(work: Any, number: int) -> float:
    """Microseconds of one call, the least of five."""
    best = float("inf")
    for _ in range(5):
        began = perf_counter()
        for _ in range(number):
            work()
        best = min(best, perf_counter() - began)
    return best / number * 1e6


def main() -> None:
    figures = Figures()
    member, entry = _Slots(), _Slots()
    state = SimpleNamespace(setup=SimpleNamespace(game="spit"))
    event = SimpleNamespace(kind=Kind.PLAYED)
    entries: list[Any] = [
        SimpleNamespace(arrived=monotonic() - 0.002, events=(event,), state=state, rows=[None]) for _ in range(BATCH)
    ]
    sender = (member, "id", None)

    def nothing() -> None:
        pass

    def arrive() -> None:
        member.arrived = monotonic()
        if sender is not None:
            entry.arrived = sender[0].arrived

    call = _time(nothing, NUMBER)
    before = _time(arrive, NUMBER) - call
    after = (_time(lambda: figures.published(entries), NUMBER // BATCH) - call) / BATCH
    alone = _time(lambda: figures.published(entries[:1]), NUMBER // BATCH) - call
    thread = (_time(lambda: figures.committed(entries, 0.001), NUMBER // BATCH) - call) / BATCH
    print(f"before its frames are out          {before:.3f} µs")
    print(f"after, in the event loop           {after:.3f} µs in a batch of {BATCH}, {alone:.3f} µs alone")
    print(f"in the journal's thread            {thread:.3f} µs in a batch of {BATCH}")
    print(json.dumps({"before_us": before, "after_us": after, "alone_us": alone, "thread_us": thread}))


if __name__ == "__main__":
    main()
