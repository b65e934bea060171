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
