"""The post between processes, on a real Redis."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.layers import get_channel_layer

from games.live.relay import post as post_module
from games.live.relay.messages import Bundle, Told
from games.live.relay.post import Post
from tests.cluster.conftest import Services


class Reader(Post):
    """Keeps what it is told."""

    def __init__(self) -> None:
        super().__init__("reader", self._keep)
        self.told: list[str] = []
        self.news = asyncio.Event()

    def _keep(self, bundle: Bundle) -> None:
        self.told += [message.slug for message in bundle.messages if isinstance(message, Told)]
        self.news.set()

    async def hears(self, sender: Post, what: str) -> None:
        """Until it has heard that, told again and again."""
        async with asyncio.timeout(20):
            while what not in self.told:
                sender.send(self.address, Told("seated", what))
                self.news.clear()
                try:
                    await asyncio.wait_for(self.news.wait(), 0.2)
                except TimeoutError:
                    continue


@pytest.fixture
async def reader(services: Services, settings: Any, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reader]:
    address = [{"address": services.valkey.url}]
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": address}}}
    monkeypatch.setattr(post_module, "DEAF", 0.6)
    monkeypatch.setattr(post_module, "ECHO", 0.2)
    reader = Reader()
    await reader.start()
    yield reader
    await reader.stop()
    await asyncio.gather(*reader._tasks, return_exceptions=True)
    await get_channel_layer().flush()


@pytest.mark.parametrize("fault", [TimeoutError("connecting"), ConnectionResetError("reset"), RuntimeError("what")])
async def test_hears_again_whatever_its_reading_ended_with(reader: Reader, fault: Exception) -> None:
    await reader.hears(reader, "before")
    (shard,) = reader._layer._shards

    async def fail(**_: object) -> None:
        raise fault

    reading = shard._receive_task
    shard._pubsub.get_message = fail
    # What was being read when that was put in its place may still arrive: wait for a reading anew.
    async with asyncio.timeout(20):
        while shard._receive_task is reading:
            reader.news.clear()
            await reader.news.wait()
    await reader.hears(reader, "after")
