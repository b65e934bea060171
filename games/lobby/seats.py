"""One seat at a time in rated play."""

from typing import Any

from django.contrib.auth import get_user_model

from games.lobby.errors import Code, LobbyError
from games.models import Match


def hold(*users: Any) -> None:
    """Nobody else seats these people at a rated match until the transaction ends. By their ids' order: no deadlock."""
    people = get_user_model().objects.filter(pk__in=[user.pk for user in users])
    list(people.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))


def rated_match_of(user: Any) -> Match | None:
    """The rated match that somebody plays at this moment."""
    return Match.objects.filter(state=Match.State.LIVE, rated=True, seats__user=user).first()


def check_free(user: Any, code: Code = Code.SEATED) -> None:
    """
    :raises LobbyError: `code`, with the match: they play a rated match.
    """
    match = rated_match_of(user)
    if match is not None:
        raise LobbyError(code, match)
