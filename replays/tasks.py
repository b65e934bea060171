"""Celery tasks of the replays. Each can run twice, or at the same time as itself, without harm."""

from collections.abc import Sequence
from typing import Any, Final

import structlog
from celery import shared_task
from django.conf import settings
from django.db.models import Q
from django.dispatch import receiver

from games.live.signals import match_over
from games.models import End, Match
from games.verification import Row, rows_by_match
from replays import clips
from replays.build import make, store
from replays.format import VERSION
from replays.models import Clip, Replay
from replays.packing import PACKING

log = structlog.get_logger(__name__)

CHUNK: Final = 50
"""How many replays one task of a sweep builds."""


@shared_task
def build_replay(match_id: int) -> None:
    """Build the replay of a match that is over, unless that was done."""
    if not Replay.objects.filter(match=match_id, version=VERSION, packing=PACKING).exists():
        store([_make(Match.objects.select_related("end").get(pk=match_id))])


@shared_task
def rebuild_replays(match_ids: Sequence[int]) -> None:
    """Build these replays, whether or not that was done. One that fails does not keep the others waiting."""
    matches = Match.objects.select_related("end").in_bulk(match_ids)
    logs = rows_by_match(match_ids)
    replays = []
    for match_id in match_ids:
        try:
            replays.append(_make(matches[match_id], logs.pop(match_id)))
        except Exception:
            log.exception("replay not built", match_id=match_id)
    # All at once: a commit for each costs as much as judging a match does.
    store(replays)


@shared_task
def sweep() -> None:
    """Have built what was never built (a crash, a lost message), is of an older format, or has no speeds beside it."""
    missing = End.objects.filter(match__replay=None).order_by("id").values_list("match_id", flat=True)
    is_older = Q(version__lt=VERSION) | Q(packing__lt=PACKING)
    older = Replay.objects.filter(is_older).values_list("match_id", flat=True)
    without_speeds = Replay.objects.filter(version=VERSION, match__speeds=None).exclude(is_older)
    for ids in (list(missing), list(older), list(without_speeds.values_list("match_id", flat=True))):
        for start in range(0, len(ids), CHUNK):
            rebuild_replays.delay(ids[start : start + CHUNK])


@shared_task
def make_clip(clip_id: int) -> None:
    """Make a clip that waits, unless that was done."""
    clip = Clip.objects.select_related("match").filter(pk=clip_id, state=Clip.State.WAITING).first()
    if clip is None:
        return
    try:
        picture = clips.make(clip)
    except Exception:
        log.exception("clip not made", clip=str(clip))
        picture = None
    state = Clip.State.MADE if picture else Clip.State.FAILED
    Clip.objects.filter(pk=clip_id).update(state=state, picture=picture or b"")


@shared_task
def make_clips() -> None:
    """Make one of the clips that wait: of a site without workers, or lost on the way to one."""
    waiting = Clip.objects.filter(state=Clip.State.WAITING).order_by("asked_at").values_list("pk", flat=True).first()
    if waiting is not None:
        make_clip(waiting)


@shared_task
def sweep_clips() -> None:
    """Have made what was lost on its way, and forget what is old."""
    for clip_id in Clip.objects.filter(state=Clip.State.WAITING).values_list("pk", flat=True):
        make_clip.delay(clip_id)
    clips.forget_old()


def begin(clip: Clip) -> None:
    """Have a clip made soon. A site without workers has a thread that looks for it (`make_clips`): no page waits."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        make_clip.delay(clip.pk)


@receiver(match_over, dispatch_uid="replays.build")
def build_when_over(match_id: int, **_kwargs: Any) -> None:
    build_replay.delay(match_id)


def _make(match: Match, rows: Sequence[Row] | None = None) -> Replay:
    replay = make(match, rows)
    if replay.is_flagged:
        log.error("replay flagged", match=match.slug, faults=replay.faults)
    return replay
