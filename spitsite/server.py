"""The web server: uvicorn with the options that live matches want."""

import asyncio
import gc
import logging
import socket
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

import uvicorn
from django.conf import settings

from spitsite.monitoring.readiness import readiness

log = logging.getLogger(__name__)

MAX_FRAME_BYTES = 64 * 1024
"""A longer WebSocket message is not even read: the connection is closed with 1009. Commands are far shorter."""

GRACE_SECONDS = 5
"""How long open requests may go on when the server is told to stop."""

LEAVE_SECONDS = 8
"""How long the application may take to take its leave before that."""


class _AtShutDown(logging.Filter):
    """Keeps what matters of uvicorn's own words: it announces its own starting and stopping at length."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING


class Server(uvicorn.Server):
    """uvicorn that says when it is ready and then puts its memory in order, and lets the application take its leave.

    Before it stops it says so at `/readyz`, and goes on for a while (`DRAIN_SECONDS`).

    `on_stop` runs when nobody new is let in any more and before the connections are closed: uvicorn itself tells the
    application only after it has closed them, without a word.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        on_ready: Callable[[], None],
        on_stop: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._on_stop = on_stop
        self._drain = float(settings.DRAIN_SECONDS)

    def end(self) -> None:
        """Stop at once, without going on for those who are on their way. From any thread."""
        self._drain = 0.0
        readiness.is_stopping = True
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        readiness.prepare()
        await super().startup(sockets)
        if self.started:
            settle_memory()
            self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        readiness.is_stopping = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        readiness.is_stopping = True
        loop = asyncio.get_running_loop()
        until = loop.time() + self._drain
        # Nobody is turned away yet; a second Ctrl-C means at once.
        while loop.time() < until and not self.force_exit:  # noqa: ASYNC110  (uvicorn has a flag, no event)
            await asyncio.sleep(0.1)
        for server in self.servers:
            server.close()
        try:
            if self._on_stop is not None:
                await asyncio.wait_for(self._on_stop(), LEAVE_SECONDS)
        except Exception:
            # The rest is stopped all the same.
            log.exception("live play did not stop well")
        await super().shutdown(sockets)


def settle_memory() -> None:
    """Take what lives as long as the process out of the garbage collector's sight, and let it look seldom.

    A full collection over all of Django stops every match for 100 ms and more.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)


def config(app: str | Callable[..., Any] = "spitsite.asgi:application", **options: Any) -> uvicorn.Config:
    """uvicorn's configuration; `options` go over ours."""
    logging.getLogger("uvicorn.error").addFilter(_AtShutDown())
    defaults: dict[str, Any] = {
        "loop": "auto",
        "http": "auto",
        "ws": "games.live.line:Line",
        "ws_max_size": MAX_FRAME_BYTES,
        # Frames are short; compressing each costs more processor time and memory than it saves on the line.
        "ws_per_message_deflate": False,
        # Live play pings by itself (games.live.hub): its pings measure the lag of each player.
        "ws_ping_interval": None,
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        # Only a proxy that was named may say who the client is and which scheme was used.
        "proxy_headers": bool(settings.TRUSTED_PROXIES),
        "forwarded_allow_ips": settings.TRUSTED_PROXIES,
        "timeout_graceful_shutdown": GRACE_SECONDS,
    }
    return uvicorn.Config(app, **{**defaults, **options})


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there already, so that a taken port is known before anything else is done.

    :raises OSError: taken, not allowed, no such address.
    :raises ValueError: no port.
    """
    if not 0 <= port < 2**16:
        raise ValueError("ports go from 0 to 65535")
    family, _, _, _, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
        0
    ]
    server = socket.socket(family, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(address)
        server.listen(2048)
        server.setblocking(False)
    except OSError:
        server.close()
        raise
    return server
