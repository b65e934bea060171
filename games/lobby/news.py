"""Word that something in the lobby has changed, for the halls of all processes.

It says no more than that: each hall looks in the database itself. Word may be
lost; every hall looks now and then all the same.
"""

import logging
from collections.abc import Callable
from typing import Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction

from games.live.relay.post import FAULTS

log = logging.getLogger(__name__)

GROUP: Final = "lobby"
"""The group of Channels' layer that the halls of other processes listen in."""

listeners: Final[list[Callable[[], None]]] = []
"""Called in whatever thread the news comes from: the hall of this process, if it has one."""


def tell() -> None:
    """Tell everybody once the transaction under way, if any, is committed. From any thread, not from an event loop."""
    transaction.on_commit(_tell)


def _tell() -> None:
    for listener in tuple(listeners):
        listener()
    if settings.PLAY_IS_SHARED:
        try:
            async_to_sync(get_channel_layer().group_send)(GROUP, {"type": "lobby.news"})
        except FAULTS as error:
            log.warning("the other processes' lobbies cannot be told: %s", error)
