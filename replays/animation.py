"""Animated pictures (GIF) of a part of a match: views in, bytes out. Pure, and work for a process of its own."""

from io import BytesIO
from typing import Final

import msgspec
from msgspec import Struct
from PIL import Image

from games.rules.view import View
from replays import aside
from replays.drawing import Sitter, draw

COLOURS: Final = 64


class Frame(Struct, frozen=True):
    """One of its pictures."""

    view: View
    sitters: tuple[Sitter, Sitter]
    clock: str
    lasts: int
    """Milliseconds."""


class Animation(Struct, frozen=True):
    frames: tuple[Frame, ...]
    bottom: int
    """The seat drawn below."""
    width: int
    """Pixels; the height follows."""


def animate(animation: Animation) -> bytes:
    """The GIF, which begins again when it has come to its end. Seconds of the processor's time."""
    images: list[Image.Image] = []
    for frame in animation.frames:
        image = draw(frame.view, frame.sitters, animation.bottom, frame.clock, animation.width)
        palette = images[0] if images else None
        images.append(
            image.quantize(COLOURS) if palette is None else image.quantize(palette=palette, dither=Image.Dither.NONE)
        )
    file = BytesIO()
    durations = [frame.lasts for frame in animation.frames]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0, disposal=1)
    return file.getvalue()


def animate_aside(animation: Animation) -> bytes:
    """The same, by another process (`replays.aside.run`)."""
    return aside.run(__name__, msgspec.msgpack.encode(animation))


if __name__ == "__main__":
    aside.serve(lambda job: animate(msgspec.msgpack.decode(job, type=Animation)))
