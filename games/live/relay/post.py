"""The post between processes, over Channels' layer (Redis publish/subscribe).

A process listens at one address, its id, and at that of all. What is sent in
one breath to one process goes as one bundle, so a busy process pays for fewer
round trips, not for more.

The post may lose anything and says nothing about it. It never keeps anybody
waiting: while Redis is away, what is sent is thrown away.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import msgspec
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from games.live.relay.messages import Bundle, Echo, Message, pack, unpack

log = logging.getLogger(__name__)

ALL: Final = "all"
PREFIX: Final = "live."
PATIENCE: Final = 1.0
"""Seconds that handing something to Redis may take."""
ECHO: Final = 1.0
"""Seconds between two looks whether one can be heard."""
DEAF: Final = 2.5
"""Seconds without an echo after which the connection is made anew. (Channels' layer subscribes again by itself when
Redis was away for a moment, but its reading task can die, and what it was asked for while Redis was away is forgotten.)
"""
BOX: Final = 5_000
"""The most messages that wait for one address."""
FAULTS: Final = (RedisError, OSError, TimeoutError)


class Post:
    """In one event loop: `start`, `send`, `stop`."""

    def __init__(self, address: str, on_bundle: Callable[[Bundle], None]) -> None:
        self.address = address
        self._on_bundle = on_bundle
        self._layer: Any = get_channel_layer()
        self._boxes: dict[str, list[Message]] = {}
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._heard_at = 0.0
        self._is_troubled = False
        self._idle = asyncio.Event()
        self._idle.set()

    async def start(self) -> None:
        """Begin to listen. If Redis is not there, that comes later."""
        self._tasks = [asyncio.create_task(self._carry())]
        channel = await self._subscribe()
        self._tasks.append(asyncio.create_task(self._listen(channel)))

    async def stop(self) -> None:
        """Send what is there, if that does not take long."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._idle.wait()
        except TimeoutError:
            log.warning("not all could be told that this process stops")
        for task in self._tasks:
            task.cancel()

    def send(self, address: str, message: Message) -> None:
        """Send a message to the process with that id, or to `ALL`."""
        box = self._boxes.setdefault(address, [])
        if len(box) < BOX:
            box.append(message)
        self._idle.clear()
        self._news.set()

    async def _carry(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._boxes:
                address = next(iter(self._boxes))
                bundle = Bundle(self.address, self._boxes[address])
                del self._boxes[address]
                await self._hand_over(address, bundle)
            self._idle.set()

    async def _hand_over(self, address: str, bundle: Bundle) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await publish(self._layer, address, bundle)
        except FAULTS as error:
            self._trouble(error)
            await asyncio.sleep(0.1)
        except Exception:
            log.exception("a bundle cannot be sent")

    async def _subscribe(self) -> str | None:
        """The channel at which all that is for this process arrives; None: not now."""
        try:
            async with asyncio.timeout(PATIENCE):
                await _renew(self._layer)
                channel: str = await self._layer.new_channel(PREFIX)
                await self._layer.group_add(PREFIX + self.address, channel)
                await self._layer.group_add(PREFIX + ALL, channel)
        except FAULTS as error:
            self._trouble(error)
            return None
        except Exception:
            # Whatever it was: who does not listen hears nothing for ever.
            log.exception("cannot listen to other processes")
            return None
        return channel

    async def _listen(self, channel: str | None) -> None:
        loop = asyncio.get_running_loop()
        while True:
            if channel is None:
                await asyncio.sleep(ECHO / 2)
            else:
                self._heard_at = loop.time()
                reader = asyncio.create_task(self._read(channel))
                try:
                    while not reader.done() and loop.time() - self._heard_at < DEAF:
                        self.send(self.address, Echo())
                        await asyncio.sleep(ECHO)
                finally:
                    reader.cancel()
            channel = await self._subscribe()

    async def _read(self, channel: str) -> None:
        while True:
            message = await self._layer.receive(channel)
            if self._is_troubled:
                self._is_troubled = False
                log.info("other processes can be heard again")
            self._heard_at = asyncio.get_running_loop().time()
            try:
                self._on_bundle(unpack(message["data"]))
            except msgspec.MsgspecError as error:
                log.warning("a bundle is not understood: %s", error)
            except Exception:
                log.exception("a bundle was not taken")

    def _trouble(self, error: Exception) -> None:
        if not self._is_troubled:
            self._is_troubled = True
            log.warning("other processes cannot be reached: %s: %s", type(error).__name__, error)


async def _renew(layer: Any) -> None:
    """Have the layer forget its connections, whatever became of them; it makes new ones when it is asked for anything.

    Its own `flush` waits for the task that reads, and hands on what that has ended with, such as a `TimeoutError`,
    before it has closed anything: then it fails so each time, for ever.
    """
    for shard in layer._shards:
        reading = shard._receive_task
        if reading is not None and reading.done():
            if not reading.cancelled() and (error := reading.exception()) is not None:
                log.info("the connection to other processes is given up: %s: %s", type(error).__name__, error)
            shard._receive_task = None
    await layer.flush()


async def publish(layer: Any, address: str, bundle: Bundle) -> None:
    """Publish a bundle, in any event loop.

    :raises RedisError, OSError: Redis is not there.
    """
    await layer.group_send(PREFIX + address, {"type": "live", "data": pack(bundle)})
