"""The hall: one per process. It knows the pages that are open on the lobby, and tells each what concerns it.

The truth is in the database. Whenever there is news, or every `BEAT`, the hall looks at all of it in one go, and sends
to each page what is new to it. In the same breath it shows that the pages are there whose people look for an opponent,
pairs whom one can, and takes away what is over: any process may do that for all.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.layers import channel_layers
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games.live.protocol import Close, Ping
from games.live.relay.post import FAULTS
from games.live.socket import Socket
from games.lobby import board, news, seeks
from games.lobby.at_stake import UNTOLD, AtStake
from games.lobby.frames import Challenges, Go, Listing, Stakes, You, encode

log = logging.getLogger(__name__)

BEAT: Final = 2.0
"""Seconds between two looks without news; well below `queue.LIVES`."""
BATCH: Final = 0.15
"""Seconds between two looks, however much news there is."""
PING: Final = 10.0
"""Seconds between two pings of a page."""
SILENCE: Final = 25.0
"""Seconds without a word after which the line of a page is dead."""
SLICE: Final = 200
"""How many pages are told in one go before others get their turn."""
DEAF: Final = 20.0
"""Seconds without news from other processes after which the hall listens anew."""

NOBODY: Final = encode(You(None, known=False))
"""Nobody is signed in."""
NOTHING_SOUGHT: Final = encode(You(None, known=True))
"""Whoever is signed in looks for nobody."""
NO_STAKES: Final = encode(Stakes({}))
"""All that was said of stakes is over."""

Written = tuple[tuple[object, ...], str]
"""The frame with the list, behind what it is made of."""


class Visit:
    """A page that is open."""

    __slots__ = ("heard_at", "is_asked", "page", "pinged_at", "sent", "socket", "user", "wants_list")

    def __init__(self, socket: Socket, user: int | None, page: str, wants_list: bool, now: float) -> None:
        self.socket = socket
        self.user = user
        """The id of whoever is signed in there."""
        self.page = page
        """The name that the page gave itself."""
        self.wants_list = wants_list
        self.sent: dict[str, Any] = {}
        """What it was told last, by kind."""
        self.is_asked = False
        """It was told that it is paired, and has not answered yet."""
        self.heard_at = self.pinged_at = now


class Hall:
    """Use it in the event loop of its process only; but `wake` may be called from any thread."""

    def __init__(self) -> None:
        self.visits: set[Visit] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._beat_at = 0.0
        self._looked_at = 0.0
        self._listing: Written = ((), "")
        self._stakes = AtStake()
        self._is_stopping = False

    async def start(self) -> None:
        """Begin. Again: nothing."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        news.listeners.append(self.wake)
        self.spawn(self._go_on())
        if settings.PLAY_IS_SHARED:
            self.spawn(self._listen())

    async def stop(self) -> None:
        """Send everybody away: they come back, to another process or to this one when it is there again."""
        self._is_stopping = True
        if self.wake in news.listeners:
            news.listeners.remove(self.wake)
        for task in tuple(self._tasks):
            task.cancel()
        for visit in tuple(self.visits):
            visit.socket.close(Close.RESTART, "the server restarts")
        self.visits.clear()

    def wake(self) -> None:
        """There is news. From any thread."""
        loop = self._loop
        if loop is not None and not self._is_stopping and not loop.is_closed():
            loop.call_soon_threadsafe(self._news.set)

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    # Pages

    def enter(self, visit: Visit) -> None:
        self.visits.add(visit)
        self._news.set()

    def leave(self, visit: Visit) -> None:
        """Again: nothing."""
        self.visits.discard(visit)

    def resync(self, visit: Visit) -> None:
        """The page missed something: tell it everything again."""
        visit.sent.clear()
        self._news.set()

    def here(self, visit: Visit) -> None:
        """The page says that it goes to the table. Heard once, and only if it was asked: a flood costs nothing."""
        if visit.is_asked and visit.user is not None:
            visit.is_asked = False
            self.spawn(self._come(visit, visit.user))

    async def _come(self, visit: Visit, user: int) -> None:
        try:
            await _in_thread(seeks.here, user, visit.page)
        except (DatabaseError, InterfaceError) as error:
            log.warning("nobody can go to a table: %s", error)
            # The page is told again that it is paired, and answers again.
            visit.sent.pop("you", None)

    # The rounds

    async def _go_on(self) -> None:
        while True:
            if self.visits:
                try:
                    async with asyncio.timeout(BEAT * random.uniform(0.9, 1.1)):
                        await self._news.wait()
                except TimeoutError:
                    pass
            else:
                # Nobody is to be told anything, and nobody's page is there.
                await self._news.wait()
            await asyncio.sleep(max(0.0, self._looked_at + BATCH - self.now))
            self._news.clear()
            self._looked_at = self.now
            try:
                await self._round()
            except (DatabaseError, InterfaceError) as error:
                log.warning("the lobby cannot be looked at: %s", error)
                await asyncio.sleep(BEAT / 2)
            except Exception:
                # Whatever it was, the next look has to come.
                log.exception("the lobby cannot be looked at")
                await asyncio.sleep(BEAT / 2)

    async def _round(self) -> None:
        now = self.now
        is_beat = now - self._beat_at >= BEAT * 0.9
        if is_beat:
            self._beat_at = now
            self._ping(now)
        pages = {(visit.user, visit.page) for visit in self.visits if visit.user is not None}
        wants_list = any(visit.wants_list for visit in self.visits)
        viewers = {visit.user for visit in self.visits if visit.wants_list and visit.user is not None}
        reads = {visit.user for visit in self.visits if visit.user is not None}
        look_up = partial(self._stakes.look, viewers=viewers, readers=reads, now=now)
        found, self._listing, is_behind = await _in_thread(
            _look, pages, is_beat, self._listing if wants_list else None, look_up
        )
        if is_behind:
            # There is more at stake than is worked out in one go.
            self._news.set()
        listing = self._listing[1]
        for number, visit in enumerate(tuple(self.visits), 1):
            if visit in self.visits:
                self._tell(visit, found, listing)
            if number % SLICE == 0:
                # However many pages are open, no play waits for all of them.
                await asyncio.sleep(0)

    def _ping(self, now: float) -> None:
        for visit in tuple(self.visits):
            if now - visit.heard_at > SILENCE:
                self.leave(visit)
                visit.socket.close(Close.SILENT, "no answer for too long")
            elif now - visit.pinged_at >= PING:
                visit.pinged_at = now
                visit.socket.send(encode(Ping(0)))

    def _tell(self, visit: Visit, found: board.Board, listing: str) -> None:
        """Send the page what is new to it."""
        if visit.wants_list and listing:
            # None was written for a page that has come while this was looked at: the next look is for it.
            _send(visit, "list", listing, listing)
        if visit.user is None:
            # Whoever was signed out meanwhile looks for nobody any more, and has to hear it.
            _send(visit, "you", None, NOBODY)
            return
        told = self._stakes.told.get(visit.user, UNTOLD)
        if visit.wants_list and listing:
            # Written where it was worked out: the same frame as before is known by being the same object.
            stakes = told.frame
            if stakes or visit.sent.get("stakes"):
                _send(visit, "stakes", stakes, stakes or NO_STAKES)
        own = found.by_user.get(visit.user)
        if own is not None and own.match is not None:
            if own.page == visit.page:
                url = own.match.get_absolute_url()
                _send(visit, "go", url, encode(Go(url)))
            own = None
        card = None if own is None else board.card_of(own, visit.page)
        # How long somebody waits is no news: the page has a clock of its own.
        key = card and (card.id, card.here, card.paired, card.other, card.kind, card.game, card.rated)
        if _send(visit, "you", key, NOTHING_SOUGHT if card is None else encode(You(card, known=True))):
            visit.is_asked = card is not None and card.here and card.paired
        challenges = found.by_challenged.get(visit.user, [])
        if challenges or visit.sent.get("challenges"):
            keys = [seek.pk for seek in challenges]
            # For a page that has come while this was looked at the stakes are missing: the next look is for it.
            is_known = all(seek.pk in told.texts for seek in challenges if seek.rated)
            if is_known and visit.sent.get("challenges") != keys:
                rows = found.rows(challenges, told.texts)
                _send(visit, "challenges", keys, encode(Challenges(board.challenges_html(rows))))

    # The other processes

    async def _listen(self) -> None:
        """Hear the news of other processes. That may fail, or fall silent, without any harm but a look that is late."""
        # Not the layer that live play uses: it starts afresh whenever it hears nothing, and forgets its groups then.
        layer: Any = channel_layers.make_backend("default")
        while True:
            try:
                async with asyncio.timeout(DEAF):
                    channel = await layer.new_channel("lobby.")
                    await layer.group_add(news.GROUP, channel)
                while True:
                    async with asyncio.timeout(DEAF):
                        await layer.receive(channel)
                    self._news.set()
            except FAULTS as error:
                if not isinstance(error, TimeoutError):
                    log.warning("news of other lobbies cannot be heard: %s", error)
                    await asyncio.sleep(BEAT)
            except Exception:
                log.exception("news of other lobbies cannot be heard")
                await asyncio.sleep(BEAT)
            try:
                async with asyncio.timeout(BEAT):
                    await layer.flush()
            except FAULTS:
                continue

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the lobby failed", exc_info=error)


def _look(
    pages: set[tuple[int, str]], is_beat: bool, before: Written | None, look_up: Callable[[board.Board], bool]
) -> tuple[board.Board, Written, bool]:
    """What there is, the frame with the list, and what `look_up` says. At a beat, look after it, too.

    Blocks: for a worker's thread.

    :param before: the frame of the last time, which need not be written again if it would be the same; None if nobody
        wants one.
    :param look_up: works out what is at stake.
    """
    found = board.look()
    if is_beat and found.seeks:
        own = [seek.pk for seek in found.seeks if (seek.user_id, seek.page) in pages and seek.match_id is None]
        if own:
            seeks.renew(own)
        changed = seeks.tidy()
        if seeks.pair() or changed:
            found = board.look()
    is_behind = look_up(found)
    if before is None:
        return found, ((), ""), is_behind
    waiting, offered = found.waiting, found.offered
    key = (*(seek.pk for seek in offered), *waiting.items())
    if before[1] and before[0] == key:
        return found, before, is_behind
    return found, (key, encode(Listing(board.rows_html(found.open), waiting))), is_behind


def _send(visit: Visit, kind: str, key: Any, frame: str) -> bool:
    """Send a frame if it says something new; whether it did."""
    if kind in visit.sent and visit.sent[kind] == key:
        return False
    visit.sent[kind] = key
    visit.socket.send(frame)
    return True


async def _in_thread(what: Any, *args: Any) -> Any:
    return await database_sync_to_async(what, thread_sensitive=False)(*args)


_hall: Hall | None = None


def get_hall() -> Hall:
    """The hall of this process."""
    global _hall
    if _hall is None:
        _hall = Hall()
    return _hall
