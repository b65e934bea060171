"""What the rest of the site tells live play. Call it after the commit, from any thread, but not from an event loop.

In a server process its own live play hears, and passes it on to others if there are any. From another process, such
as a worker or a shell, the servers hear, if they are many; if one process plays all matches, nobody does.
"""

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings

from games.live.relay.messages import Bundle, News, PersonBarred, PersonChanged, PersonDeleted, SessionEnded, Told
from games.live.relay.post import ALL, FAULTS, publish
from games.live.signed_in import sealed
from games.live.supervisor import get_supervisor

log = logging.getLogger(__name__)


def match_seated(slug: str) -> bool:
    """Both seats of the match are taken: let it begin. (Whoever opens its page begins it, too.)"""
    return _tell(Told("seated", slug), lambda: get_supervisor().seated(slug))


def match_withdrawn(slug: str) -> bool:
    """The match nobody came to is no more: send away those who wait for it."""
    return _tell(Told("withdrawn", slug), lambda: get_supervisor().withdrawn(slug))


def break_off(slug: str) -> bool:
    """End the live match without a result."""
    return _tell(Told("break_off", slug), lambda: get_supervisor().break_off(slug))


def session_ended(user_id: int, session: str) -> bool:
    """Somebody has signed out of that session: its sockets have no seat any more."""
    news = SessionEnded(user_id, sealed(session))
    return _tell(news, lambda: get_supervisor().sign_in_ended(news))


def person_changed(user_id: int, password: str | None) -> bool:
    """Only sessions with this `get_session_auth_hash` are that person's; None (deactivated): no session is."""
    news = PersonChanged(user_id, None if password is None else sealed(password))
    return _tell(news, lambda: get_supervisor().sign_in_ended(news))


def person_deleted(user_id: int) -> bool:
    """Somebody is no more: what they play has an end, their sockets have no seat any more, and
    no table shows the name."""
    return _tell(PersonDeleted(user_id), lambda: get_supervisor().person_deleted(user_id))


def person_barred(user_id: int) -> bool:
    """Somebody may not play any more: what they play ends as if they had left it. They stay signed in."""
    return _tell(PersonBarred(user_id), lambda: get_supervisor().person_barred(user_id))


def _tell(news: News, here: Callable[[], None]) -> bool:
    """Whether there was anybody to tell."""
    heard = get_supervisor().call(here)
    what, extra = type(news).__name__, None
    if isinstance(news, Told):
        what, extra = news.what, {"match": news.slug}
    if not heard and settings.PLAY_IS_SHARED:
        try:
            async_to_sync(publish)(get_channel_layer(), ALL, Bundle("", [news]))
        except FAULTS as error:
            log.warning("the servers cannot be told: %s: %s", what, error, extra=extra)
            return False
        return True
    if not heard:
        log.info("no live play in this process to tell: %s", what, extra=extra)
    return heard
