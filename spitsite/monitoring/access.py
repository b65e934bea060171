"""Who may read the figures."""

import secrets
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any, Final

from django.conf import settings

PRIVATE: Final = tuple(
    map(ip_network, ("127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fe80::/10"))
)
_FORWARDED: Final = (b"x-forwarded-for", b"forwarded", b"x-real-ip", b"via")
"""A request with one of these has come through a proxy."""


def may_read(scope: Mapping[str, Any]) -> bool:
    """With `METRICS_TOKEN`: whoever brings it. Without: who is on this machine or in a private network.

    The client's address is what `TRUSTED_PROXIES` makes of it. A request that
    came through a proxy that is not trusted says nothing about its client: it
    is not from here, whatever address the proxy has.
    """
    headers: dict[bytes, bytes] = dict(scope["headers"])
    if settings.METRICS_TOKEN:
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        return scheme.lower() == b"bearer" and secrets.compare_digest(token.strip(), settings.METRICS_TOKEN.encode())
    client = scope.get("client")
    if any(name in headers for name in _FORWARDED):
        said = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        if not settings.TRUSTED_PROXIES or not client or client[0] not in said:
            # The address is still the proxy's own: it is not trusted, or did not say whose request it is.
            return False
    try:
        address = ip_address(client[0] if client else "")
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in PRIVATE)
