"""The pages of lobby, table and players."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe
from django_stubs_ext import StrPromise

from games import visitors, words
from games.bots.levels import LEVELS
from games.clock import wall
from games.lobby import selectors, services
from games.lobby.forms import OFFERED, PlayForm
from games.lobby.services import Code, LobbyError, is_guest
from games.models import Match, Seat
from games.stands.views import stands_data, watching

FEW: Final = 6
MANY: Final = 60
"""How many matches the home page and the pages of lists show."""
PER_PAGE: Final = 20
"""How many of a player's matches are on one page."""
SAME_FORM: Final = 60
"""Seconds for which a form that is sent again, by somebody not yet known, is taken for the same person's."""

LIKED: Final = "liked"
"""The cookie with the game and the level that were played last, "speed.queen"."""
LIKED_FOR: Final = 365 * 24 * 60 * 60

REFUSALS: Final[dict[Code, StrPromise]] = {
    Code.TAKEN: gettext_lazy("Somebody else sat down first. You can watch."),
    Code.TOO_MANY: gettext_lazy("You have many matches waiting or going on. Finish one of them first."),
    Code.TOO_OFTEN: gettext_lazy("Very many matches were begun from where you are. Wait a while, then try again."),
    Code.NO_ACCOUNT: gettext_lazy("Rated matches are for people with an account."),
    Code.NOT_OVER: gettext_lazy("The match still goes on."),
    Code.GONE: gettext_lazy("Your opponent is not there any more."),
    Code.WITHDRAWN: gettext_lazy("The invitation is not open any more."),
    Code.BANNED: gettext_lazy(
        "You are banned and cannot play at the moment. What was decided, and why, is on this page."
    ),
}


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Play, watch, see again: where everything begins."""
    return _home(request)


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


@require_safe
@never_cache
def watch(request: HttpRequest) -> HttpResponse:
    """The matches being played. `?cards`: their cards alone, for a page that shows them already; `&few`: of a few."""
    template = "games/live_cards.html" if "cards" in request.GET else "games/watch.html"
    limit = FEW if "few" in request.GET else MANY
    return render(request, template, {"live": selectors.live_matches(limit), "invite": limit == MANY})


@require_safe
@never_cache
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a match, for players and watchers. While the match waits: its invitation."""
    match = Match.objects.filter(slug=slug).first()
    if match is None:
        return render(request, "games/no_match.html", status=HTTPStatus.NOT_FOUND)
    people = selectors.people_at(match)
    seats = list(match.seats.order_by("number"))
    you = next((seat.number for seat in seats if request.user.pk is not None and seat.user_id == request.user.pk), None)
    can_join = match.state == Match.State.OPEN and you is None
    facts = selectors.facts_of(match)
    game = words.game_name(match.game)
    title = f"{game}: {' – '.join(person.name for person in people)}"
    context = {
        "match": match,
        "seats": people,
        "you": you,
        "can_join": can_join,
        "title": title,
        "facts": " · ".join(facts),
        "share_url": request.build_absolute_uri(match.get_absolute_url()),
        "share_title": title,
        "share_text": " · ".join(facts),
        "table_data": {
            "socket": f"/ws/match/{match.slug}/",
            "replay": reverse("replay", args=[match.slug]),
            "home": reverse("home"),
            # Empty: there is nobody but the computer and the reader. (Whoever waits stays here when somebody comes.)
            "report": (
                reverse("report_match", args=[match.slug])
                if match.state == Match.State.OPEN or _others(seats, request.user.pk)
                else ""
            ),
            "signIn": f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': request.path})}",
            "names": {"game": str(game), "site": settings.SITE_NAME},
        },
    }
    if match.state == Match.State.OPEN:
        context["title"] = _("{game}: {name} waits for an opponent").format(name=people[0].name, game=game)
        context["share_title"] = _("{name} invites you to a match of {game}").format(name=people[0].name, game=game)
        # Who has no account is asked first whether to play without a rating: nobody is seated by just looking.
        if can_join and match.rated and (not request.user.is_authenticated or is_guest(request.user)):
            return render(request, "games/invitation.html", context)
    template = "games/match.html"
    if you is None and match.state != Match.State.OPEN:
        template = "stands/watch.html"
        context |= watching(request, match)
    elif you is not None and settings.WATCHERS_CHAT:
        context["after_data"] = stands_data(request)
    response = render(request, template, context)
    visitors.name(request, response)
    return response


@require_POST
def match_join(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down at a match that waits. The first one does; everybody else watches."""
    match = get_object_or_404(Match, slug=slug)
    try:
        # Nobody becomes a guest only to hear that the seat is taken.
        if match.state != Match.State.OPEN and not request.user.is_authenticated:
            raise LobbyError(Code.TAKEN)
        services.join(match, _person(request))
    except LobbyError as error:
        messages.info(request, REFUSALS[error.code])
        if error.code is Code.TOO_OFTEN:
            return _home(request, status=HTTPStatus.TOO_MANY_REQUESTS)
        if error.code is Code.WITHDRAWN:
            return redirect("home")
        if error.code is Code.BANNED:
            return redirect("decisions")
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
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A player: name, ratings, results, the matches one page at a time."""
    player = selectors.player_called(username)
    if player is None:
        raise Http404
    if player.get_username() != username:
        return redirect("profile", player.get_username(), permanent=False)
    before = _number(request.GET.get("before"))
    is_own = player.pk == request.user.pk
    found = selectors.outcomes_of(player, before, limit=PER_PAGE + 1, is_own=is_own)
    shown = found[:PER_PAGE]
    context = {
        "player": player,
        "is_you": is_own,
        "ratings": selectors.ratings_of(player, is_own=is_own),
        "record": selectors.record_of(player, is_own=is_own),
        "playing": (
            [match for match in selectors.matches_of(player) if not match.is_open]
            if is_own
            else selectors.playing_of(player)
        ),
        "outcomes": shown,
        "is_first_page": before is None,
        "next": shown[-1].outcome.end if len(found) > PER_PAGE else None,
    }
    return render(request, "games/profile.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What this site is, and how it works."""
    return render(request, "site/about.html")


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """The site as an app on a phone's home screen."""
    return render(request, "site/manifest.json", content_type="application/manifest+json")


def _home(request: HttpRequest, form: PlayForm | None = None, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    """The home page; with a form that was not right, that form as it was filled in."""
    context = {
        "form": form or PlayForm(user=request.user, initial=_liked(request)),
        "yours": selectors.matches_of(request.user),
        "live": selectors.live_matches(FEW),
        "recent": selectors.recent_outcomes(FEW),
        "played": selectors.played(),
        "is_new": selectors.is_new(request.user),
    }
    return render(request, "games/home.html", context, status=status)


def _liked(request: HttpRequest) -> dict[str, str]:
    """What is chosen already: the game that a link names, else game and level of the last time."""
    game, _dot, level = request.COOKIES.get(LIKED, "").partition(".")
    asked = request.GET.get("game", game)
    liked = {"game": asked} if asked in OFFERED else {}
    return {**liked, "level": level} if any(level == known.key for known in LEVELS) else liked


def _play(request: HttpRequest, form: PlayForm, create: Callable[[Any, UUID], Match], way: str) -> HttpResponse:
    """Make the match that a form asks for, and remember what was liked."""
    if not form.is_valid():
        return _home(request, form, HTTPStatus.BAD_REQUEST)
    # One page, two ways to send it: each makes a match of its own.
    response = _create(request, create, uuid5(form.cleaned_data["token"], way))
    liked = f"{form.cleaned_data['game']}.{form.cleaned_data['level']}"
    response.set_cookie(LIKED, liked, max_age=LIKED_FOR, samesite="Lax", httponly=True, secure=request.is_secure())
    return response


def _create(request: HttpRequest, create: Callable[[Any, UUID], Match], token: UUID) -> HttpResponse:
    """Make a match and show it. A form sent twice (a double click) makes one match, for one person."""
    is_known = request.user.is_authenticated
    made = None if is_known else services.made_by(token)
    if made is None:
        try:
            person = _person(request)
            import_string(settings.CHECK_MATCH)(request)
            made = create(person, token)
        except LobbyError as error:
            made = services.made_by(token) if error.code is Code.TAKEN and not is_known else None
            if made is None:
                messages.error(request, REFUSALS[error.code])
                if error.code is Code.TOO_OFTEN:
                    return _home(request, status=HTTPStatus.TOO_MANY_REQUESTS)
                if error.code is Code.BANNED:
                    return redirect("decisions")
                return redirect("home")
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


def _person(request: HttpRequest) -> Any:
    """Who is here; from now on a guest, if not known yet."""
    return import_string(settings.ENSURE_USER)(request)


def _others(seats: list[Seat], reader: int | None) -> bool:
    """Whether somebody sits there whom the reader could report."""
    return any(seat.user_id is not None and seat.user_id != reader for seat in seats)


def _number(text: str | None) -> int | None:
    """A number from an address; what is none is as if it was not there."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 18:
        return None
    return int(text)
