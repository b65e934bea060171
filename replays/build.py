"""Building the replay of a finished match from its log."""

import gzip
import hashlib
import zlib
from collections.abc import Sequence
from typing import Final

from django.db import transaction

from games.clock import wall
from games.models import End, Match, Seat
from games.rules import events as rules
from games.rules.evolve import evolve
from games.rules.judge import Fault, judge
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Cause, State
from games.verification import Row, compare_end, read_rows, rows_of
from replays.format import (
    VERSION,
    Course,
    DocumentFault,
    DocumentResult,
    DocumentVerdict,
    encode_course,
)
from replays.models import Replay, SeatSpeed
from replays.packing import PACKING, pack
from replays.statistics import statistics
from replays.timeline import keyframes

LEVEL: Final = 6
"""Of compression: beyond it the time grows faster than the size shrinks."""
PACKED_LEVEL: Final = 9
"""It is a tenth as long as the course, and sent as often as the replay is looked at."""


class NotOver(Exception):
    """The match is not over: nothing of its log may be shown (G9)."""


def build(match: Match) -> Replay:
    """Build the replay of a match, or build it again, and store it.

    Safe to run twice and at the same time: the outcome depends on the log
    alone. A log that does not lead to the recorded end is flagged.

    :raises NotOver: the match has no end.
    """
    replay = make(match)
    store([replay])
    return replay


def make(match: Match, rows: Sequence[Row] | None = None) -> Replay:
    """What `build` stores. Writes nothing.

    :param rows: the stored log, when the caller has read it.
    :raises NotOver: the match has no end.
    """
    end = end_of(match)
    log, faults = read_rows(rows_of(match) if rows is None else rows)
    course = make_course(match.setup, log, end, faults)
    raw = encode_course(course)
    replay = Replay(
        match=match,
        version=VERSION,
        verdict=Replay.Verdict.SOUND if course.verdict.sound else Replay.Verdict.FLAGGED,
        faults=[[fault.seq, fault.text] for fault in course.verdict.faults],
        course=zlib.compress(raw, LEVEL),
        digest=hashlib.sha256(raw).hexdigest(),
        packing=PACKING,
        packed=gzip.compress(pack(course), PACKED_LEVEL, mtime=0),
        size=len(raw),
        built_at=wall(),
    )
    replay.seats = course.statistics.seats
    return replay


def store(replays: Sequence[Replay]) -> None:
    """Store what `make` has made, in the place of what was there, in one short transaction."""
    with transaction.atomic():
        Replay.objects.bulk_create(
            replays,
            update_conflicts=True,
            unique_fields=["match"],
            update_fields=[
                "version",
                "verdict",
                "faults",
                "course",
                "digest",
                "packing",
                "packed",
                "size",
                "built_at",
            ],
        )
        SeatSpeed.objects.bulk_create(
            _speeds(replays),
            update_conflicts=True,
            unique_fields=["match", "seat"],
            update_fields=["user", "game", "per_minute", "reaction"],
        )


def _speeds(replays: Sequence[Replay]) -> list[SeatSpeed]:
    """What is kept of the statistics of each seat."""
    made = {replay.match_id: replay for replay in replays}
    users = Seat.objects.filter(match__in=made).values_list("match_id", "number", "user_id")
    return [
        SeatSpeed(
            match_id=match,
            seat=number,
            user_id=user,
            game=made[match].match.game,
            per_minute=figures.per_minute,
            reaction=figures.reaction,
        )
        for match, number, user in users
        for figures in made[match].seats[number : number + 1]
    ]


def end_of(match: Match) -> End:
    """The recorded end of a match.

    :raises NotOver: there is none.
    """
    try:
        return match.end
    except End.DoesNotExist:
        raise NotOver(match.slug) from None


def make_course(setup: Setup, log: Sequence[rules.Event], end: End, faults: Sequence[Fault] = ()) -> Course:
    """The course of a match as its log has it, judged by the rules. Writes nothing.

    A log with faults is told as far as it can be followed; its statistics end before the first fault.

    :param faults: what was wrong with reading the log.
    """
    verdict = judge(setup, log)
    course, wrong = _to_the_end(verdict.course, log), verdict.faults
    log = log[: len(course) - 1]
    sound = min((fault.seq for fault in wrong if fault.seq), default=len(course)) - 1
    faults = [*faults, *wrong, *compare_end(course[-1], end)]
    return Course(
        places=[place.name for place in book_of(setup.game).places(setup)],
        start=course[0].places,
        events=list(log),
        keyframes=list(keyframes(course)),
        result=DocumentResult(winner=end.winner, cause=Cause(end.cause), void=end.void, seq=end.events, at=end.at),
        verdict=DocumentVerdict(sound=not faults, faults=[DocumentFault(fault.seq, fault.text) for fault in faults]),
        statistics=statistics(course[: sound + 1], log[:sound]),
    )


def _to_the_end(course: Sequence[State], log: Sequence[rules.Event]) -> list[State]:
    """The course with the states behind a fault at which the judge stopped, as far as the events can be applied."""
    course = list(course)
    for event in log[len(course) - 1 :]:
        try:
            course.append(evolve(course[-1], event))
        except (IndexError, KeyError, ValueError):
            break
    return course
