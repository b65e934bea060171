"""Adds golden logs: whole matches as the rules of the day they were made wrote them.

    python tests/golden/make.py spit-seed-1 [--option stockpiles=4 …]

They are added, never edited: they prove that what was stored once can be read for ever, by Python and by JavaScript. A
file holds the events as they are stored, and for each audience (those who see the same as another are left out) the
events as they were sent and the views after some of them, so that the browser's fold can be compared with the server's.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent


def document(game: str, options: dict[str, Any], seed: int) -> dict[str, Any]:
    """A played match with all that its readers have to get to."""
    import msgspec

    from games.rules.log import states
    from games.rules.setup import Options, Setup
    from games.rules.view import Audience, view_event, view_state
    from tests.factories import play_match

    setup = Setup(game, msgspec.convert(options, Options))
    played = play_match(setup, seed)
    before = list(states(setup, played.events))
    audiences: dict[str, Any] = {}
    for audience in reversed(Audience):
        seen = {
            "start": msgspec.to_builtins(view_state(before[0], audience)),
            "events": [msgspec.to_builtins(view_event(event, audience)) for event in played.events],
            # Every tenth, and the last one while the match was live.
            "views": [
                msgspec.to_builtins(view_state(state, audience))
                for state in before[1:]
                if not state.is_over and (state.seq % 10 == 0 or state.seq == len(played.events) - 1)
            ],
        }
        if seen not in audiences.values():
            audiences[audience.name.lower()] = seen
    return {
        "format": "spit-golden",
        "version": 1,
        "setup": msgspec.to_builtins(setup),
        "events": [msgspec.to_builtins(event) for event in played.events],
        "audiences": audiences,
        "end": msgspec.to_builtins(view_state(before[-1], Audience.WATCHERS)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="of the file, without .json")
    parser.add_argument("--game", default="spit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="VALUE as JSON")
    arguments = parser.parse_args()
    path = HERE / f"{arguments.name}.json"
    if path.exists():
        print(f"{path.name} is there already, and golden logs are never edited.", file=sys.stderr)
        return 1
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    pairs = (option.partition("=") for option in arguments.option)
    options = {name: json.loads(value) for name, _, value in pairs}
    text = json.dumps(document(arguments.game, options, arguments.seed), separators=(",", ":"), ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {len(text) // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
