"""The pages that teach: the rules of each game, and a table to practise at."""

from uuid import uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import words
from games.learning.pictures import PICTURES
from games.lobby.sketch import sketch
from games.rules.registry import BOOKS


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What the games have in common, and the way to the rules of each."""
    games = [
        {"key": key, "name": words.GAMES[key], "sentence": words.SENTENCES[key], "sketch": sketch(book)}
        for key, book in BOOKS.items()
    ]
    return render(request, "rules/index.html", {"games": games, **_pictures("spit"), "section": "rules"})


@require_safe
def rules_of(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game, for somebody who has never played it."""
    if game not in BOOKS:
        raise Http404
    others = [{"key": key, "name": name} for key, name in words.GAMES.items() if key != game]
    context = {
        "game": game,
        "name": words.game_name(game),
        "sentence": words.SENTENCES[game],
        "others": others,
        "section": "rules",
        **_pictures(game),
    }
    return render(request, f"rules/{game}.html", context)


@require_safe
@never_cache
def practice(request: HttpRequest) -> HttpResponse:
    """A table for one, to learn how cards are moved. It talks to nobody."""
    return render(request, "learn/practice.html", {"token": uuid4()})


def _pictures(game: str) -> dict[str, object]:
    """The pictures of a game, for the templates (captions) and for the page's script (positions)."""
    pictures = PICTURES[game]
    return {
        "pictures": pictures,
        "picture_data": {
            "seats": [{"name": _("You")}, {"name": _("Your friend")}],
            "pictures": {name: picture.data() for name, picture in pictures.items()},
        },
    }
