"""Celery tasks of the games: ratings, invitations. Each can run twice, or at the same time as itself, without harm."""

from typing import Any

import structlog
from celery import shared_task
from celery.exceptions import OperationalError
from django.dispatch import receiver

from games.live.signals import match_over
from games.lobby.seeks import tidy
from games.lobby.services import expire_invitations
from games.ratings.recount import Busy, is_due, recount
from games.ratings.services import rate_pending

log = structlog.get_logger(__name__)


@shared_task
def rate() -> None:
    """Rate what has ended and was not rated yet (R1)."""
    rated = rate_pending()
    if rated:
        log.info("rated", matches=rated)


@shared_task
def sweep() -> None:
    """Do what a crash left undone, and clear away what is out of date. Runs at the start and again and again."""
    rate()
    if is_due():
        ask_for_recount()
    tidy()
    if expired := expire_invitations():
        log.info("invitations expired", matches=expired)


@shared_task
def recount_ratings() -> None:
    """Count all ratings from nothing, and put right what differs; nothing while another one does it."""
    rate_pending()
    try:
        found = recount(repair=True, waits=False)
    except Busy:
        log.info("ratings are being recounted already")
        return
    if found.is_equal:
        log.info("ratings recounted", matches=found.matches, players=found.players)
    else:
        log.error("ratings differed and were put right", differences=found.differences, examples=found.examples)


def ask_for_recount() -> None:
    """Have the ratings counted again. What cannot be asked for now, the sweep asks for (`is_due`)."""
    try:
        recount_ratings.delay()
    except OperationalError as error:
        log.warning("nobody can be asked to recount ratings", error=str(error))


@receiver(match_over, dispatch_uid="games.rate")
def rate_when_over(**_kwargs: Any) -> None:
    rate.delay()
