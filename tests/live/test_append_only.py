"""The database itself refuses to change or to delete what was written, whoever asks and however."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from games import append_only
from games.models import End, Event, Match
from tests.factories import event_rows, play_short, store_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def match() -> Match:
    """A match that is over, with its events and its end."""
    match = store_match(play_short(0))
    # As after a commit: PostgreSQL refuses some statements for the keys that are still to be checked already.
    connection.check_constraints()
    return match


def contents() -> list[list[tuple[Any, ...]]]:
    return [list(model.objects.order_by("pk").values_list()) for model in (Event, End)]


@pytest.fixture(autouse=True)
def unchanged(match: Match) -> Iterator[None]:
    """Whatever a test tries, the two tables are afterwards as they were."""
    before = contents()
    assert all(before)
    yield
    assert contents() == before


def refused(statement: str, error: type[Exception] = DatabaseError, text: str = "append-only") -> None:
    with pytest.raises(error, match=text), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


UPSERT = "INSERT INTO {0} SELECT * FROM {0} WHERE true ON CONFLICT (id) DO UPDATE SET at = 1"
STATEMENTS = {
    "update": "UPDATE {0} SET at = 1",
    "delete": "DELETE FROM {0}",
    "upsert": UPSERT,
}
BY_VENDOR = {
    # `INSERT OR REPLACE` deletes the row in its way without firing the trigger for deletions.
    "sqlite": {"replace": "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"},
    "postgresql": {
        "update of nothing": "UPDATE {0} SET at = 1 WHERE false",
        "truncate": "TRUNCATE {0} CASCADE",
        "truncate with others": "TRUNCATE games_match CASCADE",
        "merge": "MERGE INTO {0} USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE",
        "with": "WITH gone AS (DELETE FROM {0} RETURNING 1) SELECT * FROM gone",
        "from another table": "WITH u AS (UPDATE {0} SET at = 1 RETURNING 1) SELECT count(*) FROM games_match",
    },
}


@pytest.mark.parametrize("table", append_only.TABLES)
@pytest.mark.parametrize("verb", STATEMENTS)
def test_refused(table: str, verb: str) -> None:
    refused(STATEMENTS[verb].format(table))


@pytest.mark.parametrize("table", append_only.TABLES)
def test_refused_in_the_words_of_this_database(table: str) -> None:
    for statement in BY_VENDOR[connection.vendor].values():
        refused(statement.format(table))


@pytest.mark.parametrize("model", [Event, End])
def test_refused_to_django(model: type[Event] | type[End]) -> None:
    row = model.objects.first()
    assert row is not None
    for change in (row.save, row.delete, lambda: model.objects.update(at=1), lambda: model.objects.all().delete()):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()  # type: ignore[operator]


def test_a_number_is_taken_once(match: Match) -> None:
    (again,) = event_rows(match, play_short(1).events[:1])
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)


def test_a_match_ends_once(match: Match) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        End.objects.create(match=match, winner=1, cause="resigned", events=1, at=1)


def test_an_event_belongs_to_a_match() -> None:
    with transaction.atomic():
        Event.objects.bulk_create(event_rows(Match(pk=2**40), play_short(1).events[:1]))
        with pytest.raises(IntegrityError):
            connection.check_constraints()
        transaction.set_rollback(True)


class TestLifted:
    """For tests, which empty the tables afterwards."""

    @pytest.fixture(autouse=True)
    def undone(self, unchanged: None) -> Iterator[None]:
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    def test_for_a_while(self) -> None:
        store_match(play_short(1))  # Its keys are still to be checked.
        with append_only.lifted(connection):
            assert Event.objects.update(at=1)
            assert End.objects.update(at=1)
        refused("DELETE FROM games_event")

    def test_even_when_something_fails(self) -> None:
        with pytest.raises(ZeroDivisionError), append_only.lifted(connection):
            1 / 0  # noqa: B018
        refused("DELETE FROM games_end")


def test_all_triggers_are_there() -> None:
    """A migration that remakes one of the tables on SQLite loses them without a word."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            if sqlite
            else "SELECT tgname FROM pg_trigger WHERE tgenabled = 'O'"
        )
        names = {name for (name,) in cursor.fetchall()}
    for table in append_only.TABLES:
        assert {f"{table}_no_{verb}" for verb in ("update", "delete", "replace" if sqlite else "truncate")} <= names
