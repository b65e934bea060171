"""The Celery application: what may take a while or must survive.

Without a broker (`REDIS_URL` empty) tasks run where they are called, and `manage.py serve` runs the periodic ones in
a thread of its own.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spitsite.settings")

app = Celery("spitsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
