"""The journal: the one writer of events in a process.

Tables append what they decided and go on; a thread writes all that has come
together, of all matches, in one transaction (group commit: while one commit
runs, the next batch collects by itself; when very much is played it waits for
a few milliseconds besides). Only then does each table hear of it,
and tells others. So what anyone has seen is in the database, and a commit is
paid once for many plays.

When something goes wrong, it goes wrong for a *stream*, the writing end of one
match: it breaks, nothing more of it is written, so that the log has no gap, and
its table starts anew from what the database holds.

- Another writer was faster: `(match, seq)` is unique, the stream is *overtaken*.
  The other matches of the batch are written all the same.
- The database cannot be written: the batch is held and tried again for
  `hold` seconds, then its streams are *unwritable*.
"""

import asyncio
import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from enum import StrEnum
from queue import SimpleQueue
from typing import Final, Protocol, TypeVarTuple, Unpack

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError
from django.db.backends.base.base import BaseDatabaseWrapper
from msgspec import Struct

from games.live import rows
from games.live.figures import figures
from games.live.hub import Member
from games.live.rows import EndRow, EventRow
from games.rules.events import Event
from games.rules.state import State

log = logging.getLogger(__name__)
Ts = TypeVarTuple("Ts")

HOLD: Final = 5.0
"""Seconds for which a batch that cannot be written is tried again."""
TROUBLE_AFTER: Final = 1.0
"""Seconds without a commit, while there is something to write, after which no new command is taken."""
RETRY: Final = 0.1
SWITCH_INTERVAL: Final = 0.001
"""Seconds that the writer's thread waits for the interpreter behind a busy event loop, a few times for each commit."""
LINGER: Final = 0.003
"""Seconds that the writer waits for more when much is played: what a commit costs besides its rows, the turns of the
threads and the disk above all, is then paid by more plays. It is little beside what anybody notices."""
LINGER_FOR: Final = 8
"""It waits only if so many entries come in that time."""
LIMIT: Final = 20_000
"""The most entries that may wait."""


class Fault(StrEnum):
    OVERTAKEN = "overtaken"
    """Somebody else has written these numbers."""
    UNWRITABLE = "unwritable"
    """The database could not be written in time. Whether the last batch got there is not known."""


class Owner(Protocol):
    """Who is told, in the event loop, in the order of the entries."""

    def committed(self, entry: "Entry") -> None: ...

    def broken(self, fault: Fault) -> None:
        """The stream is broken: nothing appended after the last `committed` counts. Told once."""


class Stream:
    """The writing end of one match's log."""

    __slots__ = ("broken", "match_id", "owner", "slug")

    def __init__(self, match_id: int, owner: Owner, slug: str = "") -> None:
        self.match_id = match_id
        self.slug = slug
        """Of the match, for the logs."""
        self.owner = owner
        self.broken: Fault | None = None


Reply = tuple[Member, str, str | None]
"""Who sent a command, its id, and the frame that answers it (None: the events themselves do)."""


class Entry(Struct, eq=False):
    """What one decision adds to a log. Written whole or not at all."""

    stream: Stream
    first: int
    """The number of the first event."""
    events: tuple[Event, ...]
    bodies: list[str]
    """The events as JSON, in the same order."""
    rows: list[EventRow]
    state: State
    """The state after it."""
    sender: Reply | None = None
    """Whose command it was; a frame is sent just before the events are."""
    end: EndRow | None = None
    """Set when the match ends with it."""
    answers: list[Reply] = []
    """What single members are told just after the events."""
    arrived: float = 0.0
    """When its command came, by `time.monotonic`; 0: nobody's."""


class Journal:
    """One per process, in its event loop. `start` it, `append`, `stop` it."""

    def __init__(self, hold: float = HOLD, limit: int = LIMIT) -> None:
        self._hold = hold
        self._limit = limit
        self._queue: deque[Entry] = deque()
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._is_called = False
        """Whether the writer was woken and has not looked at the queue since."""
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: BaseDatabaseWrapper
        """The writer's own (`rows.own_connection`), from its thread's beginning."""
        self._busy_since: float | None = None
        self._probing = False
        self._rate = 0.0
        """Entries a second, lately."""
        self._counted = 0
        self._counted_since = time.monotonic()
        self._unfinished = 0
        self._idle = asyncio.Event()

    # In the event loop

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Write what is there, then end the thread."""
        if self._thread is None:
            return
        await self.flushed()
        self._stopping = True
        self._wake.put(None)
        await asyncio.to_thread(self._thread.join)
        self._thread = None

    def append(self, entry: Entry) -> None:
        """Have the entry written, with whatever else is appended in this turn of the loop."""
        self._unfinished += 1
        self._queue.append(entry)
        if not self._is_called and self._loop is not None:
            self._is_called = True
            self._loop.call_soon(self._wake.put, None)

    @property
    def pending(self) -> int:
        """Entries appended whose owners have not heard of them."""
        return self._unfinished

    async def flushed(self) -> None:
        """Wait until nothing is pending."""
        while self._unfinished:
            self._idle.clear()
            await self._idle.wait()

    @property
    def in_trouble(self) -> bool:
        """Whether new commands should be refused: writing takes too long, or too much waits."""
        since = self._busy_since
        if since is None:
            return False
        return self._probing or time.monotonic() - since > TROUBLE_AFTER or len(self._queue) >= self._limit

    def _written(self, batch: Sequence[Entry]) -> None:
        self._unfinished -= len(batch)
        for entry in batch:
            try:
                entry.stream.owner.committed(entry)
            except Exception:
                # One table's fault is not to cost the others of the batch their events.
                log.exception("a table failed on a committed entry", extra={"match": entry.stream.slug})
        figures.published(batch)
        self._settle()

    def _dropped(self, count: int, broken: Sequence[Stream]) -> None:
        self._unfinished -= count
        for stream in broken:
            fault = stream.broken or Fault.UNWRITABLE
            figures.broken[fault] += 1
            stream.owner.broken(fault)
        self._settle()

    def _settle(self) -> None:
        if not self._unfinished:
            self._idle.set()

    # In the writer's thread

    def _run(self) -> None:
        self._connection = rows.own_connection()
        try:
            while True:
                self._wake.get()
                if self._rate * LINGER >= LINGER_FOR and not self._stopping:
                    time.sleep(LINGER)
                # First this, then the queue: what is appended from here on wakes the writer again.
                self._is_called = False
                while self._queue:
                    self._write_all()
                if self._stopping:
                    return
        finally:
            self._connection.close()

    def _write_all(self) -> None:
        queue = self._queue
        batch: list[Entry] = []
        dropped = 0
        while queue:
            entry = queue.popleft()
            if entry.stream.broken is None:
                batch.append(entry)
            else:
                dropped += 1
        self._busy_since = time.monotonic()
        self._count(len(batch), self._busy_since)
        if dropped:
            self._tell(self._dropped, dropped, ())
        if batch:
            self._write_batch(batch, time.monotonic() + self._hold)
        self._busy_since = None

    def _count(self, entries: int, now: float) -> None:
        self._counted += entries
        elapsed = now - self._counted_since
        if elapsed >= 0.1:
            self._rate = self._counted / elapsed
            self._counted = 0
            self._counted_since = now

    def _write_batch(self, batch: list[Entry], give_up: float) -> None:
        while True:
            began = time.monotonic()
            try:
                self._commit(batch)
            except IntegrityError:
                self._write_each(batch, give_up, Fault.OVERTAKEN)
                return
            except DataError:
                # Not the database's fault: trying again would not help.
                self._leave_out(batch, give_up)
                return
            except (DatabaseError, InterfaceError) as error:
                figures.failures += 1
                # Only its first line: PostgreSQL may go on with the row, and that holds cards.
                said = str(error).partition("\n")[0]
                log.warning("the journal cannot write: %s", said, extra={"entries": len(batch)})
                self._connection.close()
                if time.monotonic() >= give_up:
                    self._break(batch, Fault.UNWRITABLE)
                    self._wait_for_database()
                    return
                time.sleep(RETRY)
            except Exception:  # noqa: BLE001  (`_leave_out` logs it: the writer has to live on for all the others)
                self._leave_out(batch, give_up)
                return
            else:
                took = time.monotonic() - began
                self._tell(self._written, batch)
                figures.committed(batch, took)
                return

    def _leave_out(self, batch: list[Entry], give_up: float) -> None:
        """Something in one of the entries cannot be written at all: that costs its own match what it decided last."""
        log.exception("the journal cannot write this", extra={"entries": len(batch)})
        self._connection.close()
        self._write_each(batch, give_up, Fault.UNWRITABLE)

    def _write_each(self, batch: list[Entry], give_up: float, fault: Fault) -> None:
        """One of these matches cannot be written: write match by match, to find out which."""
        by_stream: dict[Stream, list[Entry]] = {}
        for entry in batch:
            by_stream.setdefault(entry.stream, []).append(entry)
        if len(by_stream) == 1:
            self._break(batch, fault)
            return
        for entries in by_stream.values():
            self._write_batch(entries, give_up)

    def _commit(self, batch: Sequence[Entry]) -> None:
        rows.prepare(self._connection)
        events = [row for entry in batch for row in entry.rows]
        rows.write(self._connection, events, [entry.end for entry in batch if entry.end is not None])

    def _break(self, batch: Sequence[Entry], fault: Fault) -> None:
        broken = list({entry.stream: None for entry in batch})
        for stream in broken:
            stream.broken = fault
        log.error("streams broken: %s", fault, extra={"matches": [stream.slug for stream in broken]})
        self._tell(self._dropped, len(batch), broken)

    def _wait_for_database(self) -> None:
        """Until it can be written again. What is appended meanwhile is held no longer than a batch is."""
        self._probing = True
        try:
            while not self._stopping:
                try:
                    rows.probe(self._connection)
                    return
                except (DatabaseError, InterfaceError):
                    self._connection.close()
                    self._drop_waiting()
                    time.sleep(RETRY)
        finally:
            self._probing = False

    def _drop_waiting(self) -> None:
        waiting = [self._queue.popleft() for _ in range(len(self._queue))]
        fresh = [entry for entry in waiting if entry.stream.broken is None]
        if fresh:
            self._break(fresh, Fault.UNWRITABLE)
        if len(waiting) > len(fresh):
            self._tell(self._dropped, len(waiting) - len(fresh), ())

    def _tell(self, what: Callable[[Unpack[Ts]], object], *args: *Ts) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(what, *args)
