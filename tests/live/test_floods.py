"""B39: who floods is cut off, whatever with; others at the same server do not notice. The flood is its own process."""

import asyncio
import json
import sqlite3
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from games.rules.setup import Setup
from games.rules.state import Phase
from tests import databases
from tests.live.support import Screen, moves
from tests.live.test_sockets import Page, make_matches, sit
from tests.live.test_sockets import hang_up as hang_up
from tests.ops.http import ask
from tests.site_process import ROOT, Site

SECONDS = 4
"""How long the flood lasts; whoever floods comes back as soon as they are cut off."""
PLAYS = 40
GROWTH = 40
"""MB that the server may have grown by: less than ten frames of 5 MB."""

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
            await asyncio.wait_for(socket.wait_closed(), within(5))
        return socket.close_code, time.monotonic() - began

async def read(socket):
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


def memory(site: Site) -> float:
    """MB that the server occupies."""
    status = Path(f"/proc/{site.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def slow_query(site: Site) -> Iterator[None]:
    """Somebody has the database count for a long time, over and over."""
    enough = threading.Event()
    query = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000000) "
        "SELECT count(*) FROM c, (SELECT count(*) FROM games_event) AS events"
    )

    def ask() -> None:
        while not enough.is_set():
            if databases.IS_POSTGRESQL:
                with psycopg.connect(databases.url_of(site.var)) as connection:
                    connection.execute(query)  # type: ignore[call-overload]
            else:
                with sqlite3.connect(site.var / "spit.sqlite3") as other:
                    other.execute(query).fetchall()

    asking = threading.Thread(target=ask)
    asking.start()
    yield
    enough.set()
    asking.join()


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


async def delays(pages: tuple[Page, Page], screens: list[Screen], plays: int) -> list[float]:
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


async def test_b39_a_flood_of_everything_costs_the_others_nothing(site: Site) -> None:
    (flooded, (slug, cookies)) = await asyncio.to_thread(make_matches, site, 2)
    pages = await sit(site, slug, cookies)
    screens = [follow(page) for page in pages]
    calm = await delays(pages, screens, PLAYS)
    before = memory(site)
    url = f"ws://127.0.0.1:{site.port}/ws/match/{flooded[0]}/"
    command = [sys.executable, "-c", FLOOD, url, site.url, flooded[1][0], str(SECONDS)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"begun\n"
    answer = asyncio.create_task(process.stdout.read())
    stormy: list[float] = []
    while not answer.done():
        stormy += await delays(pages, screens, 1)
    told = json.loads(await answer)
    await process.wait()
    assert (await asyncio.to_thread(ask, site.url + "/accounts/login/")).status == 200
    assert memory(site) - before < GROWTH
    # Cut off, and again whenever they come back; of the 1,000 frames in a second few were even read.
    assert len(told["flood"]) > 1
    assert {code for code, _ in told["flood"]} == {4429}
    assert max(seconds for _, seconds in told["flood"]) < 2
    assert told["rude"][0][1] < 5
    assert {code for code, _ in told["huge"]} == {1009}
    assert {code for code, _ in told["broken"]} == {code for code, _ in told["binary"]} == {4400}
    assert len(stormy) > PLAYS
    assert statistics.median(stormy) < statistics.median(calm) + 25, (calm, stormy)
    assert statistics.quantiles(stormy, n=20)[-1] < 250
    assert "Traceback" not in site.output


async def test_b39_a_slow_query_delays_no_play(site: Site) -> None:
    ((slug, cookies),) = await asyncio.to_thread(make_matches, site, 1)
    pages = await sit(site, slug, cookies)
    screens = [follow(page) for page in pages]
    with slow_query(site):
        took = await delays(pages, screens, PLAYS)
    assert statistics.median(took) < 100
