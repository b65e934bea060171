"""The stored preferences."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Preferences(models.Model):
    """What somebody with an account has chosen; whatever is by default is not in it."""

    user: "models.OneToOneField[Any, Any]" = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preferences", verbose_name=_("user")
    )
    chosen: "models.JSONField[Any, Any]" = models.JSONField(_("chosen"), default=dict, blank=True)
    """Texts by the names of the catalogue."""

    class Meta:
        verbose_name = _("preferences")
        verbose_name_plural = _("preferences")
        constraints: ClassVar[list[models.BaseConstraint]] = []

    def __str__(self) -> str:
        return str(self.user)
