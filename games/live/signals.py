"""What live play tells the rest of the site."""

from typing import Final

from django.dispatch import Signal

match_over: Final = Signal()
"""A match is over and its end is in the database. Sent in a worker thread, with `slug: str` and `match_id: int`."""
