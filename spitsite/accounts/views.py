"""The pages of accounts that allauth does not have, and where they differ from allauth's."""

from http import HTTPStatus
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.account.views import SignupView
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import get_adapter as get_sessions_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.clock import wall
from games.models import Match
from spitsite.accounts import own_data
from spitsite.accounts.forms import DeletionForm, NameForm
from spitsite.accounts.models import User

FORM = ("GET", "HEAD", "POST")


class SignUp(SignupView):  # type: ignore[misc]
    """allauth's sign-up, which also knows that two people may ask for one name in the same moment."""

    def form_valid(self, form: Any) -> HttpResponse:
        save = form.try_save

        def try_save(request: Any) -> Any:
            with transaction.atomic():
                return save(request)

        form.try_save = try_save
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:
            form.add_error("username", get_adapter().validation_error("username_taken"))
            response = self.form_invalid(form)
        return response


sign_up = SignUp.as_view()


def _person(request: HttpRequest) -> User:
    """Who is signed in, on a page for those who are."""
    return cast(User, request.user)


@require_safe
@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """All that can be set about an account, each with how it stands."""
    person = _person(request)
    factors = list(Authenticator.objects.filter(user=person).values_list("type", flat=True))
    context = {
        "address": EmailAddress.objects.filter(user=person).order_by("-primary", "-verified").first(),
        "has_app": Authenticator.Type.TOTP in factors,
        "keys": factors.count(Authenticator.Type.WEBAUTHN),
        "sessions": len(UserSession.objects.purge_and_list(person)),
        "preferences": _address_of("preferences"),
    }
    return render(request, "account/account.html", context)


@require_http_methods(FORM)
@login_required
@never_cache
def name(request: HttpRequest) -> HttpResponse:
    """Another name."""
    person = _person(request)
    form = NameForm(
        request.POST if request.method == "POST" else None, person=person, initial={"username": person.username}
    )
    if request.method == "POST" and form.is_valid():
        if not ratelimit.consume(request, action="change_name", user=person):
            form.add_error("username", _("You have changed your name often today. Try again tomorrow."))
            return render(request, "account/name.html", {"form": form}, status=HTTPStatus.TOO_MANY_REQUESTS)
        if form.save():
            messages.success(request, _("You are called {name} now.").format(name=person.username))
            return redirect("account")
    return render(request, "account/name.html", {"form": form})


@require_POST
@login_required
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign out somewhere else."""
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    if session.is_current():
        logout(request)
        return redirect("home")
    get_sessions_adapter().end_sessions([session])
    messages.success(request, _("Signed out there."))
    return redirect("usersessions_list")


@require_safe
@login_required
@never_cache
def data(request: HttpRequest) -> HttpResponse:
    """What is kept about somebody, and the way to take it along."""
    return render(request, "account/data.html", {"parts": own_data.WORDS.values()})


@require_safe
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@never_cache
def download(request: HttpRequest) -> HttpResponse:
    """Everything that is kept about somebody, as a zip of JSON files."""
    response = HttpResponse(own_data.archive(_person(request), request.build_absolute_uri("/")), "application/zip")
    response["Content-Disposition"] = f'attachment; filename="spit-{wall():%Y-%m-%d}.zip"'
    return response


@sensitive_post_parameters("password")
@require_http_methods(FORM)
@login_required
@never_cache
def delete(request: HttpRequest) -> HttpResponse:
    """The end of an account. Its matches stay, with "deleted player" in its seats."""
    person = _person(request)
    form = DeletionForm(request.POST if request.method == "POST" else None, person=person)
    if request.method == "POST" and form.is_valid():
        logout(request)
        person.delete()
        messages.success(request, _("Your account is deleted. Farewell."))
        return redirect("home")
    context = {
        "form": form,
        "playing": Match.objects.filter(seats__user=person, state=Match.State.LIVE).count(),
        "matches": Match.objects.filter(seats__user=person, state=Match.State.OVER).count(),
    }
    return render(request, "account/delete.html", context)


def _address_of(page: str) -> str | None:
    try:
        return reverse(page)
    except NoReverseMatch:
        return None
