"""Applying ratings: each ended match once, in the order in which they ended (R1)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from games.end_order import settled_end
from games.models import MatchFlag, Rating, RatingChange, RatingProgress
from games.ratings.elo import score_of
from games.ratings.ledger import Ledger, Ruling, Standings
from games.ratings.meetings import meetings_before
from games.ratings.rateable import RatedMatch, rated_matches
from games.standing import Standing

PAGE = 200
"""How many matches one transaction rates; on SQLite live play waits for it."""


def rate_pending() -> int:
    """Rate every match that has ended and was not rated yet, as far as the guards let it (R3); return how many.

    Safe to run at any time, twice, and by many at once: the row of
    `RatingProgress` is locked for each page, and moves on with its changes.
    """
    upto = settled_end()
    done = 0
    while True:
        with transaction.atomic():
            progress = lock_progress()
            page = list(rated_matches(progress.last_end, upto, PAGE))
            done += _apply([match for match in page if match.counts])
            progress.last_end = page[-1].end if len(page) == PAGE else max(progress.last_end, upto)
            progress.save(update_fields=["last_end"])
        if len(page) < PAGE:
            return done


def lock_progress() -> RatingProgress:
    """The one row that says how far ratings have got, locked for this transaction.

    PostgreSQL locks the row; on SQLite each transaction that may write is the
    only one from its start (`transaction_mode` in the settings).
    """
    progress, _created = RatingProgress.objects.select_for_update().get_or_create(pk=RatingProgress.ONLY)
    return progress


def load_standings(users: Iterable[int]) -> Standings:
    rows = Rating.objects.filter(user__in=set(users)).values_list("user_id", "game", "value", "matches", "peak")
    return {(user, game): Standing(value, matches, peak) for user, game, value, matches, peak in rows}


def save_standings(standings: Standings, times: Mapping[tuple[int, str], datetime]) -> None:
    """Write where players stand, and when their last rated match ended."""
    Rating.objects.bulk_create(
        [
            Rating(
                user_id=user,
                game=game,
                value=standing.value,
                matches=standing.matches,
                peak=standing.peak,
                last_at=times.get((user, game)),
            )
            for (user, game), standing in standings.items()
        ],
        update_conflicts=True,
        unique_fields=["user", "game"],
        update_fields=["value", "matches", "peak", "last_at"],
    )


def changes_of(match: RatedMatch, ruling: Ruling) -> list[RatingChange]:
    """The changes that a match brings: for each seat of which the player is known; none when it is not rated (R3)."""
    if not ruling.is_rated:
        return []
    return [
        RatingChange(
            seat_id=side.seat,
            end_id=match.end,
            before=ruling.before[seat].value,
            after=ruling.after[seat].value,
            matches=ruling.after[seat].matches,
            user_id=side.user,
            game=match.game,
            other=ruling.before[1 - seat].value,
            score=score_of(seat, match.winner),
        )
        for seat, side in enumerate(match.sides)
        if side.user is not None
    ]


def save_flags(flags: Iterable[tuple[int, str]]) -> None:
    """Flag matches, by the ids of their ends and the reasons (R4). What a moderator has settled stays so."""
    MatchFlag.objects.bulk_create(
        [MatchFlag(end_id=end, reason=reason) for end, reason in flags], ignore_conflicts=True
    )


def _apply(page: Sequence[RatedMatch]) -> int:
    """Rate matches that count, in their order; how many of them were rated."""
    if not page:
        return 0
    users = {side.user for match in page for side in match.sides if side.user is not None}
    ledger = Ledger(load_standings(users), meetings_before(page))
    changes: list[RatingChange] = []
    flags: list[tuple[int, str]] = []
    times: dict[tuple[int, str], datetime] = {}
    done = 0
    for match in page:
        ruling = ledger.take(match)
        done += ruling.is_rated
        flags += ((match.end, reason) for reason in ruling.flags)
        changes += changes_of(match, ruling)
        if ruling.is_rated:
            times.update({(side.user, match.game): match.at for side in match.sides if side.user is not None})
    RatingChange.objects.bulk_create(changes)
    save_flags(flags)
    save_standings({key: ledger.standings[key] for key in times}, times)
    return done
