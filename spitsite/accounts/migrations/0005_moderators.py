"""The group of those who may look at everything in the admin site and change nothing there."""

from django.db import migrations

NAME = "Moderators"
SEEN = {
    "accounts": ["user"],
    "games": ["match", "seat", "event", "end", "rating", "ratingchange"],
    "replays": ["replay"],
}


def make(apps, schema_editor):
    Group = apps.get_model("auth", "Group")
    Permission = apps.get_model("auth", "Permission")
    ContentType = apps.get_model("contenttypes", "ContentType")
    group, _ = Group.objects.get_or_create(name=NAME)
    for app, models in SEEN.items():
        for model in models:
            kind, _ = ContentType.objects.get_or_create(app_label=app, model=model)
            # Django makes these after all migrations, and takes the ones that are there.
            name = f"Can view {apps.get_model(app, model)._meta.verbose_name}"
            permission, _ = Permission.objects.get_or_create(
                content_type=kind, codename=f"view_{model}", defaults={"name": name}
            )
            group.permissions.add(permission)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_names_that_look_alike_are_unique"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0005_processes"),
        ("replays", "0002_without_figures"),
    ]

    operations = [migrations.RunPython(make, migrations.RunPython.noop)]
