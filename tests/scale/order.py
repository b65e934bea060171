"""The order of messages over two server processes (B25).

A plays at one, B at the other, at a steady rate of events; a watcher at each
keeps the number of everything it is shown. Every screen has to go strictly by
the server's numbers, never back, and all have to end alike. The last line is
JSON; a step back, a gap or a difference exits with 1.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from spitsite.cluster.services import PostgreSQL, Valkey
from tests.cluster.support import Browser
from tests.scale.shapes import ROOT
from tests.site_process import Site, begin, environment


class Steady:
    """Matches, one after the other, with as many events a second as are asked for."""

    def __init__(self, sites: list[Site], matches: list[tuple[str, list[str]]], rate: float) -> None:
        self._sites = sites
        self._waiting = matches
        self._rate = rate
        self.events = 0
        self.back = self.gaps = self.different = self.matches = 0

    async def play(self, seconds: float) -> float:
        """For so long; the events a second that it came to."""
        end = time.monotonic() + seconds
        played = 0.0
        while time.monotonic() < end:
            players, watchers = await self._sit_down()
            began = time.monotonic()
            first = players[0].seq
            while time.monotonic() < end and not players[0].is_over:
                if players[0].seq - first < self._rate * (time.monotonic() - began):
                    for player in players:
                        player.act()
                await asyncio.sleep(0.01)
            played += time.monotonic() - began
            self.events += players[0].seq - first
            await self._check([*players, *watchers])
        return self.events / played

    async def _sit_down(self) -> tuple[list[Browser], list[Browser]]:
        slug, cookies = self._waiting.pop()
        self.matches += 1
        players = [await Browser(slug, cookie).open(site) for site, cookie in zip(self._sites, cookies, strict=True)]
        return players, [await Browser(slug).open(site) for site in self._sites]

    async def _check(self, everybody: list[Browser]) -> None:
        last = max(browser.seq for browser in everybody)
        for browser in everybody:
            try:
                await browser.until(lambda browser=browser: browser.seq >= last, seconds=5)  # type: ignore[misc]
            except AssertionError:
                self.different += 1
            self.back += sum(after < before for before, after in zip(browser.seen, browser.seen[1:], strict=False))
            self.gaps += browser.gaps
        tables = [browser.table for browser in everybody if browser.seq == last and browser.table is not None]
        self.different += sum(table.status != tables[0].status for table in tables)
        for browser in everybody:
            browser.close()


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="spit-order-") as directory, PostgreSQL() as postgres, Valkey() as valkey:
        var = Path(directory)
        urls = {"DATABASE_URL": postgres.url, "REDIS_URL": valkey.url, "LOG_LEVEL": "WARNING"}
        sites = [begin(var, **urls).wait()]
        sites.append(begin(var, **urls).wait())
        try:
            code = "import json; from tests.scale import matches; print(json.dumps(matches.make(20)))"
            made = subprocess.run(  # noqa: ASYNC221 - nothing else goes on yet
                [sys.executable, "manage.py", "shell", "-v0", "-c", code],
                cwd=ROOT, env=environment(var, **urls), capture_output=True, text=True, check=True,
            )  # fmt: skip
            steady = Steady(sites, json.loads(made.stdout), arguments.rate)
            rate = await steady.play(arguments.seconds)
        finally:
            for site in sites:
                site.kill()
    return {
        "events": steady.events,
        "events_per_s": round(rate, 1),
        "matches": steady.matches,
        "back": steady.back,
        "gaps": steady.gaps,
        "different": steady.different,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.scale.order", description=__doc__)
    parser.add_argument("--rate", type=float, default=20.0, help="events a second")
    parser.add_argument("--seconds", type=float, default=60.0)
    result = asyncio.run(run(parser.parse_args()))
    print(json.dumps(result))
    return 1 if result["back"] or result["gaps"] or result["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
