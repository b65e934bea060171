"""Reports of chat lines are reports of people now (`games.moderation`)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_players_from_matches"),
        ("moderation", "0002_reports_of_chat_lines"),
    ]

    operations = [migrations.DeleteModel(name="ChatReport")]
