"""The figures of today, for the front page of the admin site."""

import structlog
from django import template
from django.db import DatabaseError, InterfaceError

from spitsite.monitoring.today import Today, today

register = template.Library()
log = structlog.get_logger(__name__)


@register.simple_tag
def figures_of_today() -> Today | None:
    """None: they cannot be read; the page is there all the same."""
    try:
        return today()
    except (DatabaseError, InterfaceError) as error:
        log.warning("the figures of today cannot be read", error=str(error))
        return None
