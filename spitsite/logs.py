"""Logging: structlog in front of and behind the standard library's loggers.

Events are named by a short phrase and carry their facts as keys: JSON, one
object a line, for programs; the same for people on a terminal. No logger is
ever given a card that is not face up for everybody (a match's slug and an
event's number say where to look), a session's key or a password.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from django.core.exceptions import ImproperlyConfigured

_SECRET: Final = ("cookie", "password", "secret", "session", "token")
"""What has one of these in its name is not written."""
_UNWANTED: Final = ("request", "data", "color_message")
"""What libraries add to their lines: whole objects, arguments of tasks, colours."""


def without_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """structlog's processor that takes out what has no place in a log."""
    for key in _UNWANTED:
        event.pop(key, None)
    for key in event:
        if any(word in key.lower() for word in _SECRET):
            event[key] = "(not written)"
    return event


class _BadRequests(logging.Filter):
    """Makes one line of a request that is refused for what it is: a stranger's nonsense is no fault of the site.

    Django logs such as errors with a traceback (`SuspiciousOperation`, what cannot be parsed), and without the path.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", 500)
        if record.name.startswith(("django.security", "django.request")) and 400 <= status < 500:
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            path = getattr(getattr(record, "request", None), "path", "")
            if path and path not in record.getMessage():
                record.msg, record.args = "%s: %s", (record.getMessage(), path)
        return True


def config(level: str, form: str = "") -> dict[str, Any]:
    """A `LOGGING` dictionary; sets structlog up as well.

    :param form: `console`, `json`, or empty: whichever suits where it goes.
    """
    if form not in ("", "console", "json"):
        raise ImproperlyConfigured(f"LOG_FORMAT is {form!r}; it can be 'console' or 'json'.")
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        without_secrets,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    for_people = form == "console" or (not form and sys.stderr.isatty())
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "console": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *(_FOR_PEOPLE if for_people else _FOR_PROGRAMS),
                ],
            }
        },
        "filters": {"bad_requests": {"()": _BadRequests}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "console", "filters": ["bad_requests"]},
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.server": {"handlers": [], "propagate": True},
            "django": {"handlers": [], "propagate": True},
            # Below this it writes every statement with its values, and those of events are cards.
            "django.db.backends": {"level": "INFO"},
            # Each beat and each task would be a line; a task that fails is an error.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            # A traceback each second while Redis is away; `games.live.relay.post` says so once.
            "channels_redis.pubsub": {"level": "CRITICAL"},
        },
    }


_FOR_PEOPLE: Final[tuple[Any, ...]] = (
    structlog.processors.TimeStamper(fmt="%H:%M:%S.%f", utc=False),
    structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(),
        # Plain tracebacks: the pretty ones print local variables, and those hold cards.
        exception_formatter=structlog.dev.plain_traceback,
    ),
)
_FOR_PROGRAMS: Final[tuple[Any, ...]] = (
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    # The traceback as text, without local variables.
    structlog.processors.format_exc_info,
    structlog.processors.EventRenamer("message"),
    structlog.processors.JSONRenderer(default=str),
)
