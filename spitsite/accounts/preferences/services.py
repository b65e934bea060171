"""Reading and changing preferences: of an account in the database, of everybody else in the browser's cookie."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from spitsite.accounts.models import User
from spitsite.accounts.preferences.models import Preferences
from spitsite.accounts.preferences.values import Values

COOKIE: Final = "preferences"
"""Not secret, and the page's scripts write it too (static/js/site/preferences.js)."""
KEPT_FOR: Final = 400 * 24 * 60 * 60
"""Seconds; browsers keep no cookie longer."""


def of(user: Any) -> Values:
    """The preferences of a person; of a guest, or of nobody, those by default."""
    if not has_account(user):
        return Values()
    row = Preferences.objects.filter(pk=user.pk).first()
    return _values(row)


def chosen(name: str, users: Iterable[int]) -> dict[int, str]:
    """What these people, by their ids, have chosen for one preference; whoever has not, or is a guest, is not in it.
    One query."""
    rows = Preferences.objects.filter(pk__in=users, user__is_guest=False)
    found = ((row.pk, _values(row).chosen.get(name)) for row in rows)
    return {pk: value for pk, value in found if value is not None}


def for_request(request: HttpRequest) -> Values:
    """The preferences of whoever asks; read once for each request."""
    found: Values | None = getattr(request, "_preferences", None)
    if found is None:
        found = of(request.user) if has_account(_user(request)) else in_browser(request)
        request._preferences = found  # type: ignore[attr-defined]
    return found


def in_browser(request: HttpRequest) -> Values:
    """What the cookie says."""
    return Values.decode(request.COOKIES.get(COOKIE, ""))


def change(request: HttpRequest, changes: Mapping[str, str]) -> Values:
    """Choose for whoever asks; in the browser it is once `remember` has written it there. All that is chosen now."""
    user = _user(request)
    if has_account(user):
        values = store(user, changes)
    else:
        values = in_browser(request).with_(changes)
    request._preferences = values  # type: ignore[attr-defined]
    return values


@transaction.atomic
def store(user: User, changes: Mapping[str, str]) -> Values:
    """Choose for an account. Two devices at once: what each has changed is kept."""
    row, _created = Preferences.objects.select_for_update().get_or_create(user=user)
    values = _values(row).with_(changes)
    row.chosen = dict(values.chosen)
    row.save(update_fields=["chosen"])
    return values


def adopt(request: HttpRequest, user: User) -> None:
    """What was chosen in this browser before becomes the account's, if nothing was chosen for that yet."""
    chosen = in_browser(request).chosen
    if chosen and has_account(user):
        Preferences.objects.get_or_create(user=user, defaults={"chosen": dict(chosen)})


def remember(request: HttpRequest, response: HttpResponse, values: Values) -> None:
    """Write them into the browser, too."""
    response.set_cookie(COOKIE, values.encode(), max_age=KEPT_FOR, samesite="Lax", secure=request.is_secure())


def _values(row: Preferences | None) -> Values:
    return Values(row.chosen if row is not None and isinstance(row.chosen, dict) else None)


def _user(request: HttpRequest) -> Any:
    return getattr(request, "user", None)


def has_account(user: Any) -> bool:
    """Whether preferences are kept with an account: of guests they are not."""
    return isinstance(user, User) and not user.is_guest
