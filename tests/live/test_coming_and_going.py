"""B04: whoever comes in, or comes back, is soon where the server is: no gap, nothing twice. A real server."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from games.rules.setup import Setup
from games.rules.state import Phase
from tests.live.support import Screen, moves
from tests.live.test_sockets import Page, make_matches, stored, visit
from tests.live.test_sockets import hang_up as hang_up
from tests.site_process import Site

MATCHES = 10
TIMES = 5
"""In each match: 50 in all."""
SOON = 1.0
"""Seconds in which everybody is where the server is."""
PACE = 0.1
BETWEEN = 8
"""Events that happen with both at the table, from one cut to the next."""
SPIT = Setup("spit")


class Tab:
    """A page that connects again, and what it shows."""

    def __init__(self, connect: Callable[[], Awaitable[Page]]) -> None:
        self._connect = connect
        self.page: Page
        self.screen: Screen

    async def open(self) -> None:
        self.page = await self._connect()
        self.screen = Screen(SPIT)
        self.page.on_message = self.screen.take

    def cut(self) -> None:
        self.page.socket.transport.abort()

    @property
    def seq(self) -> int:
        return -1 if self.screen.state is None else self.screen.state.seq

    async def reaches(self, seq: int) -> None:
        async with asyncio.timeout(SOON):
            await self.page.until(lambda: self.seq >= seq)

    def act(self) -> None:
        """Do one thing that can be done, if there is any."""
        state = self.screen.state
        if state is None or self.page.closed:
            return
        seat = self.page.seat or 0
        match state.status.phase:
            case Phase.READY | Phase.STUCK if not state.status.ready[seat]:
                self.page.say("ready" if state.status.phase is Phase.READY else "spit", round=state.status.round)
            case Phase.SLAP:
                self.page.say("slap", pile=f"centre.{seat}", round=state.status.round)
            case Phase.PLAYING if possible := moves(state, seat):
                play = possible[0]
                self.page.say(type(play).__name__.lower(), card=play.card, to=play.to, round=state.status.round)


async def keep_playing(*tabs: Tab) -> None:
    while True:
        for tab in tabs:
            tab.act()
            await asyncio.sleep(PACE)


async def come_and_go(site: Site, slug: str, cookies: list[str], chance: random.Random) -> None:
    one = Tab(lambda: visit(site, slug, cookies[0], 0))
    two = Tab(lambda: visit(site, slug, cookies[1], 1))
    for tab in (one, two):
        await tab.open()
    playing = asyncio.create_task(keep_playing(one, two))
    for _ in range(TIMES):
        going_on = two.seq + BETWEEN
        await two.page.until(lambda going_on=going_on: two.seq >= going_on)  # type: ignore[misc]
        watcher = Tab(lambda: visit(site, slug))
        await watcher.open()
        await watcher.reaches(two.seq)
        one.cut()
        await asyncio.sleep(chance.uniform(0.5, 3))
        await one.open()
        await one.reaches(two.seq)
        await watcher.reaches(two.seq)
        assert not playing.done()
        await watcher.page.socket.close()
    watcher = Tab(lambda: visit(site, slug))
    await watcher.open()
    playing.cancel()
    one.page.say("resign")
    await two.page.event("ended")
    rows = await asyncio.to_thread(stored, site, slug)
    last = rows[-1]["seq"]
    assert last > TIMES * BETWEEN
    for tab in (one, two, watcher):
        await tab.reaches(last)
        assert tab.seq == last
        assert tab.screen.state is not None
        assert two.screen.state is not None
        # At the end every face is open, to all.
        assert tab.screen.state.places == two.screen.state.places


async def test_b04_fifty_times_in_and_out_while_it_is_played(site: Site) -> None:
    """A watcher joins, A's line is cut for 0.5 to 3 s, 50 times, at about ten events a second in each match."""
    matches = await asyncio.to_thread(make_matches, site, MATCHES)
    async with asyncio.TaskGroup() as group:
        for number, (slug, cookies) in enumerate(matches):
            group.create_task(come_and_go(site, slug, cookies, random.Random(number)))
