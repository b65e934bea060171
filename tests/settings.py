"""The site's settings, with what tests want different."""

import os
import tempfile

# What tests make is no part of the installation.
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="spit-tests-"))

from spitsite.settings import *  # noqa: F403
from spitsite.settings import STORAGES

# Pages name their static files as they are; hashed names are tested on the real server.
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A task that fails makes its test fail.
CELERY_TASK_EAGER_PROPAGATES = True
# Limits are tested where they are switched on.
ACCOUNT_RATE_LIMITS = False
