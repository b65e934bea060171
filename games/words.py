"""What games, options and outcomes are called, for people."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from django.utils.translation import gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from games.models import Match
from games.rules.setup import Handling, Options
from games.rules.state import Cause

GAMES: Final[Mapping[str, StrOrPromise]] = {
    "spit": pgettext_lazy("game", "Spit"),
    "two_deck": pgettext_lazy("game", "Two-deck Spit"),
    "speed": pgettext_lazy("game", "Speed"),
    "japanese_speed": pgettext_lazy("game", "Japanese Speed"),
}

SENTENCES: Final[Mapping[str, StrOrPromise]] = {
    "spit": _("Five stockpiles each, and a slap for the smaller pile."),
    "two_deck": _("A full pack each, four open cards: a long race."),
    "speed": _("Five hidden cards in hand: over in a minute."),
    "japanese_speed": _("Red against black, four open cards each."),
}
"""Each game in a sentence, for somebody who has to choose one."""

CAUSES: Final[Mapping[Cause, StrOrPromise]] = {
    Cause.OUT_OF_CARDS: _("out of cards"),
    Cause.FEWER_CARDS: _("fewer cards"),
    Cause.RESIGNED: _("resigned"),
    Cause.INACTIVE: _("did nothing"),
    Cause.LEFT: _("left"),
    Cause.CAP: _("time limit"),
    Cause.ABANDONED: _("nobody played on"),
    Cause.ABORTED: _("aborted"),
    Cause.BROKEN_OFF: _("broken off by the site"),
}
"""How a match ended (M2)."""

PACES: Final[Mapping[str, StrOrPromise]] = {
    "normal": pgettext_lazy("speed class", "Normal"),
    "relaxed": pgettext_lazy("speed class", "Relaxed"),
    "paced": pgettext_lazy("speed class", "Paced"),
}

VOIDED: Final = _("voided")
"""What a finished match is that moderators have taken out of the count."""

RATED: Final[Mapping[bool, StrOrPromise]] = {
    True: pgettext_lazy("rated", "rated"),
    False: pgettext_lazy("rated", "just for fun"),
}

OPTIONS: Final[Mapping[str, tuple[StrOrPromise, StrOrPromise]]] = {
    "stockpiles": (_("Stockpiles"), _("Four make shorter rounds, with more cards to spit.")),
    "slap": (
        _("End of a round"),
        _("Slap for the smaller pile, or let whoever went out choose."),
    ),
    "alternate": (_("Colours"), _("Alternating: red goes on black only, and black on red.")),
    "handling": (
        _("Turning cards up"),
        _("By hand, as at a real table, you turn cards up and fill gaps yourself."),
    ),
    "side": (_("Side piles"), _("With five in each side pile, you begin with twenty cards instead of fifteen.")),
    "best_of": (_("Length"), _("How many games make a match.")),
    "target": (
        _("Points"),
        _("So many games, or a race to points: the winner of a game scores the cards that the other still holds."),
    ),
}
"""The name of each field of `games.rules.setup.Options`, and a sentence about it."""

VALUES: Final[Mapping[tuple[str, object], StrOrPromise]] = {
    ("stockpiles", 5): pgettext_lazy("stockpiles", "Five"),
    ("stockpiles", 4): pgettext_lazy("stockpiles", "Four"),
    ("slap", True): pgettext_lazy("end of a round", "Slap"),
    ("slap", False): pgettext_lazy("end of a round", "Choose"),
    ("alternate", False): pgettext_lazy("colours", "Any"),
    ("alternate", True): pgettext_lazy("colours", "Alternating"),
    ("handling", Handling.AUTOMATIC): pgettext_lazy("handling", "Automatic"),
    ("handling", Handling.BY_HAND): pgettext_lazy("handling", "By hand"),
    ("best_of", 1): _("One game"),
    ("best_of", 3): _("Best of 3"),
    ("best_of", 5): _("Best of 5"),
    ("target", 0): pgettext_lazy("points", "None"),
    ("target", 10): _("To 10 points"),
    ("target", 25): _("To 25 points"),
    ("target", 50): _("To 50 points"),
    ("side", 10): pgettext_lazy("side piles", "Ten cards"),
    ("side", 5): pgettext_lazy("side piles", "Five cards"),
}


def value_name(option: str, value: object) -> StrOrPromise:
    """What a value of an option is called in a list to choose from."""
    return VALUES.get((option, value), str(value))


_SHORT: Final[Mapping[str, Callable[[Options], StrOrPromise]]] = {
    "stockpiles": lambda options: _("four stockpiles"),
    "slap": lambda options: _("no slap"),
    "alternate": lambda options: _("alternating colours"),
    "handling": lambda options: _("by hand"),
    "side": lambda options: _("small side piles"),
    "best_of": lambda options: _("one game") if options.best_of == 1 else _("best of %d") % options.best_of,
    "target": lambda options: ngettext("to %d point", "to %d points", options.target) % options.target,
}


def delay(seconds: int) -> str:
    """How much later watchers see a match."""
    return (
        ngettext("%d second later", "%d seconds later", seconds) % seconds if seconds else pgettext("delay", "At once")
    )


def watched_later(seconds: int) -> str:
    """In a word or two: what is particular about a match with that delay."""
    return ngettext("watched %d second later", "watched %d seconds later", seconds) % seconds


def game_name(game: str) -> str:
    return str(GAMES.get(game, game))


def particulars(options: Options, defaults: Options, pace: str) -> Iterator[str]:
    """In a word or two each: what is not as it usually is."""
    for name, short in _SHORT.items():
        # A race to points (M1) is one "game" of a best-of, which nobody wants to know.
        if getattr(options, name) != getattr(defaults, name) and not (name == "best_of" and options.target):
            yield str(short(options))
    if pace != "normal":
        yield str(PACES.get(pace, pace)).lower()


def facts(match: Match, options: Options, defaults: Options) -> list[str]:
    """A match in a line: "Spit", "rated", "no slap"; the game comes first, what is usual is not said."""
    rated = [str(_("rated"))] if match.rated else []
    return [game_name(match.game), *rated, *particulars(options, defaults, match.pace)]


def clock(milliseconds: int) -> str:
    """A length of time in minutes and seconds, "4:07"."""
    seconds = milliseconds // 1000
    return f"{seconds // 60}:{seconds % 60:02}"


def short_span(milliseconds: int) -> str:
    """A short length of time: "640 ms", "3.2 s"; from ten seconds on without tenths. As `shortSpan` of the replay."""
    if milliseconds < 1000:
        return gettext("%(ms)s ms") % {"ms": milliseconds}
    return gettext("%(seconds)s s") % {"seconds": f"{milliseconds / 1000:.{1 if milliseconds < 10_000 else 0}f}"}
