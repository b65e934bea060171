"""Guests on the pages of accounts."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from spitsite.accounts.models import User


class GuestsAreNotSignedIn:
    """On the account pages a guest counts as not signed in, and is kept as `request.guest`.

    So a guest can sign up and sign in (allauth sends those who are signed in away from these pages), and is asked to
    sign in where an account is needed. Signing up then turns the guest's own row into the account.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if request.resolver_match is not None and _wants_account(request.resolver_match):
            user = request.user
            if isinstance(user, User) and user.is_guest:
                request.guest = user  # type: ignore[attr-defined]
                request.user = AnonymousUser()
        return None


def _wants_account(match: ResolverMatch) -> bool:
    if match.app_name == "admin":
        return True
    # A guest may well sign out.
    name = match.url_name or ""
    return name == "account" or (name.startswith(("account_", "mfa_", "usersessions_")) and name != "account_logout")
