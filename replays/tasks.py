"""Celery tasks of the replays. Each can run twice, or at the same time as itself, without harm."""

from collections.abc import Sequence
from typing import Any, Final

import structlog
from celery import shared_task
from django.dispatch import receiver

from games.live.signals import match_over
from games.models import End, Match
from games.verification import Row, rows_by_match
from replays.build import make, store
from replays.format import VERSION
from replays.models import Replay

log = structlog.get_logger(__name__)

CHUNK: Final = 50
"""How many replays one task of a sweep builds."""


@shared_task
def build_replay(match_id: int) -> None:
    """Build the replay of a match that is over, unless that was done."""
    if not Replay.objects.filter(match=match_id, version=VERSION).exists():
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
    older = Replay.objects.filter(version__lt=VERSION).values_list("match_id", flat=True)
    without_speeds = Replay.objects.filter(version=VERSION, match__speeds=None).values_list("match_id", flat=True)
    for ids in (list(missing), list(older), list(without_speeds)):
        for start in range(0, len(ids), CHUNK):
            rebuild_replays.delay(ids[start : start + CHUNK])


@receiver(match_over, dispatch_uid="replays.build")
def build_when_over(match_id: int, **_kwargs: Any) -> None:
    build_replay.delay(match_id)


def _make(match: Match, rows: Sequence[Row] | None = None) -> Replay:
    replay = make(match, rows)
    if replay.is_flagged:
        log.error("replay flagged", match=match.slug, faults=replay.faults)
    return replay
