"""What the rest of the site tells live play. Call it after the commit, from any thread and any process."""

from typing import Final

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live.supervisor import get_supervisor

GROUP: Final = "live"
"""The group in which each process with live matches listens."""


def match_seated(slug: str) -> None:
    """Both seats of the match are taken: let it begin."""
    _tell("seated", slug)


def break_off(slug: str) -> None:
    """End the live match without a result."""
    _tell("break_off", slug)


def _tell(what: str, slug: str) -> None:
    supervisor = get_supervisor()
    if supervisor.call(getattr(supervisor, what), slug):
        return
    layer = get_channel_layer()
    if layer is not None and not isinstance(layer, InMemoryChannelLayer):
        async_to_sync(layer.group_send)(GROUP, {"type": f"match.{what}", "slug": slug})
