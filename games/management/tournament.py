"""How strong the computer is at each level: levels meet each other and a model of a person, and Elo is fitted to it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from games.bots.levels import LEVELS, Level, Spread, level_of
from games.management.arena import Pairing
from games.rules.setup import Setup
from games.standing import START

PERSON: Final = Level(
    "person",
    _("Person"),
    _("Knows the rules well, and needs 1.5 s for a card."),
    reaction=Spread(900, 0.3, 380),
    hand=Spread(600, 0.22, 280),
    refresh=Spread(600, 0.28, 260),
    attention=0.8,
    overview=0.95,
    foresight=0.5,
    misfit=0.02,
    wrong_pile=0.015,
    forgets_spaces=0.1,
    slap=Spread(1000, 0.26, 420),
    wrong_slap=0.05,
    calls=0.7,
    sway=0.045,
    tires=0.05,
)
"""Where the scale is fixed: this person stands at `START`, as everybody does who begins here."""

REACH: Final = 2
"""Each level meets those up to so many places away from it: farther apart the stronger one wins always, which says
nothing about how much stronger it is."""

_ORDER: Final = [LEVELS[0].key, LEVELS[1].key, PERSON.key, *(level.key for level in LEVELS[2:])]
"""From the weakest to the strongest, for whom to meet."""


class Meeting(Struct, frozen=True):
    """What came of the matches of two."""

    one: str
    other: str
    score: float
    """Of the first one: a win is 1, a draw a half."""
    matches: int


def known(key: str) -> Level:
    """The level of that key, the person's too.

    :raises KeyError: no such level.
    """
    return PERSON if key == PERSON.key else level_of(key)


def pairs() -> Iterator[tuple[str, str]]:
    """Who meets whom, the weaker one first."""
    for index, one in enumerate(_ORDER):
        for other in _ORDER[index + 1 : index + 1 + REACH]:
            yield one, other


def pairings(setup: Setup, matches: int, seed: int) -> list[tuple[tuple[str, str], Pairing]]:
    """The matches to be played, each with the pair that it is one of. Who sits where alternates."""
    return [
        (pair, Pairing(setup, pair if number % 2 == 0 else (pair[1], pair[0]), f"{seed}/{setup.game}/{pair}/{number}"))
        for pair in pairs()
        for number in range(matches)
    ]


def fit(meetings: Sequence[Meeting], anchor: str = PERSON.key, at: float = START) -> Mapping[str, float]:
    """The Elo ratings under which these results are the likeliest (the model of Bradley and Terry).

    To each meeting one drawn match is added, so that who won every match is not infinitely stronger. All players
    have to be connected by meetings.

    :param anchor: the player that stands at `at`.
    :returns: a rating for each player.
    """
    strength = {name: 1.0 for meeting in meetings for name in (meeting.one, meeting.other)}
    for _step in range(20_000):
        won = dict.fromkeys(strength, 0.0)
        faced = dict.fromkeys(strength, 0.0)
        for meeting in meetings:
            share = (meeting.matches + 1) / (strength[meeting.one] + strength[meeting.other])
            faced[meeting.one] += share
            faced[meeting.other] += share
            won[meeting.one] += meeting.score + 0.5
            won[meeting.other] += meeting.matches - meeting.score + 0.5
        changed = {name: won[name] / faced[name] for name in strength}
        mean = math.exp(sum(map(math.log, changed.values())) / len(changed))
        changed = {name: value / mean for name, value in changed.items()}
        is_settled = all(abs(math.log(changed[name] / strength[name])) < 1e-9 for name in strength)
        strength = changed
        if is_settled:
            break
    return {name: at + 400 * math.log10(value / strength[anchor]) for name, value in strength.items()}


def rounded(rating: float) -> int:
    """As a rating is told to people: to the next fifty, for it is no more exact than that."""
    return round(rating / 50) * 50
