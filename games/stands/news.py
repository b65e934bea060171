"""What the stands of one process tell those of the others (`Supervisor.tell_bystanders`)."""

from typing import Final

import msgspec
from msgspec import Struct


class Chatted(Struct, frozen=True, array_like=True, tag="chatted"):
    """Something was said at a match: it is in the database."""

    slug: str


class Hidden(Struct, frozen=True, array_like=True, tag="hidden"):
    """These lines were taken away."""

    slug: str
    numbers: list[int]


class Wanted(Struct, frozen=True, array_like=True, tag="wanted"):
    """Somebody looks at these matches: tell where they stand, for some seconds."""

    slugs: list[str]


class Standing(Struct, frozen=True, array_like=True, tag="standing"):
    """Where matches stand that the sender has."""

    of: dict[str, tuple[int | str | None, ...]]
    """By slug, as `games.stands.thumbnails.thumbnail` makes them."""


News = Chatted | Hidden | Wanted | Standing

_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(News)


def pack(news: News) -> bytes:
    return _encoder.encode(news)


def unpack(data: bytes) -> News:
    """
    :raises msgspec.MsgspecError: of another version.
    """
    return _decoder.decode(data)
