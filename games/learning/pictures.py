"""The pictures of the rule pages: positions, drawn in the browser by the renderer of the live table.

You are seat 0 and sit below. A card is written as everywhere (docs/replay-format.md); `-` is a back.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_stubs_ext import StrOrPromise
from msgspec import Struct

Places = Mapping[str, str]
"""The cards of each place from the bottom to the top, parted by spaces."""


class Clock(Struct, frozen=True):
    """The clock ring between the piles, as it stands at that moment."""

    label: StrOrPromise
    tone: Literal["go", "wait", "danger"]
    of: int
    """Milliseconds, all in all."""
    left: int
    title: StrOrPromise = ""


class Picture(Struct, frozen=True):
    """A position, and what is to be seen in it."""

    caption: StrOrPromise
    """Said below the picture, and instead of it where there is no script."""
    places: Places
    show: Literal["table", "play", "centre", "row"] = "play"
    """All of the table, the centre with the own row, or one of these."""
    fits: tuple[str, ...] = ()
    """Places whose top cards are marked."""
    glow: tuple[str, ...] = ()
    """Places that wait to be pressed."""
    clock: Clock | None = None

    def data(self) -> dict[str, Any]:
        """As the page's script reads it."""
        clock = self.clock
        return {
            "places": {name: cards.split() for name, cards in self.places.items()},
            "show": self.show,
            "fits": self.fits,
            "glow": self.glow,
            "clock": clock
            and {
                "label": str(clock.label),
                "title": str(clock.title),
                "tone": clock.tone,
                "of": clock.of,
                "left": clock.left,
            },
        }


def _row(role: str, *piles: str, seat: int = 0) -> dict[str, str]:
    return {f"{seat}.{role}.{number}": cards for number, cards in enumerate(piles, 1)}


def _backs(count: int) -> str:
    return " ".join(["-"] * count)


def _centre(own: str, other: str) -> dict[str, str]:
    return {"centre.0": own, "centre.1": other}


RACE: Final = _("The 9 fits on the 8. The queen and the ace both fit on the king: after the king comes the ace again.")
STUCK: Final = Clock(pgettext_lazy("clock", "stuck"), "wait", 1_500, 1_100)

SPIT: Final = {
    "table": Picture(
        _("The table before the first card: your stockpiles below, your friend’s above, spit cards at the sides."),
        {
            **_row("stockpile", "9c", "- Qd", "- - 4s", "- - - Jh", "- - - - 2c"),
            **_row("stockpile", "Kh", "- 7s", "- - 7d", "- - - 3c", "- - - - Tc", seat=1),
            "0.spit": _backs(10),
            "1.spit": _backs(10),
            **_centre("8h", "5s"),
        },
        "table",
    ),
    "race": Picture(
        RACE,
        {**_row("stockpile", "9c", "- Qd", "- - 4s", "- - - Ah", "- - - - 6c"), **_centre("- 8h", "- - Ks")},
        fits=("0.stockpile.1", "0.stockpile.2", "0.stockpile.4"),
    ),
    "space": Picture(
        _("The first place is empty. The jack moves there, and the card below it turns up."),
        _row("stockpile", "", "Qd", "- - 4s", "- - - Jh", "- - 2c"),
        "row",
        fits=("0.stockpile.1", "0.stockpile.4"),
    ),
    "stuck": Picture(
        _("Neither can play. When the clock has run out, each turns a spit card."),
        _centre("- - - 8h", "- - - - Ks"),
        "centre",
        clock=STUCK,
    ),
    "slap": Picture(
        _("Six cards on the left, seventeen on the right: slap the left pile."),
        {"centre.1": f"{_backs(5)} 6s", "centre.0": f"{_backs(16)} 5d"},
        "centre",
        glow=("centre.0", "centre.1"),
        clock=Clock("", "danger", 5_000, 4_200, title=_("Slap!")),
    ),
    "last": Picture(
        _("You have no spit cards, so there is one pile only. Two cards more, and you have won."),
        {**_row("stockpile", "", "Td", "", "3s", ""), "centre.1": "- - - 9h"},
        fits=("0.stockpile.2",),
    ),
}

ROWS: Final = {
    "race": Picture(
        RACE,
        {**_row("row", "9c", "Qd", "4s", "Ah"), **_centre("- 8h", "- - Ks")},
        fits=("0.row.1", "0.row.2", "0.row.4"),
    ),
    "stuck": Picture(
        _("Neither can play. When the clock has run out, each turns the top card of the deck."),
        {**_centre("- - - 8h", "- - - - Ks")},
        "centre",
        clock=STUCK,
    ),
    "last": Picture(
        _("Your deck is used up. Three cards more, and you have won."),
        {**_row("row", "7d", "", "Js", "Th"), **_centre("- - - - 8h", "- - - - Qc")},
        fits=("0.row.1", "0.row.3"),
    ),
}

TWO_DECK: Final = {
    "table": Picture(
        _("The table before the first card: four open cards each, and the decks at the sides."),
        {
            **_row("row", "9c", "Qd", "4s", "Ah"),
            **_row("row", "Kh", "7s", "7d", "3c", seat=1),
            "0.deck": _backs(47),
            "1.deck": _backs(47),
            **_centre("8h", "5s"),
        },
        "table",
    ),
    **ROWS,
}

SPEED: Final = {
    "table": Picture(
        _("The table before the first card: you see your own hand only. A side pile lies at either end of the centre."),
        {
            **_row("hand", "9c", "Qd", "4s", "Ah", "6c"),
            **_row("hand", "-", "-", "-", "-", "-", seat=1),
            "0.stock": _backs(10),
            "1.stock": _backs(10),
            "side.0": _backs(10),
            "side.1": _backs(10),
            **_centre("8h", "Ks"),
        },
        "table",
    ),
    "race": Picture(
        RACE,
        {**_row("hand", "9c", "Qd", "4s", "Ah", "6c"), **_centre("- 8h", "- - Ks")},
        fits=("0.hand.1", "0.hand.2", "0.hand.4"),
    ),
    "stuck": Picture(
        _("Neither can play. When the clock has run out, a card of each side pile goes on the pile beside it."),
        {**_centre("- - - 8h", "- - - - Ks"), "side.0": _backs(7), "side.1": _backs(7)},
        "centre",
        clock=STUCK,
    ),
    "last": Picture(
        _("Your stock is used up. Three cards more, and you have won."),
        {**_row("hand", "7d", "", "Js", "", "Th"), **_centre("- - - - 8h", "- - - - Qc")},
        fits=("0.hand.1", "0.hand.3"),
    ),
}

JAPANESE_SPEED: Final = {
    "table": Picture(
        _("The table before the first card: all red cards are yours, all black ones your friend’s."),
        {
            **_row("row", "9d", "Qd", "4h", "Ah"),
            **_row("row", "Kc", "7s", "7c", "3c", seat=1),
            "0.deck": _backs(21),
            "1.deck": _backs(21),
            **_centre("8h", "5s"),
        },
        "table",
    ),
    "race": Picture(
        RACE,
        {**_row("row", "9d", "Qd", "4h", "Ah"), **_centre("- 8h", "- - Ks")},
        fits=("0.row.1", "0.row.2", "0.row.4"),
    ),
    "stuck": ROWS["stuck"],
    "last": Picture(
        _("Your deck is used up. Three cards more, and you have won."),
        {**_row("row", "7d", "", "Jh", "Th"), **_centre("- - - - 8h", "- - - - Qc")},
        fits=("0.row.1", "0.row.3"),
    ),
}

PICTURES: Final[Mapping[str, Mapping[str, Picture]]] = {
    "spit": SPIT,
    "two_deck": TWO_DECK,
    "speed": SPEED,
    "japanese_speed": JAPANESE_SPEED,
}
"""By game: its pictures by name."""
