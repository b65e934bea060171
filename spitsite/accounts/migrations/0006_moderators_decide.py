"""Moderators decide on reports, and see what belongs to them."""

from django.db import migrations

NAME = "Moderators"
GIVEN = {
    "games": ["view_chatline", "view_muted"],
    "moderation": ["view_report", "view_measure", "view_banned", "moderate"],
}


def give(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    ContentType = apps.get_model("contenttypes", "ContentType")
    group, _ = Group.objects.get_or_create(name=NAME)
    for app, names in GIVEN.items():
        for codename in names:
            model = "measure" if codename == "moderate" else codename.removeprefix("view_")
            kind, _ = ContentType.objects.get_or_create(app_label=app, model=model)
            verbose = apps.get_model(app, model)._meta.verbose_name
            name = "Can decide on reports" if codename == "moderate" else f"Can view {verbose}"
            # Django makes these after all migrations, and takes the ones that are there.
            permission, _ = Permission.objects.get_or_create(
                content_type=kind, codename=codename, defaults={"name": name}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_moderators"),
        ("games", "0006_watchers"),
        ("moderation", "0002_reports_of_chat_lines"),
    ]

    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
