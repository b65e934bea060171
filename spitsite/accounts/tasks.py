"""What Celery does for the accounts. Each of it may run twice: what is gone is not removed again."""

from celery import shared_task

from spitsite.accounts import expiry


@shared_task
def remove_idle_guests() -> int:
    """See `expiry.remove_idle_guests`."""
    return expiry.remove_idle_guests()


@shared_task
def remove_ended_sessions() -> int:
    """See `expiry.remove_ended_sessions`."""
    return expiry.remove_ended_sessions()
