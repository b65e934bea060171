"""The app of the replays."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("replays")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from replays import tasks  # noqa: F401  (its receivers hear that a match is over)
