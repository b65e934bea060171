"""The lists of what was played, each player's (`PlayerMatch`) and that of all (`ListedMatch`).

Written where a match's end is, in the same transaction.
"""

from functools import partial
from typing import Any, Final

from django.core.cache import cache
from django.db import connections, transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from games.models import End, ListedMatch, PlayerMatch

LIST: Final = """
INSERT INTO games_playermatch (seat_id, user_id, opponent_id, bot, game, rated, verdict, end_id, ended_at, length)
SELECT seat.id, seat.user_id, other.user_id, other.bot, m.game, m.rated AND NOT ended.void,
    CASE WHEN ended.void THEN 'void' WHEN ended.winner IS NULL THEN 'drawn'
        WHEN ended.winner = seat.number THEN 'won' ELSE 'lost' END,
    ended.id, ended.ended_at, ended.at
FROM games_end ended
JOIN games_match m ON m.id = ended.match_id
JOIN games_seat seat ON seat.match_id = ended.match_id AND seat.user_id IS NOT NULL
JOIN games_seat other ON other.match_id = ended.match_id AND other.number = 1 - seat.number
WHERE ended.id BETWEEN %s AND %s
"""

LIST_ONCE: Final = """
INSERT INTO games_listedmatch (end_id, game, rated)
SELECT ended.id, m.game, m.rated FROM games_end ended JOIN games_match m ON m.id = ended.match_id
WHERE NOT ended.void AND ended.id BETWEEN %s AND %s
"""


def list_ends(first: int, last: int, using: str = "default") -> None:
    """Put the matches whose ends have these ids, both included, into the lists.

    :raises IntegrityError: one of them is there already.
    """
    with connections[using].cursor() as cursor:
        for statement in (LIST, LIST_ONCE):
            cursor.execute(statement, [first, last])


def records_key(user_id: int) -> str:
    """Under which a player's results are remembered (`games.profiles.selectors.records_of`)."""
    return f"games.records.{user_id}"


def unlist(end: End) -> None:
    """A match that was voided is a result in nobody's list any more, and rated in none."""
    ListedMatch.objects.filter(end=end).update(rated=False)
    listed = PlayerMatch.objects.filter(end=end)
    listed.update(verdict=PlayerMatch.Verdict.VOID, rated=False)
    keys = [records_key(user_id) for user_id in listed.values_list("user_id", flat=True)]
    # Sooner somebody could read, and have remembered anew, what was before.
    transaction.on_commit(partial(cache.delete_many, keys))


@receiver(post_save, sender=End, dispatch_uid="games.played")
def list_end(instance: End, using: str, created: bool, **_kwargs: Any) -> None:
    """An end that is written in bulk (`tests.scale.season`) is listed by whoever writes it."""
    if created:
        list_ends(instance.pk, instance.pk, using)
