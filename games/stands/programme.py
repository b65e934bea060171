"""What there is to watch: the matches being played, those of the strongest players first. Reads the database."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from games import words
from games.live.protocol import SeatCard
from games.lobby import selectors
from games.lobby.selectors import Outcome
from games.models import Match
from games.people import Person

MOST: Final = 24
"""Matches on the programme."""
UNRATED: Final = 1000
"""What somebody without a rating counts for."""
COMPUTER: Final = 600
"""What the computer counts for: people are rather watched."""
GREAT: Final = 60
"""Of so many matches that ended last the best one is the great one."""
BEGUN: Final = 40
"""A match of fewer events was given up before there was anything to see."""


class Channel(Struct, frozen=True):
    """A match on the programme."""

    slug: str
    url: str
    game: str
    name: str
    """Of the game, as people call it."""
    facts: str
    delay: int
    seats: tuple[SeatCard, ...]


class Programme(Struct, frozen=True):
    channels: tuple[Channel, ...]
    delayed: tuple[Match, ...]
    """Those of the matches that have a delay."""


def programme(game: str | None = None) -> Programme:
    """The matches that everybody may watch, the strongest players' first; of one game, or of all."""
    matches = [match for match in selectors.public_live() if game in (None, match.game)]
    people = selectors.people_of(matches)
    # `sorted` is stable: among equals the latest comes first.
    best = sorted(matches, key=lambda match: -strength(people[match.pk]))[:MOST]
    return Programme(
        tuple(
            Channel(
                slug=match.slug,
                url=match.get_absolute_url(),
                game=match.game,
                name=words.game_name(match.game),
                facts=" · ".join(selectors.facts_of(match)),
                delay=match.delay,
                seats=tuple(
                    SeatCard(person.name, person.rating, person.provisional, person.is_bot, person.url)
                    for person in people[match.pk]
                ),
            )
            for match in best
        ),
        tuple(match for match in best if match.delay),
    )


def strength(people: Sequence[Person]) -> int:
    """How strong those at a table are together. A rating of few matches says little: it counts for half of what it
    is away from the start."""
    return sum(_strength(person) for person in people)


def _strength(person: Person) -> int:
    if person.is_bot:
        return COMPUTER
    if person.rating is None:
        return UNRATED
    return (person.rating + UNRATED) // 2 if person.provisional else person.rating


def great_outcome(game: str | None = None) -> Outcome | None:
    """Of the matches that ended last, and count, the one of the strongest people; the longest one, among equals.

    One that ended before it had really begun is taken only where there is no other.
    """
    found = selectors.ended().filter(void=False, match__voided=None).order_by("-pk")[:GREAT]
    ends = [end for end in found if game in (None, end.match.game)]
    people = selectors.people_of([end.match for end in ends])
    best = max(ends, key=lambda end: (end.events >= BEGUN, strength(people[end.match_id]), end.events), default=None)
    return None if best is None else selectors.outcomes([best])[0]
