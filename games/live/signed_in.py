"""Who the sockets of this process are signed in as, and whether they still are (B28).

A play is judged without a look at the database, so what ends a sign-in has to be
told: the site does, at once (`games.live.announce`), to all processes. What
happened past Django's signals, or what was lost on the way, is found by a look
at all sockets together, every `LOOK` seconds.
"""

import asyncio
import logging
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, Protocol

from channels.db import database_sync_to_async
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError
from django.utils.crypto import salted_hmac
from msgspec import Struct

from games.clock import wall

log = logging.getLogger(__name__)

LOOK: Final = 20.0
"""Seconds between two looks."""
AT_ONCE: Final = 500
"""So many sockets are asked about in one query."""


class SignIn(Struct, frozen=True):
    """What a socket was opened with."""

    user_id: int
    session: str | None
    password: str
    """The session's hash of the password (`get_session_auth_hash`): another one after the password was changed."""


class Holder(Protocol):
    """A signed-in socket."""

    def signed_out(self) -> None:
        """The sign-in has ended. Neither waits nor raises."""


class SignedIn:
    """The signed-in sockets of a process. For its event loop only."""

    def __init__(self) -> None:
        self._holders: dict[int, dict[Holder, SignIn]] = {}

    def add(self, holder: Holder, sign_in: SignIn) -> None:
        self._holders.setdefault(sign_in.user_id, {})[holder] = sign_in

    def remove(self, holder: Holder, sign_in: SignIn) -> None:
        """Again: nothing."""
        holders = self._holders.get(sign_in.user_id, {})
        holders.pop(holder, None)
        if not holders:
            self._holders.pop(sign_in.user_id, None)

    # What the site tells

    def session_ended(self, user_id: int, session: str) -> None:
        """Somebody signed out of that session (`sealed`)."""
        self._end(self._of(user_id, lambda sign_in: sealed(sign_in.session or "") == session))

    def person_changed(self, user_id: int, password: str | None) -> None:
        """Of somebody only sign-ins with this hash of the password (`sealed`) are valid; None: no sign-in is."""
        self._end(self._of(user_id, lambda sign_in: sealed(sign_in.password) != password))

    def _of(self, user_id: int, ends: Any) -> list[tuple[Holder, SignIn]]:
        return [each for each in self._holders.get(user_id, {}).items() if ends(each[1])]

    def _end(self, ended: Iterable[tuple[Holder, SignIn]]) -> None:
        for holder, sign_in in ended:
            self.remove(holder, sign_in)
            holder.signed_out()

    # The look

    async def watch(self) -> None:
        """Look for sign-ins that have ended unheard, for ever."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except (DatabaseError, InterfaceError) as error:
                # Nobody is sent away because the database cannot be asked.
                log.warning("sign-ins cannot be looked at: %s", error)
            except Exception:
                # Whatever it was, the next look has to come.
                log.exception("sign-ins cannot be looked at")

    async def look(self) -> None:
        everybody = iter([each for holders in self._holders.values() for each in holders.items()])
        while some := list(islice(everybody, AT_ONCE)):
            valid = await database_sync_to_async(_valid)({sign_in for _, sign_in in some})
            self._end((holder, sign_in) for holder, sign_in in some if sign_in not in valid)


def sealed(secret: str) -> str:
    """What stands for a session's key, or a password's hash, wherever it is told of: nobody can sign in with it."""
    return salted_hmac("games.live.signed_in", secret).hexdigest()


def _valid(sign_ins: set[SignIn]) -> set[SignIn]:
    """Those whose session is there and whose user is active and has that password. Blocks: for a worker's thread."""
    sessions = set(
        Session.objects.filter(
            session_key__in={sign_in.session for sign_in in sign_ins}, expire_date__gt=wall()
        ).values_list("session_key", flat=True)
    )
    people = get_user_model().objects.filter(pk__in={sign_in.user_id for sign_in in sign_ins}, is_active=True)
    passwords = {person.pk: person.get_session_auth_hash() for person in people}
    return {
        sign_in
        for sign_in in sign_ins
        if sign_in.session in sessions and passwords.get(sign_in.user_id) == sign_in.password
    }


signed_in: Final = SignedIn()
"""Those of this process."""
