"""The app of the games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import tasks  # noqa: F401  (its receivers hear that a match is over)
        from games.bots.runner import attach_bots
        from games.live.supervisor import get_supervisor

        get_supervisor().on_table.append(attach_bots)
