"""The site's settings, with what tests want different."""

import atexit
import os
import shutil
import tempfile
from urllib.parse import urlsplit

# What tests make is no part of the installation; each process that runs tests has a place of its own.
os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="spit-tests-")
# They share one Redis server; what each remembers, and empties, is its own.
if os.environ.get("REDIS_URL") and (_process := os.environ.get("PYTEST_XDIST_WORKER")):
    _number = 1 + int(_process.removeprefix("gw"))
    os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{_number}").geturl()

from spitsite.settings import *  # noqa: F403
from spitsite.settings import DATABASES, STORAGES, VAR_DIR

atexit.register(shutil.rmtree, VAR_DIR, ignore_errors=True)

# Pages name their static files as they are; hashed names are tested on the real server.
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as it really is: the threads of a process share a database in memory in a way that knows no waiting.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
# Tasks run where they are called, whatever there is; a test that wants workers starts them (tests/workers).
CELERY_TASK_ALWAYS_EAGER = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A task that fails makes its test fail.
CELERY_TASK_EAGER_PROPAGATES = True
# Limits are tested where they are switched on.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
GUESTS_PER_ADDRESS = MATCHES_PER_ADDRESS = MATCHES_PER_PERSON = REPORTS_PER_ADDRESS = 0
# Static files come from where they are written.
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
