"""Building the replay of a finished match from its log."""

import hashlib
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec
from django.utils import timezone

from games.models import End, Event, Match
from games.rules import events as rules
from games.rules.evolve import evolve
from games.rules.judge import Fault, judge
from games.rules.log import BadLog, decode_event
from games.rules.registry import book_of
from games.rules.setup import Options, Setup
from games.rules.state import Cause, State
from replays.format import (
    VERSION,
    Course,
    DocumentFault,
    DocumentResult,
    DocumentVerdict,
    encode_course,
)
from replays.models import Replay
from replays.statistics import Statistics, statistics, summary
from replays.timeline import keyframes

LEVEL: Final = 6
"""Of compression: beyond it the time grows faster than the size shrinks."""


class NotOver(Exception):
    """The match is not over: nothing of its log may be shown (G9)."""


def build(match: Match) -> Replay:
    """Build the replay of a match, or build it again, and store it.

    Safe to run twice and at the same time: the outcome depends on the log
    alone. A log that does not lead to the recorded end is flagged.

    :raises NotOver: the match has no end.
    """
    end = end_of(match)
    log, faults = read_log(match)
    course, found = make_course(setup_of(match), log, end, faults)
    raw = encode_course(course)
    replay = Replay(
        match=match,
        version=VERSION,
        verdict=Replay.Verdict.SOUND if course.verdict.sound else Replay.Verdict.FLAGGED,
        faults=[[fault.seq, fault.text] for fault in course.verdict.faults],
        course=zlib.compress(raw, LEVEL),
        digest=hashlib.sha256(raw).hexdigest(),
        size=len(raw),
        statistics=summary(found),
        built_at=timezone.now(),
    )
    Replay.objects.bulk_create(
        [replay],
        update_conflicts=True,
        unique_fields=["match"],
        update_fields=["version", "verdict", "faults", "course", "digest", "size", "statistics", "built_at"],
    )
    return Replay.objects.get(match=match)


def end_of(match: Match) -> End:
    """The recorded end of a match.

    :raises NotOver: there is none.
    """
    try:
        return match.end
    except End.DoesNotExist:
        raise NotOver(match.slug) from None


def setup_of(match: Match) -> Setup:
    return Setup(match.game, msgspec.convert(match.options, Options), match.pace)


def read_log(match: Match) -> tuple[list[rules.Event], list[Fault]]:
    """The stored events up to the first that is missing or cannot be read, and what is wrong there."""
    log: list[rules.Event] = []
    rows = Event.objects.filter(match=match).order_by("seq").values_list("seq", "version", "body")
    for seq, version, body in rows.iterator():
        if seq != len(log) + 1:
            return log, [Fault(len(log) + 1, f"missing; {seq} comes next")]
        try:
            log.append(decode_event(body, version))
        except BadLog as error:
            return log, [Fault(seq, str(error))]
    return log, []


def make_course(
    setup: Setup, log: Sequence[rules.Event], end: End, faults: Sequence[Fault] = ()
) -> tuple[Course, Statistics]:
    """The course of a match as its log has it, judged by the rules. Writes nothing.

    :param faults: what was wrong with reading the log.
    """
    verdict = judge(setup, log)
    course = _fold(setup, log)
    log = log[: len(course) - 1]
    found = statistics(course, log)
    faults = [*faults, *verdict.faults, *compare_end(course[-1], end)]
    return (
        Course(
            places=[place.name for place in book_of(setup.game).places(setup)],
            start=course[0].places,
            events=list(log),
            keyframes=list(keyframes(course)),
            result=DocumentResult(winner=end.winner, cause=Cause(end.cause), void=end.void, seq=end.events, at=end.at),
            verdict=DocumentVerdict(
                sound=not faults, faults=[DocumentFault(fault.seq, fault.text) for fault in faults]
            ),
            statistics=found,
        ),
        found,
    )


def _fold(setup: Setup, log: Sequence[rules.Event]) -> list[State]:
    """The states, as far as the events can be applied; what stops them the judge has found too."""
    states = [book_of(setup.game).start(setup)]
    for event in log:
        try:
            states.append(evolve(states[-1], event))
        except (IndexError, KeyError, ValueError):
            break
    return states


def compare_end(state: State, end: End) -> list[Fault]:
    """What the recorded end says otherwise than the log's last state."""
    result = state.status.result
    if result is None:
        return [Fault(0, "the log does not lead to an end")]
    judged = (result.winner, result.cause.value, result.is_void, state.seq, state.at)
    recorded = (end.winner, end.cause, end.void, end.events, end.at)
    names = ("winner", "cause", "void", "events", "at")
    return [
        Fault(0, f"the log ends with {name} {one!r}, recorded is {two!r}")
        for name, one, two in zip(names, judged, recorded, strict=True)
        if one != two
    ]
