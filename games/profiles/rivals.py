"""Two people against each other: reads only."""

from collections.abc import Collection
from typing import Any, Final

from msgspec import Struct

from games import words
from games.models import PlayerMatch, Rating
from games.people import standings_before
from games.profiles.charts import Chart, Spot, chart_of
from games.profiles.selectors import Record, day, record_in, replay_address

LATEST: Final = 500
"""Matches that the chart of the lead goes back."""


class GameScore(Struct, frozen=True):
    """The results of one game, seen from the first of the two."""

    name: str
    record: Record
    ratings: tuple[int | None, int | None]


class Rivalry(Struct, frozen=True):
    """All results of two people against each other, seen from the first one."""

    record: Record
    games: list[GameScore]
    chart: Chart | None
    """How far the first one was ahead, match by match."""


def rivalry(one: Any, other: Any, held: Collection[int] = ()) -> Rivalry:
    """What came of all matches of these two against each other, without the ends `held`."""
    rows = list(
        PlayerMatch.objects.filter(user=one, opponent=other)
        .exclude(verdict=PlayerMatch.Verdict.VOID)
        .exclude(end__in=held)
        .order_by("end")
        .values_list("game", "verdict", "ended_at", "end__match__slug")
    )
    by_game: dict[str, str] = {}
    for game, verdict, _at, _slug in rows:
        by_game[game] = by_game.get(game, "") + verdict[0]
    ratings = {
        (rating.user_id, rating.game): round(rating.value) for rating in Rating.objects.filter(user__in=(one, other))
    }
    if held:
        ratings |= {
            (user, game): round(known.value)
            for (user, game), known in standings_before({one.pk, other.pk}).items()
            if user
        }
    games = [
        GameScore(
            words.game_name(game), record_in(letters), (ratings.get((one.pk, game)), ratings.get((other.pk, game)))
        )
        for game, letters in sorted(by_game.items(), key=lambda item: -len(item[1]))
    ]
    address = replay_address()
    lead, spots = 0, []
    for _game, verdict, at, slug in rows:
        lead += {"won": 1, "lost": -1}.get(verdict, 0)
        spots.append(Spot(lead, at, address(slug)))
    if spots:
        spots = [Spot(0, spots[0].at), *spots]
    return Rivalry(
        record_in("".join(row[1][0] for row in rows)), games, chart_of(spots[-LATEST:], day, around_zero=True)
    )
