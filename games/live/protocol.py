"""The live protocol: every message between a page and a match (docs/protocol.md).

Messages are named by direction. What comes in is a rule book's own command with
the client-made `id` added, so that it is parsed, checked and judged without
being copied.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from games.rules import commands
from games.rules.refusals import Code
from games.rules.view import View

MAX_FRAME: Final = 4096
"""The longest frame that is read, in characters."""

MAX_LINE: Final = 200
"""The longest line of the chat, in characters."""

CommandId = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,40}\Z")]


class BadMessage(ValueError):
    """Not a message of the protocol. `command_id` is set if it could be made out."""

    def __init__(self, reason: str, command_id: str | None) -> None:
        super().__init__(reason)
        self.command_id = command_id


# From the browser


class Ready(commands.Ready, frozen=True, tag="ready"):
    id: CommandId


class Spit(commands.Spit, frozen=True, tag="spit"):
    id: CommandId


class Play(commands.Play, frozen=True, tag="play"):
    id: CommandId


class Move(commands.Move, frozen=True, tag="move"):
    id: CommandId


class Flip(commands.Flip, frozen=True, tag="flip"):
    id: CommandId


class Refill(commands.Refill, frozen=True, tag="refill"):
    id: CommandId


class Choose(commands.Choose, frozen=True, tag="choose"):
    id: CommandId


class Slap(commands.Slap, frozen=True, tag="slap"):
    id: CommandId


class Resign(commands.Resign, frozen=True, tag="resign"):
    id: CommandId


class Rematch(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="rematch"):
    id: CommandId


class Resync(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="resync"):
    pass


class Say(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="say"):
    """Something for the chat of the watchers (`games.stands.chat`)."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_LINE)]


class Listen(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="listen"):
    """Send me the chat from now on."""


class Pong(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t", tag="pong"):
    n: int


RulesIn = Ready | Spit | Play | Move | Flip | Refill | Choose | Slap | Resign
"""What the rules judge."""
CommandIn = Ready | Spit | Play | Move | Flip | Refill | Choose | Slap | Resign | Rematch
"""What carries a command id."""
ClientIn = Ready | Spit | Play | Move | Flip | Refill | Choose | Slap | Resign | Rematch | Resync | Pong | Say | Listen
Talk = Say | Listen
"""What is about the chat and not about the match."""

_decoder: Final = msgspec.json.Decoder(ClientIn)


class _AnyMessage(Struct):
    id: CommandId | None = None


_id_decoder: Final = msgspec.json.Decoder(_AnyMessage)


def decode(text: str) -> ClientIn:
    """The message of a frame.

    :raises BadMessage: it is none.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadMessage(str(error), id_of(text)) from error


def id_of(text: str) -> str | None:
    """The command id of a frame that was not understood or not looked at, if it has one."""
    try:
        return _id_decoder.decode(text).id
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None


# From the server


class Close(StrEnum):
    """Why the server closes a socket: the codes of `closing`."""

    NO_SUCH_MATCH = "no_such_match"
    """There is no match of that name."""
    BAD_MESSAGE = "bad_message"
    """Again and again something that is not a message of the protocol."""
    TOO_FAST = "too_fast"
    """More messages than anybody can mean, and no end to it."""
    SIGNED_OUT = "signed_out"
    """Whoever opened the socket is not signed in any more: it has no seat."""
    SILENT = "silent"
    """No answer to `ping` for a long time: the line is dead."""
    OVER = "over"
    """The match is over and its table is cleared away."""
    RESTART = "restart"
    """The server stops; the match goes on where it was, connect again."""


CLOSE_STATUS: Final = {
    Close.NO_SUCH_MATCH: 4404,
    Close.BAD_MESSAGE: 4400,
    Close.TOO_FAST: 4429,
    Close.SIGNED_OUT: 4401,
    Close.SILENT: 4408,
    Close.OVER: 1000,
    Close.RESTART: 1012,
}
"""The WebSocket close status that goes with each reason."""


class SeatCard(Struct, frozen=True):
    """A seat as others see it."""

    name: str
    rating: int | None
    provisional: bool
    bot: bool
    url: str | None


class MatchCard(Struct, frozen=True):
    """What a page needs to know of a match besides its cards."""

    slug: str
    game: str
    options: dict[str, Any]
    pace: dict[str, Any]
    rated: bool
    live: bool
    delay: int
    """Seconds by which watchers see everything later."""
    seats: tuple[SeatCard, ...]


class SeatPresence(Struct, frozen=True):
    here: bool
    lag: int | None
    """Milliseconds there and back, as the server measured them."""
    away_due: int | None
    """When the absent seat loses, on the match's clock."""


class PresenceBody(Struct, frozen=True):
    seats: tuple[SeatPresence, ...]
    watchers: int
    named: tuple[str, ...] = ()
    """The names of those watchers who allow it."""


class State(Struct, frozen=True, tag_field="t", tag="state"):
    seq: int
    at: int
    now: int
    you: int | None
    match: MatchCard
    view: View
    presence: PresenceBody


class Ack(Struct, frozen=True, tag_field="t", tag="ack"):
    id: str
    seq: int


class Refused(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="refused"):
    id: str | None
    code: Code
    by: int | None = None
    late: int | None = None


class Presence(Struct, frozen=True, tag_field="t", tag="presence"):
    seats: tuple[SeatPresence, ...]
    watchers: int
    named: tuple[str, ...] = ()


class RematchOffer(Struct, frozen=True, tag_field="t", tag="rematch"):
    offered_by: int | None
    url: str | None


class Trouble(Struct, frozen=True, tag_field="t", tag="trouble"):
    on: bool


class ChatEntry(Struct, frozen=True):
    """A line of the chat."""

    n: int
    """Its number: later lines have greater ones."""
    name: str
    text: str
    at: int
    """Seconds since 1970."""


class Chat(Struct, frozen=True, tag_field="t", tag="chat"):
    lines: tuple[ChatEntry, ...]
    """New ones, or the last ones for who has just come."""
    gone: tuple[int, ...] = ()
    """The numbers of lines that were taken away."""
    may: str = ""
    """Whether the reader may write: `yes`, or why not (docs/protocol.md); empty: as before."""


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    n: int


class Waiting(Struct, frozen=True, tag_field="t", tag="waiting"):
    pass


class Closing(Struct, frozen=True, tag_field="t", tag="closing"):
    code: str
    text: str


class Events(Struct, frozen=True, tag_field="t", tag="events"):
    """Written by `events_frame`, which does not encode again what is encoded already."""

    seq: int
    now: int
    events: list[msgspec.Raw]


ClientOut = State | Events | Ack | Refused | Presence | RematchOffer | Trouble | Chat | Ping | Waiting | Closing

_encoder: Final = msgspec.json.Encoder()


def encode(message: ClientOut) -> str:
    return _encoder.encode(message).decode()


def events_frame(seq: int, now: int, bodies: Sequence[str]) -> str:
    """The frame of events that are JSON already; the first one has number `seq`."""
    return f'{{"t":"events","seq":{seq},"now":{now},"events":[{",".join(bodies)}]}}'
