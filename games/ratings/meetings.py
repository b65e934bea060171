"""The earlier matches of pairs, as the guards need them (R3, R4), read from what is stored."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Min, Q

from games.models import End, PlayerMatch
from games.ratings.guards import DAY, Meeting, Meetings, Pair, pair_of
from games.ratings.rateable import GAVE_UP, RatedMatch

BLOCK: Final = 10_000
"""Ends whose earliest time is looked up together."""


def meetings_before(page: Sequence[RatedMatch]) -> Meetings:
    """What the pairs of these matches played against each other before the first of them, a day back at most."""
    pairs = {pair for match in page if (pair := match.pair) is not None}
    times = [match.at for match in page]
    return meetings_of(pairs, min(times), max(times), page[0].end)


def meetings_of(
    pairs: AbstractSet[Pair],
    first: datetime,
    last: datetime,
    before: int | None = None,
    *,
    some: AbstractSet[int] | None = None,
    span: timedelta = DAY,
) -> Meetings:
    """What these pairs played that the guards could ask for from `first` to `last`. Two queries.

    :param before: the id of an end; only earlier ones in the order of the ends.
    :param some: the ids of people of whom at least one is in each of the pairs; with few of them it is asked for far
        less than for what all of the people played among themselves.
    :param span: how far the guard that is meant looks back.
    """
    meetings = Meetings()
    if not pairs:
        return meetings
    people = {person for pair in pairs for person in pair[:2]}
    # Each match has a row of either player.
    wanted = PlayerMatch.objects.filter(
        Q(user__in=people, user__lt=F("opponent")) if some is None else Q(user__in=some),
        opponent__in=people,
        ended_at__gt=first - span,
        ended_at__lt=last + span,
        end__void=False,
        seat__match__rated=True,
        # As if they had not been played, for a recount and for rating alike.
        seat__match__voided=None,
    )
    if before is not None:
        wanted = wanted.filter(end__lt=before)
    rows = wanted.order_by("end").values_list(
        "user_id",
        "opponent_id",
        "seat__match__game",
        "end_id",
        "ended_at",
        "length",
        "verdict",
        "end__cause",
        "seat__match_id",
    )
    # By the match: of two people of `some` both rows are found.
    found = {row[-1]: row for row in rows if pair_of(*row[:3]) in pairs}
    if not found:
        return meetings
    moved: dict[tuple[int, int], float] = {
        (match, user): after - before
        for match, user, before, after in PlayerMatch.objects.filter(
            seat__match__in=list(found), seat__rating_change__isnull=False
        ).values_list("seat__match_id", "user_id", "seat__rating_change__before", "seat__rating_change__after")
    }
    for user, opponent, game, end, at, length, verdict, cause, match in found.values():
        pair = pair_of(user, opponent, game)
        own_side = 0 if user == pair.low else 1
        winner = {"won": own_side, "lost": 1 - own_side}.get(verdict)
        low, high = moved.get((match, pair.low)), moved.get((match, pair.high))
        gains = None if low is None or high is None else (low, high)
        meetings.add(pair, Meeting(end, at, length, winner, cause in GAVE_UP, gains))
    return meetings


def earliest_from(after: int, upto: int) -> list[tuple[int, datetime]]:
    """When the earliest of all ends from a certain one on ended, block by block, for ids in (`after`, `upto`].

    Pairs of the first id that it holds for and the time, the highest ids first. The order of the ends is nearly that of
    the times, but no more than nearly: only so is it known what is asked for no more.
    """
    blocks = (
        End.objects.filter(id__gt=after, id__lte=upto)
        .annotate(block=F("id") / BLOCK)
        .values("block")
        .annotate(first=Min("id"), earliest=Min("ended_at"))
        .order_by("-block")
    )
    found: list[tuple[int, datetime]] = []
    for block in blocks:
        earliest = min(block["earliest"], found[-1][1]) if found else block["earliest"]
        found.append((block["first"], earliest))
    return found
