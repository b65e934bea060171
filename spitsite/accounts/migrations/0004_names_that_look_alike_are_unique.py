import spitsite.accounts.likeness
import spitsite.accounts.models
import spitsite.accounts.names
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_names_that_look_alike")]

    operations = [
        migrations.AlterField(
            "user",
            "name_key",
            spitsite.accounts.models.OfName(
                editable=False, make=spitsite.accounts.names.key, max_length=120, unique=True
            ),
        ),
        migrations.AlterField(
            "user",
            "name_looks",
            spitsite.accounts.models.OfName(
                editable=False, make=spitsite.accounts.likeness.likeness, max_length=120, unique=True
            ),
        ),
    ]
