"""What a run of tests makes once, however many processes share the work.

The first process that needs it makes it, the others wait for that; the process that started the run throws it away.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests import databases

_VARIABLE: Final = "TESTS_SHARED_DIR"


def once(name: str, make: Callable[[Path], None]) -> Path:
    """The directory that `make` has filled, by this process or by another. It is to be looked at and copied only."""
    place = Path(os.environ[_VARIABLE])
    target, done = place / name, place / f"{name}.done"
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            target.mkdir()
            try:
                make(target)
            except BaseException:
                # The next one finds out for itself what is wrong.
                databases.drop(target)
                shutil.rmtree(target)
                raise
            # This process may end long before the last that copies it.
            databases.leave(target)
            done.touch()
    return target


def _begin() -> None:
    if _VARIABLE not in os.environ:
        place = Path(tempfile.mkdtemp(prefix="spit-shared-"))
        os.environ[_VARIABLE] = str(place)
        atexit.register(_end, place)


def _end(place: Path) -> None:
    for done in place.glob("*.done"):
        databases.drop(done.with_suffix(""))
    shutil.rmtree(place, ignore_errors=True)


# The processes that share the work are started later, and inherit it.
_begin()
