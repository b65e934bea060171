"""Replay documents from elsewhere: read with care, judged by the rules, and not kept."""

import logging
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct, to_builtins

from games.rules.cards import Pile
from games.rules.events import Event
from games.rules.judge import Fault, judge
from games.rules.registry import BOOKS, book_of
from games.rules.setup import PACES, Options, Pace, Setup
from games.rules.state import State
from replays import aside
from replays.format import FORMAT, LATEST, VERSION
from replays.statistics import Statistics, statistics

log = logging.getLogger(__name__)

MOST_BYTES: Final = 6_000_000
"""Some 20,000 events."""
MOST_EVENTS: Final = 15_000
MOST_FAULTS: Final = 20
"""As many are told."""


class Code(StrEnum):
    """Why a document is not judged."""

    TOO_LARGE = "too_large"
    NOT_A_REPLAY = "not_a_replay"
    TOO_NEW = "too_new"
    DAMAGED = "damaged"
    TOO_LONG = "too_long"
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_OPTIONS = "unknown_options"
    UNKNOWN_PACE = "unknown_pace"
    TOO_OFTEN = "too_often"
    BUSY = "busy"
    FAILED = "failed"

    @property
    def sentence(self) -> str:
        """For people."""
        return {
            Code.TOO_LARGE: _("This file is too large to be a replay."),
            Code.NOT_A_REPLAY: _("This is not a replay."),
            Code.TOO_NEW: _("This replay was made by a newer version of the site."),
            Code.DAMAGED: _("This replay is damaged."),
            Code.TOO_LONG: _("This replay has too many events to be judged here."),
            Code.UNKNOWN_GAME: _("This replay is of a game that is not played here, so nobody here can judge it."),
            Code.UNKNOWN_OPTIONS: _("This replay has options that are not played here, so nobody here can judge it."),
            Code.UNKNOWN_PACE: _("This replay was played with times that are not used here, so it cannot be judged."),
            Code.TOO_OFTEN: _("You have opened many replays. Please wait an hour."),
            Code.BUSY: _("Many replays are being judged. Please try again in a minute."),
            Code.FAILED: _("This replay could not be judged."),
        }[self]


class NotJudged(Exception):
    """The document is not judged; says why."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.value)
        self.code = code


class Judged(Struct):
    """What the rules say of a document."""

    sound: bool
    events: int
    faults: list[Fault]
    """The first of them; `seq` 0 for the document as a whole."""
    statistics: Statistics
    """Worked out here, up to the first fault: what the document says of itself is not believed."""


class _Head(Struct):
    format: str
    version: int


class _Match(Struct):
    game: str
    pace: Pace
    options: Mapping[str, Any] = {}


class _Result(Struct):
    winner: int | None
    cause: str
    seq: int
    at: int


class _Document(Struct):
    """What of a document the judge needs."""

    match: _Match
    start: Mapping[str, Pile]
    events: list[Event]
    result: _Result | None = None


class _Answer(Struct):
    """What the process says that judges: either of both."""

    judged: Judged | None = None
    code: Code | None = None


def judge_aside(text: bytes) -> Judged:
    """`judge_document` by another process (`replays.aside.run`).

    A long document takes a second of Python: here plays would wait for it.

    :raises NotJudged: as there; `BUSY`, `FAILED`.
    """
    try:
        answer = msgspec.json.decode(aside.run(__name__, text), type=_Answer)
    except aside.Busy:
        raise NotJudged(Code.BUSY) from None
    except aside.Failed as error:
        log.warning("a document cannot be judged: %s", error)
        raise NotJudged(Code.FAILED) from None
    if answer.judged is None:
        raise NotJudged(answer.code or Code.FAILED)
    return answer.judged


def _answer(text: bytes) -> bytes:
    try:
        return msgspec.json.encode(_Answer(judged=judge_document(text)))
    except NotJudged as error:
        return msgspec.json.encode(_Answer(code=error.code))


def judge_document(text: bytes) -> Judged:
    """Judge a document by the rules. Nothing of it is kept.

    :raises NotJudged: it is no replay document, or none that can be judged here.
    """
    if len(text) > MOST_BYTES:
        raise NotJudged(Code.TOO_LARGE)
    document = _read(text)
    if len(document.events) > MOST_EVENTS:
        raise NotJudged(Code.TOO_LONG)
    if not all(0 <= event.at <= LATEST for event in document.events):
        # The figures have a place for each ten seconds up to the last event.
        raise NotJudged(Code.DAMAGED)
    setup = _setup_of(document.match)
    verdict = judge(setup, document.events)
    faults = [*_compare_start(document, verdict.course[0]), *verdict.faults]
    if document.result is not None and len(verdict.course) == len(document.events) + 1:
        faults += _compare_result(document.result, verdict.state)
    sound = min((fault.seq for fault in verdict.faults if fault.seq), default=len(verdict.course)) - 1
    return Judged(
        sound=not faults,
        events=len(document.events),
        faults=faults[:MOST_FAULTS],
        statistics=statistics(verdict.course[: sound + 1], document.events[:sound]),
    )


def _read(text: bytes) -> _Document:
    try:
        head = msgspec.json.decode(text, type=_Head)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotJudged(Code.NOT_A_REPLAY) from error
    if head.format != FORMAT:
        raise NotJudged(Code.NOT_A_REPLAY)
    if head.version > VERSION:
        raise NotJudged(Code.TOO_NEW)
    try:
        return msgspec.json.decode(text, type=_Document)
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotJudged(Code.DAMAGED) from error


def _setup_of(match: _Match) -> Setup:
    if match.game not in BOOKS:
        raise NotJudged(Code.UNKNOWN_GAME)
    try:
        options = msgspec.convert(dict(match.options), Options)
    except msgspec.ValidationError as error:
        raise NotJudged(Code.UNKNOWN_OPTIONS) from error
    if book_of(match.game).validate(options):
        raise NotJudged(Code.UNKNOWN_OPTIONS)
    if PACES.get(match.pace.key) != match.pace:
        raise NotJudged(Code.UNKNOWN_PACE)
    return Setup(match.game, options, match.pace.key)


def _compare_start(document: _Document, state: State) -> list[Fault]:
    start = {name: tuple(pile) for name, pile in document.start.items() if pile}
    wanted = {name: pile for name, pile in state.places.items() if pile}
    return [] if start == wanted else [Fault(0, "the cards do not begin where the game has them begin")]


def _compare_result(told: _Result, state: State) -> list[Fault]:
    result = state.status.result
    if result is None:
        return [Fault(0, "the events lead to no end")]
    found = to_builtins(_Result(result.winner, result.cause.value, state.seq, state.at))
    return [
        Fault(0, f"it says that the match ended with {name} {value!r}; the events lead to {found[name]!r}")
        for name, value in to_builtins(told).items()
        if value != found[name]
    ]


if __name__ == "__main__":
    aside.serve(_answer)
