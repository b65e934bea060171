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

Converter = Callable[[re.Match[str]], str]


COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)(?:\n|\Z)", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself, in a script or a stylesheet."""
LICENCE: Final = re.compile(r"/\*!|@license|copyright", re.IGNORECASE)


def without_comments(text: str) -> str:
    """A script or a stylesheet as browsers want it. Licences stay."""
    return COMMENT.sub(lambda found: found[0] if LICENCE.search(found[0]) else "", text)


class Bare:
    """Files of a storage, to be read as browsers want them."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def open(self, path: str) -> File[bytes]:
        file: File[bytes] = self.storage.open(path)
        if not path.endswith((".js", ".css")):
            return file
        with file:
            return ContentFile(without_comments(file.read().decode()).encode(), path)


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also the imports inside ES modules get hashed names, so a page never mixes two versions of the scripts."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any) -> Iterator[Any]:
        """As WhiteNoise's, but of scripts and stylesheets without their comments, which are a third of them."""
        bare = {name: (Bare(storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(bare, *args, **options)

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
    """Of all source files: what they are called, how long they are, when they were written."""
    found = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            file = Path(storage.path(path))
            stat = file.stat()
            found.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\n".encode())
    return found.hexdigest()
