"""The messages between a page and the lobby (docs/protocol.md, "The lobby")."""

from typing import Final

import msgspec
from msgspec import Struct

from games.live.protocol import Closing, Ping, Pong

MAX_FRAME: Final = 256
"""The longest frame that is read, in characters."""


class BadFrame(ValueError):
    """Not a message of the lobby."""


# From the page


class Here(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="here"):
    """The page is there, and goes to the table."""


LobbyIn = Here | Pong

# To the page


class Listing(Struct, frozen=True, tag_field="t", tag="list"):
    """The open challenges, and how many wait for quick pairing, by `game` and `game.rated`."""

    html: str
    """Rows with `data-seek`, the longest waiting first."""
    waiting: dict[str, int]


class Stakes(Struct, frozen=True, tag_field="t", tag="stakes"):
    """What accepting the rated ones of the open challenges would do to the rating of this person."""

    texts: dict[int, str]
    """In words, by the ids of the challenges."""


class SeekCard(Struct, frozen=True):
    """What the person looks for."""

    id: int
    kind: str
    game: str
    rated: bool
    facts: str
    """In words: "Spit · rated"."""
    here: bool
    """On this page; else on another one of the same person."""
    other: str
    """The name of whom they are paired with or have challenged; empty: not known yet."""
    paired: bool
    waited: int
    """Milliseconds, when the message was made."""
    reach: tuple[float, float, float, float] | None
    """Of quick pairing by rating: the rating, the points to either side at first, how many more each second, and the
    seconds after which anybody will do."""


class You(Struct, frozen=True, tag_field="t", tag="you"):
    """Once on every line, behind the list and the stakes where those are told, and again whenever it changes."""

    seek: SeekCard | None
    known: bool
    """Whether somebody is signed in on this line, guests included."""


class Challenges(Struct, frozen=True, tag_field="t", tag="challenges"):
    """The challenges to this person, as notices to be shown."""

    html: str


class Go(Struct, frozen=True, tag_field="t", tag="go"):
    """The match begins: go there."""

    url: str


class Refused(Struct, frozen=True, tag_field="t", tag="refused"):
    """What came is no message of the lobby, or there were too many."""

    code: str
    text: str


LobbyOut = Listing | Stakes | You | Challenges | Go | Refused | Ping | Closing

_decoder: Final = msgspec.json.Decoder(LobbyIn)
_encoder: Final = msgspec.json.Encoder()


def decode(text: str) -> LobbyIn:
    """
    :raises BadFrame: it is none of these messages.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadFrame(str(error)) from error


def encode(message: LobbyOut) -> str:
    return _encoder.encode(message).decode()
