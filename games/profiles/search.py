"""Players found by how their names begin: reads only."""

from typing import Any, Final

from django.contrib.auth import get_user_model
from msgspec import Struct

from games import ties, words
from games.people import standings_of

SHORTEST: Final = 2
"""So many letters are needed: fewer find everybody, and nobody."""
MOST: Final = 10
"""So many people are shown; nobody gets further than that but by another letter."""
RATINGS: Final = 2
"""So many ratings of each are shown, those of the games played most."""


class Found(Struct, frozen=True):
    """Somebody who was found."""

    user: Any
    ratings: list[tuple[str, int, bool]]
    """The name of a game, the rating, and whether it is provisional."""


def players_called(text: str, viewer: Any) -> list[Found]:
    """People with an account whose names begin so, at most `MOST`, in the order of the alphabet.

    Nobody whom the viewer has blocked, or was blocked by. Whether they are here at the moment is not told: not
    everybody wants it seen (`games.ties.hidden_ids`).
    """
    if len(text) < SHORTEST:
        return []
    people: Any = get_user_model().objects
    found = list(people.beginning_with(text).exclude(pk__in=ties.blocked_ids(viewer))[:MOST])
    standings = standings_of({user.pk for user in found})
    ratings: dict[int, list[tuple[int, str, int, bool]]] = {}
    for (user, game), known in standings.items():
        if user is not None and known.matches:
            row = (known.matches, words.game_name(game), round(known.value), known.is_provisional)
            ratings.setdefault(user, []).append(row)
    return [
        Found(user, [row[1:] for row in sorted(ratings.get(user.pk, []), reverse=True)[:RATINGS]]) for user in found
    ]
