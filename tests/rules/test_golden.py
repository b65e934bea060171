"""Golden logs: what was stored once is read for ever, judged sound, and leads to the same views (tests/golden)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.judge import judge
from games.rules.log import decode_event, states
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from games.rules.view import Audience, View, view_state

FILES = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))


def agrees(stored: Any, now: Any) -> bool:
    """Whether what was stored is still so. Fields may have come since; none may have gone or changed."""
    if isinstance(stored, dict):
        return isinstance(now, dict) and all(key in now and agrees(value, now[key]) for key, value in stored.items())
    return bool(stored == now)


def plain(view: View) -> Any:
    return json.loads(msgspec.json.encode(view))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    setup = msgspec.convert(golden["setup"], Setup)
    events = [decode_event(json.dumps(event)) for event in golden["events"]]
    verdict = judge(setup, events)
    assert [str(fault) for fault in verdict.faults] == []
    assert agrees(golden["end"], plain(view_state(verdict.state, Audience.WATCHERS)))
    # What the judge hands on, so that nobody folds again, is the fold.
    assert verdict.course == list(states(setup, events))
    found = {state.seq: state for state in verdict.course}
    for name, seen in golden["audiences"].items():
        for view in seen["views"]:
            now = view_state(found[view["seq"]], Audience[name.upper()])
            assert agrees(view, plain(now))


def test_every_game_has_one() -> None:
    games = {json.loads(path.read_text(encoding="utf-8"))["setup"]["game"] for path in FILES}
    assert games == set(BOOKS)
