"""All ratings from all matches, from nothing.

Streams the matches in pages, so that memory grows with the players alone and
time with the matches. While it reads, play and rating go on: only its last
step, in which it catches up and compares the standings, holds the lock.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db import transaction
from msgspec import Struct

from games.models import Rating, RatingChange, RatingProgress
from games.ratings.rateable import RatedMatch, Side, rated_matches
from games.ratings.services import Standings, lock_progress, save_standings, sides_after
from games.standing import Standing

PAGE = 10_000
"""Matches read at a time."""
EXAMPLES = 20
"""Differences told in words at most."""


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
    """Changes of one page that are to be written anew, and the ids of those to be removed."""

    changes: list[RatingChange]
    surplus: list[int]


def recount(*, repair: bool) -> Recount:
    """Count everything again up to the last end that `rate_pending` has reached.

    :param repair: write what is right where it is not; otherwise only look.
    """
    recounter = _Recounter(repair)
    start = RatingProgress.objects.filter(pk=RatingProgress.ONLY).values_list("last_end", flat=True).first() or 0
    recounter.run(0, start)
    with transaction.atomic():
        recounter.run(start, lock_progress().last_end)
        recounter.compare_standings()
    return recounter.found


class _Recounter:
    def __init__(self, repair: bool) -> None:
        self.repair = repair
        self.found = Recount()
        self.standings: Standings = {}

    def run(self, after: int, upto: int) -> None:
        """Go on with the ends whose ids are in (`after`, `upto`]."""
        strays = self._strays(after, upto)
        for start in range(0, len(strays), PAGE):
            if self.repair:
                _write(_Wrong([], strays[start : start + PAGE]))
        while after < upto:
            page = list(rated_matches(after, upto, PAGE))
            last = page[-1].end if len(page) == PAGE else upto
            wrong = _Wrong([], [])
            for match in page:
                self._count(match, wrong)
            if self.repair:
                _write(wrong)
            after = last

    def _count(self, match: RatedMatch, wrong: _Wrong) -> None:
        found = self.found
        if not match.counts:
            for side in match.sides:
                if side.stood is not None:
                    self._differs(f"end {match.end}: seat {side.seat} was changed by a match that is not rated")
                    wrong.surplus.append(side.stood.id)
            return
        found.matches += 1
        before, after = sides_after(self.standings, match)
        for side, old, new in zip(match.sides, before, after, strict=True):
            if side.user is None:
                continue
            found.changes += 1
            self.standings[side.user, match.game] = new
            self._check(match.end, side, old, new, wrong)

    def _check(self, end: int, side: Side, old: Standing, new: Standing, wrong: _Wrong) -> None:
        right = (old.value, new.value, new.matches)
        if side.stood is not None and side.stood[1:] == right:
            return
        self._differs(f"end {end}: seat {side.seat} has {side.stood}, must have {right}")
        wrong.changes.append(
            RatingChange(seat_id=side.seat, end_id=end, before=old.value, after=new.value, matches=new.matches)
        )

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

    def compare_standings(self) -> None:
        """Compare what was counted with every `Rating`, and put right what differs."""
        right = dict(self.standings)
        self.found.players = len({user for user, _game in right})
        seen, surplus = set(), []
        for pk, key, stood in _ratings():
            seen.add(key)
            if (counted := right.get(key)) is None:
                if stood != Standing():
                    self._differs(f"user {key[0]} stands at {stood} in {key[1]} without a rated match")
                    surplus.append(pk)
            elif counted == stood:
                del right[key]
            else:
                self._differs(f"user {key[0]} stands at {stood} in {key[1]}, must be {counted}")
        for user, game in right.keys() - seen:
            self._differs(f"user {user} has no rating in {game}, must be {right[user, game]}")
        if self.repair:
            Rating.objects.filter(pk__in=surplus).delete()
            save_standings(right)

    def _differs(self, text: str) -> None:
        self.found.differences += 1
        if len(self.found.examples) < EXAMPLES:
            self.found.examples.append(text)


def _ratings() -> Iterator[tuple[int, tuple[int, str], Standing]]:
    rows = Rating.objects.values_list("id", "user_id", "game", "value", "matches", "peak")
    for pk, user, game, value, matches, peak in rows.iterator():
        yield pk, (user, game), Standing(value, matches, peak)


def _write(wrong: _Wrong) -> None:
    if not any(wrong):
        return
    with transaction.atomic():
        RatingChange.objects.filter(pk__in=wrong.surplus).delete()
        RatingChange.objects.bulk_create(
            wrong.changes,
            update_conflicts=True,
            unique_fields=["seat"],
            update_fields=["end", "before", "after", "matches"],
        )
