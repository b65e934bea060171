"""Processes that share their matches, in one event loop: with real ownership and relay, and no Redis."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from games.live.journal import Journal
from games.live.relay.messages import Bundle, Message, pack, unpack
from games.live.relay.post import ALL
from games.live.supervisor import Supervisor
from games.shuffling import RandomDealer


class LocalPost:
    """As `games.live.relay.post.Post`. Remembers all that was sent."""

    posts: ClassVar[dict[str, "LocalPost"]] = {}
    sent: ClassVar[list[tuple[str, Message]]] = []

    def __init__(self, address: str, on_bundle: Callable[[Bundle], None]) -> None:
        self.address = address
        self._on_bundle = on_bundle

    async def start(self) -> None:
        self.posts[self.address] = self

    async def stop(self) -> None:
        self.posts.pop(self.address, None)

    def send(self, address: str, message: Message) -> None:
        self.sent.append((address, message))
        # As it really travels.
        bundle = unpack(pack(Bundle(self.address, [message])))
        for name, post in self.posts.items():
            if address in (name, ALL):
                asyncio.get_running_loop().call_soon(post._on_bundle, bundle)


async def start_process() -> Supervisor:
    """One process more; `LocalPost` has to be in the place of `Post`."""
    process = Supervisor(journal=Journal(hold=0.8), dealer=RandomDealer(7), is_shared=True)
    await process.start()
    return process
