"""A lean WebSocket client: just enough of RFC 6455 that the load generator is not what is measured."""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast

_TEXT = 0x81
_CLOSE = 0x8
_PING = 0x9


class Wire(asyncio.Protocol):
    """One connection. `on_text` gets each text frame as bytes."""

    def __init__(self, on_text: Callable[[bytes], None]) -> None:
        self._on_text = on_text
        self._data = bytearray()
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_open = False
        self.closed_by_peer = False

    def handshake(self, host: str, port: int, path: str, cookie: str | None) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Origin: http://{host}:{port}",
        ]
        if cookie:
            lines.append(f"Cookie: sessionid={cookie}")
        assert self._transport is not None
        self._transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not checked: uvloop's transports are asyncio's in all but name.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.is_open:
            self.closed_by_peer = True
        self.is_open = False
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("closed before it was open"))

    def data_received(self, data: bytes) -> None:
        buffer = self._data
        buffer += data
        if not self.is_open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            status = bytes(buffer[: buffer.find(b"\r\n")])
            del buffer[: end + 4]
            if b" 101 " not in status:
                self.opened.set_exception(ConnectionError(status.decode()))
                return
            self.is_open = True
            self.opened.set_result(None)
        start = 0
        size = len(buffer)
        while size - start >= 2:
            length = buffer[start + 1]
            head = start + 2
            if length == 126:
                if size < start + 4:
                    break
                length = int.from_bytes(buffer[start + 2 : start + 4], "big")
                head = start + 4
            elif length == 127:
                if size < start + 10:
                    break
                length = int.from_bytes(buffer[start + 2 : start + 10], "big")
                head = start + 10
            end = head + length
            if end > size:
                break
            kind = buffer[start]
            if kind == _TEXT:
                self._on_text(bytes(buffer[head:end]))
            elif kind & 0xF == _PING and self._transport is not None:
                self._transport.write(bytes((0x8A, 0x80 | length, 0, 0, 0, 0)) + bytes(buffer[head:end]))
            elif kind & 0xF == _CLOSE:
                self.closed_by_peer = True
            start = end
        del buffer[:start]

    def send(self, text: bytes) -> None:
        """A text frame, masked with zeros: as much work for the server, none for us."""
        transport = self._transport
        if transport is None or not self.is_open:
            return
        length = len(text)
        if length < 126:
            transport.write(bytes((_TEXT, 0x80 | length, 0, 0, 0, 0)) + text)
        else:
            transport.write(bytes((_TEXT, 0xFE)) + length.to_bytes(2, "big") + b"\0\0\0\0" + text)

    def abort(self) -> None:
        """End it without a word: what was sent may not get there."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    def freeze(self) -> None:
        """Read nothing any more; the peer is not told."""
        if self._transport is not None:
            self._transport.pause_reading()

    def close(self) -> None:
        self.is_open = False
        if self._transport is not None:
            self._transport.close()


async def connect(host: str, port: int, path: str, on_text: Callable[[bytes], None], cookie: str | None = None) -> Wire:
    """:raises ConnectionError: the server refused."""
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: Wire(on_text), host, port)
    wire.handshake(host, port, path, cookie)
    await wire.opened
    return wire
