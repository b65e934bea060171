"""People are found by how their names begin, however many there are, and come in the order of the alphabet, on PostgreSQL.

An index in the order of a language serves no beginnings; guests, who are many and all called alike, are not in it. SQLite has
an index in that order anyway, that of the names themselves.
"""

from django.db import migrations


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            'CREATE INDEX users_found_by_name ON accounts_user (name_key COLLATE "C") WHERE is_active AND NOT is_guest'
        )


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX users_found_by_name")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0009_beginnings_of_names")]

    operations = [migrations.RunPython(make, drop)]
