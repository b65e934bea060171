"""The list of all matches with what it can be filtered by, and what it is for the matches that there are."""

import django.db.models.deletion
from django.db import migrations, models

LIST = """
INSERT INTO games_listedmatch (end_id, game, rated)
SELECT ended.id, m.game, m.rated AND NOT EXISTS (SELECT 1 FROM moderation_voided voided WHERE voided.match_id = m.id)
FROM games_end ended JOIN games_match m ON m.id = ended.match_id
WHERE NOT ended.void
"""


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(LIST)


class Migration(migrations.Migration):
    dependencies = [("games", "0012_misplays"), ("moderation", "0001_reports_and_measures")]

    operations = [
        migrations.CreateModel(
            name="ListedMatch",
            fields=[
                ("end", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="listed_once", serialize=False, to="games.end")),
                ("game", models.CharField(max_length=20, verbose_name="game")),
                ("rated", models.BooleanField(verbose_name="rated")),
            ],
            options={
                "verbose_name": "match with a result",
                "verbose_name_plural": "matches with a result",
                "indexes": [
                    models.Index(fields=["game", "-end"], name="listed_game"),
                    models.Index(fields=["rated", "-end"], name="listed_rated"),
                    models.Index(fields=["game", "rated", "-end"], name="listed_game_and_rated"),
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
