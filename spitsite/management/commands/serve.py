"""`manage.py serve`: the whole site in one process, ready to use."""

import contextlib
import errno
import signal
import socket
import sys
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from celery.beat import EmbeddedService
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.executor import MigrationExecutor

from games.live.claim import Claim, Claimed, alone
from games.live.rows import unpooled
from games.live.supervisor import get_supervisor
from spitsite import server, static


class Command(BaseCommand):
    help = "Brings the database and the static files up to date and serves the site. Ctrl-C ends it."
    requires_system_checks: list[str] = []  # noqa: RUF012  (as Django has it)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: %(default)s)")
        parser.add_argument("--fd", type=int, help="serve on this inherited socket too, which listens already")

    def handle(self, *, host: str, port: int, fd: int | None, **options: Any) -> None:
        # Told to stop, a server that stops well has done its work: the exit code says so.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        with contextlib.suppress(KeyboardInterrupt):
            self._serve(host, port, fd)
        self.stdout.write("\nStopped.")

    def _serve(self, host: str, port: int, fd: int | None) -> None:
        sockets = [self._listen(host, port)]
        if fd is not None:
            sockets.append(socket.socket(fileno=fd))
        try:
            # Not from the pool: that would try again and again, and not tell why it fails.
            first = unpooled(connections[DEFAULT_DB_ALIAS])
            first.ensure_connection()
            first.close()
            with alone():
                self._migrate()
                if not settings.DEBUG:
                    static.collect()
        except OperationalError as error:
            raise CommandError(f"The database cannot be reached: {error}".strip()) from None
        claim = Claim(is_shared=settings.PLAY_IS_SHARED)
        try:
            claim.take()
        except Claimed:
            raise CommandError(
                "Another server plays the matches of this database already. Stop it first, or give this one a database "
                "of its own (DATABASE_URL). Many servers share a PostgreSQL if all of them have the same REDIS_URL."
            ) from None
        is_lost = threading.Event()
        try:
            self._run(sockets, host, claim, is_lost)
        finally:
            claim.release()
            if is_lost.is_set():
                raise CommandError("Another server has taken the matches of this database.")

    def _run(self, sockets: list[socket.socket], host: str, claim: Claim, is_lost: threading.Event) -> None:
        port = sockets[0].getsockname()[1]
        address = f"http://{_shown(host)}:{port}/"

        def ready() -> None:
            self._greet(address)
            if settings.CELERY_TASK_ALWAYS_EAGER:
                beat.start()

        from spitsite.celery import app as celery_app

        celery_app.loader.import_default_modules()
        beat = EmbeddedService(celery_app, thread=True, scheduler_cls="spitsite.celery:SameProcessScheduler")
        try:
            config = server.config(host=host, port=port)
            running = server.Server(config, ready, get_supervisor().stop)

            def lost() -> None:
                is_lost.set()
                running.end()

            claim.keep(lost)
            running.run(sockets=sockets)
        finally:
            if beat.is_alive():
                beat.stop()

    def _listen(self, host: str, port: int) -> socket.socket:
        try:
            return server.listen(host, port)
        except ValueError as error:
            raise CommandError(f"{port} is no port: {error}.") from None
        except OSError as error:
            match error.errno:
                case errno.EADDRINUSE:
                    why = f"Port {port} of {host} is taken by another program. Choose another: make run PORT={port + 1}"
                case errno.EACCES:
                    why = f"Port {port} may not be used by this user. Choose one above 1023: make run PORT=8000"
                case _:
                    why = f"Cannot listen on {host}, port {port}: {error.strerror or error}"
            raise CommandError(why) from None

    def _migrate(self) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Bringing the database up to date …")
            call_command("migrate", interactive=False, verbosity=0)
        connection.close()

    def _greet(self, address: str) -> None:
        self.stdout.write(
            f"\n  {settings.SITE_NAME} is served at {self.style.SUCCESS(address)}\n"
            f"  An administrator for {address}admin/ is made by: {shown_python()} manage.py createsuperuser\n"
            "  Ctrl-C ends it.\n"
        )
        self.stdout.flush()


def shown_python() -> Path:
    """The Python that runs this, as one types it here."""
    python = Path(sys.executable)
    with contextlib.suppress(ValueError):
        python = python.relative_to(Path.cwd())
    return python


def _shown(host: str) -> str:
    """The address as one types it into a browser on this machine."""
    if host in ("", "0.0.0.0", "::"):  # noqa: S104  (compared, not bound)
        return "localhost"
    return f"[{host}]" if ":" in host else host
