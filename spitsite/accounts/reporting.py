"""Who reports somebody (`games.moderation`)."""

from django.http import HttpRequest

from games.lobby.errors import LobbyError
from spitsite.accounts.guests import ensure_user
from spitsite.accounts.models import User


def reporter(request: HttpRequest) -> User | None:
    """The signed-in user; for anybody else a new guest, as for whoever plays. None: their address has made very many
    guests of late."""
    try:
        return ensure_user(request)
    except LobbyError:
        return None
