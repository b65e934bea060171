"""What processes tell each other about live matches. Never seen by a browser.

*Up*: from a process with sockets at a match to the one with its table. A stream:
numbered, acknowledged, sent again. *Down*: the other way. Numbered too, but
what is lost is not sent again: the reader notices, and asks for the state.
"""

from typing import Final

import msgspec
from msgspec import Struct

Who = tuple[str | int, ...]
"""What watchers are counted by: a kind and a key; then the name, of those who allow that it is told."""


class Visitor(Struct, frozen=True, array_like=True):
    """A socket at a match."""

    number: int
    """Its number at this match in this process."""
    seat: int | None
    who: Who | None
    lag: int | None


# Up


class Hello(Struct, frozen=True, array_like=True, tag="hello"):
    """The first message of a stream: everybody who is here, and the last event that any of them was shown."""

    visitors: list[Visitor]
    seen: int


class Joined(Struct, frozen=True, array_like=True, tag="joined"):
    """The state is sent for its audience."""

    visitor: Visitor


class Left(Struct, frozen=True, array_like=True, tag="left"):
    number: int


class Said(Struct, frozen=True, array_like=True, tag="said"):
    """A command of a seat."""

    number: int
    text: str


class Lag(Struct, frozen=True, array_like=True, tag="lag"):
    number: int
    ms: int


class Want(Struct, frozen=True, array_like=True, tag="want"):
    """Send the state for these audiences; for none: only to hear whether anybody is there."""

    audiences: list[int]


class BreakOff(Struct, frozen=True, array_like=True, tag="break_off"):
    """End the match without a result."""


UpItem = Hello | Joined | Left | Said | Lag | Want | BreakOff


class Up(Struct, frozen=True, array_like=True, tag="up"):
    slug: str
    epoch: int
    """The stream; a new one begins with each new owner, and whenever the old one is lost."""
    n: int
    """1, 2, 3, …"""
    item: UpItem


# Down


class Fan(Struct, frozen=True, array_like=True, tag="fan"):
    """A frame for everybody: one for all, or one for each audience (None: nobody of it is there)."""

    frames: list[str | None]
    first: int = 0
    """The numbers of its events; 0: it has none."""
    last: int = 0
    seat: int | None = None
    """Whose command, with which id, it answers."""
    command: str | None = None


class States(Struct, frozen=True, array_like=True, tag="states"):
    """The state after event `seq`, for each audience that is asked for."""

    seq: int
    frames: list[str | None]
    to_all: bool
    """For everybody, or only for those who wait for it."""
    extra: str | None
    """A frame to send after it."""


class One(Struct, frozen=True, array_like=True, tag="one"):
    """A frame for one socket."""

    number: int
    frame: str


class Beat(Struct, frozen=True, array_like=True, tag="beat"):
    """Every second: where the match stands. Has no number of its own."""

    seq: int
    heard: int
    """Up to which number the stream has arrived."""
    spent: list[int]
    """Milliseconds of absence that were used up, by seat."""


class NotHere(Struct, frozen=True, array_like=True, tag="not_here"):
    """This process does not have the table, or does not know the stream."""

    is_unreadable: bool = False
    """It should have the table, but cannot set it up: to ask again at once does not help."""


DownItem = Fan | States | One | Beat | NotHere


class Down(Struct, frozen=True, array_like=True, tag="down"):
    slug: str
    epoch: int
    d: int
    """1, 2, 3, …; of a `Beat`: the last number used."""
    item: DownItem


# To one process, or to all


class Gone(Struct, frozen=True, array_like=True, tag="gone"):
    """Nobody is here for the frames of that stream."""

    slug: str
    epoch: int


class Released(Struct, frozen=True, array_like=True, tag="released"):
    """The sender stops; its matches are free."""


class Told(Struct, frozen=True, array_like=True, tag="told"):
    """What the site tells live play (`games.live.announce`)."""

    what: str
    slug: str


class SessionEnded(Struct, frozen=True, array_like=True, tag="session_ended"):
    """Somebody has signed out."""

    user_id: int
    session: str
    """As `games.live.signed_in.sealed` has it."""


class PersonChanged(Struct, frozen=True, array_like=True, tag="person_changed"):
    """Only sign-ins with that password are somebody's."""

    user_id: int
    password: str | None
    """As `games.live.signed_in.sealed` has it; None: no sign-in is."""


class PersonDeleted(Struct, frozen=True, array_like=True, tag="person_deleted"):
    """Somebody is no more."""

    user_id: int


class PersonBarred(Struct, frozen=True, array_like=True, tag="person_barred"):
    """Somebody may not play any more."""

    user_id: int


News = Told | SessionEnded | PersonChanged | PersonDeleted | PersonBarred
"""What a process that plays no matches may say, too."""


class Bystander(Struct, frozen=True, array_like=True, tag="bystander"):
    """What the stands of one process tell those of the others (`games.stands`): of no matter to play."""

    body: bytes


class Echo(Struct, frozen=True, array_like=True, tag="echo"):
    """To oneself: whether one can be heard."""


Message = Up | Down | Gone | Released | News | Bystander | Echo


class Bundle(Struct, frozen=True, array_like=True):
    sender: str
    """The id of the process; empty for one that plays no matches."""
    messages: list[Message]


_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(Bundle)


def pack(bundle: Bundle) -> bytes:
    return _encoder.encode(bundle)


def unpack(data: bytes) -> Bundle:
    """
    :raises msgspec.MsgspecError: not a bundle, or one of another version.
    """
    return _decoder.decode(data)
