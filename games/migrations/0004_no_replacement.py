"""On SQLite, refuse `INSERT OR REPLACE` on the append-only tables too."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games import append_only


def protect(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    append_only.protect(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_admin_lists")]

    operations = [migrations.RunPython(protect, migrations.RunPython.noop)]
