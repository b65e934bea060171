"""Which proxies are believed."""

from collections.abc import Sequence
from ipaddress import ip_network

from django.core.exceptions import ImproperlyConfigured


def checked(trusted: Sequence[str]) -> list[str]:
    """The addresses and networks, if that is what they are: uvicorn takes anything, and then trusts nobody.

    :raises ImproperlyConfigured: something else; also `*`, which would let every client make up its address.
    """
    kept = [entry.strip() for entry in trusted if entry.strip()]
    for entry in kept:
        try:
            ip_network(entry)
        except ValueError:
            raise ImproperlyConfigured(
                f"TRUSTED_PROXIES has {entry!r}. It takes addresses (10.0.0.5) and networks (10.0.0.0/24), with commas "
                "between."
            ) from None
    return kept
