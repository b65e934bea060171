"""The WebSocket of the lobby: the home page has one with the list, and every page of a person who can be challenged."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qs

from channels.auth import AuthMiddlewareStack

from games.live import origin
from games.live.limits import Bucket, Limit
from games.live.protocol import Close
from games.live.signed_in import SignIn, signed_in
from games.live.socket import Send, Socket
from games.lobby.frames import MAX_FRAME, BadFrame, Here, Refused, decode, encode
from games.lobby.hall import Visit, get_hall

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]

BAD_FRAMES: Final = 5
"""So many messages that are none, and the socket is closed."""
PAGE: Final = re.compile(r"[A-Za-z0-9]{16,32}")
"""The name that a page gives itself, in `?page=`: any other is as none, and its page goes to no table."""


class LobbyConsumer:
    """One page. It is told what is new (`games.lobby.hall`), and says no more than that it is there."""

    def __init__(self, send: Send) -> None:
        self._hall = get_hall()
        self._socket = Socket(send, self._fell_behind)
        self._visit: Visit | None = None
        self._limit = Limit(Bucket(asyncio.get_running_loop().time()))
        self._bad = 0

    @staticmethod
    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """The ASGI application."""
        await receive()
        fault = origin.fault(scope)
        if fault is not None:
            log.warning("socket refused: %s", fault)
            await send({"type": "websocket.close", "code": 4403})
            return
        await LobbyConsumer(send).serve(scope, receive, send)

    async def serve(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        sign_in = await _sign_in(scope)
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        page = asked.get("page", [""])[0]
        await send({"type": "websocket.accept"})
        await self._hall.start()
        visit = self._visit = Visit(
            self._socket,
            None if sign_in is None else sign_in.user_id,
            page if PAGE.fullmatch(page) else "",
            "list" in asked,
            self._hall.now,
        )
        if sign_in is not None:
            signed_in.add(self, sign_in)
        self._hall.enter(visit)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                self._heard(message.get("text"))
        except asyncio.CancelledError:
            # `Socket.close` ends a connection this way when its reader takes nothing any more.
            if not self._socket.is_closed:
                raise
        finally:
            if sign_in is not None:
                signed_in.remove(self, sign_in)
            self._hall.leave(visit)
            self._socket.is_closed = True

    def signed_out(self) -> None:
        """Nobody is challenged here any more; the page may come back as nobody's."""
        self._close(Close.SIGNED_OUT, "you were signed out")

    def _heard(self, text: str | None) -> None:
        visit = self._visit
        if visit is None or self._socket.is_closed:
            return
        if not self._limit.allows(self._hall.now):
            if self._limit.is_exhausted:
                self._close(Close.TOO_FAST, "too many messages")
            else:
                self._socket.send(encode(Refused(Close.TOO_FAST, "too many messages at once")))
            return
        try:
            message = decode(text) if text is not None and len(text) <= MAX_FRAME else None
        except BadFrame:
            message = None
        if message is None:
            self._bad += 1
            if self._bad >= BAD_FRAMES:
                self._close(Close.BAD_MESSAGE, "too many messages that are none")
            else:
                self._socket.send(encode(Refused(Close.BAD_MESSAGE, "that is no message of the lobby")))
            return
        visit.heard_at = self._hall.now
        if isinstance(message, Here):
            self._hall.here(visit)

    def _close(self, code: Close, text: str) -> None:
        if self._visit is not None:
            self._hall.leave(self._visit)
        self._socket.close(code, text)

    def _fell_behind(self) -> None:
        if self._visit is not None:
            self._hall.resync(self._visit)


async def _sign_in(scope: dict[str, Any]) -> SignIn | None:
    """Who opens the page; None: nobody who is known."""
    found: SignIn | None = None

    async def keep(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        nonlocal found
        user = scope["user"]
        if user.is_authenticated and user.is_active:
            found = SignIn(user.pk, scope["session"].session_key, user.get_session_auth_hash())

    await AuthMiddlewareStack(keep)(scope, _nothing, _nothing)
    return found


async def _nothing(*_: Any) -> Any:
    raise RuntimeError("the handshake neither receives nor sends")
