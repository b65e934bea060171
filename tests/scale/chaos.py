"""`make chaos`: live matches while everything that can fail fails; then the books are checked.

The whole shape runs (`spitsite.cluster`): PostgreSQL, Valkey, two server
processes, two workers, beat. Matches between people, and of people against the
computer, are played and watched through real sockets, and at random moments
parts are killed with -9, stopped or frozen, and lines are cut or swallow
everything. At the end

- every acknowledgement that any client got is in the log, exactly once, and
  every event that anybody was shown is there as it was shown;
- every log is numbered 1..N and judged again without a fault;
- every match is over, or goes on within 30 s of the last fault;
- each rated match changed each seat's rating once, and a recount agrees.

The last line is JSON; anything else than that exits with 1.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from spitsite.cluster.services import PostgreSQL, Valkey
from tests.scale.load import percentile

if TYPE_CHECKING:
    from spitsite.cluster.cluster import Cluster

TICK: Final = 0.05
WAIT: Final = 30.0
"""Seconds after the last fault within which every match has to go on."""
SETTLE: Final = 60.0
"""Seconds after which all that ended has to be rated (the sweep comes once a minute at most)."""
LATE: Final = 0.5
"""Seconds after which an answer counts as one that a fault held up: how long those took is the time to recover."""
HEAVY: Final = 7.0
"""Seconds between two faults of the processes and servers that everything hangs on: one after the other, as in life."""


class Game:
    """One match with its two seats and its watchers."""

    def __init__(self, made: Any, port: Callable[[], int], watchers: int, rate: float) -> None:
        from tests.scale.clients import Client, Record

        self.record = Record(made.slug, made.setup)
        cookies = made.cookies
        self.players = [Client(self.record, port, seat, cookie) for seat, cookie in enumerate(cookies) if cookie]
        self.watchers = [Client(self.record, port, None, None) for _ in range(watchers)]
        self.clients = [*self.players, *self.watchers]
        self._tasks = [asyncio.create_task(client.run()) for client in self.clients]
        self._rate = rate
        self._credit = [random.random() for _ in self.players]

    def step(self) -> None:
        for index, player in enumerate(self.players):
            self._credit[index] = min(2.0, self._credit[index] + self._rate * TICK)
            if self._credit[index] >= 1:
                self._credit[index] -= 1
                player.act()

    def cut(self) -> None:
        for client in self.clients:
            client.cut()

    async def close(self) -> None:
        for client in self.clients:
            client.stop()
        await asyncio.gather(*self._tasks)


class Chaos:
    def __init__(self, cluster: "Cluster", postgres: PostgreSQL, redis: Valkey, arguments: argparse.Namespace) -> None:
        self.cluster = cluster
        self.postgres = postgres
        self.redis = redis
        self.arguments = arguments
        self.games: list[Game] = []
        self.finished: list[Game] = []
        self.faults: Counter[str] = Counter()
        self.random = random.Random(arguments.seed)
        self._port = urlsplit(cluster.url).port or 80
        self._heavy_at = 0.0
        self._begin = 0.0

    # Play

    async def fill(self) -> None:
        """Take away what is over; let the same people play again."""
        over = [game for game in self.games if game.record.is_over]
        self.games = [game for game in self.games if not game.record.is_over]
        self.finished += over
        await asyncio.gather(*(game.close() for game in over))
        missing = self.arguments.matches - len(self.games)
        if missing <= 0:
            return
        try:
            made = await asyncio.to_thread(self._make, missing)
        except Exception as error:  # noqa: BLE001 - the database may just be down, which is what this is about
            print(f"no new matches yet: {type(error).__name__}", flush=True)
            return
        for one in made:
            self.games.append(Game(one, lambda: self._port, self.arguments.watchers, self.arguments.rate))

    @staticmethod
    def _make(count: int) -> list[Any]:
        from django.db import connection

        from tests.scale import matches

        try:
            return matches.make_mixed(count)
        finally:
            connection.close()

    async def play(self, until: Callable[[], bool], refill: bool) -> None:
        loop = asyncio.get_running_loop()
        filled_at = loop.time()
        while not until():
            for game in self.games:
                game.step()
            if refill and loop.time() - filled_at > 1:
                await self.fill()
                filled_at = loop.time()
            await asyncio.sleep(TICK)

    # Faults

    def light(self) -> dict[str, Callable[[], None]]:
        # A line that is down already cannot fail.
        games = [game for game in self.games if any(client.is_connected for client in game.clients)]
        clients = [client for game in games for client in game.clients if client.is_connected]

        def kill(part: Any) -> None:
            part.kill()
            part.start(wait=False)

        lines: dict[str, Callable[[], None]] = {}
        if clients:
            client = self.random.choice(clients)
            lines = {"cut": client.cut, "cut a whole match": self.random.choice(games).cut, "swallow": client.swallow}
        return {
            **lines,
            "worker -9": lambda: kill(self.random.choice(self.cluster.workers)),
            "beat -9": lambda: kill(self.cluster.beat),
        }

    def heavy(self) -> dict[str, Callable[[], Awaitable[None]]]:
        cluster = self.cluster
        asgi = self.random.choice(cluster.asgi)

        async def again(part: Any, end: Callable[[], None], down: float) -> None:
            await asyncio.to_thread(end)
            await asyncio.sleep(down)
            await asyncio.to_thread(part.start)

        async def freeze() -> None:
            os.kill(asgi.pid, signal.SIGSTOP)
            await asyncio.sleep(5)
            os.kill(asgi.pid, signal.SIGCONT)

        return {
            "server -9": lambda: again(asgi, asgi.kill, 1),
            "server deployed": lambda: again(asgi, asgi.stop, 0),
            "server frozen": freeze,
            "redis -9": lambda: again(self.redis, self.redis.kill, 1),
            "redis restarted": lambda: again(self.redis, self.redis.stop, 0),
            "postgres -9": lambda: again(self.postgres, self.postgres.kill, 0.5),
            "postgres restarted": lambda: again(self.postgres, self.postgres.stop, 0),
        }

    async def strike(self) -> None:
        now = time.monotonic()
        if now - self._heavy_at >= HEAVY:
            heavy = self.heavy()
            name = self.random.choice(list(heavy))
            self._note(name)
            await heavy[name]()
            # What comes next finds the site up again, or at least on its way.
            self._heavy_at = time.monotonic()
        else:
            light = self.light()
            name = self.random.choice(list(light))
            self._note(name)
            light[name]()

    def _note(self, name: str) -> None:
        self.faults[name] += 1
        print(f"{time.monotonic() - self._begin:6.1f} s  {name}", flush=True)

    async def torment(self) -> None:
        """As many faults as were asked for, each at a moment of its own, by chance."""
        arguments = self.arguments
        moments = sorted(self.random.uniform(0, arguments.duration) for _ in range(arguments.faults))
        for moment in moments:
            # A heavy one takes seconds: what fell due meanwhile comes right after it.
            await asyncio.sleep(max(0.0, self._begin + moment - time.monotonic()))
            await self.strike()
        await asyncio.sleep(max(0.0, self._begin + arguments.duration - time.monotonic()))

    # The whole

    async def run(self) -> dict[str, Any]:
        await self.fill()
        self._begin = time.monotonic()
        torment = asyncio.create_task(self.torment())
        await self.play(torment.done, refill=True)
        await torment
        stuck = await self.go_on()
        await asyncio.gather(*(game.close() for game in self.games))
        games = [*self.finished, *self.games]
        checked = await asyncio.to_thread(check, [game.record for game in games])
        answers = [seconds for game in games for client in game.players for seconds in client.answers]
        late = [seconds for seconds in answers if seconds > LATE]
        return {
            "matches": len(games),
            "over": len(self.finished),
            "faults": sum(self.faults.values()),
            "kinds": dict(sorted(self.faults.items())),
            **checked,
            "stuck": len(stuck),
            "reconnects": sum(client.reconnects for game in games for client in game.clients),
            "answer_p50_ms": round(percentile(answers, 0.5) * 1000, 1) if answers else None,
            "answer_p99_ms": round(percentile(answers, 0.99) * 1000, 1) if answers else None,
            "late": len(late),
            "recover_p50_s": round(percentile(late, 0.5), 2) if late else None,
            "recover_p99_s": round(percentile(late, 0.99), 2) if late else None,
        }

    async def go_on(self) -> list[str]:
        """The matches that are neither over nor going on within `WAIT` after the last fault."""
        before = {game.record.slug: game.record.last for game in self.games}
        end = time.monotonic() + WAIT

        def waiting() -> list[str]:
            return [
                game.record.slug
                for game in self.games
                if not game.record.is_over and game.record.last == before[game.record.slug]
            ]

        await self.play(lambda: not waiting() or time.monotonic() > end, refill=False)
        for slug in waiting():
            print(f"{slug} does not go on", flush=True)
        return waiting()


def check(records: list[Any]) -> dict[str, int]:
    """Compare what the clients were told with what the database holds."""
    from django.db import connection

    from games.models import Event, Match
    from games.verification import verify

    lost = doubled = different = faults = events = 0
    for record in records:
        rows = list(Event.objects.filter(match__slug=record.slug).order_by("seq"))
        events += len(rows)
        commands = Counter((row.seat, row.command) for row in rows if row.command)
        for seat, name in record.acknowledged:
            # A command that the game did not put down to a seat carries its id all the same.
            found = commands[seat, name] + commands[None, name]
            if not found:
                lost += 1
                print(f"{record.slug}: {name} of seat {seat} was acknowledged and is not in the log", flush=True)
        doubled += sum(count - 1 for count in commands.values() if count > 1)
        stored = {row.seq: (row.at, row.kind, row.command) for row in rows}
        for seq, shown in record.shown.items():
            if stored.get(seq) != shown:
                different += 1
                print(f"{record.slug}: event {seq} was shown as {shown} and is {stored.get(seq)}", flush=True)
        for line in record.contradictions:
            different += 1
            print(line, flush=True)
        for fault in verify(Match.objects.get(slug=record.slug)).faults:
            faults += 1
            print(f"{record.slug}: {fault}", flush=True)
    unrated, differences = check_ratings([record.slug for record in records])
    connection.close()
    return {
        "events": events,
        "acknowledged": sum(len(record.acknowledged) for record in records),
        "lost": lost,
        "doubled": doubled,
        "shown_otherwise": different,
        "log_faults": faults,
        "unrated": unrated,
        "rating_differences": differences,
    }


def check_ratings(slugs: list[str]) -> tuple[int, int]:
    """How many rated matches that are over do not have one change a seat; in how much a recount differs."""
    from django.db.models import Count

    from games.models import End, RatingChange
    from games.ratings.recount import recount

    ends = End.objects.filter(match__slug__in=slugs, match__rated=True, void=False)
    give_up = time.monotonic() + SETTLE
    while time.monotonic() < give_up and RatingChange.objects.filter(end__in=ends).count() < 2 * ends.count():
        time.sleep(0.5)
    wrong = ends.annotate(changes=Count("rating_changes")).exclude(changes=2).count()
    return wrong, recount(repair=False).differences


def main() -> int:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--duration", type=float, default=float(os.environ.get("DURATION", "600")), help="seconds")
    parser.add_argument("--faults", type=int, help="how many; two in five seconds if not given")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--watchers", type=int, default=2, help="watchers a match")
    parser.add_argument("--rate", type=float, default=3.0, help="plays a second that each player means")
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    arguments.faults = arguments.faults or max(1, round(arguments.duration / 2.5))

    with PostgreSQL() as postgres, Valkey() as redis:
        os.environ.update(DATABASE_URL=postgres.url, REDIS_URL=redis.url, DJANGO_SETTINGS_MODULE="spitsite.settings")
        import django

        # Only now: the settings look at the environment.
        django.setup()
        from spitsite.cluster.cluster import Cluster

        with Cluster(port=0) as cluster:
            result = asyncio.run(Chaos(cluster, postgres, redis, arguments).run())
    print(json.dumps(result))
    bad = ("lost", "doubled", "shown_otherwise", "log_faults", "unrated", "rating_differences", "stuck")
    return 1 if any(result[name] for name in bad) else 0


if __name__ == "__main__":
    sys.exit(main())
