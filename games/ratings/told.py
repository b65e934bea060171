"""What a rated match did to the ratings of its seats, as far as somebody may know."""

from msgspec import Struct

from games.models import End, RatingChange, RatingProgress
from games.people import standings_before
from games.ratings.stake import signed
from games.standing import Standing


class Moved(Struct, frozen=True):
    """What the match did to one seat's rating."""

    rating: int
    """Now."""
    provisional: bool
    gain: str
    """With its sign: +8, ±0, −8."""


class Told(Struct, frozen=True):
    """What the match did, for one reader."""

    pending: bool
    """It is not counted yet, or the reader may not know of either seat before another match is known."""
    seats: tuple[Moved | None, Moved | None] = (None, None)
    """None: nothing has moved, or there is nothing to be told yet."""


def told(end: End, reader: int | None) -> Told:
    """What that end did to the ratings; the end itself is one that the reader may know of. Some four queries.

    Of the opponent a player is told nothing that a match tells which is withheld itself (`Match.delay`); everybody else
    is told nothing at all as long as one of the two changes would tell it (`games.people.standings_before`).

    :param reader: the id of a user; None for a visitor.
    """
    match = end.match
    if not match.rated or end.void or hasattr(match, "voided"):
        return Told(pending=False)
    # Before the changes: it moves on in the transaction that writes them.
    is_counted = RatingProgress.objects.filter(last_end__gte=end.pk).exists()
    changes = {change.seat.number: change for change in end.rating_changes.select_related("seat")}
    if not changes:
        return Told(pending=not is_counted)
    known = standings_before({change.user_id for change in changes.values()})
    later = {number: _withheld_before(change, known) for number, change in changes.items()}
    own = next((number for number, change in changes.items() if reader is not None and change.user_id == reader), None)
    if own is None:
        shown = set() if max(later.values()) > 0 else {*changes}
    else:
        shown = {number for number in changes if number == own or later[number] <= 1}
    seats = [_moved(changes[number]) if number in shown else None for number in (0, 1)]
    return Told(pending=not shown, seats=(seats[0], seats[1]))


def _withheld_before(change: RatingChange, known: dict[tuple[int | None, str], Standing]) -> int:
    """How many of that player's changes up to this one, itself included, not everybody may know of yet."""
    standing = known.get((change.user_id, change.game))
    return 0 if standing is None else max(0, change.matches - standing.matches)


def _moved(change: RatingChange) -> Moved:
    now = Standing(change.after, change.matches)
    gain = round(change.after) - round(change.before)
    return Moved(round(change.after), now.is_provisional, signed(gain))
