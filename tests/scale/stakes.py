"""What the stakes of rated challenges cost the hall of a lobby that is full, in processor time.

    DJANGO_SETTINGS_MODULE=tests.settings python -m tests.scale.stakes

A hall of its own, with a database of its own; pages without a wire. Looks of
four kinds: the first one (until everybody is told everything), with nothing
new, with one challenge more, and with all of it worked out anew, as it is every
two minutes. Of each the time of the event loop's thread (and the longest time
that it took in one go), and that of the thread which looks.
The last line is JSON, milliseconds.
"""

import argparse
import asyncio
import json
import time
from statistics import median
from typing import Any, Final

PAGE: Final = "PageOfSomebody123456"
GAMES: Final = ("spit", "speed")
TIMES: Final = 7


class Wireless:
    """A socket that only counts."""

    frames = 0

    def send(self, frame: str) -> None:
        self.frames += 1


class Costs:
    """Of a stretch of the loop's work: milliseconds of processor time."""

    def __init__(self) -> None:
        self.loop = self.thread = self.longest = 0.0

    async def of(self, work: Any) -> None:
        loop, process = time.thread_time(), time.process_time()
        steps = work.__await__()
        try:
            while True:
                start = time.thread_time()
                try:
                    waits_for = next(steps)
                finally:
                    self.longest = max(self.longest, (time.thread_time() - start) * 1000)
                if waits_for is None:
                    await asyncio.sleep(0)
                else:
                    waits_for._asyncio_future_blocking = False
                    await asyncio.wait([waits_for])
        except StopIteration:
            pass
        self.loop += (time.thread_time() - loop) * 1000
        self.thread += (time.process_time() - process) * 1000 - (time.thread_time() - loop) * 1000


def people(count: int, first: int) -> list[Any]:
    from games.models import Rating
    from spitsite.accounts.models import User

    made = User.objects.bulk_create(User(username=f"player{number}") for number in range(first, first + count))
    Rating.objects.bulk_create(
        Rating(user=user, game=game, value=1200 + user.pk % 700, matches=40, peak=1900)
        for user in made
        for game in GAMES
    )
    return made


def offer(number: int, user: Any) -> None:
    from games.models import Seek

    Seek.objects.create(user=user, page=PAGE, kind=Seek.Kind.OPEN, game=GAMES[number % 2], rated=True, rating=1500)


async def measure(viewers: list[int], offerers: list[Any]) -> dict[str, Any]:
    from asgiref.sync import sync_to_async
    from django.db.models.functions import Now

    from games.lobby import seeks
    from games.lobby.hall import Hall, Visit
    from games.models import Seek

    # Nobody's page is there to renew them.
    seeks.tidy = lambda: False
    hall: Any = Hall()
    sockets = [Wireless() for _ in viewers]
    for user, socket in zip(viewers, sockets, strict=True):
        hall.visits.add(Visit(socket, user, PAGE, True, hall.now))  # type: ignore[arg-type]
    renew = sync_to_async(lambda: Seek.objects.update(seen_at=Now()))
    found: dict[str, list[Costs]] = {}

    async def look(kind: str) -> None:
        """As many looks as it takes until there is no more to do."""
        await renew()
        costs = Costs()
        found.setdefault(kind, []).append(costs)
        while True:
            hall._news.clear()
            await costs.of(hall._round())
            if not hall._news.is_set():
                break

    await look("the first")
    for _ in range(TIMES):
        await look("nothing new")
    for number in range(TIMES):
        # One goes and one comes, as only so many are shown.
        await sync_to_async(lambda: Seek.objects.order_by("began_at", "pk").first().delete())()  # type: ignore[union-attr]
        await look("one gone")
        await sync_to_async(offer)(number, offerers.pop())
        await look("one new")
    return {
        kind: {
            part: round(median(getattr(costs, part) for costs in all_of_it), 2)
            for part in ("loop", "longest", "thread")
        }
        for kind, all_of_it in found.items()
    } | {"frames": sum(socket.frames for socket in sockets)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("viewers", nargs="?", type=int, default=1000)
    parser.add_argument("challenges", nargs="?", type=int, default=50)
    chosen = parser.parse_args()

    import django

    django.setup()
    from django.db import connection

    connection.creation.create_test_db(verbosity=0)
    offerers = people(chosen.challenges + TIMES, 0)
    for number in range(chosen.challenges):
        offer(number, offerers[number])
    viewers = people(chosen.viewers, 100_000)
    result = asyncio.run(measure([user.pk for user in viewers], offerers[chosen.challenges :]))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
