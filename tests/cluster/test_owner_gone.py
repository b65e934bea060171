"""The server that has a match's table goes, in three ways; the match goes on at another one."""

import asyncio
import signal
import time

import pytest

from tests.cluster.conftest import Cluster, Sample
from tests.cluster.support import Browser, agree, play_some
from tests.patience import within
from tests.site_process import Site


class Scene:
    """A match whose table is at `owner`: the first player sits there, the second one and a watcher elsewhere."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.match: Sample

    async def begin(self) -> "Scene":
        self.owner, self.other = self.cluster.start(2)
        await self._sit_down()
        while not self.owns(self.owner) and not self.owns(self.other):
            # A server of the other tests looked for matches in this very moment.
            for browser in (self.first, self.second, self.watcher):
                browser.close()
            await self._sit_down()
        if self.owns(self.other):
            # It found the match first when it started. So the other way about.
            self.owner, self.other = self.other, self.owner
            self.first, self.second = self.second, self.first
            self.watcher.close()
            self.watcher = await Browser(self.match.slug).open(self.other)
        await play_some(self.players, 12)
        return self

    async def _sit_down(self) -> None:
        self.match = self.cluster.match()
        self.first = await Browser(self.match.slug, self.match.cookies[0]).open(self.owner)
        self.second = await Browser(self.match.slug, self.match.cookies[1]).open(self.other)
        self.watcher = await Browser(self.match.slug).open(self.other)

    def owns(self, site: Site) -> bool:
        names = self.cluster.ask(
            "SELECT p.name FROM games_match m JOIN games_process p ON p.id = m.owner_id WHERE m.id = %s", self.match.pk
        )
        return str(names[0][0]).endswith(f":{site.process.pid}")

    @property
    def players(self) -> tuple[Browser, Browser]:
        return self.first, self.second

    async def check(self) -> None:
        """All see the same; the log has no gap and no repetition; nobody has lost."""
        await agree(self.first, self.second, self.watcher)
        log = self.cluster.log(self.match)
        assert log == list(range(1, len(log) + 1))
        assert len(log) == self.first.seq
        for browser in (self.first, self.second, self.watcher):
            assert browser.seen == sorted(browser.seen)


@pytest.fixture
async def scene(cluster: Cluster) -> Scene:
    return await Scene(cluster).begin()


async def test_kill_9(scene: Scene) -> None:
    shown = scene.second.seq
    scene.owner.kill()
    killed = time.monotonic()
    await scene.first.open(scene.other)
    # On the sockets that are there, without connecting anew.
    await scene.second.until(lambda: scene.second.of("state")[-1]["view"]["seq"] >= shown, "for the state")
    scene.second.say("spit")
    await scene.second.until(lambda: not scene.second.pending, "for an answer")
    took = time.monotonic() - killed
    print(f"play went on after {took:.1f} s")
    assert took < within(5)
    assert scene.second.is_connected
    assert scene.watcher.is_connected
    await play_some(scene.players, 12)
    await scene.check()
    assert all(seat["here"] for seat in scene.second.seats)


async def test_sigterm(scene: Scene) -> None:
    """What was acknowledged is there; nobody is away; the match goes on within two seconds."""
    stopping = asyncio.create_task(asyncio.to_thread(scene.owner.stop))
    await scene.first.until(lambda: scene.first.of("closing"), "to be told")
    told = time.monotonic()
    assert scene.first.of("closing")[0]["code"] == "restart"
    await scene.first.open(scene.other)
    await play_some(scene.players, 1)
    print(f"play went on after {time.monotonic() - told:.2f} s")
    assert time.monotonic() - told < within(2)
    assert await stopping == 0
    await play_some(scene.players, 12)
    await scene.check()
    assert scene.second.is_connected
    assert all(seat["here"] for seat in scene.second.seats)
    assert "Traceback" not in scene.owner.output


async def test_sigstop(scene: Scene) -> None:
    """A server that stood still for a while takes nothing for its own that is another's by now."""
    scene.owner.process.send_signal(signal.SIGSTOP)
    stopped = time.monotonic()
    frozen = scene.first
    scene.first = await Browser(scene.match.slug, frozen.cookie).open(scene.other)
    await play_some(scene.players, 12)
    await asyncio.sleep(max(0, stopped + 6 - time.monotonic()))
    scene.owner.process.send_signal(signal.SIGCONT)
    # The socket at the old owner is shown where things stand, and can play.
    await frozen.until(lambda: frozen.seq >= scene.first.seq, "to be told by the old owner")
    await play_some((frozen, scene.second), 12)
    await agree(frozen, scene.first)
    await scene.check()
    assert frozen.is_connected
