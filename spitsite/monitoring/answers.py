"""`/healthz`, `/readyz` and `/metrics`: answered before Django.

So they need no known host (who watches a process asks for it by its address),
no session, and none of the threads that pages are made in. Every other request
gets a name here, for its lines in the logs.
"""

import asyncio
import json
import re
import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple

import structlog
from django.conf import settings
from prometheus_client.exposition import choose_encoder

from spitsite.monitoring.access import may_read
from spitsite.monitoring.figures import registry
from spitsite.monitoring.readiness import readiness

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Any], Awaitable[None]]
_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")


def _name_of(scope: Scope) -> str:
    """What a trusted proxy calls the request; otherwise a name of our own."""
    said: bytes = dict(scope["headers"]).get(b"x-request-id", b"")
    return said.decode() if settings.TRUSTED_PROXIES and _ID.fullmatch(said) else secrets.token_hex(8)


class Answer(NamedTuple):
    status: int
    kind: str
    """The content type."""
    body: bytes


class Monitored:
    """An ASGI application around the one that makes the pages."""

    def __init__(self, pages: App) -> None:
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _ANSWERS.get(scope["path"])
        if answer is None:
            await self._named(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            await _send(send, Answer(405, _TEXT, b"GET or HEAD\n"), True, [(b"allow", b"GET, HEAD")])
        else:
            await _send(send, await answer(scope), scope["method"] == "GET", [])

    async def _named(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = _name_of(scope)

        async def send_named(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"x-request-id", name.encode())]}
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=name):
            await self._pages(scope, receive, send_named)


_thread: Final = ThreadPoolExecutor(1, "figures")
_TEXT: Final = "text/plain; charset=utf-8"


async def _healthz(_scope: Scope) -> Answer:
    """The process lives, and its event loop turns: nothing else is looked at."""
    return Answer(200, _TEXT, b"alive\n")


async def _readyz(_scope: Scope) -> Answer:
    faults = await readiness.faults()
    body = json.dumps({"ready": not faults, "faults": faults})
    return Answer(503 if faults else 200, "application/json", body.encode() + b"\n")


async def _metrics(scope: Scope) -> Answer:
    if not may_read(scope):
        return Answer(403, _TEXT, b"Not from here, or not without the token (METRICS_TOKEN).\n")
    accepted = dict(scope["headers"]).get(b"accept", b"").decode("latin-1")
    encode, kind = choose_encoder(accepted)
    # It asks the database: not in the event loop, and one after the other.
    loop = asyncio.get_running_loop()
    return Answer(200, kind, await loop.run_in_executor(_thread, encode, registry))


_ANSWERS: Final = {"/healthz": _healthz, "/readyz": _readyz, "/metrics": _metrics}


async def _send(send: Send, answer: Answer, with_body: bool, headers: list[tuple[bytes, bytes]]) -> None:
    headers = [
        (b"content-type", answer.kind.encode()),
        (b"content-length", str(len(answer.body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *headers,
    ]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})
