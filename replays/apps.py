"""The app of the replays."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("replays")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.profiles.speed import SOURCES
        from replays import tasks  # noqa: F401  (its receivers hear that a match is over)
        from replays.selectors import speeds_of

        SOURCES.append(speeds_of)
