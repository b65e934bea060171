"""The pages that teach: rules, pictures, practice."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from games import words
from games.learning.pictures import PICTURES, Picture
from games.rules.cards import NEIGHBOURS, PACK, SECOND_PACK
from games.rules.registry import BOOKS
from games.rules.setup import Setup

pytestmark = pytest.mark.django_db

ALL = [(game, name) for game, pictures in PICTURES.items() for name in pictures]


def faces(picture: Picture) -> Iterator[str]:
    for cards in picture.places.values():
        yield from (card for card in cards.split() if card != "-")


class TestRules:
    def test_the_first_page_leads_to_all_games(self, client: Client) -> None:
        content = client.get(reverse("rules")).content.decode()
        for game in BOOKS:
            assert f'href="{reverse("rules_of", args=[game])}"' in content

    @pytest.mark.parametrize("game", BOOKS)
    def test_every_game_has_a_page(self, client: Client, game: str) -> None:
        response = client.get(reverse("rules_of", args=[game]))
        content = response.content.decode()
        assert f"<h1>{words.GAMES[game]}</h1>" in content
        assert f'href="/?game={game}"' in content
        assert reverse("practice") in content
        assert content.count("data-picture=") == len(PICTURES[game])
        assert response.context["picture_data"]["pictures"].keys() == PICTURES[game].keys()

    @pytest.mark.parametrize("game", BOOKS)
    def test_what_is_seen_is_said_too(self, client: Client, game: str) -> None:
        # Without a script, and to those who do not see it.
        context = client.get(reverse("rules_of", args=[game]))
        for picture in PICTURES[game].values():
            assert f"<figcaption>{picture.caption}</figcaption>" in context.content.decode()

    @pytest.mark.parametrize("game", ["poker", "base", "index"])
    def test_other_games_have_none(self, client: Client, game: str) -> None:
        assert client.get(f"/rules/{game}/").status_code == 404


class TestPictures:
    @pytest.mark.parametrize(("game", "name"), ALL)
    def test_it_could_be_the_table_of_that_game(self, game: str, name: str) -> None:
        picture = PICTURES[game][name]
        places = {place.name for place in BOOKS[game].places(Setup(game, BOOKS[game].defaults))}
        assert set(picture.places) <= places
        assert set(picture.fits) | set(picture.glow) <= set(picture.places)
        shown = list(faces(picture))
        assert set(shown) <= set(PACK) | set(SECOND_PACK)
        assert len(set(shown)) == len(shown)

    @pytest.mark.parametrize(("game", "name"), [each for each in ALL if each[1] in ("race", "last")])
    def test_what_is_marked_fits_and_nothing_else_does(self, game: str, name: str) -> None:
        picture = PICTURES[game][name]
        tops = {place: cards.split()[-1] for place, cards in picture.places.items() if cards}
        piles = [card for place, card in tops.items() if place.startswith("centre.")]
        own = {place: card for place, card in tops.items() if place.startswith("0.")}
        fitting = {place for place, card in own.items() if any(card[0] in NEIGHBOURS[top[0]] for top in piles)}
        assert fitting == set(picture.fits)

    @pytest.mark.parametrize("game", BOOKS)
    def test_nothing_is_face_up_at_the_other_seat_that_is_not(self, game: str) -> None:
        for picture in PICTURES[game].values():
            for place, cards in picture.places.items():
                assert not (place.startswith("1.hand") and cards != "-")


class TestPractice:
    def test_it_ends_in_a_match_against_the_slowest(self, client: Client) -> None:
        content = client.get(reverse("practice")).content.decode()
        assert f'action="{reverse("play_computer")}"' in content
        assert 'name="level" value="deuce"' in content

    def test_home_leads_there_before_the_first_match(self, client: Client) -> None:
        link = f'<a href="{reverse("practice")}">'
        assert link in client.get(reverse("home")).content.decode()
        client.post(reverse("play_computer"))
        assert link not in client.get(reverse("home")).content.decode()
