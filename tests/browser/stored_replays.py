"""Finished matches for the browser tests of the replays: the same here and in the server's database."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from games.rules.log import states
from games.rules.setup import Handling, Options, Setup
from replays.timeline import open_view
from tests.factories import SPIT, Played, make_user, play_match, store_match
from tests.site_process import manage

CLASSIC: Final = "classic2"
BY_HAND: Final = "byhand22"
DELETED: Final = "deleted2"
LONG: Final = "longlong"

SETUPS: Final = {
    CLASSIC: (SPIT, 3, (500, 560)),
    BY_HAND: (Setup("spit", Options(Handling.BY_HAND, stockpiles=4, slap=False, alternate=True)), 5, (500, 560)),
    DELETED: (SPIT, 7, (400, 900)),
    # Five games of many short rounds: 5,696 events.
    LONG: (Setup("spit", Options(stockpiles=4, best_of=5)), 2, (700, 700)),
}


@cache
def played(slug: str) -> Played:
    """A match in memory."""
    setup, seed, pace = SETUPS[slug]
    return play_match(setup, seed, pace)


@cache
def views(slug: str) -> list[dict[str, Any]]:
    """The whole table before the first event and after each, as Python folds it, as JSON has it."""
    found = played(slug)
    return [msgspec.json.decode(msgspec.json.encode(open_view(state))) for state in states(found.setup, found.events)]


@cache
def times(slug: str) -> list[int]:
    """When each event was; the first is the start of the match."""
    return [0, *(event.at for event in played(slug).events)]


def fill() -> None:
    """Store them all in the database of this process."""
    marta, ondrej = make_user("Marta"), make_user("Ondřej")
    for slug in SETUPS:
        seats = (None, ondrej) if slug == DELETED else (marta, ondrej)
        store_match(played(slug), *seats, slug=slug)


def fill_in_server(var: Path, **environment: str) -> None:
    """Store them in the database of the server with that `var` directory."""
    manage(var, "shell", "-v", "0", "-c", "from tests.browser.stored_replays import fill; fill()", **environment)
