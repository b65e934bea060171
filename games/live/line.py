"""A shorter way between uvicorn and a live match, for the frames of play.

uvicorn's WebSocket protocol, and it stays so for everything it does. What it
adds is an extension of the ASGI scope (`LINE`): an application that knows it
may hand over a text frame made once for many sockets, and be called with a text
that has come, without a queue, a task and a turn of the event loop for each.
Under load that is a third of all that a play costs. Without this class, or on
another server, the same application works over plain ASGI.
"""

from collections.abc import Callable
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, apply_mask  # type: ignore[attr-defined]  # the C one, where there is one
from websockets.http11 import Request
from websockets.protocol import State
from websockets.streams import StreamReader

LINE: Final = "spit.line"
"""The name of the extension in `scope["extensions"]`."""

_TEXT: Final = 0x81
"""The first byte of a text frame that is not continued."""
_MASKED: Final = 0x80
_HEAD: Final = 6
"""The bytes before a short text from a client: the two of every frame, and the mask's four."""
_SHORT: Final = 125
"""The longest text whose length fits into the second byte."""
_BETWEEN_FRAMES: Final = StreamReader.at_eof.__code__
"""Where the parser of websockets waits when nothing of a frame has come."""


CLOSING: Final = 2.0
"""Seconds in which a peer has to answer that it is sent away. Until then all that it sends is read, for nothing, and
whoever floods may just go on."""


def text_frame(text: str) -> bytes:
    """The bytes of a text frame from a server (RFC 6455, 5.2)."""
    payload = text.encode()
    length = len(payload)
    if length < 126:
        return bytes((_TEXT, length)) + payload
    if length < 65_536:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big") + payload
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big") + payload


class Line(WebSocketsSansIOProtocol):
    """uvicorn's protocol for `ws=`."""

    on_text: Callable[[str], None] | None = None
    """Set by the application: called with each text; `receive` then only tells of the rest, the end above all."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        self.close_timeout = CLOSING
        # Compressed frames are each socket's own.
        if self.response.status_code == 101 and not self.conn.extensions:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    @property
    def is_ready(self) -> bool:
        """Whether a frame would go out at once: the handshake is done, nobody closes, and the reader keeps up.

        (The base says `close_sent` of its own closing alone; a peer that has closed is sent no frame any more.)
        """
        return self.conn.state is State.OPEN and self.writable.is_set() and not (self.close_sent or self.disconnected)

    def write(self, frame: bytes) -> None:
        """Send a frame as it is; only while `is_ready`."""
        self.transport.write(frame)

    def data_received(self, data: bytes) -> None:
        """As the base, but a short text that comes in one piece, as commands do, is read without the parser."""
        length = len(data) - _HEAD
        if (
            self.on_text is None
            or not 0 <= length <= _SHORT
            or data[0] != _TEXT
            or data[1] != _MASKED | length
            or not self._is_between_frames
        ):
            super().data_received(data)
            return
        try:
            text = apply_mask(data[_HEAD:], data[2:_HEAD]).decode()
        except UnicodeDecodeError:
            super().data_received(data)
            return
        self.on_text(text)

    @property
    def _is_between_frames(self) -> bool:
        """Whether the next byte begins a message: no part of a frame or of a message in pieces waits in the parser."""
        conn = self.conn
        waits_at = conn.parser.gi_yieldfrom  # type: ignore[attr-defined]  # It is a generator, whatever its type says.
        return (
            waits_at is not None
            and waits_at.gi_code is _BETWEEN_FRAMES
            and conn.current_size is None
            and conn.state is State.OPEN
            and not (self.close_sent or self.disconnected)
        )

    def send_receive_event_to_app(self) -> None:
        if self.on_text is None or self.curr_msg_data_type != "text" or self.close_sent:
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            # As RFC 6455 has it (8.1), without a traceback for what a stranger sends.
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA, "no UTF-8")
            self.handle_parser_exception()
            return
        self.frames = []
        self.on_text(text)
