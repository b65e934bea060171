"""All ratings from all matches, from nothing.

Streams the matches in pages, so that memory grows with the players alone and
time with the matches. While it reads, play and rating go on: only its last
step, in which it catches up and compares the standings, holds the lock of
rating. There is one recount at a time, for an older one would write what a
newer one has put right.

What hangs on matches that do not count goes last, together with the standings:
as long as it is there, the sweep has it counted again (`is_due`), whatever
became of the recounts before.
"""

import fcntl
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from django.db import DatabaseError, InterfaceError, connection, transaction
from msgspec import Struct

from games.models import Match, MatchFlag, Rating, RatingChange, RatingProgress
from games.ratings.guards import DAY
from games.ratings.ledger import Ledger
from games.ratings.meetings import earliest_from
from games.ratings.rateable import RatedMatch, rated_matches
from games.ratings.services import changes_of, lock_progress, save_flags, save_standings
from games.standing import Standing

PAGE = 10_000
"""Matches read at a time."""
EXAMPLES = 20
"""Differences told in words at most."""
SLACK: Final = timedelta(hours=1)
"""By how much the clock of a server that ends matches during the recount may be behind the others'."""


class Recount(Struct, kw_only=True):
    """What a recount found. `differences` counts changes and standings that are not as they must be."""

    matches: int = 0
    players: int = 0
    changes: int = 0
    differences: int = 0
    examples: list[str] = []

    @property
    def is_equal(self) -> bool:
        return not self.differences


class _Wrong(NamedTuple):
    """Of one page: changes that are to be written anew, the ids of those to be removed, flags that are missing."""

    changes: list[RatingChange]
    surplus: list[int]
    flags: list[tuple[int, str]]


class Busy(Exception):
    """Another recount is under way."""


def recount(*, repair: bool, waits: bool = True) -> Recount:
    """Count everything again up to the last end that `rate_pending` has reached.

    :param repair: write what is right where it is not; otherwise only look.
    :param waits: until another recount is done. That one takes in whatever is voided before its last step.
    :raises Busy: another one is under way, and this one does not wait.
    """
    with _alone(waits), _garbage_left():
        recounter = _Recounter(repair)
        while (found := _run(recounter)) is None:
            recounter = recounter.afresh()
    return found


def is_due() -> bool:
    """Whether a match that was voided still moves ratings: nobody has counted them since."""
    # By their ids: with a join PostgreSQL may choose to read all changes.
    return RatingChange.objects.filter(end__match__in=_voided()).exists()


def _voided() -> list[int]:
    return list(Match.objects.exclude(voided=None).order_by("pk").values_list("pk", flat=True))


def _run(recounter: "_Recounter") -> Recount | None:
    """What it found; None: a match was voided meanwhile, before or after it was counted."""
    voided = _voided()
    start = RatingProgress.objects.filter(pk=RatingProgress.ONLY).values_list("last_end", flat=True).first() or 0
    recounter.run(0, start)
    with transaction.atomic():
        recounter.run(start, lock_progress().last_end)
        if _voided() != voided:
            return None
        recounter.finish()
    return recounter.found


@contextmanager
def _alone(waits: bool) -> Iterator[None]:
    """
    :raises Busy: somebody else is in here.
    """
    if connection.vendor == "sqlite":
        with Path(f"{connection.settings_dict['NAME']}.recount").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
            except BlockingIOError:
                raise Busy from None
            yield
        return
    lock = "hashtext('games.ratings.recount')"
    with connection.cursor() as cursor:
        # Of the session: a recount is many transactions. It goes with the connection that the recount writes by.
        cursor.execute(f"SELECT pg_advisory_lock({lock}), true" if waits else f"SELECT 0, pg_try_advisory_lock({lock})")
        if not cursor.fetchone()[1]:
            raise Busy
    try:
        yield
    finally:
        with suppress(DatabaseError, InterfaceError), connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_advisory_unlock({lock})")


@contextmanager
def _garbage_left() -> Iterator[None]:
    """Look for garbage seldom: there is none, for nothing here makes cycles, and looking takes a third of the time."""
    usual = gc.get_threshold()
    gc.set_threshold(200_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class _Recounter:
    def __init__(self, repair: bool) -> None:
        self.repair = repair
        self.found = Recount()
        self.ledger = Ledger()
        self.times: dict[tuple[int, str], datetime] = {}
        """When each player's last rated match of a game ended."""
        self.mended = Recount()
        """The differences that were written right, a page at a time: whoever begins anew does not find them again."""
        self.strays: list[int] = []
        """Changes that hang on matches that are not rated."""

    def afresh(self) -> "_Recounter":
        """One that begins anew, and knows what this one has put right already: nobody will find that again."""
        again = _Recounter(self.repair)
        again.mended = self.mended
        again.found.differences = self.mended.differences
        again.found.examples = self.mended.examples[:]
        return again

    def run(self, after: int, upto: int) -> None:
        """Go on with the ends whose ids are in (`after`, `upto`]."""
        self.strays += self._strays(after, upto)
        earliest = earliest_from(after, upto)
        while after < upto:
            page = list(rated_matches(after, upto, PAGE))
            last = page[-1].end if len(page) == PAGE else upto
            flags = self._flags(after, last)
            wrong = _Wrong([], [], [])
            differences, told = self.found.differences, len(self.found.examples)
            for match in page:
                self._count(match, flags, wrong)
            if self.repair:
                _write(wrong)
                self.mended.differences += self.found.differences - differences
                self.mended.examples += self.found.examples[told:]
            after = last
            while len(earliest) > 1 and earliest[-2][0] <= after:
                earliest.pop()
            if earliest:
                self.ledger.meetings.forget(earliest[-1][1] - DAY - SLACK)

    @staticmethod
    def _flags(after: int, upto: int) -> set[tuple[int, str]]:
        return set(MatchFlag.objects.filter(end__gt=after, end__lte=upto).values_list("end_id", "reason"))

    def _count(self, match: RatedMatch, flags: set[tuple[int, str]], wrong: _Wrong) -> None:
        if not match.counts:
            self._must_be_unrated(match, "that is not rated", wrong)
            return
        ruling = self.ledger.take(match)
        for reason in ruling.flags:
            if (match.end, reason) not in flags:
                self._differs(f"end {match.end}: is not flagged for {reason}")
                wrong.flags.append((match.end, reason))
        if not ruling.is_rated:
            self._must_be_unrated(match, "of two people who had played too often (R3)", wrong)
            return
        self.found.matches += 1
        for seat, side in enumerate(match.sides):
            if side.user is None:
                continue
            self.found.changes += 1
            self.times[side.user, match.game] = match.at
            right = (
                ruling.before[seat].value,
                ruling.after[seat].value,
                ruling.after[seat].matches,
                ruling.before[1 - seat].value,
            )
            if side.stood is None or side.stood[1:] != right:
                self._differs(f"end {match.end}: seat {side.seat} has {side.stood}, must have {right}")
                wrong.changes.append(next(one for one in changes_of(match, ruling) if one.seat_id == side.seat))

    def _must_be_unrated(self, match: RatedMatch, why: str, wrong: _Wrong) -> None:
        for side in match.sides:
            if side.stood is not None:
                self._differs(f"end {match.end}: seat {side.seat} was changed by a match {why}")
                wrong.surplus.append(side.stood.id)

    def _strays(self, after: int, upto: int) -> list[int]:
        """Changes in this part of the ends that belong to matches that are not rated (R2).

        Looked for once and not in each page: PostgreSQL reads all matches for it, however few the ends are.
        """
        strays = list(
            RatingChange.objects.filter(end__gt=after, end__lte=upto)
            .exclude(end__void=False, end__match__rated=True, end__match__voided=None)
            .values_list("id", flat=True)
        )
        for stray in strays:
            self._differs(f"change {stray} belongs to a match that is not rated")
        return strays

    def finish(self) -> None:
        """The last step, under the lock of rating."""
        self._compare_standings()
        if self.repair:
            for start in range(0, len(self.strays), PAGE):
                RatingChange.objects.filter(pk__in=self.strays[start : start + PAGE]).delete()

    def _compare_standings(self) -> None:
        """Compare what was counted with every `Rating`, and put right what differs."""
        right = dict(self.ledger.standings)
        self.found.players = len({user for user, _game in right})
        seen, surplus = set(), []
        for pk, key, stood, last_at in _ratings():
            seen.add(key)
            if (counted := right.get(key)) is None:
                if stood != Standing():
                    self._differs(f"user {key[0]} stands at {stood} in {key[1]} without a rated match")
                    surplus.append(pk)
            elif counted == stood and self.times[key] == last_at:
                del right[key]
            else:
                self._differs(
                    f"user {key[0]} stands at {stood} in {key[1]} since {last_at}, "
                    f"must be {counted} since {self.times[key]}"
                )
        for user, game in right.keys() - seen:
            self._differs(f"user {user} has no rating in {game}, must be {right[user, game]}")
        if self.repair:
            Rating.objects.filter(pk__in=surplus).delete()
            save_standings(right, self.times)

    def _differs(self, text: str) -> None:
        self.found.differences += 1
        if len(self.found.examples) < EXAMPLES:
            self.found.examples.append(text)


def _ratings() -> Iterator[tuple[int, tuple[int, str], Standing, datetime | None]]:
    rows = Rating.objects.values_list("id", "user_id", "game", "value", "matches", "peak", "last_at")
    for pk, user, game, value, matches, peak, last_at in rows.iterator():
        yield pk, (user, game), Standing(value, matches, peak), last_at


def _write(wrong: _Wrong) -> None:
    if not any(wrong):
        return
    with transaction.atomic():
        RatingChange.objects.filter(pk__in=wrong.surplus).delete()
        RatingChange.objects.bulk_create(
            wrong.changes,
            update_conflicts=True,
            unique_fields=["seat"],
            update_fields=["end", "before", "after", "matches", "user", "game", "other", "score"],
        )
        save_flags(wrong.flags)
