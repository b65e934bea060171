"""The seeks that there are, and whose turn it is to change them."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from games.lobby import news
from games.models import Match, Seek

LIVES: Final = timedelta(seconds=7)
"""How long a seek lives after its page was there last: a page that is loaded anew, or a line that is lost for a moment,
costs nothing."""


def turn() -> None:
    """Wait for one's turn to change what is in the lobby; until the transaction ends it is nobody else's.

    Taken after the row of a match and before the rows of people (`hold`). On SQLite a transaction that may write is
    the only one anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('games.lobby'))")


def living() -> QuerySet[Seek]:
    """The seeks whose page is there."""
    return Seek.objects.filter(seen_at__gt=Now() - LIVES)


def waiting() -> QuerySet[Seek]:
    """The seeks that wait for somebody."""
    return living().filter(partner=None, match=None)


def forget(users: Collection[int], match: Match) -> None:
    """These people, by their ids, sit down at that match: they look for nobody any more. In a transaction."""
    found = Seek.objects.filter(Q(match=None) | ~Q(match=match), user__in=users)
    if found.exists():
        turn()
        remove(found)


def leave(user: int) -> None:
    """This person, by the id, looks for nobody any more, and nobody waits for their answer. In a transaction."""
    found = Seek.objects.filter(Q(user=user) | Q(to=user))
    if found.exists():
        turn()
        remove(found)


def follow(match: Match, rematch: Match) -> None:
    """Whom quick pairing has led to a match it has led to its rematch, too: they may look for somebody else afterwards.
    In one's turn."""
    Seek.objects.filter(match=match, kind=Seek.Kind.QUICK).update(match=rematch)


def remove(seeks: QuerySet[Seek]) -> int:
    """Take seeks away; how many. Whoever was paired with one of them and has no match waits on, or has not to wait any
    more: an answer without a challenge is none. In one's turn."""
    keys = list(seeks.values_list("pk", flat=True))
    if not keys:
        return 0
    left = Seek.objects.filter(partner__in=keys, match=None).exclude(pk__in=keys)
    left.exclude(kind=Seek.Kind.ANSWER).update(partner=None, paired_at=None, came=False)
    left.filter(kind=Seek.Kind.ANSWER).delete()
    Seek.objects.filter(pk__in=keys).delete()
    news.tell()
    return len(keys)
