"""How many guests and matches one address or one person may make: nobody fills the database by asking for ever more.

Counted in Django's cache, by the hour from the first one on. The address is the one that allauth limits signing in by:
what the site trusts (`TRUSTED_PROXIES`), of an IPv6 address the network. The limits are generous: a school behind one
address may play.
"""

import ipaddress
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from games.lobby.services import Code, LobbyError

HOUR: Final = 60 * 60
NETWORK: Final = 64
"""The bits of an IPv6 address that one household shares."""


def check_guest(request: HttpRequest) -> None:
    """One more guest is to be made.

    :raises LobbyError: `TOO_OFTEN`.
    """
    _count(f"guests:{_address(request)}", settings.GUESTS_PER_ADDRESS)


def check_match(request: HttpRequest) -> None:
    """One more match is to be made, by the user of the request or by somebody who is nobody yet.

    :raises LobbyError: `TOO_OFTEN`.
    """
    if request.user.pk is not None:
        _count(f"matches:user:{request.user.pk}", settings.MATCHES_PER_PERSON)
    _count(f"matches:{_address(request)}", settings.MATCHES_PER_ADDRESS)


def is_within(request: HttpRequest, what: str, most: int) -> bool:
    """Whether the address may ask once more for something that costs work; this counts as once.

    :param most: per hour; 0: any number.
    """
    try:
        _count(f"{what}:{_address(request)}", most)
    except LobbyError:
        return False
    return True


def _count(what: str, most: int) -> None:
    """
    :param most: per hour; 0: any number.
    """
    if not most:
        return
    key = f"limits:{what}"
    cache.add(key, 0, HOUR)
    try:
        number = cache.incr(key)
    except ValueError:
        return  # The hour ended just now.
    if number > most:
        raise LobbyError(Code.TOO_OFTEN)


def _address(request: HttpRequest) -> str:
    address: str = get_adapter().get_client_ip(request)
    if ipaddress.ip_address(address).version == 6:
        return str(ipaddress.ip_network((address, NETWORK), strict=False).network_address)
    return address
