"""The page of preferences. It works as a plain form; with its script each choice takes effect at once."""

from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from spitsite.accounts.preferences import services
from spitsite.accounts.preferences.controls import CONTROLS
from spitsite.accounts.preferences.forms import PreferencesForm, texts
from spitsite.accounts.preferences.values import default_of

RESET: Final = "reset"
"""Sent instead of choices: `keys`, or `all`."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def preferences(request: HttpRequest) -> HttpResponse:
    """Show them, or choose: any of them, whatever is not sent stays. A script is answered in JSON."""
    values = services.for_request(request)
    has_account = services.has_account(request.user)
    if request.method != "POST":
        return _page(request, PreferencesForm(values, has_account=has_account))
    is_script = request.accepts("application/json") and not request.accepts("text/html")
    if RESET in request.POST:
        names = CONTROLS if request.POST[RESET] == "keys" else values
        values = services.change(request, {name: default_of(name) for name in names})
    else:
        form = PreferencesForm(values, request.POST, has_account=has_account)
        if not form.is_valid():
            if is_script:
                return JsonResponse({"errors": texts(form.errors)}, status=HTTPStatus.BAD_REQUEST)
            return _page(request, form, HTTPStatus.BAD_REQUEST)
        values = services.change(request, form.changes)
    response = JsonResponse({"chosen": values.encode()}) if is_script else _saved(request)
    services.remember(request, response, values)
    return response


def _saved(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Your preferences are kept."))
    return redirect("preferences")


def _page(request: HttpRequest, form: PreferencesForm, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    context = {
        "form": form,
        "keeps": _("with your account") if services.has_account(request.user) else _("in this browser"),
    }
    return render(request, "preferences/preferences.html", context, status=status)
