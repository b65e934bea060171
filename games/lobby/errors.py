"""Why a wish for a match is not granted."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy
from django_stubs_ext import StrPromise

if TYPE_CHECKING:
    from games.models import Match


class Code(StrEnum):
    """Why a wish for a match was not granted."""

    TAKEN = "taken"
    """Somebody else sat down first."""
    TOO_MANY = "too_many"
    """The person has `MOST_AT_ONCE` matches already."""
    TOO_OFTEN = "too_often"
    """The person, or the address they come from, has made very many matches or guests of late."""
    NO_ACCOUNT = "no_account"
    """A rated match is for people with an account (R2)."""
    NO_ACCOUNT_THERE = "no_account_there"
    """... and the person who is challenged has none."""
    NOT_OVER = "not_over"
    """No rematch of a match that still goes on."""
    GONE = "gone"
    """No rematch with somebody who is not there any more."""
    WITHDRAWN = "withdrawn"
    """The invitation was taken back, or had waited for too long."""
    OVER = "over"
    """The challenge is not open any more."""
    OWN = "own"
    """Nobody plays himself (B38)."""
    APART = "apart"
    """One of the two does not want to meet the other."""
    UNWANTED = "unwanted"
    """Whoever is challenged wants no challenges from that person."""
    SEATED = "seated"
    """The person plays a rated match, and has one seat at a time."""
    THEY_PLAY = "they_play"
    """The other one does."""
    BANNED = "banned"
    """Whoever looks after the site has decided that the person does not play for a while."""
    BAD_FORM = "bad_form"
    """What was asked for cannot be played, or was not understood."""


TEXTS: Final[dict[Code, StrPromise]] = {
    Code.TAKEN: gettext_lazy("Somebody else sat down first. You can watch."),
    Code.TOO_MANY: gettext_lazy("You have many matches waiting or going on. Finish one of them first."),
    Code.TOO_OFTEN: gettext_lazy("Very many matches were begun from where you are. Wait a while, then try again."),
    Code.NO_ACCOUNT: gettext_lazy("Rated matches are for people with an account."),
    Code.NO_ACCOUNT_THERE: gettext_lazy("Guests have no rating: challenge them just for fun."),
    Code.NOT_OVER: gettext_lazy("The match still goes on."),
    Code.GONE: gettext_lazy("Your opponent is not there any more."),
    Code.WITHDRAWN: gettext_lazy("The invitation is not open any more."),
    Code.OVER: gettext_lazy("That challenge is not open any more."),
    Code.OWN: gettext_lazy("That is you. Nobody plays against himself."),
    Code.APART: gettext_lazy("You two cannot play each other."),
    Code.UNWANTED: gettext_lazy("They take no challenges, or only from people whom they follow."),
    Code.SEATED: gettext_lazy("You are playing a rated match. Finish it first: one rated match at a time."),
    Code.THEY_PLAY: gettext_lazy("They are playing a rated match at this moment. Try again later."),
    Code.BANNED: gettext_lazy(
        "You are banned and cannot play at the moment. A page of your own says what was decided, and why."
    ),
    Code.BAD_FORM: gettext_lazy("That cannot be played. Choose again."),
}
"""What people are told."""


class LobbyError(Exception):
    """A wish for a match was not granted. Says why by `code`."""

    def __init__(self, code: Code, match: "Match | None" = None) -> None:
        super().__init__(code)
        self.code = code
        self.match = match
        """The match that is in the way, of `SEATED` and `THEY_PLAY`."""
