"""The pages of players: profiles, leaderboards, two people against each other, whom one follows and blocks."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import ties, words
from games.lobby import selectors as lobby
from games.models import Rating
from games.people import player_called, withheld_ends
from games.profiles import leaders, selectors
from games.profiles.forms import FilterForm
from games.profiles.paging import before_of, same
from games.profiles.rivals import rivalry
from games.profiles.search import SHORTEST, players_called
from games.profiles.ties import relations_of
from games.words import GAMES

PER_PAGE: Final = 20
"""How many of a player's matches are on one page."""
MAX_ASKED: Final = 60
"""No name is longer, however it is written."""


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """A player: name, ratings, results, the matches one page at a time."""
    player = _player(username)
    if player.get_username() != username:
        return redirect("profile", player.get_username(), permanent=False)
    form = FilterForm(request.GET)
    before = before_of(request)
    is_you = player.pk == request.user.pk
    held = [] if is_you else withheld_ends()
    upto = selectors.rated_upto()
    found = selectors.page_of(player, form.lookups(), before, PER_PAGE + 1, held, upto) if form.is_valid() else []
    shown = found[:PER_PAGE]
    games = selectors.games_of(player, held, upto)
    game = next((card for card in games if card.key == request.GET.get("show")), games[0] if games else None)
    if is_you:
        playing = [match for match in lobby.matches_of(player) if not match.is_open]
    else:
        playing = lobby.playing_of(player, held)
        if playing and ties.hidden_ids([player.pk]):
            playing = []
    context = {
        "player": player,
        "is_you": is_you,
        "games": games,
        "game": game,
        "chart": selectors.rating_chart(player, game.key, game.matches) if game and game.matches else None,
        "speed": selectors.speed_figures(player, game.key) if game else None,
        "best": selectors.best_wins(player, game.key, held) if game else [],
        "playing": playing,
        "form": form,
        "outcomes": shown,
        "is_first_page": before is None,
        "newest": same(request, before=None),
        "older": same(request, before=shown[-1].outcome.end) if len(found) > PER_PAGE else None,
        "follows": ties.follows(request.user, player),
        "has_blocked": ties.has_blocked(request.user, player),
        "takes_challenges": request.user.is_authenticated and ties.takes_challenges(player, request.user),
        "section": "ratings",
    }
    return render(request, "games/profile.html", context)


@require_safe
def head_to_head(request: HttpRequest, username: str, other: str = "") -> HttpResponse:
    """Two people against each other. Without the second one: whose name is asked for by a form."""
    player = _player(username)
    if not other:
        asked = player_called(request.GET.get("name", "").strip())
        if asked is None or asked.pk == player.pk:
            context = {"player": player, "asked": request.GET.get("name", ""), "is_self": asked is not None}
            return render(request, "games/head_to_head_form.html", context)
        return redirect("head_to_head", player.get_username(), asked.get_username())
    rival = _player(other)
    if rival.pk == player.pk:
        return redirect("profile", player.get_username())
    if (player.get_username(), rival.get_username()) != (username, other):
        return redirect("head_to_head", player.get_username(), rival.get_username())
    held = [] if request.user.pk in (player.pk, rival.pk) else withheld_ends()
    context = {
        "player": player,
        "rival": rival,
        "rivalry": rivalry(player, rival, held),
        "outcomes": selectors.page_of(player, {"opponent": rival}, None, PER_PAGE, held),
        "section": "ratings",
    }
    return render(request, "games/head_to_head.html", context)


@require_safe
@never_cache
def players(request: HttpRequest) -> HttpResponse:
    """Find somebody by the beginning of the name; the whole of it leads to their page.

    `?rows`: those found alone, for a page that asks while one types.
    """
    asked = request.GET.get("q", "").strip()
    is_part = "rows" in request.GET
    template = "games/found.html" if is_part else "games/players.html"
    context: dict[str, Any] = {"asked": asked, "shortest": SHORTEST, "section": "ratings"}
    if not asked:
        return render(request, template, context)
    if not import_string(settings.IS_WITHIN)(request, "searches", settings.SEARCHES_PER_ADDRESS):
        context["is_too_often"] = True
        return render(request, template, context, status=HTTPStatus.TOO_MANY_REQUESTS)
    exact = None if is_part else player_called(asked)
    if exact is not None:
        return redirect("profile", exact.get_username())
    context["is_too_short"] = len(asked) < SHORTEST
    context["found"] = players_called(asked[:MAX_ASKED], request.user)
    return render(request, template, context)


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """How ratings work here (R1–R4), and the best of each game."""
    boards = [
        {"key": game, "name": name, "leaders": leaders.leaders(leaders.ranked(game)[:5], request.user, 1)}
        for game, name in GAMES.items()
    ]
    return render(request, "games/ratings.html", {"boards": boards, "section": "ratings"})


@require_safe
def leaderboard(request: HttpRequest, game: str) -> HttpResponse:
    """Who is where in one game."""
    if game not in GAMES:
        raise Http404
    ranking, newcomers = leaders.ranked(game), leaders.newcomers(game)
    paginator = Paginator(ranking, leaders.PER_PAGE)
    page = paginator.get_page(request.GET.get("page"))
    own = ranking.rating_of(request.user) or newcomers.rating_of(request.user)
    if own is None and request.user.pk is not None:
        own = Rating.objects.filter(user=request.user.pk, game=game).first()
    place = leaders.place_of(request.user, ranking)
    context = {
        "game": game,
        "name": words.game_name(game),
        "games": GAMES.items(),
        "page": page,
        "pages": paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "leaders": leaders.leaders(page.object_list, request.user, page.start_index()),
        "newcomers": leaders.leaders(newcomers[: leaders.NEWCOMERS], request.user, None),
        "bars": leaders.spread(ranking, own.value if own is not None and place is not None else None),
        "own": own,
        "place": place,
        "own_page": None if place is None else (place - 1) // leaders.PER_PAGE + 1,
        "section": "ratings",
    }
    return render(request, "games/leaderboard.html", context)


@require_safe
@login_required
def people(request: HttpRequest) -> HttpResponse:
    """Whom one follows, what they play at this moment, and whom one has blocked."""
    return render(request, "games/people.html", relations_of(request.user, request.GET.get("undo", "")))


VERBS: Final = {"follow": ties.follow, "unfollow": ties.unfollow, "block": ties.block, "unblock": ties.unblock}
UNDO: Final = {"follow": "unfollow", "unfollow": "follow", "block": "unblock", "unblock": "block"}


@require_POST
@login_required
def tie(request: HttpRequest, username: str, verb: str) -> HttpResponse:
    """Follow or block somebody, or do so no more. Leads back to where the button was."""
    if verb not in VERBS:
        raise Http404
    player = _player(username)
    VERBS[verb](request.user, player)
    back = request.POST.get("next", "")
    if back == reverse("people"):
        return redirect(f"{back}?{urlencode({'undo': f'{UNDO[verb]}:{player.get_username()}'})}")
    if back and url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        return HttpResponseRedirect(back)
    return redirect("profile", player.get_username())


def _player(username: str) -> Any:
    found = player_called(username)
    if found is None:
        raise Http404(_("There is no such player."))
    return found
