"""What the rest of the site tells live play. Call it after the commit, from any thread of the server's process.

There is one process that plays matches (`games.live.claim`); called in another one, such as a shell, nobody hears.
"""

import logging

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


def _tell(what: str, slug: str) -> bool:
    """Whether there was anybody to tell."""
    supervisor = get_supervisor()
    heard = supervisor.call(getattr(supervisor, what), slug)
    if not heard:
        log.info("no live play in this process to tell: %s", what, extra={"match": slug})
    return heard
