"""Who follows whom, and who wants nothing to do with whom."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.clock import wall


class Follow(models.Model):
    """Somebody wants to see what somebody else plays."""

    follower = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followers")
    since = models.DateTimeField(_("since"), default=wall)

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["follower", "followed"], name="followed_once"),
            models.CheckConstraint(condition=~models.Q(follower=models.F("followed")), name="nobody_follows_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id} → {self.followed_id}"


class Block(models.Model):
    """Somebody wants nothing to do with somebody else: no pairing, no challenge, no chat, in either direction."""

    blocker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by")
    since = models.DateTimeField(_("since"), default=wall)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="blocked_once"),
            models.CheckConstraint(condition=~models.Q(blocker=models.F("blocked")), name="nobody_blocks_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} × {self.blocked_id}"
