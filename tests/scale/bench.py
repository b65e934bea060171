"""`make bench`: the live path under load, and beside it the floor.

The server is the real one (`manage.py serve`), on one core; the load comes from
this process, on another. Matches are added until the 99th percentile of a
player's own echo goes over the limit: the knee. The same is done to a bare ASGI
application on the same server (`tests.scale.floor`), and the server is then
measured again at half of its knee. The last line is JSON.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LIMIT_MS = 50.0
ROOT = Path(__file__).resolve().parent.parent.parent
SERVER_CORE, LOAD_CORE = 0, 1


class Server:
    """A server process on its own core."""

    def __init__(self, command: list[str], ready: str, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, {SERVER_CORE}),
        )
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if ready in line:
                break
        else:
            raise SystemExit("the server did not start:\n" + "".join(said))
        # What it says from here on is a warning: it is passed on.
        self._sink = subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=2)

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def rss_mb(self) -> float:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._sink.wait()


class Level:
    """What was measured with so many matches."""

    def __init__(self, matches: int, windows: list[Any], seconds: float, cpu: float, load: float, rss: float) -> None:
        from tests.scale.load import percentile

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
        self.environment = {
            **os.environ,
            "VAR_DIR": str(self.directory),
            "DATABASE_URL": f"sqlite:///{self.directory}/bench.sqlite3",
            "DJANGO_SETTINGS_MODULE": "spitsite.settings",
            "LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
        }

    # The servers

    def live_server(self) -> Server:
        """The site with an empty database: no match of another run is there to be resumed."""
        for path in self.directory.glob("bench.sqlite3*"):
            path.unlink()
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=self.environment, check=True)
        command = [sys.executable, "manage.py", "serve", "--port", str(self.arguments.port)]
        return Server(command, "Ctrl-C", self.environment)

    def floor_server(self) -> Server:
        return Server([sys.executable, "-m", "tests.scale.floor", str(self.arguments.port)], "ready", self.environment)

    def make_matches(self, count: int) -> list[tuple[str, tuple[str, str]]]:
        """Live matches with two signed-in players each: the slug and the players' session cookies."""
        from django.db import connection

        from tests.scale import matches

        try:
            return matches.make(count)
        finally:
            connection.close()

    # Measuring

    async def add(self, games: list[Any], count: int, samples: Any, floor: bool) -> None:
        from tests.scale.load import Echo, Game, chunks

        made = [(f"room{len(games) + index}", ("", "")) for index in range(count)] if floor else None
        if made is None:
            made = await asyncio.to_thread(self.make_matches, count)
        new = [Echo(slug, samples, self.floor_rate) if floor else Game(slug, samples) for slug, _ in made]
        start = 0
        for size in chunks(count, 20):
            part = range(start, start + size)
            await asyncio.gather(
                *(new[index].open(self.arguments.port, made[index][1], self.arguments.watchers) for index in part)
            )
            start += size
        games.extend(new)

    async def level(self, server: Server, games: list[Any], samples: Any) -> Level:
        await asyncio.sleep(self.arguments.settle)
        samples.take()
        windows = []
        cpu, load, begin = server.cpu_s(), time.process_time(), time.perf_counter()
        for _ in range(self.arguments.windows):
            await asyncio.sleep(self.arguments.window)
            windows.append(samples.take())
        seconds = time.perf_counter() - begin
        level = Level(len(games), windows, seconds, server.cpu_s() - cpu, time.process_time() - load, server.rss_mb())
        print(level, flush=True)
        lost = sum(wire.closed_by_peer for game in games for wire in game.wires)
        if lost:
            print(f"       {lost} sockets were closed by the server", flush=True)
        return level

    async def climb(self, server: Server, *, floor: bool, start: int, to: int | None = None) -> list[Level]:
        """Add matches until the limit is passed, or to a number."""
        from tests.scale.load import Samples, drive

        samples = Samples()
        games: list[Any] = []
        stop = asyncio.Event()
        driver = asyncio.create_task(drive(games, stop))
        levels: list[Level] = []
        wanted = to or start
        try:
            while True:
                await self.add(games, wanted - len(games), samples, floor)
                levels.append(await self.level(server, games, samples))
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

    async def run(self) -> dict[str, Any]:
        arguments = self.arguments
        levels: list[Level] = []
        floor_levels: list[Level] = []
        result: dict[str, Any] = {"shape": "one process, SQLite"}
        if arguments.only != "floor":
            print("The site: tables, rules, journal, SQLite with synchronous FULL", flush=True)
            with self.live_server() as server:
                levels = await self.climb(server, floor=False, start=arguments.start, to=arguments.matches)
            result["knee"] = self.knee(levels)
            half = max(10, (arguments.matches or result["knee"]) // 2)
            print(f"The site at half of that, {half} matches", flush=True)
            with self.live_server() as server:
                (at_half,) = await self.climb(server, floor=False, start=half, to=half)
            result |= {
                "p50_ms": round(at_half.own[0], 2),
                "p95_ms": round(at_half.own[1], 2),
                "p99_ms": round(at_half.own[2], 2),
                "opponent_p99_ms": round(at_half.other[2], 2),
                "watcher_p99_ms": round(at_half.watcher[2], 2),
                "cpu_us_per_play": round(at_half.cpu_us_per_play),
                "matches_at_half": half,
                "plays_per_s_at_half": round(at_half.plays_per_s),
                "knee_cpu_us_per_play": round(levels[-1].cpu_us_per_play),
            }
        if arguments.only != "live":
            print("The floor: a bare ASGI application on the same server, as many messages a match", flush=True)
            self.floor_rate = levels[0].rate if levels else 4.0
            with self.floor_server() as server:
                floor_levels = await self.climb(server, floor=True, start=arguments.start, to=arguments.matches)
            floor = self.knee(floor_levels)
            result["floor"] = floor
            result["floor_cpu_us_per_play"] = round(floor_levels[-1].cpu_us_per_play)
            if levels:
                result["ratio"] = round(result["knee"] / floor, 2) if floor else None
        result["load_generator_busy"] = round(max(level.load for level in (*levels, *floor_levels)), 2)
        return result


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--port", type=int, default=8299)
    parser.add_argument("--start", type=int, default=200, help="matches to begin with")
    parser.add_argument("--step", type=float, default=1.25, help="how fast they grow")
    parser.add_argument("--matches", type=int, help="this many matches only, instead of looking for the knee")
    parser.add_argument("--watchers", type=int, default=2, help="watchers a match")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--window", type=float, default=2.0, help="seconds")
    parser.add_argument("--settle", type=float, default=8.0, help="seconds between connecting and measuring")
    parser.add_argument("--only", choices=("live", "floor"))
    parser.add_argument("--directory", type=Path, help="for the database: a real disk, to measure real commits")
    bench = Bench(parser.parse_args(argv))
    os.environ.update(bench.environment)
    import uvloop

    os.sched_setaffinity(0, {LOAD_CORE})
    import django

    django.setup()
    print(json.dumps(uvloop.run(bench.run())))


if __name__ == "__main__":
    main()
