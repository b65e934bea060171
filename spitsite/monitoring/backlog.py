"""What the database and Redis know of work that is still to be done."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

import redis
import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from games.clock import wall
from games.models import End, RatingProgress
from replays.models import Replay
from spitsite.celery import app

log = structlog.get_logger(__name__)

PATIENCE: Final = 2.0
"""Seconds in which Redis has to answer."""
SETTLED: Final = timedelta(minutes=10)
"""So long after an end no end with a lower id appears any more. (The ratings need it exactly, and wait for it:
`games.end_order`; a figure is not worth that.)"""


class Backlog(NamedTuple):
    """None: not known."""

    replay_lag: float
    """Seconds since the oldest match ended that has no replay; 0: all have one."""
    rating_lag: float
    """The same for matches that were not looked at by the ratings."""
    flagged: int
    """Replays in which the rules do not lead to what was recorded."""


class Backlogs:
    """Looks up the backlog. One per process; in any thread."""

    def __init__(self) -> None:
        self._complete_upto = 0
        """All ends up to this id have a replay, and will keep it: they need not be looked at again."""

    def database(self) -> Backlog | None:
        """None: the database cannot be read."""
        try:
            return self.look()
        except (DatabaseError, InterfaceError) as error:
            log.warning("the backlog cannot be read", error=str(error))
            return None
        finally:
            connection.close()

    def look(self) -> Backlog:
        """
        :raises DatabaseError: or InterfaceError: the database cannot be read.
        """
        now = wall()
        settled = (
            End.objects.filter(ended_at__lt=now - SETTLED).order_by("-id").values_list("id", flat=True).first() or 0
        )
        missing = (
            End.objects.filter(id__gt=self._complete_upto, match__replay=None)
            .order_by("id")
            .values_list("id", "ended_at")
            .first()
        )
        self._complete_upto = max(self._complete_upto, settled if missing is None else min(settled, missing[0] - 1))
        rated = RatingProgress.objects.values_list("last_end", flat=True).first() or 0
        unrated = End.objects.filter(id__gt=rated).order_by("id").values_list("ended_at", flat=True).first()
        return Backlog(
            _age(now, None if missing is None else missing[1]),
            _age(now, unrated),
            Replay.objects.filter(verdict=Replay.Verdict.FLAGGED).count(),
        )

    @staticmethod
    def queue() -> int | None:
        """Tasks that wait for a worker; None: Redis does not answer."""
        try:
            with redis.Redis.from_url(
                settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
            ) as client:
                return int(client.llen(app.conf.task_default_queue))
        except (redis.RedisError, OSError) as error:
            log.warning("the queue cannot be read", error=str(error))
            return None


def _age(now: datetime, then: datetime | None) -> float:
    return 0.0 if then is None else max(0.0, (now - then).total_seconds())
