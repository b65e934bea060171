"""`make bench`: the live path under load, and beside it the floor.

The servers are the real ones (`manage.py serve`), on one core; the load comes
from this process, on another. Matches are added until the 99th percentile of a
player's own echo goes over the limit: the knee. The same is done to a bare ASGI
application on the same web server (`tests.scale.floor`), and each shape is then
measured again at half of its knee. Two server processes get both cores, and
share them with the load. The last lines are JSON, one for each shape.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.scale.load import Echo, Game, Samples, chunks, drive, percentile
from tests.scale.shapes import ROOT, SHAPES, Floor, Servers
from tests.scale.wire import connect

LIMIT_MS = 50.0
SERVER_CORE, LOAD_CORE = 0, 1
IDLE = 1000
"""Watchers who only look on, to see what one costs in memory."""


class Level:
    """What was measured with so many matches."""

    def __init__(
        self, matches: int, windows: list[Any], seconds: float, cpu: float, database: float, load: float, rss: float
    ) -> None:
        self.matches = matches
        own = [ms for window in windows for ms in window.own]
        other = [ms for window in windows for ms in window.other]
        watcher = [ms for window in windows for ms in window.watcher]
        plays = sum(len(window.own) for window in windows)
        self.p99 = statistics.median(percentile(window.own, 0.99) for window in windows)
        self.own = [percentile(own, share) for share in (0.5, 0.95, 0.99)]
        self.other = [percentile(other, share) for share in (0.5, 0.95, 0.99)]
        self.watcher = [percentile(watcher, share) for share in (0.5, 0.95, 0.99)]
        self.plays_per_s = plays / seconds
        self.refused = sum(window.refused for window in windows)
        self.lost = sum(window.sent for window in windows) - plays - self.refused
        self.cpu_us_per_play = cpu * 1e6 / max(1, plays)
        self.database_us_per_play = database * 1e6 / max(1, plays)
        self.cpu = cpu / seconds
        self.load = load / seconds
        self.rss = rss

    @property
    def rate(self) -> float:
        """Plays a second and match. Players mean four, but countdowns run and there is not always something to play."""
        return self.plays_per_s / self.matches

    def is_good(self, rate: float) -> bool:
        """Within the limit, and as much is played as when there is time for all of it."""
        return self.p99 <= LIMIT_MS and self.rate >= 0.8 * rate

    def __str__(self) -> str:
        def three(values: list[float]) -> str:
            return " / ".join(f"{value:6.1f}" for value in values)

        return (
            f"{self.matches:6d} matches  own {three(self.own)}  opponent {three(self.other)}  watchers "
            f"{three(self.watcher)} ms  {self.plays_per_s:7.0f} plays/s  {self.cpu_us_per_play:5.0f} us/play  "
            f"server {self.cpu:4.0%}  load {self.load:4.0%}  {self.rss:4.0f} MB  refused {self.refused}"
        )


class Bench:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.floor_rate = 4.0
        self.directory = Path(tempfile.mkdtemp(prefix="spit-bench-", dir=arguments.directory))
        self.load = 0.0
        """The busiest that the load generator was."""

    # The servers

    def servers(self, shape: str) -> Servers:
        cores = {SERVER_CORE, LOAD_CORE} if shape == "two" else {SERVER_CORE}
        os.sched_setaffinity(0, {SERVER_CORE, LOAD_CORE} if shape == "two" else {LOAD_CORE})
        return SHAPES[shape](self.directory, self.arguments.port, cores)

    # Measuring

    async def add(self, servers: Servers, games: list[Any], count: int, samples: Any) -> None:
        floor = isinstance(servers, Floor)
        made = [(f"room{len(games) + index}", ("", "")) for index in range(count)] if floor else None
        if made is None:
            made = await make_matches(servers, count)
        new = [Echo(slug, samples, self.floor_rate) if floor else Game(slug, samples) for slug, _ in made]
        start = 0
        for size in chunks(count, 20):
            part = range(start, start + size)
            await asyncio.gather(
                *(
                    new[index].open(self.ports(servers, len(games) + index), made[index][1], self.arguments.watchers)
                    for index in part
                )
            )
            start += size
        games.extend(new)

    def ports(self, servers: Servers, number: int) -> list[int]:
        """Where the sockets of a match go, by turns."""
        if self.arguments.by_match:
            return [servers.ports[number % len(servers.ports)]]
        return servers.ports

    async def level(self, servers: Servers, games: list[Any], samples: Any) -> Level:
        await asyncio.sleep(self.arguments.settle)
        samples.take()
        windows = []
        cpu, database = servers.cpu_s(), servers.database_cpu_s()
        load, begin = time.process_time(), time.perf_counter()
        for _ in range(self.arguments.windows):
            await asyncio.sleep(self.arguments.window)
            windows.append(samples.take())
        seconds = time.perf_counter() - begin
        level = Level(
            len(games),
            windows,
            seconds,
            servers.cpu_s() - cpu,
            servers.database_cpu_s() - database,
            time.process_time() - load,
            servers.rss_mb(),
        )
        self.load = max(self.load, level.load)
        print(level, flush=True)
        lost = sum(wire.closed_by_peer for game in games for wire in game.wires)
        if lost:
            print(f"       {lost} sockets were closed by the server", flush=True)
        return level

    async def climb(self, servers: Servers, *, start: int, to: int | None = None) -> list[Level]:
        """Add matches until the limit is passed, or to a number."""
        samples = Samples()
        games: list[Any] = []
        stop = asyncio.Event()
        driver = asyncio.create_task(drive(games, stop))
        levels: list[Level] = []
        wanted = to or start
        try:
            while True:
                await self.add(servers, games, wanted - len(games), samples)
                levels.append(await self.level(servers, games, samples))
                if to is not None or not levels[-1].is_good(levels[0].rate):
                    return levels
                wanted = max(wanted + 10, round(wanted * self.arguments.step))
        finally:
            stop.set()
            await driver
            for game in games:
                game.close()
            await asyncio.sleep(0.2)

    @staticmethod
    def knee(levels: list[Level]) -> int:
        """The most matches within the limit: between the last level within it and the first beyond, by their p99."""
        good = [level for level in levels if level.is_good(levels[0].rate)]
        bad = [level for level in levels if not level.is_good(levels[0].rate)]
        if not good:
            return 0
        last = good[-1]
        if not bad:
            return last.matches
        first = bad[0]
        if first.p99 <= LIMIT_MS:
            return last.matches
        share = (LIMIT_MS - last.p99) / (first.p99 - last.p99)
        return round(last.matches + (first.matches - last.matches) * share)

    async def idle_watcher_kb(self, servers: Servers) -> float:
        """What a watcher costs in memory who only looks on at a match that waits."""
        ((slug, _),) = await make_matches(servers, 1)

        async def watch(number: int) -> Any:
            port = servers.ports[number % len(servers.ports)]
            return await connect("127.0.0.1", port, f"/ws/match/{slug}/", lambda _: None)

        # The first ones also pay for what is set up once.
        wires = [await watch(number) for number in range(IDLE // 10)]
        await asyncio.sleep(1)
        before = servers.rss_mb()
        wires += [await watch(number) for number in range(IDLE)]
        await asyncio.sleep(1)
        after = servers.rss_mb()
        for wire in wires:
            wire.close()
        return (after - before) * 1024 / IDLE

    async def shape(self, shape: str) -> dict[str, Any]:
        arguments = self.arguments
        name = SHAPES[shape].name
        print(f"The site: {name}, every commit on the disk", flush=True)
        with self.servers(shape) as servers:
            levels = await self.climb(servers, start=arguments.start, to=arguments.matches)
        knee = self.knee(levels)
        result: dict[str, Any] = {"shape": name, "knee": knee}
        half = max(10, (arguments.matches or knee) // 2)
        print(f"The same at half of that, {half} matches", flush=True)
        with self.servers(shape) as servers:
            (at_half,) = await self.climb(servers, start=half, to=half)
        with self.servers(shape) as servers:
            idle = await self.idle_watcher_kb(servers)
        self.floor_rate = levels[0].rate
        return result | {
            "p50_ms": round(at_half.own[0], 2),
            "p95_ms": round(at_half.own[1], 2),
            "p99_ms": round(at_half.own[2], 2),
            "opponent_p99_ms": round(at_half.other[2], 2),
            "watcher_p99_ms": round(at_half.watcher[2], 2),
            "cpu_us_per_play": round(at_half.cpu_us_per_play),
            "database_us_per_play": round(at_half.database_us_per_play),
            "matches_at_half": half,
            "plays_per_s_at_half": round(at_half.plays_per_s),
            "knee_cpu_us_per_play": round(levels[-1].cpu_us_per_play),
            "idle_watcher_kb": round(idle, 1),
        }

    async def run(self) -> list[dict[str, Any]]:
        arguments = self.arguments
        results = [await self.shape(shape) for shape in arguments.shape if arguments.only != "floor"]
        if arguments.only != "live":
            print("The floor: a bare ASGI application on the same server, as many messages a match", flush=True)
            os.sched_setaffinity(0, {LOAD_CORE})
            with Floor(self.directory, arguments.port, {SERVER_CORE}) as servers:
                levels = await self.climb(servers, start=arguments.start, to=arguments.matches)
            floor = self.knee(levels)
            cpu = round(levels[-1].cpu_us_per_play)
            for result in results or [{"shape": "floor"}]:
                result |= {"floor": floor, "floor_cpu_us_per_play": cpu}
                if "knee" in result:
                    result["ratio"] = round(result["knee"] / floor, 2) if floor else None
                else:
                    results = [result]
        for result in results:
            result["load_generator_busy"] = round(self.load, 2)
        return results


async def make_matches(servers: Servers, count: int) -> list[Any]:
    """Live matches with two signed-in players each: the slug and the players' session cookies.

    By a process of its own, in the servers' environment.
    """
    code = f"import json; from tests.scale import matches; print(json.dumps(matches.make({count})))"
    made = await asyncio.create_subprocess_exec(
        *(sys.executable, "manage.py", "shell", "-v0", "-c", code),
        cwd=ROOT,
        env=servers.environment,
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await made.communicate()
    return json.loads(output)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--shape", nargs="*", choices=sorted(SHAPES), default=["sqlite"])
    parser.add_argument("--port", type=int, default=8299)
    parser.add_argument("--start", type=int, default=200, help="matches to begin with")
    parser.add_argument("--step", type=float, default=1.25, help="how fast they grow")
    parser.add_argument("--matches", type=int, help="this many matches only, instead of looking for the knee")
    parser.add_argument("--watchers", type=int, default=2, help="watchers a match")
    parser.add_argument(
        "--by-match",
        action="store_true",
        help="all sockets of a match at the same server process, as a proxy does that hashes the address",
    )
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--window", type=float, default=2.0, help="seconds")
    parser.add_argument("--settle", type=float, default=8.0, help="seconds between connecting and measuring")
    parser.add_argument("--only", choices=("live", "floor"))
    parser.add_argument("--directory", type=Path, help="for the database: a real disk, to measure real commits")
    bench = Bench(parser.parse_args(argv))
    import uvloop

    for result in uvloop.run(bench.run()):
        print(json.dumps(result))


if __name__ == "__main__":
    main()
