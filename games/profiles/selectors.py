"""What a player's page shows: reads only. Each is fast for somebody with a hundred thousand matches."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from django.core.cache import cache
from django.db import connection
from django.db.models import Max, Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from msgspec import Struct

from games import words
from games.lobby.selectors import Outcome, all_ended, outcomes
from games.models import End, PlayerMatch, Rating, RatingChange, RatingProgress, Seat
from games.people import Person, person_of, standings_before
from games.played import records_key
from games.profiles.charts import Chart, Spot, chart_of, sample, spark_of
from games.profiles.speed import speeds_of
from games.standing import PROVISIONAL

REMEMBERED: Final = 24 * 60 * 60
"""Seconds for which a player's results are not counted again from the first match on."""
LAST: Final = 2**62
"""Higher than the id of any end."""
FORM: Final = 20
"""How many of the latest results are shown one by one."""
POINTS: Final = 200
"""How many values a chart of a whole history has at most."""
LEAST_POINTS: Final = 20
"""A rating that moved less is shown in the middle of a chart of so many points."""
SPARK: Final = 30
BEST: Final = 5
"""How many of the best wins are shown."""
FIRST_WINS: Final = 8 * BEST
"""So many wins against the strongest are looked at before all of them are."""
SPEEDS: Final = 100
"""Matches whose speed is shown."""
MEAN: Final = 10
"""Matches that a mean speed is taken of."""


class OwnOutcome(Struct, frozen=True):
    """A match that is over, as the page of one of its players shows it."""

    outcome: Outcome
    other: Person
    verdict: str
    """A `PlayerMatch.Verdict`."""
    word: str
    """The verdict as it is written; of a match that was voided, that it was."""
    rating: int | None
    """After the match, when it was rated."""
    gain: int | None
    is_pending: bool
    """It is to be rated, and no worker has got to it yet."""
    is_capped: bool
    """It was to be rated, and the two had played too often within the hour (R3)."""

    @property
    def gain_text(self) -> str:
        return "±0" if self.gain == 0 else f"{self.gain:+}".replace("-", "−") if self.gain else ""


class Record(Struct, frozen=True):
    """A player's results."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    streak: int = 0
    """So many wins in a row up to now; negative: so many losses."""
    longest: int = 0
    """The most wins in a row ever."""
    form: str = ""
    """The latest results, the last one at the end: a letter each of `w`, `l`, `d`."""

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def streak_length(self) -> int:
        return abs(self.streak)

    @property
    def percent(self) -> int:
        return round(100 * self.won / self.played) if self.played else 0

    @property
    def percent_decided(self) -> int:
        """The share of matches that were won or drawn."""
        return round(100 * (self.won + self.drawn) / self.played) if self.played else 0


class GameCard(Struct, frozen=True):
    """One game on a player's page."""

    key: str
    name: str
    rating: int | None
    """None without a rated match."""
    provisional: bool
    matches: int
    """Rated ones."""
    peak: int
    spark: str
    record: Record


class BestWin(Struct, frozen=True):
    """A win against somebody strong."""

    slug: str
    other: Person
    rating: int
    """The opponent's, before the match."""
    ended_at: datetime


def page_of(
    user: Any,
    lookups: Mapping[str, Any],
    before: int | None,
    limit: int,
    held: Collection[int] = (),
    rated_upto: int | None = None,
) -> list[OwnOutcome]:
    """A player's matches that are over, from the latest on.

    :param lookups: what to filter by, fields of `PlayerMatch`.
    :param before: an `Outcome.end`; older ones only.
    :param held: ends that whoever asks may not know of yet (`games.people.withheld_ends`).
    :param rated_upto: `rated_upto()`, of whoever has it already; so below.
    """
    wanted = PlayerMatch.objects.filter(user=user, **lookups)
    if held:
        wanted = wanted.exclude(end__in=held)
    if before is not None:
        wanted = wanted.filter(end__lt=before)
    listed = {row.end_id: row for row in wanted.order_by("-end")[:limit]}
    ends = list(all_ended().filter(pk__in=listed).order_by("-pk"))
    seats = {row.seat_id: row for row in listed.values()}
    changes = {change.end_id: change for change in RatingChange.objects.filter(seat__in=seats)}
    reached = _or_ask(rated_upto)
    # What came after a match that is withheld would tell what that one did: it waits with it.
    unmoved = standings_before({user.pk}) if held else {}
    waiting = {
        change.end_id
        for change in changes.values()
        if (known := unmoved.get((user.pk, change.game))) is not None and change.matches > known.matches
    }
    return [
        _own(
            outcome,
            end,
            listed[end.pk],
            None if end.pk in waiting else changes.get(end.pk),
            end.pk > reached or end.pk in waiting,
        )
        for end, outcome in zip(ends, outcomes(ends), strict=True)
    ]


def outcomes_of(user: Any, before: int | None, limit: int = 20) -> list[OwnOutcome]:
    """A player's matches that are over, from the latest on, whatever they are."""
    return page_of(user, {}, before, limit)


def records_of(user: Any, held: Collection[int] = (), rated_upto: int | None = None) -> dict[str, Record]:
    """A player's results by game; matches without a result (M2), and those `held`, are none.

    What is settled, in an order that changes no more (`RatingProgress`), is counted once and remembered for a day.
    """
    if held and PlayerMatch.objects.filter(user=user, end__in=held).exists():
        return _extended({}, _letters(user, 0, None, held))
    settled = _or_ask(rated_upto)
    key = records_key(user.pk)
    upto, records = cache.get(key) or (0, {})
    if settled != upto:
        upto, records = (upto, records) if upto < settled else (0, {})
        records = _extended(records, _letters(user, upto, settled))
        cache.set(key, (settled, records), REMEMBERED)
    return _extended(records, _letters(user, settled, None))


def record_of(user: Any) -> Record:
    """A player's results in all games together, without runs and form."""
    records = records_of(user).values()
    return Record(
        sum(record.won for record in records),
        sum(record.lost for record in records),
        sum(record.drawn for record in records),
    )


def record_in(letters: str) -> Record:
    """The record of these results, the earliest first."""
    return extended(Record(), letters)


def extended(record: Record, letters: str) -> Record:
    """The record with these results behind it."""
    streak, longest = record.streak, record.longest
    for letter, run in groupby(letters):
        length = len(list(run))
        streak = {"w": length + max(streak, 0), "l": min(streak, 0) - length}.get(letter, 0)
        longest = max(longest, streak)
    return Record(
        won=record.won + letters.count("w"),
        lost=record.lost + letters.count("l"),
        drawn=record.drawn + letters.count("d"),
        streak=streak,
        longest=longest,
        form=(record.form + letters)[-FORM:],
    )


def _extended(records: Mapping[str, Record], letters: Mapping[str, str]) -> dict[str, Record]:
    return {**records, **{game: extended(records.get(game, Record()), found) for game, found in letters.items()}}


def _letters(user: Any, after: int, upto: int | None, held: Collection[int] = ()) -> dict[str, str]:
    """For each game the results of the matches whose ends have ids in (`after`, `upto`] and are not `held`, in order, a
    letter each.

    One query, and no row for each match; each part of it reads one index from its one end to the other.
    """
    gather = "string_agg(letter, '')" if connection.vendor == "postgresql" else "group_concat(letter, '')"
    without = f"AND end_id NOT IN ({', '.join(['%s'] * len(held))}) " if held else ""
    part = (
        f"SELECT %s AS game, {gather} AS letters FROM (SELECT substr(verdict, 1, 1) AS letter FROM games_playermatch "  # noqa: S608
        f"WHERE user_id = %s AND game = %s AND end_id > %s AND end_id <= %s {without}AND verdict <> 'void' "
        "ORDER BY end_id) "
        "AS results"
    )
    values: list[int | str] = []
    for game in words.GAMES:
        values += [game, user.pk, game, after, LAST if upto is None else upto, *held]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([part] * len(words.GAMES)), values)
        return {game: letters for game, letters in cursor.fetchall() if letters}


def games_of(user: Any, held: Collection[int] = (), rated_upto: int | None = None) -> list[GameCard]:
    """The games that a player has a result in, the most played first."""
    records = records_of(user, held, rated_upto)
    ratings = {rating.game: rating.standing for rating in Rating.objects.filter(user=user)}
    if held:
        ratings |= {game: standing for (_user, game), standing in standings_before({user.pk}).items()}
    ratings = {game: standing for game, standing in ratings.items() if standing.matches}
    wanted = Q(pk=None)
    for game, at in ratings.items():
        wanted |= Q(user=user, game=game, matches__in=sample(at.matches, SPARK))
    values: dict[str, list[float]] = {}
    for game, value in RatingChange.objects.filter(wanted).order_by("matches").values_list("game", "after"):
        values.setdefault(game, []).append(value)
    cards = []
    for game in {**records, **ratings}:
        rating = ratings.get(game)
        cards.append(
            GameCard(
                key=game,
                name=words.game_name(game),
                rating=None if rating is None else round(rating.value),
                provisional=rating is not None and rating.is_provisional,
                matches=0 if rating is None else rating.matches,
                peak=0 if rating is None else round(rating.peak),
                spark=spark_of(values.get(game, [])),
                record=records.get(game, Record()),
            )
        )
    return sorted(cards, key=lambda card: (-card.record.played, card.name))


def rating_chart(user: Any, game: str, matches: int) -> Chart | None:
    """How a player's rating went, from the first rated match to the last.

    :param matches: how many rated matches there are (`Rating.matches`).
    """
    numbers = sample(matches, POINTS)
    changes = list(
        RatingChange.objects.filter(user=user, game=game, matches__in=numbers)
        .order_by("matches")
        .values_list("before", "after", "matches", "end__ended_at", "end__match__slug")
    )
    if not changes:
        return None
    first = changes[0]
    address = replay_address()
    spots = [Spot(first[0], first[3])]
    spots += [Spot(after, at, address(slug)) for _before, after, _number, at, slug in changes]
    certain = next((index for index, change in enumerate(changes, 1) if change[2] >= PROVISIONAL), len(spots))
    return chart_of(spots, day, certain_from=certain, least=LEAST_POINTS)


def best_wins(user: Any, game: str, held: Collection[int] = ()) -> list[BestWin]:
    """The wins against the strongest opponents, each of them once; of deleted players one."""
    wins = RatingChange.objects.filter(user=user, game=game, score=1.0).exclude(end__in=held)
    known = standings_before({user.pk}).get((user.pk, game)) if held else None
    if known is not None:
        # A later one would tell where an opponent stood after a match that is withheld.
        wins = wins.filter(matches__lte=known.matches)
    wins = wins.select_related("end__match")
    strongest = list(wins.order_by("-other")[:FIRST_WINS])
    found = _once_each(user, strongest)
    if len(found) < BEST and len(strongest) == FIRST_WINS:
        # Nearly all of them against the same few: only now all wins are read, by the database.
        opponents = wins.order_by().values("seat__listed__opponent").annotate(best=Max("other")).order_by("-best")
        strongest = [
            wins.filter(seat__listed__opponent=opponent, other=best).latest("end")
            for opponent, best in opponents.values_list("seat__listed__opponent", "best")[:BEST]
        ]
        found = _once_each(user, strongest)
    return found[:BEST]


def _once_each(user: Any, wins: Sequence[RatingChange]) -> list[BestWin]:
    """These wins, the first one against each opponent."""
    found: dict[int | None, BestWin] = {}
    seats = {
        seat.match_id: seat
        for seat in Seat.objects.filter(match__in=[change.end.match_id for change in wins])
        .exclude(user=user)
        .select_related("user")
    }
    for change in wins:
        seat = seats.get(change.end.match_id) or Seat()
        win = BestWin(change.end.match.slug, person_of(seat), round(change.other), change.end.ended_at)
        found.setdefault(seat.user_id, win)
    return list(found.values())


class SpeedFigures(Struct, frozen=True):
    """How fast a player was in their latest matches."""

    per_minute: int
    """The mean of the last `MEAN` matches."""
    reaction: str | None
    """The mean of the last `MEAN` matches in which there was one, "1.7 s"."""
    pace_chart: Chart | None
    reaction_chart: Chart | None
    matches: int


def speed_figures(user: Any, game: str) -> SpeedFigures | None:
    """The speed of a player's latest matches, in which anything was played; None without any."""
    speeds = [speed for speed in speeds_of(user, game, SPEEDS) if speed.per_minute]
    if not speeds:
        return None
    reactions = [speed for speed in speeds if speed.reaction is not None]
    address = replay_address()
    latest = [speed.reaction for speed in reactions[-MEAN:] if speed.reaction is not None]
    return SpeedFigures(
        per_minute=round(sum(speed.per_minute for speed in speeds[-MEAN:]) / len(speeds[-MEAN:])),
        reaction=words.short_span(round(sum(latest) / len(latest))) if latest else None,
        pace_chart=chart_of(
            [Spot(speed.per_minute, speed.ended_at, address(speed.slug)) for speed in speeds], day, average=MEAN
        ),
        reaction_chart=chart_of(
            [Spot(speed.reaction or 0, speed.ended_at, address(speed.slug)) for speed in reactions],
            day,
            average=MEAN,
            write=_span_tick,
        ),
        matches=len(speeds),
    )


def replay_address() -> Callable[[str], str]:
    """A function that gives the address of the replay of the match with a slug; looked up once for all of them."""
    before, _slug, after = reverse("replay", args=["SLUG"]).partition("SLUG")
    return lambda slug: f"{before}{slug}{after}"


def day(at: datetime) -> str:
    """A day as people write it."""
    return date_format(localtime(at), "DATE_FORMAT")


def _span_tick(milliseconds: int) -> str:
    """At a line of a grid, which is of round numbers: "5 s"."""
    return words.short_span(milliseconds).replace(".0", "")


def _or_ask(known: int | None) -> int:
    return rated_upto() if known is None else known


def rated_upto() -> int:
    """The last end that ratings have got to."""
    return RatingProgress.objects.filter(pk=RatingProgress.ONLY).values_list("last_end", flat=True).first() or 0


def _own(outcome: Outcome, end: End, listed: PlayerMatch, change: RatingChange | None, is_ahead: bool) -> OwnOutcome:
    seat = next(seat.number for seat in end.match.seats.all() if seat.pk == listed.seat_id)
    other = outcome.people[1 - seat]
    if outcome.is_voided:
        # Until the ratings are counted again there may be a change that counts no more.
        change = None
    is_to_be_rated = end.match.rated and not end.void and not outcome.is_voided and change is None
    return OwnOutcome(
        outcome=outcome,
        other=other,
        verdict=listed.verdict,
        word=str(words.VOIDED) if outcome.is_voided else listed.get_verdict_display(),
        rating=round(change.after) if change else None,
        gain=round(change.after) - round(change.before) if change else None,
        is_pending=is_to_be_rated and is_ahead,
        is_capped=is_to_be_rated and not is_ahead and other.user_id is not None,
    )
