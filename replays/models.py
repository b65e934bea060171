"""Replays: what is built from the log of a finished match. Everything in here can be rebuilt."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.clock import wall
from games.models import Match
from replays.statistics import SeatStatistics


class SeatSpeed(models.Model):
    """How fast a seat was in a match: a few of the replay's figures, for what shows a player's speed over time.

    Written together with the replay. A deleted player's stay, as the replay itself does.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="speeds", db_index=False)
    seat = models.PositiveSmallIntegerField(_("seat"))
    # An account may be deleted at the moment at which a replay is built.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    game = models.CharField(_("game"), max_length=20)
    per_minute = models.FloatField(_("cards per minute of play"))
    reaction = models.PositiveIntegerField(_("reaction to a turn (ms)"), null=True)

    class Meta:
        verbose_name = _("speed of a seat")
        verbose_name_plural = _("speeds of seats")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat"], name="one_speed_for_a_seat")]
        indexes: ClassVar = [models.Index(fields=["user", "game", "-match"], name="speeds_of_player")]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.seat}"


class Replay(models.Model):
    """The course of a finished match, judged again by the rules, ready to be sent.

    Names and ratings are not in it: they are added when it is sent, so that a
    changed or deleted name changes everywhere (`replays.documents`).
    """

    class Verdict(models.TextChoices):
        SOUND = "sound", _("sound")
        FLAGGED = "flagged", _("flagged")

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="replay")
    version = models.PositiveSmallIntegerField(_("format version"), db_index=True)
    verdict = models.CharField(_("verdict"), max_length=8, choices=Verdict)
    """Flagged: the rules do not lead to what was recorded. Never mended."""
    faults = models.JSONField(_("faults"), default=list, blank=True)
    """``[[seq, text], ...]``, empty when sound."""
    course = models.BinaryField()
    """`replays.format.Course` as JSON, compressed with zlib."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the uncompressed course, in hexadecimal."""
    packing = models.PositiveSmallIntegerField(_("packing"), default=0, db_index=True)
    """`replays.packing.PACKING` when `packed` was made."""
    packed = models.BinaryField(default=b"")
    """The course as the page is sent it (`replays.packing`), compressed with gzip."""
    size = models.PositiveIntegerField(_("bytes"))
    """Of the uncompressed course."""
    built_at = models.DateTimeField(_("built"), default=wall)

    seats: tuple[SeatStatistics, ...] = ()
    """The figures of both seats, on a replay that was just made; stored in part, as `SeatSpeed`."""

    class Meta:
        verbose_name = _("replay")
        verbose_name_plural = _("replays")
        indexes: ClassVar = [
            models.Index(fields=["verdict", "-match"], name="replays_by_verdict"),
        ]

    def __str__(self) -> str:
        return self.match.slug

    def get_absolute_url(self) -> str:
        return reverse("replay", args=[self.match.slug])

    @property
    def is_flagged(self) -> bool:
        return self.verdict == self.Verdict.FLAGGED


class Clip(models.Model):
    """A part of a replay as an animated picture: asked for by a page, made by a task, kept for some days."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        MADE = "made", _("made")
        FAILED = "failed", _("failed")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="clips")
    start = models.PositiveIntegerField(_("from (ms)"))
    end = models.PositiveIntegerField(_("to (ms)"))
    bottom = models.PositiveSmallIntegerField(_("seat below"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    picture = models.BinaryField(default=b"")
    """A GIF."""
    asked_at = models.DateTimeField(_("asked for"), default=wall, db_index=True)

    class Meta:
        verbose_name = _("clip")
        verbose_name_plural = _("clips")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "start", "end", "bottom"], name="one_clip_of_a_part"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["asked_at"], name="clips_to_make", condition=models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.match.slug} {self.start}-{self.end}"
