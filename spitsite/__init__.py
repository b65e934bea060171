"""The site: settings, addresses, the server, accounts."""

from spitsite.celery import app as celery_app

__all__ = ["celery_app"]
