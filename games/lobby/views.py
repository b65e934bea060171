"""The pages of the lobby: home, and all that leads to a match."""

import io
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID, uuid5

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from games.bots.levels import LEVELS
from games.clock import wall
from games.lobby import at_stake, board, selectors, services
from games.lobby.errors import TEXTS, Code, LobbyError
from games.lobby.forms import OFFERED, PlayForm
from games.lobby.services import is_guest
from games.models import Match

FEW: Final = 6
"""How many matches the home page shows."""
SAME_FORM: Final = 60
"""Seconds for which a form that is sent again, by somebody not yet known, is taken for the same person's."""

LIKED: Final = "liked"
"""The cookie with the game and the level that were played last, "speed.queen"."""
LIKED_FOR: Final = 365 * 24 * 60 * 60


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Play, watch, see again: where everything begins."""
    return home_page(request)


@require_POST
def play_computer(request: HttpRequest) -> HttpResponse:
    """Begin a match against the computer."""
    form = PlayForm(request.POST, user=request.user)

    def create(user: Any, token: UUID) -> Match:
        chosen = form.cleaned_data
        return services.create_against_computer(
            user, chosen["level"], form.setup(), token=token, delay=chosen["delay"] or 0
        )

    return _play(request, form, create, "computer")


@require_POST
def play_friend(request: HttpRequest) -> HttpResponse:
    """Make a match that waits for whoever opens its page first."""
    form = PlayForm(request.POST, user=request.user, is_for_friend=True)

    def create(user: Any, token: UUID) -> Match:
        return services.create_for_friend(
            user, form.setup(), rated=form.cleaned_data["rated"], token=token, delay=form.cleaned_data["delay"] or 0
        )

    return _play(request, form, create, "friend")


@require_POST
def match_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down at a match that waits. The first one does; everybody else watches."""
    match = get_object_or_404(Match, slug=slug)
    try:
        # Nobody becomes a guest only to hear that the seat is taken.
        if match.state != Match.State.OPEN and not request.user.is_authenticated:
            raise LobbyError(Code.TAKEN)
        services.join(match, person(request))
    except LobbyError as error:
        messages.info(request, TEXTS[error.code])
        if error.code is Code.TOO_OFTEN:
            return home_page(request, status=HTTPStatus.TOO_MANY_REQUESTS)
        if error.code is Code.SEATED and error.match is not None:
            return redirect(error.match)
        if error.code is Code.BANNED:
            return redirect("decisions")
        if error.code in (Code.WITHDRAWN, Code.APART, Code.THEY_PLAY):
            return redirect("home")
    return redirect(match)


@require_POST
def match_withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take one's own invitation back."""
    match = get_object_or_404(Match, slug=slug)
    if request.user.is_authenticated and services.withdraw(match, request.user):
        messages.success(request, _("The invitation is taken back. Its link leads nowhere any more."))
        return redirect("home")
    return redirect(match)


@require_safe
@cache_control(public=True, max_age=86400)
def match_qr(request: HttpRequest, slug: str) -> HttpResponse:
    """The address of a match as a QR code, for a phone's camera. Of a match that waits; of any other there is none."""
    match = get_object_or_404(Match, slug=slug, state=Match.State.OPEN)
    picture = io.BytesIO()
    address = request.build_absolute_uri(match.get_absolute_url())
    # On white with a margin, whatever the theme: cameras want it so.
    segno.make(address, error="m", micro=False).save(picture, kind="svg", border=3, light="#fff", svgclass=None)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


def home_page(request: HttpRequest, form: PlayForm | None = None, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    """The home page; with a form that was not right, that form as it was filled in."""
    found = board.look()
    stakes = at_stake.told_to(request.user, found.offered) if request.user.is_authenticated else {}
    context = {
        "form": form or PlayForm(user=request.user, initial=_liked(request)),
        "rows": found.rows(found.offered, stakes),
        "yours": selectors.matches_of(request.user),
        "live": selectors.live_matches(FEW),
        "recent": selectors.recent_outcomes(FEW),
        "played": selectors.played(),
        "is_new": selectors.is_new(request.user),
        "again": selectors.again_of(request.user) if "again" in request.GET else None,
    }
    return render(request, "games/home.html", context, status=status)


def person(request: HttpRequest) -> Any:
    """Who is here; from now on a guest, if not known yet.

    :raises LobbyError: `TOO_OFTEN`.
    """
    return import_string(settings.ENSURE_USER)(request)


def check_limits(request: HttpRequest) -> None:
    """One more match is to be made, by the person of the request.

    :raises LobbyError: `TOO_OFTEN`.
    """
    import_string(settings.CHECK_MATCH)(request)


def remember(request: HttpRequest, response: HttpResponse, form: PlayForm) -> None:
    """Keep what somebody likes to play for the next time."""
    liked = f"{form.cleaned_data['game']}.{form.cleaned_data['level']}"
    response.set_cookie(LIKED, liked, max_age=LIKED_FOR, samesite="Lax", httponly=True, secure=request.is_secure())


def _liked(request: HttpRequest) -> dict[str, str]:
    """What is chosen already: the game that a link names, else game and level of the last time."""
    game, _dot, level = request.COOKIES.get(LIKED, "").partition(".")
    asked = request.GET.get("game", game)
    liked = {"game": asked} if asked in OFFERED else {}
    return {**liked, "level": level} if any(level == known.key for known in LEVELS) else liked


def _play(request: HttpRequest, form: PlayForm, create: Callable[[Any, UUID], Match], way: str) -> HttpResponse:
    """Make the match that a form asks for, and remember what was liked."""
    if not form.is_valid():
        return home_page(request, form, HTTPStatus.BAD_REQUEST)
    # One page, two ways to send it: each makes a match of its own.
    response = _create(request, create, uuid5(form.cleaned_data["token"], way))
    remember(request, response, form)
    return response


def _create(request: HttpRequest, create: Callable[[Any, UUID], Match], token: UUID) -> HttpResponse:
    """Make a match and show it. A form sent twice (a double click) makes one match, for one person."""
    is_known = request.user.is_authenticated
    made = None if is_known else services.made_by(token)
    if made is None:
        try:
            asks = person(request)
            check_limits(request)
            made = create(asks, token)
        except LobbyError as error:
            made = services.made_by(token) if error.code is Code.TAKEN and not is_known else None
            if made is None:
                messages.error(request, TEXTS[error.code])
                if error.code is Code.TOO_OFTEN:
                    return home_page(request, status=HTTPStatus.TOO_MANY_REQUESTS)
                if error.code is Code.BANNED:
                    return redirect("decisions")
                return redirect("home" if error.match is None else error.match)
    if not is_known:
        _be_its_owner(request, made)
    return redirect(made)


def _be_its_owner(request: HttpRequest, made: Match) -> None:
    """A form sent twice by somebody not yet known would make two guests: be the one who has the match.

    The token of the form, which nobody else has seen, speaks for the person; a minute later it does not any more.
    """
    owner = made.seats.select_related("user").get(number=0).user
    is_new = (wall() - made.created_at).total_seconds() < SAME_FORM
    if owner is not None and owner.pk != request.user.pk and is_guest(owner) and is_new:
        login(request, owner, backend="django.contrib.auth.backends.ModelBackend")
