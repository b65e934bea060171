"""The secret key of an installation that was given none."""

import os
import secrets
from pathlib import Path


def kept(path: Path) -> str:
    """The key in `path`; made on the first start and readable by its owner only.

    Two processes that start at once agree: a key appears under its name complete, and only one of the two wins.
    """
    if not path.exists():
        mine = path.with_name(f".{path.name}.{os.getpid()}")
        with open(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            os.link(mine, path)
        except FileExistsError:
            pass  # The other process was first; its key counts.
        finally:
            mine.unlink()
    return path.read_text()
