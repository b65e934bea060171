"""Matches: who sits at them, their events, their ends.

Events and ends are append-only; the database itself refuses to change them (`games.migrations`).
"""

from __future__ import annotations

import secrets
from typing import ClassVar

import msgspec
from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.clock import wall
from games.rules.setup import Options, Setup

MAX_DELAY = 60
"""The longest delay of a match, in seconds."""
SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug() -> str:
    """A public id of eight letters without look-alikes; says nothing about the cards."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(8))


class Process(models.Model):
    """A server process that plays matches beside others (`games.live.ownership`). It is gone when its row is old."""

    id = models.CharField(max_length=16, primary_key=True)
    name = models.CharField(_("name"), max_length=100)
    """Machine and process number, for who looks after them."""
    started_at = models.DateTimeField(_("started"), db_default=Now())
    seen_at = models.DateTimeField(_("last seen"), db_default=Now())
    """By the database's clock, as all of this is."""

    class Meta:
        verbose_name = _("process")
        verbose_name_plural = _("processes")

    def __str__(self) -> str:
        return self.name


class Match(models.Model):
    """A match, from its creation on. Its course is in its events, its outcome in its `End`."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for an opponent")
        LIVE = "live", _("being played")
        OVER = "over", _("over")

    slug = models.CharField(max_length=8, unique=True, default=new_slug, editable=False)
    game = models.CharField(_("game"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    pace = models.CharField(_("speed class"), max_length=20, default="normal")
    rated = models.BooleanField(_("rated"), default=False)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("created"), default=wall)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    """The zero of the events' milliseconds."""
    delay = models.PositiveSmallIntegerField(
        _("delay"), default=0, db_default=0, validators=[MaxValueValidator(MAX_DELAY)]
    )
    """Seconds by which everybody but the players learns later of everything (`games.live.stands`)."""
    rematch_of = models.OneToOneField(
        "self", verbose_name=_("rematch of"), null=True, blank=True, on_delete=models.PROTECT, related_name="rematch"
    )
    owner = models.ForeignKey(
        Process,
        verbose_name=_("owner"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="matches",
        db_index=False,
    )
    """The process that has its table, where there are many; nearly right, the journal's numbers decide."""

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes: ClassVar = [
            models.Index(fields=["-created_at"], name="matches_by_age"),
            models.Index(fields=["state", "-created_at"]),
            models.Index(fields=["game", "-created_at"], name="matches_by_game"),
            models.Index(fields=["rated", "-created_at"], name="matches_by_rated"),
            # Most matches are over and have no owner.
            models.Index(fields=["owner"], name="matches_by_owner", condition=models.Q(owner__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("match", args=[self.slug])

    @property
    def setup(self) -> Setup:
        """How it is played, in the words of the rules."""
        return Setup(self.game, msgspec.convert(self.options, Options), self.pace)


class Seat(models.Model):
    """One of the two places at a match: a person or a bot. With neither, a deleted player."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="seats"
    )
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    """The key of a bot level (`games.bots.levels`), empty for a person."""

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(fields=["match", "user"], name="nobody_plays_himself"),
            models.CheckConstraint(condition=models.Q(number__in=(0, 1)), name="two_seats"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"


class Event(models.Model):
    """One event of a match's log. Written by `games.live.journal` alone."""

    # No index of its own: the unique (match, seq) below begins with it, and every play pays for each index.
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveIntegerField(_("number"))
    at = models.PositiveIntegerField(_("milliseconds"))
    kind = models.CharField(_("kind"), max_length=20)
    version = models.PositiveSmallIntegerField(_("version"), default=1)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True)
    command = models.CharField(_("command id"), max_length=40, null=True)
    """The client-made id of the command that caused it, on the first event of a decision."""
    body = models.TextField(_("event"))
    """The whole event as JSON (`games.rules.log`)."""

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seq"], name="events_numbered_once")]

    def __str__(self) -> str:
        return f"{self.match_id}:{self.seq} {self.kind}"


class End(models.Model):
    """The end of a match, written once, in the same transaction as its last event.

    The order of the ids is the order in which matches ended (R1).
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="end")
    winner = models.PositiveSmallIntegerField(_("winner"), null=True)
    """The seat that won; None for a draw or when void."""
    cause = models.CharField(_("cause"), max_length=20)
    void = models.BooleanField(_("void"), default=False)
    """Aborted or broken off: no result, no rating (M2)."""
    events = models.PositiveIntegerField(_("events"))
    """The number of the last event."""
    at = models.PositiveIntegerField(_("milliseconds"))
    ended_at = models.DateTimeField(_("ended"), default=wall)
    withheld_until = models.DateTimeField(_("withheld until"), null=True, editable=False)
    """Before that only the players may know (`Match.delay`); None without a delay."""
    # Not small integers: a program may send thousands, and what does not fit would cost the match its end.
    misplays_0 = models.PositiveIntegerField(_("misplays of seat 0"), null=True, editable=False)
    misplays_1 = models.PositiveIntegerField(_("misplays of seat 1"), null=True, editable=False)

    class Meta:
        verbose_name = _("end")
        verbose_name_plural = _("ends")
        indexes: ClassVar = [
            models.Index(fields=["cause"], name="ends_by_cause"),
            models.Index(
                fields=["withheld_until"], name="ends_withheld", condition=models.Q(withheld_until__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.cause}"

    @property
    def is_withheld(self) -> bool:
        """Watchers do not know it yet."""
        return self.withheld_until is not None and self.withheld_until > wall()

    @property
    def misplays(self) -> tuple[int, int] | None:
        """How often each seat's hand went wrong (`games.rules.refusals.MISPLAYS`); for moderators and for oneself.

        No log has them: the table counts them. None when it did not have the match from the first event on without a
        break, and for all matches that ended before anybody counted.
        """
        if self.misplays_0 is None or self.misplays_1 is None:
            return None
        return self.misplays_0, self.misplays_1
