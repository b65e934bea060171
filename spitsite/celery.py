"""The Celery application: what may take a while or must survive.

Without a broker (`REDIS_URL` empty) tasks run where they are called, and `manage.py serve` runs the periodic ones in
a thread of its own (`SameProcessScheduler`).
"""

import gc
import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.beat import ScheduleEntry, Scheduler
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")

app = Celery("spitsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect  # type: ignore[untyped-decorator]
def without_pool(**_kwargs: Any) -> None:
    """A worker's process does one task at a time: one connection, not a pool that is begun and ended with each task."""
    from django.db import DEFAULT_DB_ALIAS, connections

    connections.settings[DEFAULT_DB_ALIAS].get("OPTIONS", {}).pop("pool", None)


@worker_init.connect  # type: ignore[untyped-decorator]
def collect_less_often(**_kwargs: Any) -> None:
    """The states of a match make no cycles: looking for them was a tenth of the time in which a replay is built."""
    gc.set_threshold(10_000)


class SameProcessScheduler(Scheduler):  # type: ignore[misc]
    """Beat for a site of one process: keeps no file, and everything is due at the start.

    The start is when a sweep has the most to find: what the last process left undone.
    """

    def setup_schedule(self) -> None:
        super().setup_schedule()
        for entry in self.schedule.values():
            entry.last_run_at -= timedelta(days=400)

    def apply_async(self, entry: ScheduleEntry, **kwargs: Any) -> Any:
        from django.db import close_old_connections

        # A thread without requests has to look after its connection itself.
        close_old_connections()
        return super().apply_async(entry, **kwargs)
