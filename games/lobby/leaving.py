"""Who may not play any more, or is no more: looks for nobody, and invites nobody."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from games.lobby import queue, services
from games.models import Match
from games.moderation.signals import banned


def leave(user: Any) -> None:
    """Take back all that somebody waits for, and what others wait for from them alone. Whoever was paired with them
    waits on, or has not to wait any more."""
    with transaction.atomic():
        for match in Match.objects.filter(seats__user=user, state=Match.State.OPEN).order_by("pk"):
            services.withdraw(match, user)
        queue.leave(user.pk)


@receiver(banned, dispatch_uid="games.lobby.leaving")
def _leave_for_good(user: Any, **_kwargs: Any) -> None:
    leave(user)
    # Whoever is about to look for somebody asks in their turn whether they may: after the ban.
    queue.turn()
