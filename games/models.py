"""The stored facts: matches, their seats, their events, their ends, ratings.

Events and ends are append-only; the database itself refuses to change them
(`games.migrations`). Everything else can be recomputed from them.
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
from games.standing import START, Standing

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
    rating = models.FloatField(_("rating"), null=True)
    """Of the person in that game when it was asked for; None for guests."""
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
