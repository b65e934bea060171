"""The app of preferences."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PreferencesConfig(AppConfig):
    name = "spitsite.accounts.preferences"
    label = "preferences"
    verbose_name = _("preferences")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from spitsite.accounts.preferences import signals  # noqa: F401  (its receivers listen from now on)
