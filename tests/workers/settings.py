"""What workers and beats run with in tests: the site's settings, with everything that is due due at once."""

import os

from spitsite.settings import *  # noqa: F403
from spitsite.settings import CELERY_BEAT_SCHEDULE, CELERY_BROKER_TRANSPORT_OPTIONS, LOGGING

CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] = int(os.environ["VISIBILITY_TIMEOUT"])
CELERY_BEAT_SCHEDULE["games-sweep"]["schedule"] = 0.3
CELERY_BEAT_SCHEDULE["replays-sweep"]["schedule"] = 0.3
# Tests wait for what is said of each task.
LOGGING["loggers"] = {}
