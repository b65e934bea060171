"""A flood, a slow query, and what they cost others at the same server."""

import asyncio
import json
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

import psycopg

from games.rules.setup import Setup
from games.rules.state import Phase
from tests import databases
from tests.live.support import Screen, moves
from tests.live.test_sockets import Page
from tests.site_process import ROOT, Site

FLOOD = """
import asyncio, contextlib, json, sys, time
import websockets

url, origin, cookie, seconds = sys.argv[1:]
connect = lambda: websockets.connect(url, origin=origin, additional_headers={"Cookie": "sessionid=" + cookie})

async def send(frame, pause, times, reads=True):
    "Send it so often, or until the line is closed; how it was closed, and after how long."
    async with connect() as socket:
        began = time.monotonic()
        reading = asyncio.create_task(read(socket)) if reads else None
        with contextlib.suppress(websockets.ConnectionClosed):
            for _ in range(times):
                await socket.send(frame)
                await asyncio.sleep(pause)
            await asyncio.wait_for(socket.wait_closed(), 5)
        return socket.close_code, time.monotonic() - began

async def read(socket):
    with contextlib.suppress(websockets.ConnectionClosed):
        async for _ in socket:
            pass

async def main():
    told = {"flood": [], "huge": [], "broken": [], "binary": []}
    command = '{"t":"ready","id":"f","round":1}'
    print("begun", flush=True)
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        told["flood"].append(await send(command, 0.0005, 10_000))
    # This one does not care that it was sent away.
    told["rude"] = [await send(command, 0.0005, 30_000, reads=False)]
    for name, frame in (("huge", "x" * 5_000_000), ("broken", '{"t":"play"'), ("binary", bytes(range(256)))):
        for _ in range(5):
            told[name].append(await send(frame, 0.001, 10))
    print(json.dumps(told))

asyncio.run(main())
"""


async def flood(site: Site, slug: str, cookies: list[str], seconds: float) -> "asyncio.Task[dict[str, Any]]":
    """A flood that has begun, in a process of its own; what came of it: how it was closed and after how many seconds.

    By what it is flooded with: `flood`, `rude`, `huge`, `broken`, `binary`.
    """
    url = f"ws://127.0.0.1:{site.port}/ws/match/{slug}/"
    command = [sys.executable, "-c", FLOOD, url, site.url, cookies[0], str(seconds)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"begun\n"

    async def end() -> dict[str, Any]:
        said, _ = await process.communicate()
        told: dict[str, Any] = json.loads(said)
        return told

    return asyncio.create_task(end())


def memory(site: Site) -> float:
    """MB that the server occupies."""
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


class SlowQuery:
    """Somebody has the database count for as long as this is entered."""

    QUERY: Final = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000000) "
        "SELECT count(*) FROM c, (SELECT count(*) FROM games_event) AS events"
    )

    def __init__(self, site: Site) -> None:
        if databases.IS_POSTGRESQL:
            on_server = psycopg.connect(databases.url_of(site.var))
            self._cancel, self._close = on_server.cancel, on_server.close
            self._ask: Callable[[], object] = lambda: on_server.execute(self.QUERY)
        else:
            in_file = sqlite3.connect(site.var / "spit.sqlite3", check_same_thread=False)
            self._cancel, self._close = in_file.interrupt, in_file.close
            self._ask = lambda: in_file.execute(self.QUERY).fetchall()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with suppress(sqlite3.OperationalError, psycopg.errors.QueryCanceled):
            self._ask()

    @property
    def is_asking(self) -> bool:
        return self._thread.is_alive()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._cancel()
        self._thread.join()
        self._close()


def follow(page: Page) -> Screen:
    """What the page shows from now on."""
    screen = Screen(Setup("spit"))
    for message in page.messages:
        screen.take(message)
    page.on_message = screen.take
    return screen


def act(page: Page, screen: Screen) -> tuple[str, bool] | None:
    """Do what can be done; the id of the command, and whether it was a play. None: there is nothing to do."""
    state = screen.state
    assert state is not None
    seat = page.seat or 0
    status = state.status
    match status.phase:
        case Phase.READY | Phase.STUCK if not status.ready[seat]:
            kind = "ready" if status.phase is Phase.READY else "spit"
            return page.say(kind, round=status.round), False
        case Phase.PLAYING if possible := moves(state, seat):
            play = possible[0]
            return page.say(type(play).__name__.lower(), card=play.card, to=play.to, round=status.round), True
        case Phase.SLAP:
            return page.say("slap", pile=f"centre.{seat}", round=status.round), False
    return None


async def play(pages: tuple[Page, Page], screens: list[Screen], plays: int) -> list[float]:
    """How long so many plays took, in ms, from the click to the answer."""
    took: list[float] = []

    def seen() -> list[int]:
        return [screen.state.seq for screen in screens if screen.state is not None]

    while len(took) < plays:
        before = seen()
        for page, screen in zip(pages, screens, strict=True):
            began = time.monotonic()
            done = act(page, screen)
            if done is not None:
                await page.until(lambda page=page, done=done: page.answer(done[0]))  # type: ignore[misc]
                if done[1]:
                    took.append((time.monotonic() - began) * 1000)
        # Whoever has nothing to do waits for something to happen.
        await pages[0].until(lambda before=before: seen() != before)  # type: ignore[misc]
    return took
