"""Applying ratings: each ended match once, in the order in which they ended (R1)."""

from collections.abc import Iterable

from django.db import transaction

from games.models import Rating, RatingChange, RatingProgress
from games.ratings.elo import after_match, score_of
from games.ratings.rateable import RatedMatch, rated_matches, settled_end
from games.standing import Standing

PAGE = 200
"""How many matches one transaction rates; on SQLite live play waits for it."""

Standings = dict[tuple[int, str], Standing]
"""Standings by user and game."""


def rate_pending() -> int:
    """Rate every match that has ended and was not rated yet; return how many.

    Safe to run at any time, twice, and by many at once: the row of
    `RatingProgress` is locked for each page, and moves on with its changes.
    """
    upto = settled_end()
    done = 0
    while True:
        with transaction.atomic():
            progress = lock_progress()
            page = list(rated_matches(progress.last_end, upto, PAGE))
            fresh = [match for match in page if match.counts]
            _apply(fresh)
            progress.last_end = page[-1].end if len(page) == PAGE else max(progress.last_end, upto)
            progress.save(update_fields=["last_end"])
        done += len(fresh)
        if len(page) < PAGE:
            return done


def lock_progress() -> RatingProgress:
    """The one row that says how far ratings have got, locked for this transaction.

    PostgreSQL locks the row; on SQLite each transaction that may write is the
    only one from its start (`transaction_mode` in the settings).
    """
    progress, _created = RatingProgress.objects.select_for_update().get_or_create(pk=RatingProgress.ONLY)
    return progress


def sides_after(standings: Standings, match: RatedMatch) -> tuple[tuple[Standing, Standing], tuple[Standing, Standing]]:
    """The standings of both seats before and after a match, for given standings of all players.

    :raises ValueError: the match is not one that counts (`RatedMatch.counts`).
    """
    before = []
    for side in match.sides:
        if side.user is not None:
            before.append(standings.get((side.user, match.game), Standing()))
        elif side.stood is not None:
            before.append(side.stood.standing_before)
        else:
            raise ValueError("nothing is known of a seat")
    after = [
        after_match(before[seat], before[1 - seat].value, score_of(seat, match.winner)) for seat in range(len(before))
    ]
    return (before[0], before[1]), (after[0], after[1])


def load_standings(users: Iterable[int]) -> Standings:
    rows = Rating.objects.filter(user__in=set(users)).values_list("user_id", "game", "value", "matches", "peak")
    return {(user, game): Standing(value, matches, peak) for user, game, value, matches, peak in rows}


def save_standings(standings: Standings) -> None:
    Rating.objects.bulk_create(
        [
            Rating(user_id=user, game=game, value=standing.value, matches=standing.matches, peak=standing.peak)
            for (user, game), standing in standings.items()
        ],
        update_conflicts=True,
        unique_fields=["user", "game"],
        update_fields=["value", "matches", "peak"],
    )


def _apply(page: Iterable[RatedMatch]) -> None:
    page = list(page)
    if not page:
        return
    standings = load_standings(side.user for match in page for side in match.sides if side.user is not None)
    touched: Standings = {}
    changes = []
    for match in page:
        before, after = sides_after(standings, match)
        for side, old, new in zip(match.sides, before, after, strict=True):
            if side.user is None:
                continue
            changes.append(
                RatingChange(
                    seat_id=side.seat, end_id=match.end, before=old.value, after=new.value, matches=new.matches
                )
            )
            standings[side.user, match.game] = touched[side.user, match.game] = new
    RatingChange.objects.bulk_create(changes)
    save_standings(touched)
