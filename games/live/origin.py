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
        host = request.get_host()
    except DisallowedHost:
        return "host not allowed"
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return "origin not understood"
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return "origin without a host"
    if _same_host(host, parts.scheme, parts.hostname, port) or _is_trusted(origin):
        return None
    return "foreign origin"


def _same_host(host: str, scheme: str, hostname: str, port: int | None) -> bool:
    own = urlsplit(f"//{host}")
    default = _DEFAULT_PORTS[scheme]
    return own.hostname == hostname and (own.port or default) == (port or default)


def _is_trusted(origin: str) -> bool:
    scheme, _, host = origin.partition("://")
    for trusted in settings.CSRF_TRUSTED_ORIGINS:
        trusted_scheme, _, pattern = trusted.partition("://")
        if trusted_scheme == scheme and is_same_domain(host, pattern.lstrip("*")):
            return True
    return False
