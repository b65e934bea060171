"""What moderation tells the parts that know more than it does."""

from typing import Final

from django.dispatch import Signal

banned: Final = Signal()
"""Somebody is being banned. Sent in the transaction that does it, before its first row, with `user: Any`: what the
person waits for is to be taken back, and whoever looks whether they may play has to wait or to find the ban."""
