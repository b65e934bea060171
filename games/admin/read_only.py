"""What all admin pages of facts share."""

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_permission_codename, get_user_model
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from games.models import Match
from games.words import GAMES

NOTHING = "–"
"""Shown where there is nothing to show."""

MODERATE = "moderation.moderate"
"""The permission to decide on reports, and to void matches."""

MOST_PEOPLE = 100
"""How many people a search for the beginning of a name looks at."""


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Shows; never adds, changes or deletes.

    Actions that carry `permissions=["operate"]` are for those who hold Django's
    "change" permission of the model.
    """

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_operate_permission(self, request: HttpRequest) -> bool:
        codename = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{codename}")

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        """Whether somebody decides on reports (`games.moderation`): for actions with `permissions=["moderate"]`."""
        return request.user.has_perm(MODERATE)


class GameFilter(admin.SimpleListFilter):
    """By game: the games that there are, without looking through all rows for them."""

    title = _("game")
    parameter_name = "game"
    field = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [(key, str(name)) for key, name in GAMES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset if value is None else queryset.filter(**{self.field: value})


def people_called(term: str) -> QuerySet[Any]:
    """The ids of people whose name begins so."""
    return get_user_model().objects.filter(username__istartswith=term).values("pk")[:MOST_PEOPLE]


def log_changed(request: HttpRequest, objects: Collection[Model], said: StrOrPromise) -> None:
    """Write into the history of these what was done to them, and who did it."""
    if objects:
        LogEntry.objects.log_actions(request.user.pk, objects, CHANGE, str(said))  # type: ignore[arg-type]


def may_judge(judge: Any, person: Any) -> bool:
    """Nobody decides about themselves; about those who work in the admin site only who may do everything there."""
    return judge.pk != person.pk and (judge.is_superuser or not person.is_staff)


def may_judge_match(judge: Any, match: Match) -> bool:
    """What becomes of a match is decided about both who sit at it."""
    return all(seat.user is None or may_judge(judge, seat.user) for seat in match.seats.all())
