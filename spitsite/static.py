"""Static files under names that tell their content apart."""

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile, File
from django.core.management import call_command
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from spitsite import bundles
from spitsite.bundles import SCRIPTS, SHARED, Bundles, stylesheet, without_comments

Converter = Callable[[re.Match[str]], str]

STYLES: Final = "css/"
"""Where the site's own stylesheets are."""


class Finished:
    """Files of a storage, to be read as browsers want them: stylesheets with what they import, without comments."""

    def __init__(self, storage: Any, made: Bundles) -> None:
        self.storage = storage
        self.made = made

    def open(self, path: str) -> File[bytes]:
        if path == SHARED or path in self.made.entries:
            text = self.made.text(path)
        elif path.endswith(".css") and path.startswith(STYLES):
            text = stylesheet(path)
        else:
            file: File[bytes] = self.storage.open(path)
            if not path.endswith((".js", ".css")):
                return file
            with file:
                text = without_comments(file.read().decode())
        return ContentFile(text.encode(), path)


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Scripts are put together (`spitsite.bundles`), and name each other by hashed names, too.

    So a page never mixes two versions of them.
    """

    has_bundles = True
    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any) -> Iterator[Any]:
        """As WhiteNoise's, but of scripts put together and without their comments, which are a third of them.

        A module that is only a part of others is there by its own name, as all files are, and no page names it.
        """
        if options.get("dry_run"):
            return
        made = Bundles(name for name in paths if name.startswith(SCRIPTS) and name.endswith(".js"))
        parts = {name for name in paths if name.startswith(SCRIPTS)} - {*made.entries}
        finished = {
            name: (Finished(storage, made), path) for name, (storage, path) in paths.items() if name not in parts
        }
        finished[SHARED] = (Finished(self, made), SHARED)
        # Those that import it are looked at first, and it has to be there for them.
        self.delete(SHARED)
        self._save(SHARED, ContentFile(made.text(SHARED).encode()))
        yield from super().post_process(finished, *args, **options)

    def url_converter(self, name: str, hashed_files: dict[str, str], template: str | None = None) -> Converter:
        """As Django's, but leaves comments alone.

        A JSDoc type names its module by `import("./other.js")`. That is no import, and two modules may well name each
        other's types, which as imports would be a circle without end.
        """
        convert: Converter = super().url_converter(name, hashed_files, template)

        def unless_in_comment(match: re.Match[str]) -> str:
            before = match.string[: match.start()]
            if before.rfind("/*") > before.rfind("*/") and "*/" not in match["matched"]:
                return match["matched"]
            return convert(match)

        return unless_in_comment


class WhiteNoise(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise for ASGI: whole files instead of streams, which Django would have to read to their end anyway."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["Content-Type"]
        for key, value in found.headers:
            response[key] = value
        return response


def collect() -> bool:
    """Collect the static files where they have changed since the last time; whether they had."""
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.stamp")
    now = _fingerprint()
    if (root / "staticfiles.json").exists() and stamp.exists() and stamp.read_text() == now:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now)
    return True


def _fingerprint() -> str:
    """Of all source files, and of what makes something of them: their names, lengths, and when they were written."""
    found = hashlib.sha256()
    sources = (Path(storage.path(path)) for finder in get_finders() for path, storage in finder.list([]))
    for file in (*sources, Path(__file__), Path(bundles.__file__)):
        stat = file.stat()
        found.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return found.hexdigest()
