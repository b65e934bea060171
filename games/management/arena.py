"""Bots against bots: whole matches through real tables, the journal and the database, on a clock that jumps."""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from channels.db import database_sync_to_async
from django.db import transaction
from msgspec import Struct, to_builtins

from games.bots.jumping import JumpingLoop
from games.bots.levels import Level, level_of
from games.bots.runner import attach_bots
from games.clock import wall
from games.live import match_info
from games.live.hub import Room
from games.live.journal import Journal
from games.live.match_info import Loaded
from games.live.protocol import Close
from games.live.table import Table
from games.models import Match, Seat
from games.rules.setup import Setup
from games.shuffling import RandomDealer

TOGETHER: Final = 200
"""Matches at a time: enough that one commit serves many of them."""
STEP: Final = 40
"""Milliseconds of the clock between two commits: less than a person would notice."""


class Pairing(Struct, frozen=True):
    """One match to be played: the levels by seat, and what its chance is made of."""

    setup: Setup
    levels: tuple[str, str]
    seed: str


class Arena:
    """Plays pairings. It is the host of its tables (`games.live.host.Host`).

    Nobody else is told of these matches: no rating changes, and replays are
    built when the site's sweep finds them.
    """

    def __init__(self, find: Callable[[str], Level] = level_of) -> None:
        """
        :param find: the level of a key, for players that the site does not offer.
        """
        self._find = find
        self._journal = Journal()
        self._ended: dict[str, asyncio.Future[None]] = {}

    def play(self, pairings: Sequence[Pairing], together: int = TOGETHER) -> list[int]:
        """Play them all; the primary keys of the matches, in the order of the pairings."""
        loop = JumpingLoop(STEP)
        loop.hold_while.append(lambda: self._journal.pending > 0)
        try:
            return loop.run_until_complete(self._play_all(pairings, together))
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    async def _play_all(self, pairings: Sequence[Pairing], together: int) -> list[int]:
        self._journal.start()
        waiting = iter(enumerate(pairings))
        played: dict[int, int] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(together, len(pairings))):
                    group.create_task(self._play_some(waiting, played))
        finally:
            await self._journal.stop()
        return [played[index] for index in range(len(pairings))]

    async def _play_some(self, waiting: Iterator[tuple[int, Pairing]], played: dict[int, int]) -> None:
        """One match after the other, as long as any waits."""
        for index, pairing in waiting:
            played[index] = await self._play_one(pairing)

    async def _play_one(self, pairing: Pairing) -> int:
        loaded: Loaded = await database_sync_to_async(_create)(pairing)
        slug = loaded.match.slug
        loop = asyncio.get_running_loop()
        ended = self._ended[slug] = loop.create_future()
        room = Room(loop.time, loop.call_soon)
        dealer = RandomDealer(random.Random(f"{pairing.seed}/cards").getrandbits(64))
        table = Table(loaded, journal=self._journal, room=room, dealer=dealer, host=self)
        await table.opened()
        attach_bots(table, lambda _, seat: random.Random(f"{pairing.seed}/{seat}"), self._find)
        await ended
        table.close(Close.OVER, "the match is over")
        del self._ended[slug]
        return loaded.match.pk

    # What tables ask for

    is_sure = True

    async def keeps(self, slug: str) -> bool:
        return True

    def overtaken(self, table: Table) -> None:
        raise NotImplementedError("nobody else has these matches")

    async def reload(self, slug: str) -> Loaded:
        loaded: Loaded = await database_sync_to_async(match_info.load)(slug)
        return loaded

    async def rematch(self, slug: str, begin: bool) -> str | None:
        raise NotImplementedError("nobody asks for one")

    def over(self, table: Table) -> None:
        if not self._ended[table.match.slug].done():
            self._ended[table.match.slug].set_result(None)

    def deserted(self, table: Table) -> None:
        pass

    def lost(self, table: Table) -> None:
        self._ended[table.match.slug].set_exception(RuntimeError(f"the log of {table.match.slug} cannot be read"))


def _create(pairing: Pairing) -> Loaded:
    setup = pairing.setup
    with transaction.atomic():
        match = Match.objects.create(
            game=setup.game,
            options=to_builtins(setup.options),
            pace=setup.pace,
            state=Match.State.LIVE,
            started_at=wall(),
        )
        Seat.objects.bulk_create(
            Seat(match=match, number=number, bot=level) for number, level in enumerate(pairing.levels)
        )
    return match_info.load(match.slug)
