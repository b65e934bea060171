"""The order in which matches ended: that of the ids of their ends (R1).

PostgreSQL gives ids out before the commit, so that a lower one may become visible later than a higher one. Whoever
writes an end says so first; whoever reads them in order asks up to which one nothing can come any more. Between them
stands a lock of their own: one on the table would wait for whatever looks after the table (VACUUM, an index in the
making), and all writers behind it.
"""

from typing import Final

from django.db import connection, transaction
from django.db.models import Max

from games.models import End

_LOCK: Final = "hashtext('games.end_order')"


def begin_end() -> None:
    """Before an end is written, in the transaction that writes it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_advisory_xact_lock_shared({_LOCK})")


def settled_end() -> int:
    """The highest id up to which no end can appear any more. Waits for those who write ends at this moment."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        highest: int | None = End.objects.aggregate(highest=Max("id"))["highest"]
    return highest or 0
