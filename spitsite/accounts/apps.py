"""The app of accounts and guests."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "spitsite.accounts"
    label = "accounts"
    verbose_name = _("people")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from spitsite.accounts import signals  # noqa: F401  (its receivers listen from now on)
