"""What was reported, what was done about it, and who may not play at the moment.

`Measure` is the log: a row is written once. Only what belongs to no decision may
still change in it: that the person has read it, and names that are deleted
(`games.moderation.append_only`; the database itself refuses the rest).
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.clock import wall
from games.models import ChatLine, Match

MOST_TEXT = 500
"""The longest text of a report, and of a reason."""


class Kind(models.TextChoices):
    """What was decided."""

    DISMISS = "dismiss", pgettext_lazy("measure", "dismissed")
    WARN = "warn", pgettext_lazy("measure", "warned")
    MUTE = "mute", pgettext_lazy("measure", "muted")
    BAN = "ban", pgettext_lazy("measure", "banned")
    UNMUTE = "unmute", pgettext_lazy("measure", "may write again")
    UNBAN = "unban", pgettext_lazy("measure", "may play again")
    HIDE = "hide", pgettext_lazy("measure", "chat line taken away")
    VOID = "void", pgettext_lazy("measure", "match voided")
    BREAK_OFF = "break_off", pgettext_lazy("measure", "match broken off")


TOLD = (Kind.WARN, Kind.MUTE, Kind.BAN, Kind.UNMUTE, Kind.UNBAN, Kind.HIDE)
"""Of these the person learns; and of a match that was voided, by the match."""


class Measure(models.Model):
    """Something that somebody who looks after the site has done."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("about"), null=True, on_delete=models.SET_NULL, related_name="measures"
    )
    kind = models.CharField(_("what"), max_length=10, choices=Kind)
    reason = models.CharField(_("reason"), max_length=MOST_TEXT, blank=True)
    """As the person reads it; of a dismissal, for other moderators."""
    match = models.ForeignKey(Match, verbose_name=_("match"), null=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(_("when"), default=wall)
    until = models.DateTimeField(_("until"), null=True)
    """Of a mute or a ban; None: for good."""
    read_at = models.DateTimeField(_("read"), null=True)
    """When the person said to have read it."""

    class Meta:
        verbose_name = _("measure")
        verbose_name_plural = _("log of measures")
        ordering = ("-pk",)
        permissions: ClassVar = [("moderate", "Can decide on reports")]
        indexes: ClassVar = [models.Index(fields=["about", "-id"], name="measures_by_person")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.at:%Y-%m-%d %H:%M}"


class Banned(models.Model):
    """Somebody who may look at everything and play nothing (`games.moderation.standing`)."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="banned",
    )
    until = models.DateTimeField(_("until"), null=True)
    """None: for good."""
    reason = models.CharField(_("reason"), max_length=MOST_TEXT)
    at = models.DateTimeField(_("since"), default=wall)

    class Meta:
        verbose_name = _("banned person")
        verbose_name_plural = _("banned people")

    def __str__(self) -> str:
        return str(self.user_id)


class Report(models.Model):
    """Somebody found that somebody else should be looked at."""

    class Place(models.TextChoices):
        MATCH = "match", pgettext_lazy("reported at", "match")
        REPLAY = "replay", pgettext_lazy("reported at", "replay")
        PROFILE = "profile", pgettext_lazy("reported at", "profile")
        CHAT = "chat", pgettext_lazy("reported at", "chat")

    class Reason(models.TextChoices):
        CHEATING = "cheating", _("Cheating: a program plays, or helps")
        COLLUSION = "collusion", _("Losing on purpose, or playing for the points of a friend")
        CHAT = "chat", _("Insults, or other bad words in the chat")
        NAME = "name", _("A bad name")
        LEAVING = "leaving", _("Leaving or stalling again and again")
        OTHER = "other", _("Something else")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reported by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="reports_made",
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("about"), null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    place = models.CharField(_("reported at"), max_length=8, choices=Place)
    match = models.ForeignKey(
        Match, verbose_name=_("match"), null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    moment = models.PositiveIntegerField(_("moment"), null=True)
    """Milliseconds of the match."""
    line = models.ForeignKey(
        ChatLine, verbose_name=_("chat line"), null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    reason = models.CharField(_("reason"), max_length=10, choices=Reason)
    text = models.CharField(_("text"), max_length=MOST_TEXT, blank=True)
    at = models.DateTimeField(_("reported"), default=wall)
    measure = models.ForeignKey(
        Measure, verbose_name=_("what was done"), null=True, on_delete=models.PROTECT, related_name="reports"
    )
    """None: nobody has looked at it yet."""

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ("-pk",)
        indexes: ClassVar = [
            models.Index(fields=["about"], name="reports_open", condition=models.Q(measure__isnull=True)),
            models.Index(fields=["reporter", "-at"], name="reports_by_reporter"),
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()} {self.at:%Y-%m-%d %H:%M}"


class Voided(models.Model):
    """A finished match that does not count: for its ratings it is as if it had not been played (R2).

    Its `End` says what happened, for good; this says what it is worth.
    """

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.PROTECT, related_name="voided")
    at = models.DateTimeField(_("voided"), default=wall)

    class Meta:
        verbose_name = _("voided match")
        verbose_name_plural = _("voided matches")

    def __str__(self) -> str:
        return str(self.match_id)


class Notice(models.Model):
    """A word to everybody, above every page, for as long as it is true."""

    text = models.CharField(_("text"), max_length=200, help_text=_("Plain text, one or two sentences."))
    link = models.CharField(
        _("link"),
        max_length=200,
        blank=True,
        help_text=_("An address on this site (/about/) or elsewhere (https://…)."),
    )
    begins = models.DateTimeField(_("from"), default=wall)
    ends = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("Empty: until it is taken away."))

    class Meta:
        verbose_name = _("message to everybody")
        verbose_name_plural = _("messages to everybody")

    def __str__(self) -> str:
        return self.text
