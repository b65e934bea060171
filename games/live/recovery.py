"""How a table starts anew from what the database holds, when what it knows may not be what was written."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from django.db import DatabaseError, InterfaceError

from games.live.hub import Member
from games.live.journal import Entry, Reply
from games.live.match_info import Loaded, answer_key

log = logging.getLogger(__name__)

RETRY: Final = 500
"""Milliseconds between two looks while the database is in trouble."""


class Recovering(Protocol):
    """What the recovery needs of its table."""

    is_closed: bool

    def read_anew(self, loaded: Loaded, is_ours: bool) -> None:
        """The match as the database has it, and whether it is still this process's own."""

    def unreadable(self) -> None:
        """The match cannot be read, and trying again would not help."""


class RecoveryHost(Protocol):
    """What it asks of the process (`games.live.host.Host`)."""

    async def keeps(self, slug: str) -> bool: ...

    async def reload(self, slug: str) -> Loaded: ...


class Recovery:
    """Of one table. Meanwhile nothing is judged, and the match's clock stands still."""

    def __init__(self, table: Recovering, host: RecoveryHost, slug: str) -> None:
        self._table = table
        self._host = host
        self._slug = slug
        self.is_under_way = False
        self.unanswered: list[Reply] = []
        """Those whose answer only the database knows."""

    def begin(self, why: str, undecided: Iterable[Entry]) -> None:
        """`undecided` may or may not have been written."""
        log.warning("the table starts anew: %s", why, extra={"match": self._slug})
        self.is_under_way = True
        self.unanswered += [reply for entry in undecided for reply in (entry.sender, *entry.answers) if reply]

    async def read(self) -> None:
        while not self._table.is_closed:
            try:
                is_ours = await self._host.keeps(self._slug)
                loaded = await self._host.reload(self._slug)
            except (DatabaseError, InterfaceError) as error:
                log.warning("the match cannot be read: %s", error, extra={"match": self._slug})
                await asyncio.sleep(RETRY / 1000)
            except Exception:
                log.exception("the match cannot be read", extra={"match": self._slug})
                self._table.unreadable()
                return
            else:
                self.is_under_way = not is_ours
                self._table.read_anew(loaded, is_ours)
                return

    def is_unanswered(self, member: Member, key: str, command_id: str) -> bool:
        """Whether a command comes again of which nobody knows yet whether it was written. It is answered then."""
        asked = [who for who, name, _ in self.unanswered if who.seat is not None and answer_key(who.seat, name) == key]
        if asked and member not in asked:
            self.unanswered.append((member, command_id, None))
        return bool(asked)

    def answer_all(self, answer: Callable[[Member, str], None]) -> None:
        """Have everybody answered who waits for it, in order."""
        unanswered, self.unanswered = self.unanswered, []
        for member, command_id, _ in unanswered:
            answer(member, command_id)
