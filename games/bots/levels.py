"""The levels of the computer as an opponent, from a slow beginner to faster than nearly any human.

A level is data: how fast it sees, how much of the table it takes in at a
glance, how sure its hand is. `games.bots.player` turns that into play. What
each level wins against its neighbours is measured in docs/bots.md.
"""

import math
import random
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_stubs_ext import StrPromise
from msgspec import Struct


class Spread(Struct, frozen=True):
    """How long something takes, in milliseconds: a log-normal time, as human reaction times are.

    Half of the times are below `median`; two thirds lie within a factor of
    e^`sigma` of it; none is below `least`.
    """

    median: int
    sigma: float
    least: int

    def draw(self, chance: random.Random, tempo: float = 1.0) -> int:
        """A time; `tempo` above one is slower."""
        return max(self.least, round(self.median * tempo * math.exp(self.sigma * chance.gauss(0.0, 1.0))))


class Level(Struct, frozen=True):
    """How well the computer plays. Chances are from 0 to 1."""

    key: str
    """Stored with each seat: never rename or remove one."""
    name: StrPromise
    description: StrPromise
    reaction: Spread
    """From a change on the table to having seen what it means."""
    hand: Spread
    """Moving one card."""
    refresh: Spread
    """From a glance that found nothing to the next."""
    attention: float
    """The chance that one glance takes in a given card of its own."""
    overview: float
    """The chance that one glance takes in a given centre pile."""
    foresight: float
    """The chance that it takes the best of the plays it sees, and not just any."""
    misfit: float
    """The chance, at a glance, that it tries a play that does not fit."""
    wrong_pile: float
    """The chance that a card meant for one pile goes to the other."""
    forgets_spaces: float
    """The chance that a glance does not think of the empty places."""
    slap: Spread
    """From the opening of the slap window to the slap."""
    wrong_slap: float
    """The chance that it slaps, or chooses, the bigger pile."""
    calls: float
    """The chance that it calls spit when stuck, instead of waiting for the turn."""
    sway: float
    """How much its tempo drifts from action to action (a standard deviation of the logarithm)."""
    tires: float
    """How much slower it has become after ten minutes: 0.1 is a tenth."""


LEVELS: Final = (
    Level(
        "deuce",
        pgettext_lazy("computer player", "Deuce"),
        _("Has just learnt the rules: takes its time and overlooks a lot."),
        reaction=Spread(1020, 0.35, 420),
        hand=Spread(720, 0.25, 320),
        refresh=Spread(780, 0.3, 350),
        attention=0.45,
        overview=0.75,
        foresight=0.1,
        misfit=0.05,
        wrong_pile=0.04,
        forgets_spaces=0.6,
        slap=Spread(1600, 0.3, 600),
        wrong_slap=0.2,
        calls=0.45,
        sway=0.06,
        tires=0.1,
    ),
    Level(
        "five",
        pgettext_lazy("computer player", "Five"),
        _("Plays now and then, at an easy pace, and forgets its empty places."),
        reaction=Spread(820, 0.32, 340),
        hand=Spread(570, 0.24, 270),
        refresh=Spread(660, 0.3, 300),
        attention=0.55,
        overview=0.82,
        foresight=0.25,
        misfit=0.035,
        wrong_pile=0.03,
        forgets_spaces=0.4,
        slap=Spread(1200, 0.28, 480),
        wrong_slap=0.14,
        calls=0.55,
        sway=0.05,
        tires=0.08,
    ),
    Level(
        "eight",
        pgettext_lazy("computer player", "Eight"),
        _("A steady player for the family table."),
        reaction=Spread(680, 0.3, 280),
        hand=Spread(470, 0.22, 220),
        refresh=Spread(560, 0.28, 240),
        attention=0.65,
        overview=0.88,
        foresight=0.4,
        misfit=0.025,
        wrong_pile=0.02,
        forgets_spaces=0.25,
        slap=Spread(920, 0.26, 400),
        wrong_slap=0.1,
        calls=0.65,
        sway=0.045,
        tires=0.06,
    ),
    Level(
        "jack",
        pgettext_lazy("computer player", "Jack"),
        _("Quick, and rarely misses a card: a good club player."),
        reaction=Spread(510, 0.27, 230),
        hand=Spread(360, 0.2, 180),
        refresh=Spread(420, 0.26, 190),
        attention=0.75,
        overview=0.92,
        foresight=0.55,
        misfit=0.015,
        wrong_pile=0.014,
        forgets_spaces=0.15,
        slap=Spread(720, 0.24, 330),
        wrong_slap=0.07,
        calls=0.75,
        sway=0.04,
        tires=0.05,
    ),
    Level(
        "queen",
        pgettext_lazy("computer player", "Queen"),
        _("Fast and sure, with an eye on the next card."),
        reaction=Spread(390, 0.24, 200),
        hand=Spread(275, 0.18, 150),
        refresh=Spread(310, 0.24, 150),
        attention=0.84,
        overview=0.95,
        foresight=0.7,
        misfit=0.01,
        wrong_pile=0.008,
        forgets_spaces=0.08,
        slap=Spread(570, 0.22, 280),
        wrong_slap=0.04,
        calls=0.85,
        sway=0.035,
        tires=0.04,
    ),
    Level(
        "king",
        pgettext_lazy("computer player", "King"),
        _("Very fast: you need a good day to win."),
        reaction=Spread(300, 0.2, 170),
        hand=Spread(210, 0.16, 125),
        refresh=Spread(230, 0.2, 120),
        attention=0.91,
        overview=0.97,
        foresight=0.82,
        misfit=0.006,
        wrong_pile=0.005,
        forgets_spaces=0.04,
        slap=Spread(460, 0.2, 240),
        wrong_slap=0.02,
        calls=0.9,
        sway=0.03,
        tires=0.03,
    ),
    Level(
        "ace",
        pgettext_lazy("computer player", "Ace"),
        _("As fast as the best human hands."),
        reaction=Spread(235, 0.17, 150),
        hand=Spread(160, 0.14, 105),
        refresh=Spread(170, 0.18, 100),
        attention=0.96,
        overview=0.99,
        foresight=0.92,
        misfit=0.003,
        wrong_pile=0.003,
        forgets_spaces=0.02,
        slap=Spread(375, 0.18, 210),
        wrong_slap=0.01,
        calls=0.95,
        sway=0.025,
        tires=0.02,
    ),
    Level(
        "joker",
        pgettext_lazy("computer player", "Joker"),
        _("Not quite fair: faster than nearly anybody alive."),
        reaction=Spread(175, 0.14, 120),
        hand=Spread(115, 0.12, 80),
        refresh=Spread(120, 0.15, 80),
        attention=0.99,
        overview=1.0,
        foresight=1.0,
        misfit=0.001,
        wrong_pile=0.001,
        forgets_spaces=0.0,
        slap=Spread(300, 0.15, 180),
        wrong_slap=0.0,
        calls=1.0,
        sway=0.02,
        tires=0.0,
    ),
)
"""From the slowest to the fastest."""

DEFAULT: Final = "five"
"""The level that the site proposes to somebody new."""

_BY_KEY: Final = {level.key: level for level in LEVELS}


def level_of(key: str) -> Level:
    """The level of that key.

    :raises KeyError: no such level.
    """
    return _BY_KEY[key]
