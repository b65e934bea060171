"""Work that would hold the interpreter for long, done beside the site: in a process of its own, so that no play waits.

A job is bytes, and so is what comes of it. The process begins with the job and ends with it, comes after everything
else that wants the processor, and has bounds: nothing is left behind, and whoever sends a job astray takes nothing from
anybody else.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Final

from django.conf import settings

WAITS: Final = 20
"""Seconds for which a job waits for its turn: of each kind one is done at a time."""
LASTS: Final = 60
"""Seconds after which it is given up."""
MOST_MEMORY: Final = 1_000_000_000
"""Bytes."""
NICE: Final = 10
"""How far everything else goes first (nice(1))."""

_turns: Final[dict[str, BoundedSemaphore]] = {}


class Busy(Exception):
    """Its turn did not come."""


class Failed(Exception):
    """Nothing came of it; says why."""


def run(module: str, job: bytes) -> bytes:
    """What comes of a job. Blocks: for a worker's thread.

    :param module: one that ends with `serve`.
    :raises Busy: others are asked for all the time.
    :raises Failed: it broke, or took too long or too much.
    """
    turn = _turns.setdefault(module, BoundedSemaphore())
    if not turn.acquire(timeout=WAITS):
        raise Busy(module)
    try:
        done = subprocess.run(  # noqa: S603  (this Python, and a module of ours)
            [sys.executable, "-m", module],
            input=job,
            capture_output=True,
            check=True,
            cwd=settings.BASE_DIR,
            timeout=LASTS,
        )
    except subprocess.CalledProcessError as error:
        raise Failed(error.stderr.decode(errors="replace")[-500:]) from None
    except (subprocess.TimeoutExpired, OSError) as error:
        raise Failed(str(error)) from None
    finally:
        turn.release()
    return done.stdout


def serve(work: Callable[[bytes], bytes]) -> None:
    """Do the job that this process was begun for."""
    os.nice(NICE)
    # Not every system has this bound.
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    sys.stdout.buffer.write(work(sys.stdin.buffer.read()))
