"""PostgreSQL stops in the middle, for longer than a play is held. A real server on a PostgreSQL of its own."""

import asyncio
import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.live.journal import HOLD
from games.rules.state import Phase
from spitsite.cluster.services import PostgreSQL
from tests.live.flooding import act, follow, memory
from tests.live.support import Screen
from tests.live.test_sockets import MATCHES, Page, visit
from tests.live.test_sockets import hang_up as hang_up
from tests.patience import within
from tests.site_process import Site, manage, start


@pytest.fixture
def postgres() -> Iterator[PostgreSQL]:
    with PostgreSQL(forgetful=True) as server:
        yield server


@pytest.fixture
def site(postgres: PostgreSQL, fresh_site: Path, tmp_path: Path) -> Iterator[Site]:
    shutil.copytree(fresh_site, tmp_path, dirs_exist_ok=True)
    running = start(tmp_path, DATABASE_URL=postgres.url)
    yield running
    running.kill()


def there(site: Site, postgres: PostgreSQL, code: str) -> object:
    said = manage(site.var, "shell", "-v0", "-c", code, DATABASE_URL=postgres.url).stdout
    return json.loads(said.splitlines()[-1])


async def go_on(pages: tuple[Page, Page], screens: list[Screen], until: Callable[[], bool]) -> None:
    while not until():
        for page, screen in zip(pages, screens, strict=True):
            if (done := act(page, screen)) is not None:
                await page.until(lambda page=page, done=done: page.answer(done[0]))  # type: ignore[misc]
        await asyncio.sleep(0.05)


async def test_plays_are_held_then_refused_and_go_on_when_it_is_back(site: Site, postgres: PostgreSQL) -> None:
    ((slug, cookies),) = await asyncio.to_thread(there, site, postgres, MATCHES.format(count=1, state="live"))  # type: ignore[misc]
    pages = await visit(site, slug, cookies[0], 0), await visit(site, slug, cookies[1], 1)
    watcher = await visit(site, slug)
    for page in (*pages, watcher):
        await page.message("state")
    screens = [follow(page) for page in pages]
    playing = Phase.PLAYING

    def is_under_way() -> bool:
        states = [screen.state for screen in screens if screen.state is not None]
        return len(states) == 2 and all(s.status.phase is playing and sum(s.played) > 4 for s in states)

    await go_on(pages, screens, is_under_way)
    before = memory(site)
    await asyncio.to_thread(postgres.stop)
    began = time.monotonic()
    # What was on its way is held; whether the log has it only the database knows. What comes later is refused.
    held = [page.say("spit") for page in pages]
    for page in (*pages, watcher):
        await page.message("trouble", on=True)
    assert time.monotonic() - began < within(4)
    sent = 0
    while time.monotonic() - began < HOLD + 3:
        for page in pages:
            name = page.say("spit")
            await page.message("refused", id=name, code="trouble")
            sent += 1
        await asyncio.sleep(0.05)
    assert sent > 20
    assert memory(site) - before < 20
    assert not any(page.closed for page in (*pages, watcher))

    await asyncio.to_thread(postgres.start)
    began = time.monotonic()
    for page in (*pages, watcher):
        await page.message("trouble", on=False)
    assert time.monotonic() - began < within(15)
    shown = screens[0].state
    assert shown is not None
    for page, name in zip(pages, held, strict=True):
        await page.until(lambda page=page, name=name: page.answer(name))  # type: ignore[misc]
    await go_on(pages, screens, lambda: screens[0].state is not None and screens[0].state.seq > shown.seq + 10)
    pages[0].say("resign")
    for page in (*pages, watcher):
        await page.event("ended")
    code = (
        "import json; from games.models import Event; print(json.dumps(list("
        f"Event.objects.filter(match__slug={slug!r}).order_by('seq').values_list('command', flat=True))))"
    )
    log = await asyncio.to_thread(there, site, postgres, code)
    assert isinstance(log, list)
    commands = [command for command in log if command]
    assert len(commands) == len(set(commands))
    # Whatever was acknowledged is there.
    for page in pages:
        for message in page.of("events"):
            for nth, event in enumerate(message["events"]):
                assert log[message["seq"] - 1 + nth] == event.get("command")
