"""The databases of real servers in the shape of many processes (`DATABASE_URL` names a PostgreSQL).

There each `var` directory has a database of its own on that PostgreSQL, as it has a file of its own on SQLite.
"""

import atexit
import hashlib
import os
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit

import psycopg
from psycopg.sql import SQL, Identifier

SERVER = os.environ.get("DATABASE_URL", "")
IS_POSTGRESQL = SERVER.startswith("postgres")
_made: set[str] = set()


def url_of(var: Path) -> str:
    """The database of that directory, made if there is none. Empty: it is a file in the directory."""
    if not IS_POSTGRESQL:
        return ""
    if name_of(var) not in _made:
        _create("CREATE DATABASE {}", name_of(var))
    return urlsplit(SERVER)._replace(path=f"/{name_of(var)}").geturl()


def copy(source: Path, target: Path) -> None:
    """Give `target` what the database of `source` holds; nobody is connected to that one."""
    if IS_POSTGRESQL:
        _create("CREATE DATABASE {} TEMPLATE {}", name_of(target), name_of(source))


def drop(var: Path) -> None:
    """Throw its database away, whoever is connected to it."""
    if IS_POSTGRESQL:
        leave(var)
        _do("DROP DATABASE IF EXISTS {} WITH (FORCE)", name_of(var))


def leave(var: Path) -> None:
    """Let its database outlive this process; another one drops it."""
    _made.discard(name_of(var))


@atexit.register
def _drop_all() -> None:
    for name in tuple(_made):
        _do("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def name_of(var: Path) -> str:
    """The name of its database, whether there is one or not."""
    return f"spit_{hashlib.sha256(str(var.resolve()).encode()).hexdigest()[:16]}"


def _create(statement: LiteralString, name: str, *more: str) -> None:
    _do(statement, name, *more)
    _made.add(name)


def _do(statement: LiteralString, *names: str) -> None:
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(SQL(statement).format(*map(Identifier, names)))
