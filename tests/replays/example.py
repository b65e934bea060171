"""Writes docs/replay-format.example.json anew, a short match of Spit, judged by the rules of today:

    python -m tests.replays.example > docs/replay-format.example.json

What was dealt and what the two did is written down here; all else follows.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

PACK: Final = (
    "6d Js 9s 4h Kc 4s 2c 6s 5h Th 6c 4c Jh Qc Ad Qd 8c 9d 7h 5c 7d Ks 9h 9c Td Ts "
    "3s Tc 6h As 2d Jc Kh 5s Qh 8h 8s 3d 2h 5d Ac Qs Jd 7s 3h Ah 3c 2s Kd 8d 4d 7c"
)
STARTED: Final = "2026-03-01T18:30:00.000+00:00"
ENDED: Final = "2026-03-01T18:30:05.214+00:00"


def example() -> dict[str, Any]:
    """The document as plain values."""
    from games.models import End
    from games.rules import commands
    from games.rules.book import Decision
    from games.rules.registry import book_of
    from games.rules.setup import PACES, Setup
    from replays.build import make_course
    from replays.format import DocumentMatch, DocumentSeat, encode_course, join

    setup = Setup("spit")
    book = book_of(setup.game)
    state = book.start(setup)
    log = []
    numbers = iter(range(1, 100))
    for at, seat, command in (
        (0, None, commands.Deal({"pack": tuple(f"-{card}" for card in PACK.split())})),
        (431, 0, commands.Ready(1)),
        (685, 1, commands.Ready(1)),
        (3685, None, commands.Elapse()),
        (4019, 1, commands.Play(1, "Td", "centre.0")),
        (4137, 0, commands.Play(1, "Ts", "centre.0")),  # Too late.
        (4574, 0, commands.Play(1, "Js", "centre.0")),
        (5214, 1, commands.Resign()),
    ):
        command_id = None if seat is None else f"c{next(numbers)}"
        decision = book.decide(state, command, at=at, seat=seat, command_id=command_id)
        assert isinstance(decision, Decision), decision
        log += decision.events
        state = decision.state
    result = state.status.result
    assert result is not None
    end = End(winner=result.winner, cause=result.cause.value, void=result.is_void, events=state.seq, at=state.at)
    match = DocumentMatch(
        slug="k3x9m2ab",
        game=setup.game,
        options={name: getattr(setup.options, name) for name in sorted(book.options)},
        pace=PACES[setup.pace],
        rated=True,
        started_at=STARTED,
        ended_at=ENDED,
        seats=(
            DocumentSeat(name="ann", bot=False, rating=1512, rating_after=1524, provisional=False),
            DocumentSeat(name="ben", bot=False, rating=1580, rating_after=1568, provisional=False),
        ),
    )
    document: dict[str, Any] = json.loads(join(match, encode_course(make_course(setup, log, end))))
    return document


def layout(value: Any, depth: int = 0) -> str:
    """JSON for people: the upper levels a line for each item, what is deeper in one."""
    if depth > 1 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {layout(item, depth + 1)}" for key, item in value.items()]
    else:
        items = [layout(item, depth + 1) for item in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    indent = "  " * depth
    return left + ",".join(f"\n{indent}  {item}" for item in items) + f"\n{indent}{right}"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    sys.stdout.write(layout(example()) + "\n")


if __name__ == "__main__":
    main()
