"""Takes what the stands of other processes tell (`Supervisor.on_bystander`)."""

import logging

import msgspec

from games.stands import news
from games.stands.hall import hall
from games.stands.television import television

log = logging.getLogger(__name__)


def hear(sender: str, body: bytes) -> None:
    """Called in the event loop, with the id of the other process."""
    try:
        message = news.unpack(body)
    except msgspec.MsgspecError as error:
        log.warning("the stands of another process are not understood: %s", error)
        return
    match message:
        case news.Chatted(slug):
            hall.nudge(slug)
        case news.Hidden(slug, numbers):
            hall.hidden(slug, numbers)
        case news.Wanted(slugs):
            television.want(sender, slugs)
        case news.Standing():
            television.hear(message)
