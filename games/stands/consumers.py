"""The WebSocket of the television."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from games.live import origin
from games.live.limits import Bucket, Limit
from games.live.line import LINE, Line
from games.live.protocol import Close
from games.live.socket import Send, Socket
from games.live.supervisor import get_supervisor
from games.stands.television import television

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]


class TelevisionConsumer:
    """One connection. It only listens: whoever it is, it is sent what everybody may see."""

    def __init__(self, send: Send, line: Line | None) -> None:
        self._line = line
        self._socket = Socket(send, self._fell_behind, line)
        self._clock = asyncio.get_running_loop().time
        self._limit = Limit(Bucket(self._clock()))

    @staticmethod
    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """The ASGI application."""
        await receive()
        fault = origin.fault(scope)
        if fault is not None:
            said = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
            log.warning("socket refused: %s", fault, extra={"origin": said})
            await send({"type": "websocket.close", "code": 4403})
            return
        await TelevisionConsumer(send, scope.get("extensions", {}).get(LINE)).serve(receive, send)

    async def serve(self, receive: Receive, send: Send) -> None:
        await send({"type": "websocket.accept"})
        await get_supervisor().start()
        if not get_supervisor().is_running:
            self._socket.close(Close.RESTART, "the server restarts")
            return
        television.join(self._socket)
        if self._line is not None:
            self._line.on_text = self._heard
        try:
            while (message := await receive())["type"] == "websocket.receive":
                self._heard(message.get("text"))
        except asyncio.CancelledError:
            # `Socket.close` ends a connection this way when its reader takes nothing any more.
            if not self._socket.is_closed:
                raise
        finally:
            television.leave(self._socket)
            self._socket.is_closed = True

    def _heard(self, text: str | None) -> None:
        """A pong is all that is expected; anything is a sign of life."""
        if self._limit.allows(self._clock()):
            television.heard(self._socket)
        elif self._limit.is_exhausted:
            television.leave(self._socket)
            self._socket.close(Close.TOO_FAST, "too many messages")

    def _fell_behind(self) -> None:
        television.show_all(self._socket)
