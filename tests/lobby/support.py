"""Pages of the lobby without a picture, at real servers."""

import asyncio
import http.client
import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import websockets
from websockets.asyncio.client import ClientConnection

from tests.site_process import Site, manage

Message = dict[str, Any]
WAIT = 20.0
TOKEN = "a" * 32

PEOPLE = (
    "import json; from tests.scale.matches import _people; people, keys = _people({count}, is_guest={is_guest}); "
    "print(json.dumps([[person.get_username(), key] for person, key in zip(people, keys)]))"
)


def make_people(site: Site, count: int, *, is_guest: bool = False, **environment: str) -> list[tuple[str, str]]:
    """So many people of a site: name and session cookie."""
    code = PEOPLE.format(count=count, is_guest=is_guest)
    said = manage(site.var, "shell", "-v0", "-c", code, **environment).stdout
    return [(name, key) for name, key in json.loads(said.splitlines()[-1])]


class Page:
    """One tab: it keeps what it is told, and goes to the table when it is sent there."""

    def __init__(self, site: Site, session: str | None, *, wants_list: bool = True, comes: bool = True) -> None:
        self.site = site
        self.session = session
        self.name = secrets.token_hex(10)
        self.wants_list = wants_list
        self.comes = comes
        """Whether it answers when it is paired."""
        self.messages: list[Message] = []
        self.socket: ClientConnection | None = None
        self.status: int | None = None
        self._reader: asyncio.Task[None] | None = None

    async def open(self, site: Site | None = None, origin: str | None = None) -> "Page":
        self.site = site or self.site
        address = f"ws://127.0.0.1:{self.site.port}/ws/lobby/?page={self.name}{'&list=1' if self.wants_list else ''}"
        headers = {"Cookie": f"sessionid={self.session}"} if self.session else {}
        self.socket = await websockets.connect(address, additional_headers=headers, origin=origin or self.site.url)  # type: ignore[arg-type]
        self._reader = asyncio.create_task(self._read(self.socket))
        return self

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await self._reader

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for frame in socket:
                assert frame, "a frame with nothing in it"
                message = json.loads(frame)
                self.messages.append(message)
                if message["t"] == "ping":
                    await socket.send(json.dumps({"t": "pong", "n": message["n"]}))
                elif message["t"] == "you" and self.comes and self.is_paired:
                    await socket.send('{"t":"here"}')
        except websockets.ConnectionClosed:
            pass
        self.status = socket.close_code

    def last(self, kind: str) -> Message | None:
        return next((message for message in reversed(self.messages) if message["t"] == kind), None)

    @property
    def seek(self) -> Message | None:
        """What its person looks for."""
        told = self.last("you")
        return None if told is None else told["seek"]

    @property
    def is_paired(self) -> bool:
        return bool(self.seek and self.seek["paired"] and self.seek["here"])

    @property
    def html(self) -> str:
        return (self.last("list") or {"html": ""})["html"]

    @property
    def url(self) -> str | None:
        """Where it was sent."""
        told = self.last("go")
        return None if told is None else told["url"]

    async def ask(self, path: str, **fields: str) -> tuple[int, Message]:
        """Send a form; status and answer."""
        return await asyncio.to_thread(self._ask, path, fields)

    def _ask(self, path: str, fields: dict[str, str]) -> tuple[int, Message]:
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=30)
        cookies = f"csrftoken={TOKEN}" + (f"; sessionid={self.session}" if self.session else "")
        connection.request(
            "POST",
            path,
            urlencode({"page": self.name, **fields}),
            {"Cookie": cookies, "X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"},
        )
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, json.loads(body)

    async def until(self, true: Callable[[], Any], why: str = "", seconds: float = WAIT) -> Any:
        """Wait until something holds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while not (found := true()):
            assert loop.time() < deadline, f"waited too long {why}; the last messages: {self.messages[-4:]}"
            await asyncio.sleep(0.02)
        return found


async def all_at_once(pages: Sequence[Page], path: str, **fields: str) -> list[tuple[int, Message]]:
    """All of them ask for the same at the same moment."""
    return list(await asyncio.gather(*(page.ask(path, **fields) for page in pages)))
