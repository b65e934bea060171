"""The pages of reporting, and of what was decided about oneself."""

from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import ChatLine, Match
from games.moderation import reports, standing
from games.moderation.forms import ReportForm
from games.moderation.models import Report
from games.people import player_called
from games.words import game_name

LATEST: Final = 2**31 - 1
"""No match lasts longer, ms."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Report one of the two players of a match; of its replay at a moment, with `?t=` milliseconds."""
    match = get_object_or_404(Match.objects.exclude(state=Match.State.OPEN), slug=slug)
    people = [seat.user for seat in match.seats.select_related("user").order_by("number") if seat.user is not None]
    moment = _moment(request)
    place = Report.Place.MATCH if moment is None else Report.Place.REPLAY
    back = match.get_absolute_url() if moment is None else f"{reverse('replay', args=[slug])}?t={moment}"
    return _report(request, people, place, back, {"match": match, "moment": moment})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_player(request: HttpRequest, username: str) -> HttpResponse:
    """Report a person, from their profile."""
    person = player_called(username)
    if person is None:
        raise Http404
    return _report(request, [person], Report.Place.PROFILE, reverse("profile", args=[person.get_username()]), {})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_line(request: HttpRequest, number: int) -> HttpResponse:
    """Report what somebody wrote in the chat, with a reason of one's own."""
    lines = ChatLine.objects.select_related("user", "match").exclude(user=None)
    line = get_object_or_404(lines, pk=number, is_hidden=False)
    context = {"match": line.match, "line": line}
    return _report(request, [line.user], Report.Place.CHAT, line.match.get_absolute_url(), context)


def _report(request: HttpRequest, people: list[Any], place: str, back: str, about: dict[str, Any]) -> HttpResponse:
    """The form, or what becomes of it. Never says whether others have reported the same."""
    choices = [(person.pk, _name(person)) for person in people if person.pk != request.user.pk]
    if not choices:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None, people=choices)
    match: Match | None = about.get("match")
    context = {
        "form": form,
        "back": back,
        "only": choices[0][1] if len(choices) == 1 else None,
        "game": None if match is None else game_name(match.game),
        **about,
    }
    status = HTTPStatus.OK
    if request.method == "POST":
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            refusal = _keep(request, form, people, place, about)
            if refusal is None:
                messages.success(request, _("Thank you. Somebody who looks after this site will look at it."))
                return redirect(back)
            form.add_error(None, refusal)
            status = HTTPStatus.TOO_MANY_REQUESTS
    return render(request, "moderation/report.html", context, status=status)


def _keep(request: HttpRequest, form: ReportForm, people: list[Any], place: str, about: dict[str, Any]) -> str | None:
    """Keep the report, unless there have been too many: then it is said so."""
    if not import_string(settings.IS_WITHIN)(request, "reports", settings.REPORTS_PER_ADDRESS):
        return _("Very many reports have come from where you are. Wait a while, then try again.")
    chosen = form.cleaned_data
    person = next(person for person in people if person.pk == chosen["about"])
    # Who is not known yet is a guest from now on, as those who play are.
    reporter = import_string(settings.REPORTER)(request)
    if reporter is None:
        return _("Very many people have come from where you are of late. Sign in, or wait a while and try again.")
    try:
        reports.report(reporter, person, place, chosen["reason"], text=chosen["text"], **about)
    except reports.TooManyReports:
        return _("You have reported very much today. Try again tomorrow.")
    return None


def _name(person: Any) -> str:
    return str(getattr(person, "display_name", person.get_username()))


def _moment(request: HttpRequest) -> int | None:
    try:
        return min(max(int(request.GET["t"]), 0), LATEST)
    except (KeyError, ValueError):
        return None


@require_safe
@login_required
@never_cache
def decisions(request: HttpRequest) -> HttpResponse:
    """What was decided about whoever is signed in: what, why, until when, and how to have it looked at again."""
    context = {
        "ban": standing.ban_of(request.user),
        "mute": standing.mute_of(request.user),
        "measures": standing.told(request.user),
        "has_unread": standing.has_unread(request.user),
        "contact": settings.CONTACT_EMAIL,
    }
    return render(request, "moderation/decisions.html", context)


@require_POST
@login_required
def decisions_read(request: HttpRequest) -> HttpResponse:
    """Somebody has read what was decided: it is not shown above every page any more."""
    standing.mark_read(request.user)
    return redirect("decisions")
