"""The floor: what the same server can do at best. A bare ASGI application that echoes and fans out.

No Channels, no rules, no database, nothing parsed: what one socket of a room
sends is sent to all of them, its sender first.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

Send = Callable[[dict[str, Any]], Awaitable[None]]
rooms: dict[str, list[Send]] = defaultdict(list)


async def application(scope: dict[str, Any], receive: Callable[[], Awaitable[dict[str, Any]]], send: Send) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    await receive()
    await send({"type": "websocket.accept"})
    room = rooms[scope["path"]]
    room.append(send)
    try:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            frame = {"type": "websocket.send", "text": message["text"]}
            await send(frame)
            for other in tuple(room):
                if other is not send:
                    await other(frame)
    except OSError:
        return
    finally:
        room.remove(send)


def main() -> None:
    """`python -m tests.scale.floor PORT`"""
    import os
    import sys

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")
    import django

    django.setup()
    from spitsite import server

    sock = server.listen("127.0.0.1", int(sys.argv[1]))
    floor = server.Server(server.config(application, ws="auto"), lambda: print("The floor is there", flush=True))
    floor.run(sockets=[sock])


if __name__ == "__main__":
    main()
