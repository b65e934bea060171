"""Who looks for an opponent."""

from __future__ import annotations

import msgspec
from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.matches import MAX_DELAY, Match
from games.rules.setup import Options, Setup


class Seek(models.Model):
    """Somebody who looks for an opponent at this moment (`games.lobby.seeks`). Not a fact to be kept.

    It lives as long as the page that it was asked for on: the process that has the page's socket renews it. Nobody
    has two. All times are by the database's clock.
    """

    class Kind(models.TextChoices):
        QUICK = "quick", _("quick pairing")
        OPEN = "open", _("open challenge")
        PERSON = "person", _("challenge to a person")
        ANSWER = "answer", _("answer to a challenge")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seek")
    page = models.CharField(max_length=32)
    """The name that the page gave itself: that one goes to the table, and no other page of the person."""
    kind = models.CharField(max_length=8, choices=Kind)
    game = models.CharField(_("game"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("speed class"), max_length=20, default="normal")
    rated = models.BooleanField(_("rated"), default=False)
    delay = models.PositiveSmallIntegerField(
        _("delay"), default=0, db_default=0, validators=[MaxValueValidator(MAX_DELAY)]
    )
    """Seconds by which watchers are to see the match later, of a challenge; the site may want more."""
    rating = models.FloatField(_("rating"), null=True)
    """Of the person in that game when it was asked for, as far as everybody might know; None for guests."""
    is_provisional = models.BooleanField(default=True)
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="challenges"
    )
    """Who is challenged, of a challenge to a person."""
    began_at = models.DateTimeField(db_default=Now())
    """Their place in the queue."""
    seen_at = models.DateTimeField(db_default=Now())
    """When the page was there last."""
    partner = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    """The seek that it was brought together with; each is the other's."""
    paired_at = models.DateTimeField(null=True)
    came = models.BooleanField(default=False)
    """The page has answered since: it is ready to go to the table."""
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    """What came of it; the page is sent there."""

    class Meta:
        verbose_name = _("seek")
        verbose_name_plural = _("seeks")

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.game}"

    @property
    def setup(self) -> Setup:
        return Setup(self.game, msgspec.convert(self.options, Options), self.pace)
