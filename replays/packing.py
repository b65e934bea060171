"""The course of a match as the replay page is sent it: what the document says, in an eighth of the bytes. Pure.

The document (docs/replay-format.md) is made to be read by anybody; this is made to be small, is read by
`static/js/replay/packed.js` alone, and may change with it at any time. What makes it small: a column for each field
instead of an object for each event, times and numbers as differences, a status only where it differs from the one
before, and no card where a move takes the top of its pile anyway. Left out are the keyframes, which follow from the
events, and the commands' ids, which nobody sees.

==============  ========================================================================================================
``kinds``       a letter for each event: its place in ``names``, from ``a`` on
``gaps``        the time since the event before, ms
``seats``       ``0``, ``1``, or ``-`` for none
``moves``       how many moves each event makes
``sources``     a letter for each move: the place in ``places``, from ``LETTERS``; ``targets`` likewise
``faces``       how the card lies then: ``u`` face up, ``d`` face down
``cards``       ``[[move, card], ...]``, where the card is not the one on top of its source (a damaged log)
``orders``      ``[[event, {place: cards}], ...]``, the cards written one after the other
``statuses``    what changes in a status, each change once; ``since`` is told as time before the event, ``due`` as time
                after it
``status``      for each event the number of its change in ``statuses``, from 1; 0 for none
``rest``        ``[[event, {field: value}], ...]`` of the rarer fields
``statistics``  lists of objects as columns; ``seq`` as differences, without ``at``, which is the event's
==============  ========================================================================================================

Events and moves are counted from 0 here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from games.rules.cards import BACK, Card, face_down, face_up
from games.rules.events import Event, Kind
from replays.format import Course

PACKING: Final = 1
"""Goes up whenever `packed.js` has to read something else; what is stored of an older one is made anew."""
LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS: Final = tuple(kind.value for kind in Kind)
REST: Final = ("pile", "card", "by", "late", "place")
COLUMNS: Final = ("rounds", "turns", "contests", "slaps", "overlooked")


def pack(course: Course) -> bytes:
    """The packed course, as JSON.

    :raises ValueError: a table of more places than there are letters.
    """
    if len(course.places) > len(LETTERS):
        raise ValueError(f"{len(course.places)} places")
    first = msgspec.to_builtins(course.keyframes[0].status)
    packed = {
        "packed": PACKING,
        "places": course.places,
        "start": {name: "".join(pile) for name, pile in course.start.items()},
        "first": first,
        "names": KINDS,
        "kinds": "".join(chr(ord("a") + KINDS.index(event.kind.value)) for event in course.events),
        "gaps": _differences([event.at for event in course.events]),
        "seats": "".join("-" if event.seat is None else str(event.seat) for event in course.events),
        **_moves(course),
        "orders": [
            [index, {name: "".join(pile) for name, pile in event.orders.items()}]
            for index, event in enumerate(course.events)
            if event.orders is not None
        ],
        **_statuses(course.events, first),
        "rest": [[index, rest] for index, event in enumerate(course.events) if (rest := _rest(event))],
        "result": course.result,
        "verdict": course.verdict,
        "statistics": _statistics(course),
    }
    return msgspec.json.encode(packed)


def _differences(numbers: Sequence[int]) -> list[int]:
    return [number - before for number, before in zip(numbers, [0, *numbers], strict=False)]


def _moves(course: Course) -> dict[str, Any]:
    letters = dict(zip(course.places, LETTERS, strict=False))
    piles: dict[str, list[Card]] = {name: list(course.start.get(name, ())) for name in course.places}
    sources: list[str] = []
    targets: list[str] = []
    faces: list[str] = []
    odd: list[tuple[int, Card]] = []
    for event in course.events:
        for name, order in (event.orders or {}).items():
            piles[name] = list(order)
        for card, source, target in event.moves:
            # What is damaged is shown as it is; the page finds out in the same way.
            top = piles[source].pop() if piles[source] else BACK
            is_down = card[0] == BACK
            if card != (face_down(top) if is_down else face_up(top)):
                odd.append((len(sources), card))
            sources.append(letters[source])
            targets.append(letters[target])
            faces.append("d" if is_down else "u")
            piles[target].append(card)
    return {
        "moves": [len(event.moves) for event in course.events],
        "sources": "".join(sources),
        "targets": "".join(targets),
        "faces": "".join(faces),
        "cards": odd,
    }


def _statuses(events: Sequence[Event], first: Mapping[str, Any]) -> dict[str, Any]:
    numbers: dict[bytes, int] = {}
    column = []
    before = first
    for event in events:
        if event.status is None:
            column.append(0)
            continue
        status = msgspec.to_builtins(event.status)
        change = {name: value for name, value in status.items() if value != before[name]}
        if "since" in change:
            change["since"] = event.at - change["since"]
        if change.get("due") is not None:
            change["due"] -= event.at
        column.append(numbers.setdefault(msgspec.json.encode(change), len(numbers) + 1))
        before = status
    return {"statuses": [msgspec.Raw(change) for change in numbers], "status": column}


def _rest(event: Event) -> dict[str, Any]:
    return {name: value for name in REST if (value := getattr(event, name)) is not None}


def _statistics(course: Course) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(course.statistics)
    for name in COLUMNS:
        rows = found[name]
        fields = [field for field in (rows[0] if rows else ()) if field not in ("seq", "at")]
        found[name] = {
            "seq": _differences([row["seq"] for row in rows]),
            **{field: [row[field] for row in rows] for field in fields},
        }
    return found
