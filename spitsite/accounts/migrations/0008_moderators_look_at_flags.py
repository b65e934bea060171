"""Moderators see the matches that the ratings point at (R4), and say when they have looked."""

from django.db import migrations

NAME = "Moderators"


def give(apps, schema_editor):
    Permission = apps.get_model("auth", "Permission")
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label="games", model="matchflag")
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=NAME)
    # Django makes it after all migrations, and takes the one that is there.
    permission, _ = Permission.objects.get_or_create(
        content_type=kind, codename="view_matchflag", defaults={"name": "Can view flagged match"}
    )
    group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_users_by_age"),
        ("games", "0008_players"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
