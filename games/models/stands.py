"""Who watches, and what they say."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.clock import wall
from games.models.matches import Match


class Onlooker(models.Model):
    """What somebody with an account wants as a watcher; without a row: what is the default here."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="onlooker"
    )
    is_named = models.BooleanField(_("is named among the watchers"), default=False)
    has_chat = models.BooleanField(_("sees the chat"), default=True)

    class Meta:
        verbose_name = _("watcher's choice")
        verbose_name_plural = _("watchers' choices")

    def __str__(self) -> str:
        return str(self.user_id)


class Muted(models.Model):
    """Somebody who may not write in the chat of watchers."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="muted"
    )
    until = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("Empty: for good."))
    note = models.CharField(_("note"), max_length=200, blank=True)
    at = models.DateTimeField(_("since"), default=wall, editable=False)

    class Meta:
        verbose_name = _("muted person")
        verbose_name_plural = _("muted people")

    def __str__(self) -> str:
        return str(self.user)


class ChatLine(models.Model):
    """What a watcher said at a match. Kept for who looks after the site, and for the players after the end."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="chat_lines",
    )
    text = models.CharField(_("text"), max_length=200)
    at = models.DateTimeField(_("said"), default=wall)
    is_hidden = models.BooleanField(_("hidden"), default=False)

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        indexes: ClassVar = [models.Index(fields=["match", "id"], name="chat_by_match")]

    def __str__(self) -> str:
        return self.text
