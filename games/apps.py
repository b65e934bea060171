"""The app of the games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import people, played, tasks  # noqa: F401  (receivers hear that a match is over)
        from games.bots.levels import LEVELS
        from games.bots.runner import attach_bots
        from games.live.supervisor import get_supervisor
        from games.lobby import leaving  # noqa: F401  (its receiver hears of bans)
        from games.lobby.services import rematch_url
        from games.moderation.standing import banned_among
        from games.stands.bystander import hear

        people.BOT_NAMES.update((level.key, level.name) for level in LEVELS)
        supervisor = get_supervisor()
        supervisor.on_table.append(attach_bots)
        supervisor.rematch_maker = rematch_url
        supervisor.barred_among = banned_among
        supervisor.on_bystander = hear
