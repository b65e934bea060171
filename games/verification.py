"""A stored match, checked: its rows, its log judged again, its recorded end."""

from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from games.models import End, Event, Match
from games.rules import events as rules
from games.rules.judge import Fault, judge
from games.rules.log import BadLog, decode_event
from games.rules.registry import book_of
from games.rules.setup import PACES
from games.rules.state import State

Row = tuple[int, int, str, int, int | None, str | None, str]
"""seq, at, kind, version, seat, command, body."""
_COLUMNS: Final = ("seq", "at", "kind", "version", "seat", "command", "body")


class Finding(Struct, frozen=True):
    """What the check of one match found. `state` is where its log leads, None for one that cannot be judged at all."""

    slug: str
    events: int
    faults: list[Fault]
    state: State | None


def verify(match: Match) -> Finding:
    """Check a match, finished or still being played.

    The events are numbered 1..N without a gap; each row says what its event
    says; the rules yield every event; a match that is over by its log, and no
    other, has an `End`, and that says how the log ends.
    """
    finding = _verify(match)
    if finding.faults:
        # A match that is being played may have ended between two of the reads.
        match.refresh_from_db()
        finding = _verify(match)
    return finding


def _verify(match: Match) -> Finding:
    # Read in this order, an end that is there has all its events.
    end = End.objects.filter(match=match).first()
    rows = rows_of(match)
    try:
        setup = match.setup
        problems = book_of(setup.game).validate(setup.options)
    except (KeyError, ValueError) as error:
        return Finding(match.slug, len(rows), [Fault(0, f"the match has no setup that can be played: {error!r}")], None)
    log, faults = read_rows(rows)
    faults += [Fault(0, f"option {problem.option}: {problem.reason}") for problem in problems]
    if setup.pace not in PACES:
        return Finding(match.slug, len(rows), [*faults, Fault(0, f"no speed class {setup.pace!r}")], None)
    verdict = judge(setup, log)
    faults += verdict.faults
    if len(log) == len(rows):
        faults += compare_end(verdict.state, end)
    if (match.state == Match.State.OVER) is not (end is not None):
        faults.append(Fault(0, f"the match is marked as {match.state}, its end is {'' if end else 'not '}recorded"))
    if match.state == Match.State.OPEN and rows:
        faults.append(Fault(0, "the match has events and no opponent"))
    return Finding(match.slug, len(rows), faults, verdict.state)


def rows_of(match: Match) -> list[Row]:
    """The stored log, in its order."""
    return list(Event.objects.filter(match=match).order_by("seq").values_list(*_COLUMNS))


def rows_by_match(match_ids: Collection[int]) -> dict[int, list[Row]]:
    """The stored logs of these matches, each in its order, by the match; read at once, so not for very many."""
    found: dict[int, list[Row]] = {match_id: [] for match_id in match_ids}
    # By match and number: as the index has them.
    events = Event.objects.filter(match__in=match_ids).order_by("match_id", "seq")
    for row in events.values_list(*_COLUMNS, "match_id"):
        found[row[-1]].append(row[:-1])
    return found


def read_rows(rows: Sequence[Row]) -> tuple[list[rules.Event], list[Fault]]:
    """The events up to the first that is missing or cannot be read, and what is wrong with the rows."""
    log: list[rules.Event] = []
    faults: list[Fault] = []
    for number, (seq, at, kind, version, seat, command, body) in enumerate(rows, 1):
        if seq != number:
            faults.append(Fault(number, f"missing; {seq} comes next"))
            break
        try:
            event = decode_event(body, version)
        except BadLog as error:
            faults.append(Fault(seq, str(error)))
            break
        if version < 1:
            faults.append(Fault(seq, f"version {version} never was"))
        if (at, kind, seat, command) != (event.at, event.kind.value, event.seat, event.command):
            faults.append(Fault(seq, "the row says otherwise than its event"))
        log.append(event)
    return log, faults


def compare_end(state: State, end: End | None) -> list[Fault]:
    """What the recorded end says otherwise than the state that the log leads to."""
    result = state.status.result
    if result is None or end is None:
        if result is None and end is None:
            return []
        return [Fault(0, "the log leads to no end" if result is None else "the end is not recorded")]
    judged = (result.winner, result.cause.value, result.is_void, state.seq, state.at)
    recorded = (end.winner, end.cause, end.void, end.events, end.at)
    names = ("winner", "cause", "void", "events", "at")
    return [
        Fault(0, f"the log ends with {name} {one!r}, recorded is {two!r}")
        for name, one, two in zip(names, judged, recorded, strict=True)
        if one != two
    ]
