"""The WebSocket of a match."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from django.utils.crypto import salted_hmac

from games.live import origin
from games.live.figures import figures
from games.live.limits import Bucket, Limit, bucket_of
from games.live.line import LINE, Line
from games.live.match_info import NoSuchMatch
from games.live.protocol import MAX_FRAME, Chat, Close, Listen, Talk, encode, id_of
from games.live.relay.messages import Who
from games.live.relay.remote import Remote
from games.live.signed_in import SignIn, signed_in
from games.live.socket import Send, Socket
from games.live.stands import Stands
from games.live.supervisor import Stopping, get_supervisor
from games.live.table import Table
from games.live.waiting import WaitingRoom
from games.models import Onlooker
from games.rules.refusals import Code
from games.stands.chat import May
from games.stands.hall import hall
from games.visitors import name_in

log = logging.getLogger(__name__)

Receive = Callable[[], Awaitable[dict[str, Any]]]


class MatchConsumer:
    """One connection of a player or a watcher to a match.

    An ASGI application by itself, not a Channels consumer: that would cost a
    task and a thread for every message (its `dispatch` looks after the
    connections to the database, which this path does not use). Channels' session
    and user are looked up once, at the handshake.
    """

    def __init__(self, send: Send, line: Line | None) -> None:
        self._line = line
        self._socket = Socket(send, self._fell_behind, line)
        self._clock = asyncio.get_running_loop().time
        self._limit = Limit(Bucket(self._clock()))
        self._place: Table | Remote | WaitingRoom | Stands | None = None
        self._sign_in: SignIn | None = None
        self._who: Who | None = None
        """What watchers are counted by."""
        self._slug = ""
        self._talks: asyncio.Task[None] | None = None

    @staticmethod
    async def app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """The ASGI application."""
        await receive()
        fault = origin.fault(scope)
        if fault is not None:
            slug = scope["url_route"]["kwargs"]["slug"]
            said = dict(scope["headers"]).get(b"origin", b"").decode("latin-1")
            log.warning("socket refused: %s", fault, extra={"match": slug, "origin": said})
            await send({"type": "websocket.close", "code": 4403})
            return
        await MatchConsumer(send, scope.get("extensions", {}).get(LINE)).serve(scope, receive, send)

    async def serve(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        slug = self._slug = scope["url_route"]["kwargs"]["slug"]
        self._socket.on_talk = self._talk
        await self._identify(scope)
        await send({"type": "websocket.accept"})
        supervisor = get_supervisor()
        await supervisor.start()
        if self._sign_in is not None:
            self._limit = Limit(bucket_of(slug, self._sign_in.user_id, self._clock()))
            signed_in.add(self, self._sign_in)
        try:
            place = await supervisor.enter(slug, self._socket, self._sit)
            # Who was seated is where `_sit` says; who was not is in the waiting room.
            self._place = self._place or place
            await self._read(receive)
        except Stopping:
            self._socket.close(Close.RESTART, "the server restarts")
        except NoSuchMatch:
            self._socket.close(Close.NO_SUCH_MATCH, "there is no such match")
        except asyncio.CancelledError:
            # `Socket.close` ends a connection this way when its reader takes nothing any more.
            if not self._socket.is_closed:
                raise
        finally:
            if self._sign_in is not None:
                signed_in.remove(self, self._sign_in)
            if self._place is not None:
                self._place.leave(self._socket)
            hall.leave(slug, self._socket)
            self._socket.is_closed = True
            if self._socket.left_out:
                self._tell_left_out(slug, "did not catch up")

    async def _identify(self, scope: dict[str, Any]) -> None:
        """Who this is. Without a session, or with one that has ended: nobody, who may watch."""

        async def keep(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            user = scope["user"]
            session: str | None = scope["session"].session_key
            visitor = name_in(scope["cookies"]) or session
            if user.is_authenticated and user.is_active:
                self._sign_in = SignIn(user.pk, session, user.get_session_auth_hash())
                is_named = await database_sync_to_async(Onlooker.objects.filter(pk=user.pk, is_named=True).exists)()
                self._who = ("user", user.pk, user.display_name) if is_named else ("user", user.pk)
            elif visitor is not None:
                # Other processes are told: not the key itself.
                self._who = ("visitor", salted_hmac("games.consumers", visitor).hexdigest()[:16])

        await AuthMiddlewareStack(keep)(scope, _nothing, _nothing)

    def _sit(self, place: Table | Remote) -> None:
        """Take the seat at the table, or a place among the watchers; here, or where the match goes on."""
        if self._socket.is_closed:
            return  # Signed out, or sent away, while the table was set up.
        seat = place.match.seat_of(None if self._sign_in is None else self._sign_in.user_id)
        sits_at = place if seat is not None else get_supervisor().place_of_watchers(place)
        self._place = sits_at
        if isinstance(sits_at, Stands):
            sits_at.join(self._socket, None, who=self._who)
        else:
            sits_at.join(self._socket, seat, who=self._who, goes_on=self._sit)

    def signed_out(self) -> None:
        """Whoever sat here is away, until they sign in and connect again (B28)."""
        if self._place is not None:
            self._place.leave(self._socket)
        self._socket.close(Close.SIGNED_OUT, "you were signed out")

    def _talk(self, message: Talk) -> None:
        """Something for the chat, which knows nothing of the match; one after the other."""
        if self._talks is not None and not self._talks.done():
            self._socket.send(encode(Chat((), may=May.TOO_FAST)))
            return
        user_id = None if self._sign_in is None else self._sign_in.user_id
        if isinstance(message, Listen):
            work = hall.listen(self._slug, user_id, self._socket, lambda: not self._socket.is_closed)
        else:
            work = hall.say(self._slug, user_id, message, self._socket)
        self._talks = asyncio.create_task(work)

    def _fell_behind(self) -> None:
        if self._place is not None:
            figures.behind += 1
            self._tell_left_out(self._place.room.slug, "is sent the state")
            self._place.resync(self._socket)

    def _tell_left_out(self, slug: str, then: str) -> None:
        """A reader that stood still is no fault of the site's, but somebody may ask why the screen jumped (B24)."""
        frames, self._socket.left_out = self._socket.left_out, 0
        who = "nobody signed in" if self._sign_in is None else f"user {self._sign_in.user_id}"
        log.info("a reader fell behind by %d frames and %s: %s", frames, then, who, extra={"match": slug})

    async def _read(self, receive: Receive) -> None:
        if self._line is not None:
            self._line.on_text = self._heard
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return
            self._heard(message.get("text"))

    def _heard(self, text: str | None) -> None:
        """A message has come; None: a binary one."""
        place = self._place
        socket = self._socket
        if place is None or socket.is_closed:
            return
        if not self._limit.allows(self._clock()):
            if self._limit.is_exhausted:
                place.leave(socket)
                socket.close(Close.TOO_FAST, "too many messages")
            else:
                place.refuse_frame(socket, id_of(text or ""), Code.TOO_FAST)
        elif text is None or len(text) > MAX_FRAME:
            place.refuse_frame(socket, None, Code.BAD_MESSAGE)
        else:
            place.receive(socket, text)


async def _nothing(*_: Any) -> Any:
    raise RuntimeError("the handshake neither receives nor sends")


async def nowhere(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application of every WebSocket address that is none: refuses, and makes no fuss."""
    await receive()
    log.info("socket refused: no such address")
    await send({"type": "websocket.close", "code": 4404})
