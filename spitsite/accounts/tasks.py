"""What Celery does for the accounts."""

from celery import shared_task

from spitsite.accounts import guests


@shared_task
def remove_idle_guests() -> int:
    """See `guests.remove_idle_guests`. Running twice removes nothing twice."""
    return guests.remove_idle_guests()
