"""Logging: structlog in front of and behind the standard library's loggers.

Events are named by a short phrase and carry their facts as keys. No logger is ever given a card that is not
face up for everybody (a match's slug and an event's number say where to look).
"""

import sys
from typing import Any

import structlog


def config(level: str) -> dict[str, Any]:
    """A `LOGGING` dictionary; sets structlog up as well."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="%H:%M:%S.%f", utc=False),
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
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "console": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.dev.ConsoleRenderer(
                        colors=sys.stderr.isatty(),
                        # Plain tracebacks: the pretty ones print local variables, and those hold cards.
                        exception_formatter=structlog.dev.plain_traceback,
                    ),
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "console"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django.server": {"handlers": [], "propagate": True},
            "django": {"handlers": [], "propagate": True},
            # Each beat and each task would be a line; a task that fails is an error.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
        },
    }
