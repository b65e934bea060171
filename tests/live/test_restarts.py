"""B23: a server is restarted in the middle; the hidden order stays, and everything else with it. Real servers."""

import asyncio
import json
import signal
from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest

from games.rules.setup import Setup
from games.rules.state import Phase
from tests.live.prepared import HIDDEN
from tests.live.support import Screen
from tests.live.test_sockets import Page, visit
from tests.live.test_sockets import hang_up as hang_up
from tests.site_process import Site, manage

FIRST = 5
"""Cards to come that are compared."""


def ask(site: Site, what: str) -> Any:
    """What a function of `tests.live.prepared` says there."""
    code = f"import json; from tests.live import prepared; print(json.dumps(prepared.{what}))"
    return json.loads(manage(site.var, "shell", "-v0", "-c", code).stdout.splitlines()[-1])


class Sitting:
    """Two players at a server, and what they see turned."""

    def __init__(self, pages: tuple[Page, Page], game: str) -> None:
        self.pages = pages
        self.screens = [Screen(Setup(game)) for _ in pages]
        for page, screen in zip(pages, self.screens, strict=True):
            for message in page.messages:
                screen.take(message)
            page.on_message = screen.take
        self._sources = HIDDEN[game]

    @property
    def turned(self) -> list[str]:
        """The cards that came up from the hidden places, in order."""
        moves = [move for e in self.pages[0].events if e["kind"] == "turned" for move in e["moves"]]
        return [card for card, source, _ in moves if source in self._sources]

    async def turn(self, count: int) -> None:
        """Let cards be turned until so many more are: both call spit, whatever else could be played."""
        wanted = len(self.turned) + count
        while len(self.turned) < wanted:
            state = self.screens[0].state
            assert state is not None
            assert state.status.phase in (Phase.PLAYING, Phase.STUCK), state.status
            before = len(self.turned)
            for page in self.pages:
                page.say("spit", token_hex(6))  # The stored log has ids of its own.
            await self.pages[0].until(lambda before=before: len(self.turned) > before)  # type: ignore[misc]


async def sit(site: Site, slug: str, cookies: list[str], game: str) -> Sitting:
    sitting = Sitting((await visit(site, slug, cookies[0], 0), await visit(site, slug, cookies[1], 1)), game)
    for page in sitting.pages:
        await page.message("state")
    return sitting


def assert_next(turned: list[str], to_come: list[str]) -> None:
    """These are the next cards. One turn may have come by itself before anybody looked."""
    missed = to_come.index(turned[0])
    assert missed in (0, 2)
    assert turned == to_come[missed : missed + len(turned)]


@pytest.mark.parametrize("game", ["speed", "spit"])
async def test_b23_the_next_cards_are_the_same_after_sigterm_and_after_kill_9(
    start_site: Callable[..., Site], game: str
) -> None:
    """Right after a reshuffle of Speed, and in the middle of a round of Spit."""
    site = start_site()
    slug, cookies = await asyncio.to_thread(ask, site, f"make({game!r})")
    sitting = await sit(site, slug, cookies, game)
    if game == "speed":
        for page in sitting.pages:
            page.say("spit", token_hex(6))
        await sitting.pages[0].event("reshuffled")
    seen = sitting.pages[0]
    await asyncio.to_thread(site.stop, signal.SIGTERM)
    await seen.until(lambda: seen.closed)
    to_come = ask(site, f"hidden({slug!r})")
    assert len(to_come) > 2 * FIRST
    shown = sitting.screens[0].state
    assert shown is not None

    site = start_site()
    sitting = await sit(site, slug, cookies, game)
    again = sitting.screens[0].state
    assert again is not None
    if again.seq == shown.seq:
        assert again.places == shown.places
    await sitting.turn(1)
    site.kill()
    await sitting.pages[0].until(lambda: sitting.pages[0].closed)
    # What is in the log and was not shown any more is turned all the same.
    left = ask(site, f"hidden({slug!r})")
    gone = len(to_come) - len(left)
    assert_next(sitting.turned, to_come[:gone])
    assert left == to_come[gone:]

    site = start_site()
    sitting = await sit(site, slug, cookies, game)
    await sitting.turn(FIRST)
    assert_next(sitting.turned, left)
    # The tops are the same for both, and the log is judged again without a fault.
    for page, screen in zip(sitting.pages, sitting.screens, strict=True):
        await page.until(
            lambda screen=screen: screen.state and screen.state.seq == sitting.screens[0].state.seq  # type: ignore[misc,union-attr]
        )
    sitting.pages[0].say("resign", token_hex(6))
    await sitting.pages[1].event("ended")
    assert await asyncio.to_thread(ask, site, f"faults({slug!r})") == []
    assert "Traceback" not in site.output
