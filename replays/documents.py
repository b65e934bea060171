"""The replay document of a match, for pages, exports and other programs (docs/replay-format.md)."""

import hashlib
import zlib
from collections.abc import Sequence

import msgspec

from games.models import Match, RatingChange, Seat
from games.people import name_of, standings_before
from games.rules.registry import book_of
from games.rules.setup import PACES
from replays.build import NotOver, build, end_of
from replays.format import VERSION, DocumentMatch, DocumentSeat, join
from replays.models import Replay
from replays.packing import PACKING

__all__ = ["NotOver", "document", "etag", "replay_of"]


def replay_of(match: Match) -> Replay:
    """The replay of a finished match; built on the spot when no worker has got to it yet.

    :raises NotOver: the match is not over.
    """
    replay = Replay.objects.filter(match=match).first()
    if replay is None or (replay.version, replay.packing) != (VERSION, PACKING):
        replay = build(match)
    return replay


def document(match: Match) -> bytes:
    """The document of a finished match as JSON in UTF-8.

    :raises NotOver: the match is not over; nothing of it may be shown.
    """
    return join(describe(match), zlib.decompress(replay_of(match).course))


def packed(match: Match) -> bytes:
    """The course of a finished match as its page is sent it (`replays.packing`), compressed with gzip.

    :raises NotOver: the match is not over; nothing of it may be shown.
    """
    return bytes(replay_of(match).packed)


def packed_tag(match: Match) -> str:
    """A word that changes when what `packed` gives does.

    :raises NotOver: the match is not over.
    """
    end_of(match)
    replay = Replay.objects.filter(match=match, version=VERSION, packing=PACKING).only("digest").first()
    return f"{PACKING}-{(replay or replay_of(match)).digest[:20]}"


def etag(match: Match) -> str:
    """A quoted entity tag, which changes exactly when the document does.

    :raises NotOver: the match is not over.
    """
    head = msgspec.json.encode(describe(match))
    return '"' + hashlib.sha256(head + replay_of(match).digest.encode()).hexdigest()[:32] + '"'


def describe(match: Match) -> DocumentMatch:
    """The part of the document that names people, as the site shows them now (a deleted player has no name).

    :raises NotOver: the match is not over.
    """
    end = end_of(match)
    seats = list(match.seats.select_related("user", "rating_change").order_by("number"))
    changes: list[RatingChange | None] = [getattr(seat, "rating_change", None) for seat in seats]
    if not end.is_withheld and _would_tell([change for change in changes if change is not None]):
        changes = [None, None]
    setup = match.setup
    options = {name: getattr(setup.options, name) for name in sorted(book_of(setup.game).options)}
    return DocumentMatch(
        slug=match.slug,
        game=match.game,
        options=options,
        pace=PACES[match.pace],
        rated=match.rated,
        started_at=(match.started_at or match.created_at).isoformat(timespec="milliseconds"),
        ended_at=end.ended_at.isoformat(timespec="milliseconds"),
        seats=(_describe_seat(seats[0], changes[0]), _describe_seat(seats[1], changes[1])),
    )


def _would_tell(changes: Sequence[RatingChange]) -> bool:
    """Whether one of them comes after that of a match of which only the players may know yet: they wait with it."""
    known = standings_before({change.user_id for change in changes}) if changes else {}
    standings = [(change, known.get((change.user_id, change.game))) for change in changes]
    return any(standing is not None and change.matches > standing.matches for change, standing in standings)


def _describe_seat(seat: Seat, change: RatingChange | None) -> DocumentSeat:
    return DocumentSeat(
        name=name_of(seat),
        bot=bool(seat.bot),
        rating=round(change.before) if change else None,
        rating_after=round(change.after) if change else None,
        provisional=change.was_provisional if change else False,
    )
