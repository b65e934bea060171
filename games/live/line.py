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
from websockets.frames import CloseCode
from websockets.http11 import Request

LINE: Final = "spit.line"
"""The name of the extension in `scope["extensions"]`."""

_TEXT: Final = 0x81
"""The first byte of a text frame that is not continued."""


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
        # Compressed frames are each socket's own.
        if self.response.status_code == 101 and not self.conn.extensions:
            self.scope["extensions"][LINE] = self  # type: ignore[assignment]

    @property
    def is_ready(self) -> bool:
        """Whether a frame would go out at once: the handshake is done, nobody closes, and the reader keeps up."""
        return self.handshake_complete and self.writable.is_set() and not (self.close_sent or self.disconnected)

    def write(self, frame: bytes) -> None:
        """Send a frame as it is; only while `is_ready`."""
        self.transport.write(frame)

    def send_receive_event_to_app(self) -> None:
        if self.on_text is None or self.curr_msg_data_type != "text" or self.close_sent or len(self.frames) != 1:
            super().send_receive_event_to_app()
            return
        (data,) = self.frames
        try:
            text = data.decode()
        except UnicodeDecodeError:
            # As RFC 6455 has it (8.1), without a traceback for what a stranger sends.
            self.frames = []
            self.conn.fail(CloseCode.INVALID_DATA, "no UTF-8")
            self.handle_parser_exception()
            return
        self.frames = []
        self.on_text(text)
