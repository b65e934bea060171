"""A WebSocket as a sink: frames go out in order, and nobody waits for a slow reader."""

import asyncio
import types
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, Final

from games.live import protocol
from games.live.line import Line, text_frame
from games.live.protocol import CLOSE_STATUS, Close

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

GONE: Final = (OSError, RuntimeError)
"""What a server raises when there is nobody to send to: the peer is gone (ASGI 2.4), or the server itself has just
closed the connection, say for a frame that is too long, and has not told the application yet."""
QUEUE: Final = 64
"""Frames that wait for a slow reader. One more, and it is sent the state instead of all of them."""


@types.coroutine
def _rest(waits_for: Any, coroutine: Coroutine[Any, Any, None]) -> Generator[Any, Any, None]:
    """The rest of a coroutine that has been run up to its first wait."""
    yield waits_for
    yield from coroutine


class _Last:
    """The last frame and its bytes: a frame goes to all sockets of a match, one after the other."""

    frame = ""
    data = b""


class Socket:
    """The sending half of a connection.

    On a server with a `Line` frames are handed over as bytes. On any other the
    server's `send` nearly always has room in its buffer and then does not wait
    at all: it is run on the spot, without a task and a turn of the loop for
    each frame. Only when it has to wait does a task take over, and frames queue.
    """

    __slots__ = (
        "_behind", "_line", "_loop", "_on_behind", "_queue", "_reader", "_send", "_writer", "is_closed", "left_out",
        "on_talk",
    )  # fmt: skip

    def __init__(self, send: Send, on_behind: Callable[[], None], line: Line | None = None) -> None:
        """`on_behind` is called when a reader that had fallen behind can be sent the state."""
        self._line = line
        self._send = send
        self._on_behind = on_behind
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.current_task()
        self._queue: deque[dict[str, Any]] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._behind = False
        self.is_closed = False
        self.left_out = 0
        """Frames that a slow reader was not sent; whoever knows whose it is tells the log, and begins anew."""
        self.on_talk: Callable[[protocol.Talk], None] = lambda message: None
        """Called with what is about the chat."""

    def send(self, frame: str) -> None:
        if self.is_closed:
            return
        line = self._line
        if line is not None and self._writer is None and line.is_ready:
            if frame is not _Last.frame:
                _Last.frame = frame
                _Last.data = text_frame(frame)
            line.write(_Last.data)
            return
        message = {"type": "websocket.send", "text": frame}
        if self._writer is None:
            self._write(message)
        elif len(self._queue) >= QUEUE:
            self.left_out += len(self._queue) + 1
            self._queue.clear()
            self._behind = True
        elif self._behind:
            self.left_out += 1
        else:
            self._queue.append(message)

    def close(self, code: str, text: str) -> None:
        """Say why, and close. A reader that does not take it is cut off."""
        if self.is_closed:
            return
        if self._writer is not None:
            self.is_closed = True
            self._writer.cancel()
            if self._reader is not None:
                self._reader.cancel()
            return
        self.send(protocol.encode(protocol.Closing(code, text)))
        if self._writer is None:
            self._write({"type": "websocket.close", "code": CLOSE_STATUS[Close(code)], "reason": text})
        self.is_closed = True

    def _write(self, message: dict[str, Any]) -> None:
        coroutine = self._send(message)
        try:
            waits_for = coroutine.send(None)
        except StopIteration:
            return
        except GONE:
            # The reading half is told so too, and leaves the table.
            self.is_closed = True
            return
        self._writer = self._loop.create_task(self._catch_up(_rest(waits_for, coroutine)))

    async def _catch_up(self, first: Awaitable[None]) -> None:
        try:
            await first
            while not self.is_closed:
                if self._queue:
                    await self._send(self._queue.popleft())
                elif self._behind:
                    self._behind = False
                    self._on_behind()
                else:
                    break
        except GONE:
            self.is_closed = True
        finally:
            self._writer = None
