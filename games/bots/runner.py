"""Computer players at live tables: one sink for each seat that the computer has.

A bot is sent the frames of its seat and sends the messages of a browser,
nothing else. Its thinking takes time on the event loop's clock alone, so it
plays as it does wherever that clock goes.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from typing import Protocol

from games.bots.levels import Level, level_of
from games.bots.player import Player
from games.bots.sight import read_frame
from games.clock import loop_ms

log = logging.getLogger(__name__)

SEAT_OFFSET = 0.00001
"""Seconds that keep two bots apart that act in the same millisecond, so that their order is always the same."""


class BotSeat(Protocol):
    @property
    def bot(self) -> str:
        """The key of a level, empty for a person."""


class BotMatch(Protocol):
    @property
    def slug(self) -> str: ...
    @property
    def seats(self) -> Sequence[BotSeat]: ...


class BotTable(Protocol):
    """What a bot needs of `games.live.table.Table`."""

    @property
    def match(self) -> BotMatch: ...

    def join(self, sink: "Bot", seat: int | None, *, who: object = None, wire: bool = True) -> None: ...

    def receive(self, sink: "Bot", text: str) -> None: ...


Chance = Callable[[str, int], random.Random]
"""The chance that a bot is made of, by the match's slug and the seat."""


def fresh_chance(slug: str, seat: int) -> random.Random:
    return random.Random()


def attach_bots(table: BotTable, chance: Chance = fresh_chance, find: Callable[[str], Level] = level_of) -> None:
    """Seat the bots of a match at its table: called for every table that is set up, after a restart too.

    :param find: the level of a key; raises KeyError for one that it does not know.
    """
    for number, seat in enumerate(table.match.seats):
        if not seat.bot:
            continue
        try:
            level = find(seat.bot)
        except KeyError:
            log.error("nobody plays at the level %r", seat.bot, extra={"match": table.match.slug})
            continue
        bot = Bot(table, number, level, chance(table.match.slug, number))
        table.join(bot, number, wire=False)


class Bot:
    """A sink that plays."""

    def __init__(self, table: BotTable, seat: int, level: Level, chance: random.Random) -> None:
        self._table = table
        self._seat = seat
        self._loop = asyncio.get_running_loop()
        self._player = Player(level, seat, chance)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: float | None = None
        self._is_closed = False

    def send(self, frame: str) -> None:
        """Take in a frame. Never raises: a bot at a loss must not take the table with it."""
        try:
            message = read_frame(frame)
            if message is None:
                return
            for reply in self._player.hear(message, loop_ms()):
                # Not in the same breath: the table is in the middle of telling everybody.
                self._loop.call_soon(self._reply, reply)
        except Exception:
            log.exception("a bot does not understand", extra={"match": self._table.match.slug, "seat": self._seat})
        self._arm()

    def close(self, code: str, text: str) -> None:
        self._is_closed = True
        self._arm()

    def _reply(self, message: str) -> None:
        if not self._is_closed:
            self._table.receive(self, message)

    def _arm(self) -> None:
        """Set the timer to when the player next wants to act."""
        at = None if self._is_closed else self._player.next_at
        when = None if at is None else at / 1000 + SEAT_OFFSET * (1 + self._seat)
        if self._timer is not None:
            # Not asked of the handle: uvloop gives one that does not know for what is due at once.
            if self._timer_at == when:
                return
            self._timer.cancel()
            self._timer = None
        self._timer_at = when
        if when is not None:
            self._timer = self._loop.call_at(when, self._act)

    def _act(self) -> None:
        self._timer = None
        for message in self._player.act(loop_ms()):
            self._table.receive(self, message)
        self._arm()
