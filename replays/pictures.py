"""Pictures of a moment, for previews in messengers: PNG, 1200 by 630, kept in a cache of their own for a day."""

import hashlib
from io import BytesIO
from typing import Final

from django.core.cache import caches

from games.models import Match
from games.people import name_of
from replays.build import end_of
from replays.drawing import draw
from replays.moments import Course

KEPT: Final = 24 * 3600
COLOURS: Final = 96
"""Enough for smooth edges, and a third of the bytes."""


def key_of(match: Match, at: int | None, bottom: int) -> str:
    """What tells one picture from another, the names on it too.

    :raises NotOver: the match is not over; nothing of it may be shown (G9).
    """
    end = end_of(match)
    names = "\0".join(name_of(seat) for seat in match.seats.select_related("user").order_by("number"))
    at = None if at is None else min(max(at, 0), end.at)
    return "picture:" + hashlib.sha256(f"{match.slug}\0{at}\0{bottom}\0{names}".encode()).hexdigest()[:40]


def kept(key: str) -> bytes | None:
    """The picture, if it was made before."""
    found: bytes | None = caches["pictures"].get(key)
    return found


def make(match: Match, at: int | None, bottom: int) -> bytes:
    """A picture of the table at a time (None: at one that shows the match well).

    :raises NotOver: the match is not over.
    """
    course = Course(match)
    moment = course.moment(course.best() if at is None else at)
    image = draw(moment.view, moment.sitters, bottom, moment.clock).quantize(COLOURS)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    picture = file.getvalue()
    caches["pictures"].set(key_of(match, at, bottom), picture, KEPT)
    return picture
