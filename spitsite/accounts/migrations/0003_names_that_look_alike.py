"""Names are kept apart by what PRECIS takes for one name, and by how they look."""

import spitsite.accounts.likeness
import spitsite.accounts.models
import spitsite.accounts.names
from django.db import migrations, models


def fill(apps, schema_editor):
    """The older of two names that look alike has the likeness; the others have it with their number behind it."""
    User = apps.get_model("accounts", "User")
    keys, looks = set(), set()
    some = []
    for person in User.objects.order_by("pk").only("pk", "username").iterator(chunk_size=2000):
        for kept, field, value in (
            (keys, "name_key", spitsite.accounts.names.key(person.username)),
            (looks, "name_looks", spitsite.accounts.likeness.likeness(person.username)),
        ):
            if value in kept:
                value = f"{value}~{person.pk}"
            kept.add(value)
            setattr(person, field, value)
        some.append(person)
        if len(some) == 1000:
            User.objects.bulk_update(some, ["name_key", "name_looks"])
            some = []
    User.objects.bulk_update(some, ["name_key", "name_looks"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_index_of_names")]

    operations = [
        migrations.AddField("user", "name_key", models.CharField(max_length=120, null=True, editable=False)),
        migrations.AddField("user", "name_looks", models.CharField(max_length=120, null=True, editable=False)),
        migrations.AlterField(
            "user",
            "username",
            models.CharField(
                error_messages={"unique": "A user with that username already exists."},
                help_text="Letters, digits, - and _. Capital or small letters make no difference.",
                max_length=30,
                unique=True,
                validators=[spitsite.accounts.names.well_formed],
                verbose_name="username",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
