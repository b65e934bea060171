"""Start and stop of a server process, as ASGI tells it (`lifespan`)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import structlog

log = structlog.get_logger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Runs(Protocol):
    """What lives as long as the server: `start` before the first request, `stop` after the last."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


class Lifespan:
    """An ASGI application for the `lifespan` protocol."""

    def __init__(self, *parts: Callable[[], Runs]) -> None:
        self._parts = parts

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await receive()
        running = []
        try:
            for make in self._parts:
                part = make()
                await part.start()
                running.append(part)
        except Exception as error:
            log.exception("start failed")
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for part in reversed(running):
            try:
                await asyncio.wait_for(part.stop(), timeout=10)
            except Exception:
                # The others are stopped all the same.
                log.exception("stop failed")
        await send({"type": "lifespan.shutdown.complete"})
