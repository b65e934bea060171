"""Real workers and beats, each a process of its own, on a real broker and a real database."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import psycopg
from django.db import connection

from games.live.signals import match_over
from games.live.table import Table
from games.models import Match
from tests import databases
from tests.site_process import ROOT, Program, environment

WAIT = 30.0


def database_url() -> str:
    """The test database, for other processes."""
    return urlsplit(databases.SERVER)._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


def until(is_so: Callable[[], Any], seconds: float = WAIT) -> None:
    """Wait until something holds that other processes bring about.

    :raises TimeoutError: it does not.
    """
    give_up = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > give_up:
            raise TimeoutError("it does not come to hold")
        time.sleep(0.02)


def end(match: Match) -> None:
    """Tell the site that a match is over, as its table does."""
    match_over.send(sender=Table, slug=match.slug, match_id=match.pk)


class Celery(Program):
    """`celery -A spitsite …`, in a group of processes of its own."""

    def __init__(self, var: Path, *arguments: str, **more: str) -> None:
        settings = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.workers.settings"}
        super().__init__(
            subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "spitsite", *arguments],
                cwd=ROOT,
                # `tests` is no package of its own: whoever runs this finds it here, whatever else is on the path.
                env=environment(var, PYTHONPATH=str(ROOT), **settings, **more),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        )

    def children(self) -> list[int]:
        """The processes that do its tasks."""
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def _kill(self) -> None:
        """It and all its processes."""
        os.killpg(self.process.pid, signal.SIGKILL)


class Hold(AbstractContextManager["Hold"]):
    """Keeps tasks in their middle: a row that they need is locked by this one until the end."""

    def __init__(self, lock: str) -> None:
        self._lock = lock
        self._connection = psycopg.connect(database_url())

    def __enter__(self) -> Self:
        assert self._connection.execute(f"{self._lock} FOR UPDATE").fetchall()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()

    def waiting(self) -> int:
        """How many connections wait for a lock."""
        with psycopg.connect(database_url(), autocommit=True) as other:
            found = other.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            ).fetchone()
        return int(found[0]) if found else 0
