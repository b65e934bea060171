"""Only words, which no database keeps."""

import django.db.models.functions.text
import spitsite.accounts.names
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_found_by_name'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(error_messages={'unique': 'Somebody has this name already.'}, help_text='Letters, digits, - and _. Capital or small letters make no difference.', max_length=30, unique=True, validators=[spitsite.accounts.names.well_formed], verbose_name='username'),
        ),
        migrations.AlterConstraint(
            model_name='user',
            name='username_unique_in_any_case',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='username_unique_in_any_case', violation_error_message='Somebody has this name already.'),
        ),
    ]
