"""Clips: parts of a replay as animated pictures (GIF), each made once and kept for some days."""

from datetime import timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _

from games.clock import wall
from games.models import Match
from replays.animation import Animation, Frame, animate_aside
from replays.models import Clip
from replays.moments import Course

SHORTEST: Final = 500
LONGEST: Final = 15_000
"""Of a clip, ms."""
STEP: Final = 80
STILL: Final = 500
"""Between two pictures of a clip, ms: at least, and at most, so that its clock goes on."""
LAST: Final = 1_200
"""How long the last picture stays before it begins again."""
WIDTHS: Final = (480, 360, 270)
"""Px; the next one is tried when a clip has become too large."""
MOST_BYTES: Final = 2_000_000
KEPT_DAYS: Final = 7
MOST_KEPT: Final = 300


class Refused(StrEnum):
    """Why a clip is not made."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OUTSIDE = "outside"

    @property
    def sentence(self) -> str:
        """For people."""
        return {
            Refused.TOO_SHORT: _("A clip must be half a second long or longer."),
            Refused.TOO_LONG: _("A clip can be 15 seconds long at most."),
            Refused.OUTSIDE: _("That part is not in this match."),
        }[self]


class NoClip(Exception):
    """That part makes no clip; says why."""

    def __init__(self, why: Refused) -> None:
        super().__init__(why.value)
        self.why = why


def check(end: int, start: int, stop: int) -> None:
    """
    :param end: of the match, ms; `start` and `stop` of the part.
    :raises NoClip: that part makes none.
    """
    if start < 0 or stop > end:
        raise NoClip(Refused.OUTSIDE)
    if stop - start < SHORTEST:
        raise NoClip(Refused.TOO_SHORT)
    if stop - start > LONGEST:
        raise NoClip(Refused.TOO_LONG)


def find(match: Match, start: int, stop: int, bottom: int) -> Clip | None:
    return Clip.objects.filter(match=match, start=start, end=stop, bottom=bottom).defer("picture").first()


def ask(match: Match, start: int, stop: int, bottom: int) -> Clip:
    """The clip of a part: the one that there is, or a new one that waits to be made. One that failed waits again."""
    clip, is_new = Clip.objects.get_or_create(match=match, start=start, end=stop, bottom=bottom)
    if not is_new and clip.state == Clip.State.FAILED:
        Clip.objects.filter(pk=clip.pk).update(state=Clip.State.WAITING, asked_at=wall())
        clip.state = Clip.State.WAITING
    return clip


def make(clip: Clip) -> bytes | None:
    """The animated picture; None when it could not be made small enough.

    :raises NotOver: the match is not over.
    :raises aside.Busy, aside.Failed: it cannot be made now.
    """
    frames = _frames(clip)
    for width in WIDTHS:
        picture = animate_aside(Animation(frames, clip.bottom, width))
        if len(picture) <= MOST_BYTES:
            return picture
    return None


def _frames(clip: Clip) -> tuple[Frame, ...]:
    course = Course(clip.match)
    times = course.times_between(clip.start, clip.end, STEP, STILL)
    durations = [later - at for at, later in pairwise(times)] + [LAST]
    return tuple(
        # To the tenth of a second: the thousandths would be another picture, and say nothing at this pace.
        Frame(moment.view, moment.sitters, moment.clock[:-2], lasts)
        for moment, lasts in zip(course.moments(times), durations, strict=True)
    )


def forget_old() -> int:
    """Remove what nobody has asked for lately, and the oldest of too many; how many that were."""
    old = Clip.objects.filter(asked_at__lt=wall() - timedelta(days=KEPT_DAYS)).values_list("pk", flat=True)
    many = Clip.objects.order_by("-asked_at").values_list("pk", flat=True)[MOST_KEPT:]
    gone = {*old, *many}
    Clip.objects.filter(pk__in=gone).delete()
    return len(gone)
