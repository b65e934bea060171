"""Where sessions are kept: Django's in the database."""

import re
from typing import Any, Final

from django.contrib.sessions.backends import db

KEY: Final = re.compile(r"[a-z0-9]{32}")


class SessionStore(db.SessionStore):
    """Looks for no session by what can be the key of none: a cookie may hold anything, and PostgreSQL refuses some of
    it with an error."""

    def _validate_session_key(self, key: Any) -> bool:
        return isinstance(key, str) and KEY.fullmatch(key) is not None
