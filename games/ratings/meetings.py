"""The earlier matches of pairs, as the guards need them (R3, R4), read from what is stored."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final

from django.db.models import F, Min

from games.models import End, PlayerMatch
from games.ratings.guards import DAY, Meeting, Meetings, Pair
from games.ratings.rateable import GAVE_UP, RatedMatch

BLOCK: Final = 10_000
"""Ends whose earliest time is looked up together."""


def meetings_before(page: Sequence[RatedMatch]) -> Meetings:
    """What the pairs of these matches played against each other before the first of them, a day back at most."""
    pairs = {pair for match in page if (pair := match.pair) is not None}
    times = [match.at for match in page]
    return meetings_of(pairs, min(times), max(times), page[0].end)


def meetings_of(pairs: AbstractSet[Pair], first: datetime, last: datetime, before: int | None) -> Meetings:
    """What these pairs played that the guards could ask for from `first` to `last`.

    :param before: the id of an end; only earlier ones in the order of the ends.
    """
    meetings = Meetings()
    if not pairs:
        return meetings
    people = {person for pair in pairs for person in pair[:2]}
    wanted = PlayerMatch.objects.filter(
        user__in=people,
        opponent__in=people,
        user__lt=F("opponent"),
        ended_at__gt=first - DAY,
        ended_at__lt=last + DAY,
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
        "seat__rating_change__before",
        "seat__rating_change__after",
        "seat__match_id",
    )
    found = [row for row in rows if Pair(*row[:3]) in pairs]
    theirs = {
        match: change
        for match, *change in PlayerMatch.objects.filter(
            seat__match__in=[row[-1] for row in found], user__gt=F("opponent")
        ).values_list("seat__match_id", "seat__rating_change__before", "seat__rating_change__after")
    }
    for low, high, game, end, at, length, verdict, cause, own_before, own_after, match in found:
        other_before, other_after = theirs.get(match, (None, None))
        gains = None
        if own_before is not None and own_after is not None and other_before is not None and other_after is not None:
            gains = (own_after - own_before, other_after - other_before)
        winner = {"won": 0, "lost": 1}.get(verdict)
        meetings.add(Pair(low, high, game), Meeting(end, at, length, winner, cause in GAVE_UP, gains))
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
