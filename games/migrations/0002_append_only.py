"""Let the database itself refuse to change or delete an event or an end."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games import append_only


def protect(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    append_only.protect(schema_editor.connection)


def unprotect(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    append_only.unprotect(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [migrations.RunPython(protect, unprotect)]
