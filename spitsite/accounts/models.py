"""People: those with an account, and guests."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower, Upper
from django.utils.translation import gettext_lazy as _

from spitsite.accounts import names


class CaseBlindUserManager(UserManager["User"]):
    """Finds people by name whatever the case, through the index that keeps names apart in any case."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.alias(lowered=Lower("username")).get(lowered=(username or "").lower())


class User(AbstractUser):
    """Somebody who plays. A guest is a full user without a password, who can get one later and stay the same person."""

    username = models.CharField(
        _("username"),
        max_length=names.MAX_LENGTH,
        unique=True,
        help_text=_("Letters, digits, - and _. Capital or small letters make no difference."),
        validators=[names.well_formed],
        error_messages={"unique": _("A user with that username already exists.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False, help_text=_("Plays without an account."))

    objects: ClassVar[CaseBlindUserManager] = CaseBlindUserManager()

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("username"),
                name="username_unique_in_any_case",
                violation_error_message=_("A user with that username already exists."),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["is_guest", "last_login"]),
            # For `iexact`, by which allauth looks for names: to PostgreSQL that is UPPER.
            models.Index(Upper("username"), name="usernames_in_capitals"),
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """The name as others see it."""
        if self.is_guest:
            return _("Guest {number}").format(number=names.guest_number(self.username))
        return self.username
