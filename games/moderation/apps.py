"""The app of moderation."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
    verbose_name = _("moderation")
    default_auto_field = "django.db.models.BigAutoField"
