"""Frames about a match: each made once for an audience, through the one door for secrets."""

from collections.abc import Sequence
from typing import Final

from games.live import protocol
from games.live.hub import Frames
from games.live.match_info import MatchInfo
from games.live.protocol import PresenceBody, encode
from games.rules.events import Event
from games.rules.log import encode_event
from games.rules.state import State
from games.rules.view import Audience, is_open, view_event, view_state

_AUDIENCES: Final = tuple(Audience)


def events_frames(first: int, events: Sequence[Event], bodies: list[str], now: int) -> Frames:
    """What happened, for each audience. `bodies` are the events as JSON; what nobody may not see is not encoded again.

    Audiences that see the same get the same string.
    """
    if all(map(is_open, events)):
        frame = protocol.events_frame(first, now, bodies)
        return (frame, frame, frame)
    made: list[tuple[list[str], str]] = []
    frames: list[str] = []
    for audience in _AUDIENCES:
        seen = [
            body if (view := view_event(event, audience)) is event else encode_event(view)
            for event, body in zip(events, bodies, strict=True)
        ]
        known = next((frame for bodies_made, frame in made if bodies_made == seen), None)
        if known is None:
            known = protocol.events_frame(first, now, seen)
            made.append((seen, known))
        frames.append(known)
    return (frames[0], frames[1], frames[2])


def state_frame(match: MatchInfo, state: State, seat: int | None, presence: PresenceBody, now: int) -> str:
    """Everything, as that seat may see it (None: a watcher)."""
    return encode(
        protocol.State(
            seq=state.seq,
            at=state.at,
            now=now,
            you=seat,
            match=match.card(live=not state.is_over),
            view=view_state(state, Audience.WATCHERS if seat is None else Audience(seat)),
            presence=presence,
        )
    )


def same_for_all(message: protocol.ClientOut) -> Frames:
    frame = encode(message)
    return (frame, frame, frame)
