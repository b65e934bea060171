"""What a rated match would bring and cost, told before it is played (R1, R3)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from msgspec import Struct

from games.clock import wall
from games.models import Rating
from games.people import standings_before
from games.ratings.elo import DRAW, LOSS, WIN, after_match
from games.ratings.guards import HOUR, Meeting, may_rate, pair_of
from games.ratings.meetings import meetings_of
from games.standing import Standing


class Stake(Struct, frozen=True):
    """The points that one of two players would win or lose."""

    win: int
    draw: int
    loss: int
    is_capped: bool = False
    """Some of it is 0 because the two have played often within the hour (R3)."""

    @property
    def text(self) -> str:
        """In a sentence, for a place where there is no room for more than one."""
        return _("Your rating: {win} if you win, {loss} if you lose").format(
            win=signed(self.win), loss=signed(self.loss)
        )

    @property
    def all_text(self) -> str:
        """All three, in a line of a list."""
        text = _("{win} if you win, {draw} for a draw, {loss} if you lose").format(
            win=signed(self.win), draw=signed(self.draw), loss=signed(self.loss)
        )
        return f"{text} · {_('you two have played many within the hour')}" if self.is_capped else text

    @property
    def win_text(self) -> str:
        return signed(self.win)

    @property
    def draw_text(self) -> str:
        return signed(self.draw)

    @property
    def loss_text(self) -> str:
        return signed(self.loss)


def signed(points: int) -> str:
    """Points with their sign, as the site writes them: +8, ±0, −8."""
    return f"{points:+}".replace("-", "−") if points else "±0"


def stake(own: Standing, other: Standing) -> Stake:
    """What a match between these standings would bring the first one."""
    win, draw, loss = (_points(own, other, score) for score in (WIN, DRAW, LOSS))
    return Stake(win, draw, loss)


def stake_between(user: Any, other: Any, game: str) -> Stake:
    """What a rated match that ended now would bring `user` against `other`, with the guards (R3). Three queries."""
    return stakes_of(user, [(other.pk, game)])[other.pk, game]


def stakes_of(user: Any, matches: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Stake]:
    """The same for many opponents and games at once, pairs of a user's id and a game: for lists of open challenges."""
    found = stakes({(user.pk, other, game) for other, game in matches})
    return {(other, game): points for (_user, other, game), points in found.items()}


def stakes(wanted: Collection[tuple[int, int, str]]) -> dict[tuple[int, int, str], Stake]:
    """The same for many people at once, triples of the ids of whoever asks and of the other one, and a game.

    The own rating is the one that its owner knows; the other's is what everybody may know (`Match.delay`): nobody is to
    work out from it how a match ended that is still being shown.
    """
    if not wanted:
        return {}
    people = {person for own, other, _game in wanted for person in (own, other)}
    games = {game for _own, _other, game in wanted}
    ratings = Rating.objects.filter(user__in=people, game__in=games).values_list(
        "user", "game", "value", "matches", "peak"
    )
    standings = {(user, game): Standing(value, matches, peak) for user, game, value, matches, peak in ratings}
    others = {other for _own, other, _game in wanted}
    public = standings | standings_before(others)
    now = wall()
    # Among those who ask and those who offer: many ask, few offer.
    meetings = meetings_of({pair_of(*each) for each in wanted}, now, now, some=others, span=HOUR)
    found: dict[tuple[int, int, str], Stake] = {}
    for own, other, game in wanted:
        mine = standings.get((own, game), Standing())
        theirs = public.get((other, game), Standing())
        earlier = meetings[pair_of(own, other, game)]
        points = stake(mine, theirs)
        found[own, other, game] = _capped(points, mine, theirs, earlier, now, own < other) if earlier else points
    return found


def _capped(
    points: Stake, mine: Standing, theirs: Standing, earlier: Sequence[Meeting], now: datetime, is_low: bool
) -> Stake:
    """What of it the guards would let through.

    :param is_low: the first one has the lower id of the two.
    """

    def is_rated(score: float) -> bool:
        own = after_match(mine, theirs.value, score).value - mine.value
        gains = (own, after_match(theirs, mine.value, 1 - score).value - theirs.value)
        return may_rate(earlier, now, gains if is_low else (gains[1], gains[0]))

    rated = [is_rated(score) for score in (WIN, DRAW, LOSS)]
    if all(rated):
        return points
    win, draw, loss = (
        value if is_so else 0 for value, is_so in zip((points.win, points.draw, points.loss), rated, strict=True)
    )
    return Stake(win, draw, loss, is_capped=True)


def _points(own: Standing, other: Standing, score: float) -> int:
    """As the site shows it afterwards: the difference of two rounded ratings."""
    return round(after_match(own, other.value, score).value) - round(own.value)
