"""What the lists of players' matches, and the new fields of the ratings, are for the matches that there are."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LISTS = """
INSERT INTO games_playermatch (seat_id, user_id, opponent_id, bot, game, rated, verdict, end_id, ended_at, length)
SELECT seat.id, seat.user_id, other.user_id, other.bot, m.game, m.rated AND NOT ended.void,
    CASE WHEN ended.void THEN 'void' WHEN ended.winner IS NULL THEN 'drawn'
        WHEN ended.winner = seat.number THEN 'won' ELSE 'lost' END,
    ended.id, ended.ended_at, ended.at
FROM games_end ended
JOIN games_match m ON m.id = ended.match_id
JOIN games_seat seat ON seat.match_id = ended.match_id AND seat.user_id IS NOT NULL
JOIN games_seat other ON other.match_id = ended.match_id AND other.number = 1 - seat.number
"""

CHANGES = """
UPDATE games_ratingchange SET
    user_id = (SELECT seat.user_id FROM games_seat seat WHERE seat.id = games_ratingchange.seat_id),
    game = (SELECT m.game FROM games_end ended JOIN games_match m ON m.id = ended.match_id
            WHERE ended.id = games_ratingchange.end_id),
    other = COALESCE((SELECT theirs.before FROM games_seat mine
                      JOIN games_seat seat ON seat.match_id = mine.match_id AND seat.number = 1 - mine.number
                      JOIN games_ratingchange theirs ON theirs.seat_id = seat.id
                      WHERE mine.id = games_ratingchange.seat_id), 1500.0),
    score = (SELECT CASE WHEN ended.winner IS NULL THEN 0.5 WHEN ended.winner = seat.number THEN 1.0 ELSE 0.0 END
             FROM games_end ended JOIN games_seat seat ON seat.match_id = ended.match_id
             WHERE ended.id = games_ratingchange.end_id AND seat.id = games_ratingchange.seat_id)
"""

RATINGS = """
UPDATE games_rating SET last_at = (
    SELECT ended.ended_at FROM games_ratingchange change JOIN games_end ended ON ended.id = change.end_id
    WHERE change.user_id = games_rating.user_id AND change.game = games_rating.game
    ORDER BY change.end_id DESC LIMIT 1)
"""


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        for statement in (LISTS, CHANGES, RATINGS):
            cursor.execute(statement)


def empty(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_playermatch")


class Migration(migrations.Migration):
    dependencies = [("games", "0008_players")]

    operations = [migrations.RunPython(fill, empty)]
