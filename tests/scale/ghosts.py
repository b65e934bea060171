"""Watchers who vanish (B10): how long they are counted, and whether anything of them is left.

Two server processes on PostgreSQL and Valkey; one match goes on all the time,
its players at the first. Crowds of watchers come, each a process of its own,
and are gone in three ways: killed with -9; frozen, so that their lines stay
open and nothing is heard of them; and with their whole server killed with -9,
which is started again. After that the match goes on for the rest of the time,
and everything has to be as it was before: the number of watchers, Redis's keys
and subscriptions, the servers' memory, the delay of a play.

The last line is JSON; a crowd that is counted for more than 60 s, or keys that
stay, exit with 1.
"""

import argparse
import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import redis

from spitsite.cluster.services import PostgreSQL, Valkey
from tests.scale.load import Game, Samples, drive, percentile
from tests.scale.shapes import ROOT, rss_mb
from tests.scale.wire import Wire, connect
from tests.site_process import Site, begin, environment

GONE: Final = 60.0
"""Seconds after which nobody counts a ghost any more."""


class Crowd:
    """Watchers in a process of their own."""

    def __init__(self, port: int, slug: str, number: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.scale.ghosts", "--crowd", str(port), slug, str(number)], cwd=ROOT
        )

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


async def be_a_crowd(port: int, slug: str, number: int) -> None:
    """Watch, and answer pings, until killed."""

    game = Game(slug, Samples())
    for _ in range(number):
        await game.watch(port)
    await asyncio.Event().wait()


class Watch:
    """What one more watcher, at the first server, is told about who watches."""

    def __init__(self) -> None:
        self.watchers = -1
        self.wire: Wire | None = None

    async def open(self, port: int, slug: str) -> None:
        self.wire = await connect("127.0.0.1", port, f"/ws/match/{slug}/", self._heard)

    def _heard(self, frame: bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "presence":
            self.watchers = message["watchers"]
        elif message["t"] == "state":
            self.watchers = message["presence"]["watchers"]
        elif message["t"] == "ping" and self.wire is not None:
            self.wire.send(b'{"t":"pong","n":%d}' % message["n"])

    async def until(self, others: int, seconds: float) -> float:
        """Seconds until so many others are counted; `seconds` if they never were."""
        began = time.monotonic()
        while self.watchers != others + 1:
            if time.monotonic() - began > seconds:
                return seconds
            await asyncio.sleep(0.05)
        return time.monotonic() - began


class Measure:
    """How things stand, from time to time."""

    def __init__(self, valkey: Valkey, samples: Samples) -> None:
        self._valkey = valkey
        self._samples = samples

    def take(self, sites: list[Site]) -> dict[str, Any]:
        taken = self._samples.take()
        with redis.Redis.from_url(self._valkey.url) as client:
            channels = client.pubsub_channels()
            return {
                # A match that ends meanwhile leaves its tasks in the broker's: no worker runs.
                "redis_keys": sum(not key.startswith((b"_kombu", b"celery", b"unacked")) for key in client.scan_iter()),
                "redis_channels": len(channels),
                "redis_mb": round(client.info("memory")["used_memory"] / 2**20, 1),
                "rss_mb": [round(rss_mb(site.process.pid)) for site in sites],
                "plays": len(taken.own),
                "own_p50_ms": round(percentile(taken.own, 0.5), 1) if taken.own else None,
                "own_p99_ms": round(percentile(taken.own, 0.99), 1) if taken.own else None,
            }


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="spit-ghosts-") as directory, PostgreSQL() as postgres, Valkey() as valkey:
        var = Path(directory)
        if arguments.like:
            shutil.copytree(arguments.like, var, dirs_exist_ok=True)
        urls = {"DATABASE_URL": postgres.url, "REDIS_URL": valkey.url, "LOG_LEVEL": "WARNING"}
        sites = [begin(var, **urls).wait()]
        sites.append(begin(var, **urls).wait())
        crowds: list[Crowd] = []
        try:
            return {
                "watchers": arguments.watchers,
                **await haunt(arguments, var, urls, valkey, sites, crowds),
                "seconds": round(time.monotonic() - began),
            }
        finally:
            for crowd in crowds:
                crowd.end()
            for site in sites:
                site.kill()


async def haunt(
    arguments: argparse.Namespace,
    var: Path,
    urls: dict[str, str],
    valkey: Valkey,
    sites: list[Site],
    crowds: list[Crowd],
) -> dict[str, Any]:
    code = "import json; from tests.scale import matches; print(json.dumps(matches.make(1)))"
    made = await asyncio.create_subprocess_exec(
        *(sys.executable, "manage.py", "shell", "-v0", "-c", code),
        cwd=ROOT, env=environment(var, **urls), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    ((slug, cookies),) = json.loads((await made.communicate())[0])
    samples = Samples()
    game = Game(slug, samples)
    await game.open([sites[0].port], cookies, 0)
    watch = Watch()
    await watch.open(sites[0].port, slug)
    stop = asyncio.Event()
    driver = asyncio.create_task(drive([game], stop))
    measure = Measure(valkey, samples)
    await watch.until(0, 20)
    await asyncio.sleep(arguments.part)
    before = measure.take(sites)

    async def come(port: int) -> Crowd:
        crowd = Crowd(port, slug, arguments.watchers)
        crowds.append(crowd)
        took = await watch.until(arguments.watchers, GONE)
        assert took < GONE, f"{watch.watchers} watchers"
        return crowd

    gone: dict[str, float] = {}
    crowd = await come(sites[1].port)
    with_a_crowd = measure.take(sites)
    crowd.end()
    gone["killed"] = await watch.until(0, 2 * GONE)
    crowd = await come(sites[1].port)
    os.kill(crowd.process.pid, signal.SIGSTOP)
    gone["frozen"] = await watch.until(0, 2 * GONE)
    crowd.end()
    await come(sites[1].port)
    await asyncio.to_thread(sites[1].kill)
    gone["server"] = await watch.until(0, 2 * GONE)
    # In a thread: the players go on meanwhile, and answer pings.
    sites[1] = await asyncio.to_thread(begin(var, **urls).wait)
    samples.take()
    await asyncio.sleep(max(arguments.part, arguments.seconds))
    after = measure.take(sites)
    stop.set()
    await driver
    game.close()
    return {
        "gone_s": {how: round(seconds, 1) for how, seconds in gone.items()},
        "counted_at_the_end": watch.watchers - 1,
        "before": before,
        "with_a_crowd": with_a_crowd,
        "after": after,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scale.ghosts", description=__doc__)
    parser.add_argument("--watchers", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=180.0, help="for which the match goes on after the last crowd")
    parser.add_argument("--part", type=float, default=10.0, help="seconds over which the delay is measured before")
    parser.add_argument("--like", help="a `var` directory whose static files are collected, to begin with")
    parser.add_argument("--crowd", nargs=3, metavar=("PORT", "SLUG", "NUMBER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    if arguments.crowd:
        asyncio.run(be_a_crowd(int(arguments.crowd[0]), arguments.crowd[1], int(arguments.crowd[2])))
        return 0
    result = asyncio.run(run(arguments))
    print(json.dumps(result))
    left = result["after"]["redis_keys"] > result["before"]["redis_keys"]
    more = result["after"]["redis_channels"] > result["before"]["redis_channels"]
    return 1 if left or more or result["counted_at_the_end"] or max(result["gone_s"].values()) > GONE else 0


if __name__ == "__main__":
    sys.exit(main())
