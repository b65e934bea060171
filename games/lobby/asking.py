"""Looking for an opponent, as pages ask for it: by forms that a script sends, answered with JSON.

An answer is `{"seek": id or null, "known": …}`: whoever had no name here until now is a guest from now on, and `known`
says that the page has to open its line anew. A refusal is `{"code": …, "text": …, "url": …}` with a status of 4xx; the
address is that of the match that is in the way, or null.
"""

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, Final, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.lobby import seeks
from games.lobby.errors import TEXTS, Code, LobbyError
from games.lobby.forms import OFFERED, PlayForm
from games.lobby.views import check_limits, person
from games.models import Seek
from games.people import player_called
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from games.ties import takes_challenges

PAGE: Final = re.compile(r"[A-Za-z0-9]{16,32}")
STATUS: Final = {
    Code.BAD_FORM: HTTPStatus.BAD_REQUEST,
    Code.NO_ACCOUNT: HTTPStatus.FORBIDDEN,
    Code.APART: HTTPStatus.FORBIDDEN,
    Code.UNWANTED: HTTPStatus.FORBIDDEN,
    Code.TOO_OFTEN: HTTPStatus.TOO_MANY_REQUESTS,
}
"""The status of a refusal; of any other: 409, for how things stand is in the way."""

P = ParamSpec("P")


def answered(ask: Callable[Concatenate[HttpRequest, P], Seek | None]) -> Callable[..., HttpResponse]:
    """A view that answers in JSON, out of what was asked for."""

    @require_POST
    @never_cache
    @wraps(ask)
    def view(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        was_known = request.user.is_authenticated
        try:
            found = ask(request, *args, **kwargs)
        except LobbyError as error:
            answer: dict[str, Any] = {
                "code": error.code.value,
                "text": str(TEXTS[error.code]),
                "url": None if error.match is None else error.match.get_absolute_url(),
            }
            status = STATUS.get(error.code, HTTPStatus.CONFLICT)
        else:
            answer = {"seek": None if found is None else found.pk}
            status = HTTPStatus.OK
        answer["known"] = request.user.is_authenticated and not was_known
        return JsonResponse(answer, status=status)

    return view


@answered
def quick(request: HttpRequest) -> Seek:
    """Be paired with whoever fits: `game`, `rated` (yes or no), `page`; with `again` in the place of before."""
    game = request.POST.get("game", "")
    rated = request.POST.get("rated", "no")
    if game not in OFFERED or rated not in ("yes", "no"):
        raise LobbyError(Code.BAD_FORM)
    page = _page(request)
    if rated == "yes" and not request.user.is_authenticated:
        raise LobbyError(Code.NO_ACCOUNT)
    user = _asking(request)
    setup = Setup(game, BOOKS[game].defaults)
    return seeks.seek(user, page, Seek.Kind.QUICK, setup, rated=rated == "yes", is_again="again" in request.POST)


@answered
def offer(request: HttpRequest) -> Seek:
    """Offer a challenge that anybody may accept: the fields of `PlayForm`, `page`."""
    form = _form(request)
    page = _page(request)
    user = _asking(request)
    return seeks.seek(user, page, Seek.Kind.OPEN, form.setup(), **_terms(form))


@answered
def accept(request: HttpRequest, key: int) -> Seek:
    """Accept a challenge: `page`."""
    page = _page(request)
    if not request.user.is_authenticated:
        # Nobody becomes a guest only to hear that it is not for them.
        seeks.check_open_to_guests(key)
    user = _asking(request)
    return seeks.accept(user, page, key)


@answered
def decline(request: HttpRequest, key: int) -> None:
    """Say no to a challenge."""
    if not request.user.is_authenticated or not seeks.decline(request.user, key):
        raise LobbyError(Code.OVER)


@answered
def cancel(request: HttpRequest) -> None:
    """Look no longer. Without anything to take back: done, too."""
    if request.user.is_authenticated:
        seeks.cancel(request.user)


@answered
def challenge_send(request: HttpRequest, username: str) -> Seek:
    """Challenge a person: the fields of `PlayForm`, `page`."""
    form = _form(request)
    page = _page(request)
    other = _player(username)
    user = _asking(request)
    return seeks.seek(user, page, Seek.Kind.PERSON, form.setup(), **_terms(form), to=other)


@require_safe
@never_cache
def challenge(request: HttpRequest, username: str) -> HttpResponse:
    """The page on which a person is challenged: what is to be played, then the wait for an answer."""
    other = _player(username)
    if request.user.pk == other.pk:
        raise Http404
    context = {
        "player": other,
        "form": PlayForm(user=request.user),
        "unwanted": None if takes_challenges(other, request.user) else TEXTS[Code.UNWANTED],
    }
    return render(request, "games/challenge.html", context)


def _asking(request: HttpRequest) -> Any:
    """Who asks, within the limits.

    :raises LobbyError: `TOO_OFTEN`.
    """
    user = person(request)
    check_limits(request)
    return user


def _form(request: HttpRequest) -> PlayForm:
    """
    :raises LobbyError: `BAD_FORM`; `NO_ACCOUNT`.
    """
    form = PlayForm(request.POST, user=request.user, is_for_friend=True)
    if not form.is_valid():
        raise LobbyError(Code.NO_ACCOUNT if form.has_error("rated", "no_account") else Code.BAD_FORM)
    return form


def _terms(form: PlayForm) -> dict[str, Any]:
    """What a valid form asks for besides what is played: for `seeks.seek`."""
    return {"rated": form.cleaned_data["rated"], "delay": form.cleaned_data["delay"] or 0}


def _page(request: HttpRequest) -> str:
    """The name of the page that asks.

    :raises LobbyError: `BAD_FORM`: it has none.
    """
    page = request.POST.get("page", "")
    if not PAGE.fullmatch(page):
        raise LobbyError(Code.BAD_FORM)
    return page


def _player(username: str) -> Any:
    player = player_called(username)
    if player is None:
        raise Http404
    return player
