"""The shorter way between server and match, and the ordinary one: the same frames on both."""

import asyncio
import contextlib
import json
import socket as sockets
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
import websockets
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from games.live.line import LINE, Line, text_frame
from games.live.socket import Socket
from spitsite.server import config


@given(st.text(max_size=300) | st.sampled_from(["x" * 125, "x" * 126, "é" * 40_000, "x" * 65_535, "x" * 65_536]))
def test_a_text_frame_is_what_websockets_makes(text: str) -> None:
    assert text_frame(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class Echo:
    """A small application as ours is: it sends through a `Socket` and reads what the line or `receive` brings."""

    def __init__(self) -> None:
        self.lines: list[Line | None] = []

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        line: Line | None = scope["extensions"].get(LINE)
        self.lines.append(line)
        await receive()
        await send({"type": "websocket.accept"})
        socket = Socket(send, lambda: None, line)
        if line is not None:
            line.on_text = socket.send
        while (message := await receive())["type"] == "websocket.receive":
            text = message.get("text")
            socket.send(text if text is not None else f"binary {len(message['bytes'])}")


@contextlib.asynccontextmanager
async def served(app: Any, **options: Any) -> AsyncIterator[str]:
    listener = sockets.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config(app, lifespan="off", **options))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    yield f"ws://127.0.0.1:{listener.getsockname()[1]}/"
    server.should_exit = True
    await task
    listener.close()


@pytest.mark.parametrize("ws", ["games.live.line:Line", "websockets-sansio"])
async def test_texts_go_in_and_out_in_order(ws: str) -> None:
    app = Echo()
    async with served(app, ws=ws) as url, websockets.connect(url) as client:
        texts = [json.dumps({"n": number, "pad": "é" * (number * 37 % 500)}) for number in range(200)]
        for text in texts:
            await client.send(text)
        assert [await client.recv() for _ in texts] == texts
        await client.send(b"\x00\x01")
        assert await client.recv() == "binary 2"
        # In pieces, and one that is no text at all.
        await client.send(["in ", "pieces"])
        assert await client.recv() == "in pieces"
    assert [line is not None for line in app.lines] == [ws == "games.live.line:Line"]


@pytest.mark.parametrize("ws", ["games.live.line:Line", "websockets-sansio"])
async def test_frames_cut_anywhere_are_read_alike(ws: str) -> None:
    """Whatever the network makes of the bytes: the same texts, in the same order."""

    def frame(opcode: Opcode, text: bytes, fin: bool = True) -> bytes:
        return Frame(opcode, text, fin=fin).serialize(mask=True)

    stream = b"".join(
        (
            frame(Opcode.TEXT, b"one"),
            frame(Opcode.TEXT, b"in "),  # whole
            frame(Opcode.TEXT, b"pie", fin=False),
            frame(Opcode.PING, b"are you there"),
            frame(Opcode.CONT, b"ces"),
            frame(Opcode.TEXT, "é".encode() * 70),
            frame(Opcode.TEXT, b""),
            frame(Opcode.TEXT, b"last"),
        )
    )
    expected = ["one", "in ", "pieces", "é" * 70, "", "last"]
    async with served(Echo(), ws=ws) as url:
        for cut in range(1, len(stream), 7):
            async with websockets.connect(url) as client:
                # One piece, then the other: the second is not sent before the first was read.
                client.transport.write(stream[:cut])
                whole = _texts_in(stream[:cut])
                got = [await client.recv() for _ in range(whole)]
                await asyncio.sleep(0)
                client.transport.write(stream[cut:])
                got += [await client.recv() for _ in range(len(expected) - whole)]
                assert got == expected


def _texts_in(data: bytes) -> int:
    """How many whole messages these bytes hold."""
    texts = 0
    while len(data) >= 6:
        length, head = data[1] & 0x7F, 6
        if length == 126:
            length, head = int.from_bytes(data[2:4], "big"), 8
        if len(data) < head + length:
            break
        texts += data[0] in (0x81, 0x80)
        data = data[head + length :]
    return texts


async def test_a_short_text_that_is_no_utf_8_closes_the_connection() -> None:
    async with served(Echo()) as url, websockets.connect(url) as client:
        client.transport.write(Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True))
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1007


async def test_nothing_is_written_to_a_peer_that_has_closed() -> None:
    """Between its closing and the end of the connection, too: the server closes the connection itself by then."""
    ready: list[bool] = []

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        line: Line = scope["extensions"][LINE]
        await receive()
        await send({"type": "websocket.accept"})
        ready.append(line.is_ready)
        assert (await receive())["type"] == "websocket.disconnect"
        ready.append(line.is_ready)

    async with served(app) as url, websockets.connect(url):
        pass
    assert ready == [True, False]


async def test_compressed_connections_go_the_ordinary_way() -> None:
    app = Echo()
    async with served(app, ws_per_message_deflate=True) as url, websockets.connect(url) as client:
        await client.send("hello")
        assert await client.recv() == "hello"
    assert app.lines == [None]


async def test_the_site_is_served_with_it() -> None:
    configuration = config(Echo())
    configuration.load()
    assert configuration.ws_protocol_class is Line
