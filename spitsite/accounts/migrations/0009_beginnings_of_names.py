"""Names and addresses are found by how they begin without reading all of them, on PostgreSQL.

`istartswith` is `UPPER(…) LIKE UPPER('…%')` there, and an index in the order of a language does not serve LIKE. SQLite
has no such index and looks through all names, which are few where it is used.
"""

from django.db import migrations

INDEXES = {"users_by_name_begun": "username", "users_by_email_begun": "email"}


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name, column in INDEXES.items():
            schema_editor.execute(f'CREATE INDEX {name} ON accounts_user (UPPER("{column}") text_pattern_ops)')


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0008_moderators_look_at_flags")]

    operations = [migrations.RunPython(make, drop)]
