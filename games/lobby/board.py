"""What is to be seen in the lobby at one moment. Reads only."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import DurationField, ExpressionWrapper, F, Q
from django.db.models.functions import Now
from django.template.loader import render_to_string
from msgspec import Struct

from games import words
from games.lobby import pairing
from games.lobby.frames import SeekCard
from games.lobby.queue import LIVES
from games.lobby.seeks import SENT
from games.lobby.services import delay_of, is_guest
from games.models import Seek
from games.people import Person
from games.rules.registry import BOOKS

SHOWN: Final = 50
"""So many open challenges are shown, the longest waiting first."""
NOTHING: Final[Mapping[int, str]] = {}


class Row(Struct, frozen=True):
    """An open challenge, or one to a person, for a template."""

    id: int
    person: Person
    """Who offers it."""
    game: str
    game_name: str
    particulars: tuple[str, ...]
    """What is not as it usually is, in a word or two each."""
    rated: bool
    stake: str = ""
    """What accepting it would do to the rating of whoever the row is shown to, in words; empty: nothing, or it is shown
    to everybody."""


class Board(Struct, frozen=True):
    """The lobby at one moment: all that is needed to say to each page what concerns it."""

    seeks: tuple[Seek, ...]
    by_user: dict[int, Seek]
    """What each person looks for."""
    by_challenged: dict[int, list[Seek]]
    """The challenges to each person."""

    @property
    def offered(self) -> list[Seek]:
        """The challenges that anybody may accept, as many as are shown."""
        return [seek for seek in self.seeks if seek.kind == Seek.Kind.OPEN and is_waiting(seek)][:SHOWN]

    @property
    def open(self) -> list[Row]:
        """Those, for everybody."""
        return self.rows(self.offered)

    def rows(self, seeks: Sequence[Seek], stakes: Mapping[int, str] = NOTHING) -> list[Row]:
        """These challenges for a template.

        :param stakes: of whoever the rows are for, in words by the ids of the challenges.
        """
        return [
            Row(
                id=seek.pk,
                person=person(seek),
                game=seek.game,
                game_name=words.game_name(seek.game),
                particulars=particulars(seek),
                rated=seek.rated,
                stake=stakes.get(seek.pk, ""),
            )
            for seek in seeks
        ]

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for quick pairing: by game and by pool, "speed" and "speed.rated" or "speed.fun"."""
        counts: Counter[str] = Counter()
        for seek in self.seeks:
            if seek.kind == Seek.Kind.QUICK and is_waiting(seek):
                counts[seek.game] += 1
                counts[f"{seek.game}.{'rated' if seek.rated else 'fun'}"] += 1
        return dict(counts)


def look() -> Board:
    """The lobby as the database has it."""
    waited = ExpressionWrapper(Now() - F("began_at"), DurationField())
    seeks = Seek.objects.filter(
        Q(match=None, seen_at__gt=Now() - LIVES) | Q(match__isnull=False, paired_at__gt=Now() - SENT)
    )
    related = seeks.select_related("user", "to", "partner__user", "match")
    found = tuple(related.order_by("began_at", "pk").annotate(waited=waited))
    challenges: dict[int, list[Seek]] = {}
    for seek in found:
        if seek.to_id is not None and is_waiting(seek):
            challenges.setdefault(seek.to_id, []).append(seek)
    return Board(found, {seek.user_id: seek for seek in found}, challenges)


def is_waiting(seek: Seek) -> bool:
    return seek.partner_id is None and seek.match_id is None


def person(seek: Seek) -> Person:
    """Who looks, and how they stand as far as everybody may know."""
    user: Any = seek.user
    rating = None if seek.rating is None else round(seek.rating)
    return Person(str(user), user.pk, user.get_username(), rating=rating, provisional=seek.is_provisional)


def particulars(seek: Seek) -> tuple[str, ...]:
    """What is not as it usually is, in a word or two each."""
    unusual = words.particulars(seek.setup.options, BOOKS[seek.game].defaults, seek.pace)
    return (*unusual, *([words.watched_later(seek.delay)] if seek.delay > delay_of(0) else []))


def rows_html(rows: Sequence[Row]) -> str:
    return _html("games/lobby_rows.html", rows)


def challenges_html(rows: Sequence[Row]) -> str:
    return _html("games/challenges.html", rows)


def _html(template: str, rows: Sequence[Row]) -> str:
    # A string that is no more than that: JSON knows no others.
    return render_to_string(template, {"rows": rows}).strip() + ""


def card_of(seek: Seek, page: str) -> SeekCard:
    """What a page is told of what its person looks for."""
    other: Any = seek.partner.user if seek.partner is not None else seek.to
    return SeekCard(
        id=seek.pk,
        kind=seek.kind,
        game=seek.game,
        rated=seek.rated,
        facts=" · ".join((words.game_name(seek.game), str(words.RATED[seek.rated]), *particulars(seek))),
        here=seek.page == page,
        other="" if other is None else str(other),
        paired=seek.partner is not None,
        waited=round(seek.waited.total_seconds() * 1000),  # type: ignore[attr-defined]  # see `look`
        reach=_reach(seek) if seek.kind == Seek.Kind.QUICK else None,
    )


def _reach(seek: Seek) -> tuple[float, float, float, float] | None:
    if seek.rating is None or is_guest(seek.user):
        return None
    first = pairing.PROVISIONAL_RANGE if seek.is_provisional else pairing.RANGE
    return (round(seek.rating), first, pairing.WIDENS, pairing.PATIENCE)
