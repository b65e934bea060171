"""Where a WebSocket may be opened from.

A browser sends cookies along whatever page opens a socket, so the page's origin
has to be ours: the very host and port that the socket is opened on (which
`ALLOWED_HOSTS` must know), or one of `CSRF_TRUSTED_ORIGINS`. The same rule as
for forms.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.http import is_same_domain

_DEFAULT_PORTS = {"http": 80, "https": 443}


def fault(scope: Mapping[str, Any]) -> str | None:
    """Why a handshake is refused, or None."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    origin = headers.get(b"origin", b"").decode("latin-1")
    if not origin:
        return "no origin"
    request = HttpRequest()
    request.META["HTTP_HOST"] = headers.get(b"host", b"").decode("latin-1")
    if b"x-forwarded-host" in headers:
        request.META["HTTP_X_FORWARDED_HOST"] = headers[b"x-forwarded-host"].decode("latin-1")
    try:
        own = _host_and_port(f"{_own_scheme(scope, headers)}://{request.get_host()}")
    except (DisallowedHost, ValueError):
        return "host not allowed"
    try:
        theirs = _host_and_port(origin)
    except ValueError:
        return "origin not understood"
    return None if theirs == own or _is_trusted(origin) else "foreign origin"


def _own_scheme(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> str:
    """The scheme of our pages, seen as Django sees it behind a proxy (`SECURE_PROXY_SSL_HEADER`)."""
    if settings.SECURE_PROXY_SSL_HEADER:
        name, secure = settings.SECURE_PROXY_SSL_HEADER
        header = name.removeprefix("HTTP_").replace("_", "-").lower().encode()
        if header in headers:
            return "https" if headers[header].decode("latin-1").split(",")[0].strip() == secure else "http"
    scheme: str = scope["scheme"]
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _host_and_port(address: str) -> tuple[str, str, int]:
    """Scheme, host and port of a page's address.

    :raises ValueError: it has none.
    """
    parts = urlsplit(address)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError(address)
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS[parts.scheme]


def _is_trusted(origin: str) -> bool:
    scheme, _, host = origin.partition("://")
    for trusted in settings.CSRF_TRUSTED_ORIGINS:
        trusted_scheme, _, pattern = trusted.partition("://")
        if trusted_scheme == scheme and is_same_domain(host, pattern.lstrip("*")):
            return True
    return False
