"""The settings of the site.

Everything that differs between two installations comes from the environment; with an empty environment the site
works at once on the machine it runs on. The table of all variables is in docs/operating.md.
"""

from pathlib import Path

import django_stubs_ext
import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from spitsite import logs, proxies, secret

django_stubs_ext.monkeypatch()

env = environ.Env()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.str("VAR_DIR", str(BASE_DIR / "var")))
"""What this installation makes: the database, the secret key, the collected static files."""
VAR_DIR.mkdir(parents=True, exist_ok=True)

# --- The site and who may reach it -----------------------------------------------------------------------------------

DEBUG = env.bool("DJANGO_DEBUG", False)
SECRET_KEY = env.str("SECRET_KEY", "") or secret.kept(VAR_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", ".localhost"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
"""Origins with scheme, for a proxy that ends TLS on another port; also accepted for WebSockets."""
SITE_NAME = env.str("SITE_NAME", "Spit")

BEHIND_TLS_PROXY = env.bool("BEHIND_TLS_PROXY", False)
"""The site is reached over https only, through a proxy that sets (and never passes on) X-Forwarded-Proto."""
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS_PROXY else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = BEHIND_TLS_PROXY
TRUSTED_PROXIES = proxies.checked(env.list("TRUSTED_PROXIES", default=[]))
"""Addresses or networks of proxies that may say who the client is (X-Forwarded-For). Whom limits slow, and who may read
the figures, rests on it."""
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
"""Who brings it may read /metrics; empty: who is on this machine or in a private network."""
DRAIN_SECONDS = env.float("DRAIN_SECONDS", 0.0)
"""How long a server that is told to stop goes on, with /readyz at 503, so that a balancer sends nobody any more."""
SECURE_SSL_REDIRECT = BEHIND_TLS_PROXY
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 365 * 24 * 60 * 60 if BEHIND_TLS_PROXY else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", False)
# Whether the other hosts of a domain have https is not for this site to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "spitsite.accounts.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
if BEHIND_TLS_PROXY:
    # Browsers take cookies of these names over https only, from this very host, for all of it: no other host of the
    # same domain can plant one.
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        # Nothing inline and nothing from elsewhere. Sockets of the same origin are 'self' as well.
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [NONE],
        "frame-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
"""Who may be put into another site's page is exempted by the view itself (`spitsite.security`)."""

# --- What it is made of ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "spitsite",
    "spitsite.accounts",
    "spitsite.accounts.preferences",
    "games",
    "games.moderation",
    "replays",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
]

MIDDLEWARE = [
    "spitsite.monitoring.requests.Requests",
    "spitsite.security.Policy",
    "django.middleware.security.SecurityMiddleware",
    "spitsite.static.WhiteNoise",
    # Pages are packed, each to a length of its own by chance, so that nobody can guess from it what is in them.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "spitsite.accounts.middleware.GuestsAreNotSignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
]

ROOT_URLCONF = "spitsite.urls"
ASGI_APPLICATION = "spitsite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "spitsite.context.site",
                "spitsite.context.preferences",
                "spitsite.context.words_of_the_house",
            ],
        },
    },
]

# --- Where things are kept -------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {"default": env.db_url_config(env.str("DATABASE_URL", "") or f"sqlite:///{VAR_DIR / 'spit.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A transaction that will write says so at its beginning, and waits its turn instead of failing half-way.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # Readers never wait for the writer (WAL); a commit is on the disk when it returns (FULL).
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
    }
else:
    # A page's thread lives as long as the request, so connections are kept in a pool and not in threads.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", 20), "timeout": 10},
        **DATABASES["default"].get("OPTIONS", {}),
    }

REDIS_URL = env.str("REDIS_URL", "")
"""Empty: one process does everything. Set: channel layer, cache and broker are there, and tasks run in workers."""
CHANNEL_LAYERS: dict[str, dict[str, object]]
CACHES: dict[str, dict[str, object]]
if REDIS_URL:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": REDIS_URL, "max_connections": 1000}]},
        }
    }
    redis_cache = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    CACHES = {"default": redis_cache, "pictures": redis_cache}
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    # Pictures have a place of their own: they are not to push out what counts how often somebody has tried something.
    CACHES = {
        name: {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": entries},
        }
        for name, entries in {"default": 20_000, "pictures": 200}.items()
    }

PLAY_IS_SHARED = bool(REDIS_URL) and DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"
"""Any number of server processes play the matches of the database; else one plays them all."""

# --- Celery (spitsite/celery.py) -------------------------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
# Without a broker a task runs where it is called; its failure is logged and is not the caller's.
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_EAGER_PROPAGATES = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_EXPIRES = None
# Every task can run twice, so a task is done only when it is done: a killed worker's tasks go to another.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600} if REDIS_URL else {}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    "games-sweep": {"task": "games.tasks.sweep", "schedule": 60.0},
    "replays-sweep": {"task": "replays.tasks.sweep", "schedule": 300.0},
    "replays-sweep-clips": {"task": "replays.tasks.sweep_clips", "schedule": 300.0},
    "remove-idle-guests": {"task": "spitsite.accounts.tasks.remove_idle_guests", "schedule": 6 * 60 * 60.0},
    "remove-ended-sessions": {"task": "spitsite.accounts.tasks.remove_ended_sessions", "schedule": 6 * 60 * 60.0},
}
if not REDIS_URL:
    # No page waits for a clip, and no worker is there to hand it to: the thread of the periodic tasks looks for one.
    CELERY_BEAT_SCHEDULE["replays-make-clips"] = {"task": "replays.tasks.make_clips", "schedule": 2.0}

# --- Watchers --------------------------------------------------------------------------------------------------------

WATCH_DELAY = min(60, max(0, env.int("WATCH_DELAY", 0)))
"""Seconds by which everybody but the players learns later of everything, in each match that is begun from now on; a
match may ask for more."""
WATCHERS_CHAT = env.bool("WATCHERS_CHAT", True)

# --- People ----------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
ENSURE_USER = "spitsite.accounts.guests.ensure_user"
"""How the lobby gets somebody to seat: `(request) -> User`. The games know nothing of the site."""
REPORTER = "spitsite.accounts.reporting.reporter"
"""How moderation learns who reports somebody: `(request) -> User`, or None: the address has made too many guests."""
CHECK_MATCH = "spitsite.accounts.limits.check_match"
"""How the lobby learns whether one more match may be made: `(request) -> None`."""
CHOSEN = "spitsite.accounts.preferences.services.chosen"
"""How the games learn what people have chosen: `(name of a preference, ids) -> values by ids`."""
GUESTS_PER_ADDRESS = env.int("GUESTS_PER_ADDRESS", 60)
MATCHES_PER_ADDRESS = env.int("MATCHES_PER_ADDRESS", 600)
REPORTS_PER_ADDRESS = env.int("REPORTS_PER_ADDRESS", 60)
CONTACT_EMAIL = env.str("CONTACT_EMAIL", "") or env.str("EMAIL_FROM", "")
"""Where people write to who looks after the site, for instance when they find that a ban is wrong."""
IS_WITHIN = "spitsite.accounts.limits.is_within"
"""How games and replays learn whether an address may have more work done: `(request, what, most) -> bool`."""
PICTURES_PER_ADDRESS = env.int("PICTURES_PER_ADDRESS", 300)
CLIPS_PER_ADDRESS = env.int("CLIPS_PER_ADDRESS", 20)
JUDGED_PER_ADDRESS = env.int("JUDGED_PER_ADDRESS", 60)
SEARCHES_PER_ADDRESS = env.int("SEARCHES_PER_ADDRESS", 3000)
MATCHES_PER_PERSON = env.int("MATCHES_PER_PERSON", 120)
"""How many may be made in an hour; 0: any number."""
GUEST_IDLE_DAYS = env.int("GUEST_IDLE_DAYS", 30)

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "spitsite.accounts.backend.Backend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "spitsite.accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = env.str("EMAIL_VERIFICATION", "mandatory" if env.str("EMAIL_URL", "") else "optional")
"""Where mail is really sent, an account is used once its address is confirmed; then nothing tells, either, whether an
address has an account (`ACCOUNT_PREVENT_ENUMERATION` is allauth's default)."""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "spitsite.accounts.names.validators"
ACCOUNT_RATE_LIMITS = {
    # Wrong passwords count against the address that they come from, never against the name that they are tried on:
    # nobody can shut somebody else out.
    "login_failed": "10/m/ip,60/h/ip",
    "change_name": "5/d/user",
}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "signup": "spitsite.accounts.wording.SignupForm",
    "change_password": "spitsite.accounts.wording.ChangePasswordForm",
    "reset_password_from_key": "spitsite.accounts.wording.ResetPasswordKeyForm",
}
MFA_ADAPTER = "spitsite.accounts.adapter.SecondFactorAdapter"
MFA_FORMS = {
    "add_webauthn": "spitsite.accounts.passkeys.AddForm",
    "authenticate_webauthn": "spitsite.accounts.passkeys.AuthenticateForm",
    "login_webauthn": "spitsite.accounts.passkeys.LoginForm",
    "reauthenticate_webauthn": "spitsite.accounts.passkeys.ReauthenticateForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
MFA_TOTP_TOLERANCE = 1
"""A phone's clock may be half a minute off."""
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION != "mandatory"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not BEHIND_TLS_PROXY
"""Browsers have passkeys over https and on this very machine only; what is neither never asks."""
USERSESSIONS_ADAPTER = "spitsite.accounts.adapter.SessionsAdapter"
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if BEHIND_TLS_PROXY else "http"

vars().update(env.email_url("EMAIL_URL", "consolemail://"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("EMAIL_FROM", "spit@localhost")

# --- Languages and times ---------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["spitsite.formats"]
USE_I18N = True
TIME_ZONE = env.str("TIME_ZONE", "UTC")
USE_TZ = True

# --- Static files ----------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "spitsite.static.HashedStaticFiles"
    },
}

# --- Logs ------------------------------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", "INFO")
LOG_FORMAT = env.str("LOG_FORMAT", "")
"""`console` or `json`; empty: lines for people on a terminal, JSON everywhere else."""
LOGGING = logs.config(LOG_LEVEL, LOG_FORMAT)
