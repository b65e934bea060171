"""Ratings and what hangs on them. All but what moderators settled can be counted again from the matches."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.matches import End, Seat
from games.standing import START, Standing


class Rating(models.Model):
    """Where a player stands in a game now: the sum of the `RatingChange`s."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings")
    game = models.CharField(_("game"), max_length=20)
    value = models.FloatField(_("rating"), default=START)
    matches = models.PositiveIntegerField(_("rated matches"), default=0)
    peak = models.FloatField(_("highest"), default=START)
    last_at = models.DateTimeField(_("last rated match"), null=True)
    """When the last rated match ended; None without one."""

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "game"], name="one_rating_per_game")]
        indexes: ClassVar = [models.Index(fields=["game", "-value"])]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game} {self.value:.0f}"

    @property
    def standing(self) -> Standing:
        return Standing(self.value, self.matches, self.peak)


class RatingChange(models.Model):
    """What one rated match did to the rating of one seat; written once (R1)."""

    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="rating_change")
    end = models.ForeignKey(End, on_delete=models.PROTECT, related_name="rating_changes")
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    matches = models.PositiveIntegerField(_("rated matches"))
    """How many rated matches of that game the player had, this one included."""
    # What of seat and match a player's page asks for, so that it need not look through them all. A deleted player's
    # changes stay; so the account may go at the very moment at which one is written.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="rating_changes",
        db_index=False,
        db_constraint=False,
    )
    game = models.CharField(_("game"), max_length=20, default="")
    other = models.FloatField(_("opponent's rating"), default=START)
    """Before the match."""
    score = models.FloatField(_("score"), default=0.5)
    """1 for a win, 0.5 for a draw, 0 for a loss."""

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        indexes: ClassVar = [
            models.Index(fields=["user", "game", "matches"], name="changes_in_order"),
            models.Index(fields=["user", "game", "-other"], name="changes_best_wins", condition=models.Q(score=1.0)),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.before:.0f} → {self.after:.0f}"

    @property
    def was_provisional(self) -> bool:
        """Whether the rating before the match was one of few matches."""
        return Standing(self.before, self.matches - 1).is_provisional


class RatingProgress(models.Model):
    """How far the ratings have got: one row, which is also the lock that they are applied under."""

    ONLY: ClassVar = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY)
    last_end = models.BigIntegerField(_("last end"), default=0)
    """Every `End` up to this id has been rated, or never will be (R2)."""

    class Meta:
        verbose_name = _("rating progress")
        verbose_name_plural = _("rating progress")
        constraints: ClassVar = [models.CheckConstraint(condition=models.Q(id=1), name="one_rating_progress")]

    def __str__(self) -> str:
        return str(self.last_end)


class PlayerMatch(models.Model):
    """A finished match in the list of one of its players, with all that the list can be filtered by.

    Written together with the `End` (`games.played`), and all of it could be made again from the other tables: it is
    there because a list of a hundred thousand matches has to be fast.
    """

    class Verdict(models.TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        DRAWN = "drawn", _("drawn")
        VOID = "void", _("no result")

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="listed")
    # An account may be deleted at the very moment at which its match ends, and neither must fail for the other.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="played", db_index=False, db_constraint=False
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_constraint=False
    )
    """None for the computer and for a deleted player."""
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    """The key of the computer's level, if that was the opponent."""
    game = models.CharField(_("game"), max_length=20)
    rated = models.BooleanField(_("rated"))
    """Whether it was to be rated, and has a result."""
    verdict = models.CharField(_("result"), max_length=5, choices=Verdict)
    end = models.ForeignKey(End, on_delete=models.CASCADE, related_name="listed", db_index=False)
    ended_at = models.DateTimeField(_("ended"))
    length = models.PositiveIntegerField(_("milliseconds"))

    class Meta:
        verbose_name = _("match of a player")
        verbose_name_plural = _("matches of players")
        indexes: ClassVar = [
            models.Index(fields=["user", "-end"], name="played_all"),
            models.Index(fields=["user", "game", "-end"], name="played_game"),
            models.Index(fields=["user", "verdict", "-end"], name="played_verdict"),
            models.Index(fields=["user", "opponent", "-end"], name="played_opponent"),
            models.Index(fields=["user", "bot", "-end"], name="played_bot"),
            models.Index(fields=["user", "ended_at"], name="played_when"),
            models.Index(fields=["user", "rated", "-end"], name="played_rated"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.verdict} {self.end_id}"


class ListedMatch(models.Model):
    """A match with a result in the list of all of them, with what that can be filtered by.

    Written together with the `End` (`games.played`), as `PlayerMatch` is, and for the same reason: game and rating
    stand in another table than the order of the ends, and to find a few rated ones among a hundred thousand takes an
    index of both.
    """

    end = models.OneToOneField(End, primary_key=True, on_delete=models.CASCADE, related_name="listed_once")
    game = models.CharField(_("game"), max_length=20)
    rated = models.BooleanField(_("rated"))
    """Whether it was to be rated, and was not voided."""

    class Meta:
        verbose_name = _("match with a result")
        verbose_name_plural = _("matches with a result")
        indexes: ClassVar = [
            models.Index(fields=["game", "-end"], name="listed_game"),
            models.Index(fields=["rated", "-end"], name="listed_rated"),
            models.Index(fields=["game", "rated", "-end"], name="listed_game_and_rated"),
        ]

    def __str__(self) -> str:
        return str(self.end_id)


class MatchFlag(models.Model):
    """Something about a rated match that a moderator should look at (R4). It changes nothing by itself."""

    class Reason(models.TextChoices):
        SHORT = "short", _("shorter than 10 seconds")
        GIVES_UP = "gives_up", _("one side gives up early again and again")
        TURNS = "turns", _("both win in turn, in very short matches")

    end = models.ForeignKey(End, on_delete=models.PROTECT, related_name="flags", db_index=False)
    reason = models.CharField(_("reason"), max_length=10, choices=Reason)
    settled_at = models.DateTimeField(_("looked at"), null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("looked at by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        verbose_name = _("flagged match")
        verbose_name_plural = _("flagged matches")
        constraints: ClassVar = [models.UniqueConstraint(fields=["end", "reason"], name="flagged_once_for_a_reason")]
        indexes: ClassVar = [
            models.Index(fields=["-end"], name="flags_open", condition=models.Q(settled_at=None)),
            models.Index(fields=["reason", "-end"], name="flags_by_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.end_id}: {self.reason}"
