"""What the rest of the site tells live play. Call it after the commit, from any thread, but not from an event loop.

In a server process its own live play hears, and passes it on to others if there are any. From another process, such
as a worker or a shell, the servers hear, if they are many; if one process plays all matches, nobody does.
"""

import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings

from games.live.relay.messages import Bundle, Told
from games.live.relay.post import ALL, FAULTS, publish
from games.live.signed_in import signed_in
from games.live.supervisor import get_supervisor

log = logging.getLogger(__name__)


def match_seated(slug: str) -> bool:
    """Both seats of the match are taken: let it begin. (Whoever opens its page begins it, too.)"""
    return _tell("seated", slug)


def match_withdrawn(slug: str) -> bool:
    """The match nobody came to is no more: send away those who wait for it."""
    return _tell("withdrawn", slug)


def break_off(slug: str) -> bool:
    """End the live match without a result."""
    return _tell("break_off", slug)


def session_ended(user_id: int, session: str) -> bool:
    """Somebody has signed out of that session: its sockets have no seat any more."""
    return get_supervisor().call(signed_in.session_ended, user_id, session)


def person_changed(user_id: int, password: str | None) -> bool:
    """Only sessions with this `get_session_auth_hash` are that person's; None (deactivated, deleted): no session is."""
    return get_supervisor().call(signed_in.person_changed, user_id, password)


def person_deleted(user_id: int) -> bool:
    """An account is deleted: its sockets have no seat any more, and no table shows the name."""
    person_changed(user_id, None)
    return _tell("forget", str(user_id))


def _tell(what: str, slug: str) -> bool:
    """Whether there was anybody to tell."""
    supervisor = get_supervisor()
    heard = supervisor.call(getattr(supervisor, what), slug)
    if not heard and settings.PLAY_IS_SHARED:
        try:
            async_to_sync(publish)(get_channel_layer(), ALL, Bundle("", [Told(what, slug)]))
        except FAULTS as error:
            log.warning("the servers cannot be told: %s: %s", what, error, extra={"match": slug})
            return False
        return True
    if not heard:
        log.info("no live play in this process to tell: %s", what, extra={"match": slug})
    return heard
