"""People: those with an account, and guests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import connections, models
from django.db.models.functions import Collate, Lower, Upper
from django.utils.translation import gettext_lazy as _

from spitsite.accounts import names
from spitsite.accounts.likeness import likeness

LAST_SIGN: Final = "\U0010ffff"
"""Behind all that names are made of."""


class CaseBlindUserManager(UserManager["User"]):
    """Finds people by name whatever the case, through the index that keeps names apart in any case."""

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(name_key=names.key(username or ""))

    def beginning_with(self, text: str) -> models.QuerySet[User]:
        """Those with an account whose names begin so, whatever the case, in the order of the alphabet.

        However many there are, the first few are found at once: on PostgreSQL by an index in the order of the letters
        (`users_found_by_name`), on SQLite, which has no other order, by that of the names.
        """
        begun = names.key(text)
        if not begun or "\0" in begun:
            return self.none()
        is_postgresql = connections[self.db].vendor == "postgresql"
        letters = Collate(models.F("name_key"), "C") if is_postgresql else models.F("name_key")
        found = self.filter(is_active=True, is_guest=False).alias(letters=letters)
        return found.filter(letters__gte=begun, letters__lt=begun + LAST_SIGN).order_by("letters")


class OfName(models.CharField):  # type: ignore[type-arg]
    """A text that follows from the name, made anew each time the person is saved."""

    def __init__(self, *args: Any, make: Callable[[str], str] = str, **kwargs: Any) -> None:
        self.make = make
        super().__init__(*args, **{"max_length": 4 * names.MAX_LENGTH, "editable": False, **kwargs})

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "make": self.make}

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = self.make(model_instance.username)  # type: ignore[attr-defined]
        # Names older than this rule may look alike; there it is followed by a number, after a sign that no name has.
        if add or value != str(getattr(model_instance, self.attname)).partition("~")[0]:
            setattr(model_instance, self.attname, value)
        return getattr(model_instance, self.attname)


class User(AbstractUser):
    """Somebody who plays. A guest is a full user without a password, who can get one later and stay the same person."""

    username = models.CharField(
        _("username"),
        max_length=names.MAX_LENGTH,
        unique=True,
        help_text=_("Letters, digits, - and _. Capital or small letters make no difference."),
        validators=[names.well_formed],
        error_messages={"unique": _("Somebody has this name already.")},
    )
    name_key = OfName(make=names.key, unique=True)
    """Names with the same one are the same name."""
    name_looks = OfName(make=likeness, unique=True)
    """Names with the same one look alike."""
    is_guest = models.BooleanField(_("guest"), default=False, help_text=_("Plays without an account."))

    objects: ClassVar[CaseBlindUserManager] = CaseBlindUserManager()

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("username"),
                name="username_unique_in_any_case",
                violation_error_message=_("Somebody has this name already."),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["is_guest", "last_login"]),
            # The list of the admin site, the newest first; and who has come today.
            models.Index(fields=["-date_joined"], name="users_by_age"),
            # For `iexact`, by which allauth looks for names: to PostgreSQL that is UPPER.
            models.Index(Upper("username"), name="usernames_in_capitals"),
        ]

    def __str__(self) -> str:
        return self.display_name

    def clean(self) -> None:
        """
        :raises ValidationError: the name is another person's, or looks like it.
        """
        super().clean()
        if self._state.adding or names.key(self.username) != self.name_key:
            check_free(self.username, self)

    @property
    def display_name(self) -> str:
        """The name as others see it."""
        if self.is_guest:
            return _("Guest {number}").format(number=names.guest_number(self.username))
        return self.username


def check_free(name: str, person: User | None = None) -> None:
    """
    :param person: who wants it, and may have it already.
    :raises ValidationError: somebody has it, or has one that looks like it.
    """
    others = User.objects.exclude(pk=0 if person is None or person.pk is None else person.pk)
    if others.filter(name_key=names.key(name)).exists():
        raise ValidationError({"username": _("Somebody has this name already.")}, code="unique")
    if others.filter(name_looks=likeness(name)).exists():
        raise ValidationError({"username": _("This name looks like one that somebody has already.")}, code="looks")
