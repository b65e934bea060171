"""Players are found by how their names begin."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import ties
from games.models import End, Match, Rating, RatingChange, Seat
from games.profiles.search import MOST, players_called
from spitsite.accounts.models import User
from spitsite.accounts.preferences import services as preferences
from tests.factories import make_user

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture(autouse=True)
def nothing_counted_before() -> None:
    cache.clear()


def names(client: Client, text: str, **query: str) -> list[str]:
    response = client.get(reverse("players"), {"rows": "", "q": text, **query})
    assert response.status_code == 200
    return [found.user.username for found in response.context["found"]]


def test_by_the_beginning_whatever_the_case_in_the_order_of_the_alphabet(client: Client) -> None:
    for name in ("Marta", "marius", "Ümar", "Zoë", "Maret", "Tamara", "ma_ria", "Σίσυφος"):
        make_user(name)
    assert names(client, "MAR") == ["Maret", "marius", "Marta"]
    assert names(client, " mar ") == ["Maret", "marius", "Marta"]
    # Signs that mean something to databases are letters like others.
    assert names(client, "ma_") == ["ma_ria"]
    assert names(client, "m%") == names(client, "__") == names(client, "\\m") == []
    assert names(client, "üm") == names(client, "U\u0308M") == ["Ümar"]
    assert names(client, "σί") == ["Σίσυφος"]
    # At another width the letters are the same.
    assert names(client, "\uff4d\uff41\uff52\uff54") == ["Marta"]


@pytest.mark.parametrize("text", ["m", "\0\0", "m\0a", "  ", "\U0010ffff\U0010ffff", "a" * 500, "<b>", "' OR 1=1"])
def test_what_finds_nobody(client: Client, text: str) -> None:
    make_user("Marta")
    for query in ({"rows": "", "q": text}, {"q": text}):
        response = client.get(reverse("players"), query)
        assert response.status_code == 200
        assert "Marta" not in response.content.decode()


def test_guests_and_who_is_gone_are_not_found(client: Client, guest: User) -> None:
    gone = make_user("Guido")
    User.objects.filter(pk=make_user("Gunnar").pk).update(is_active=False)
    make_user("Gustav")
    gone.delete()
    assert names(client, "gu") == ["Gustav"]


def test_whoever_is_blocked_is_not_found_by_either(client: Client, ann: User) -> None:
    eve, eva, evi = (make_user(name) for name in ("Eve", "Eva", "Evi"))
    ties.block(ann, eve)
    ties.block(eva, ann)
    client.force_login(ann, backend=BACKEND)
    assert names(client, "ev") == ["Evi"]
    client.force_login(eve, backend=BACKEND)
    assert names(client, "an") == []
    client.force_login(evi, backend=BACKEND)
    assert names(client, "ev") == ["Eva", "Eve", "Evi"]


def test_nothing_tells_who_is_here(client: Client) -> None:
    one, other = make_user("Hidden"), make_user("Hideous")
    preferences.store(one, {"online": "no"})
    match = Match.objects.create(game="spit", state=Match.State.LIVE)
    for number, user in enumerate((one, other)):
        Seat.objects.create(match=match, number=number, user=user)
    content = client.get(reverse("players"), {"rows": "", "q": "hid"}).content.decode()
    assert "Hidden" in content
    assert "playing" not in content
    assert match.slug not in content


def test_few_are_shown_with_their_ratings(client: Client, django_assert_num_queries: Any) -> None:
    made = [make_user(f"Petra{number:02}") for number in range(MOST + 5)]
    for user in made:
        for game, matches in (("spit", 40), ("speed", 7), ("two_deck", 3)):
            Rating.objects.create(user=user, game=game, value=1612.4, matches=matches)
    # Names, blocks, ratings, and what is withheld.
    with django_assert_num_queries(3):
        found = players_called("pe", User())
    assert [each.user.username for each in found] == [f"Petra{number:02}" for number in range(MOST)]
    assert found[0].ratings == [("Spit", 1612, False), ("Speed", 1612, True)]
    content = client.get(reverse("players"), {"q": "pet"}).content.decode()
    assert "Speed <b>1612?</b>" in content
    assert reverse("profile", args=["Petra09"]) in content
    assert "Petra10" not in content


def test_a_rating_tells_of_no_end_that_is_withheld(client: Client, bob: User) -> None:
    """G9: until the delay is over the rating of before is shown."""
    match = Match.objects.create(game="spit", rated=True, state=Match.State.OVER, delay=30)
    seat = Seat.objects.create(match=match, number=0, user=bob)
    Seat.objects.create(match=match, number=1, user=make_user())
    later = timezone.now() + timedelta(seconds=30)
    end = End.objects.create(match=match, winner=0, cause="out_of_cards", events=1, at=1, withheld_until=later)
    Rating.objects.create(user=bob, game="spit", value=1540, matches=31)
    RatingChange.objects.create(seat=seat, end=end, user=bob, game="spit", before=1500, after=1540, matches=31)
    content = client.get(reverse("players"), {"rows": "", "q": "bo"}).content.decode()
    assert "1500" in content
    assert "1540" not in content


def test_the_whole_name_leads_to_the_page(client: Client, bob: User) -> None:
    make_user("Bobby")
    assert client.get(reverse("players"), {"q": "bOB "})["Location"] == "/player/Bob/"
    assert names(client, "bob") == ["Bob", "Bobby"]


def test_without_a_script_it_is_a_form(client: Client, bob: User) -> None:
    content = client.get("/").content.decode()
    assert f'action="{reverse("players")}"' in content
    content = client.get(reverse("players"), {"q": "bo"}).content.decode()
    assert "Bob" in content
    assert 'value="bo"' in content
    assert "Nobody here has a name that begins so." in client.get("/players/", {"q": "xq"}).content.decode()
    assert "Type 2 letters at least." in client.get("/players/", {"q": "x"}).content.decode()


def test_an_address_asks_so_often(client: Client, bob: User, settings: Any) -> None:
    settings.SEARCHES_PER_ADDRESS = 2
    assert [names(client, "bo") for _ in range(2)] == [["Bob"]] * 2
    for query in ({"rows": "", "q": "bo"}, {"q": "Bob"}):
        response = client.get(reverse("players"), query)
        assert response.status_code == 429
        assert "Wait a while" in response.content.decode()
        assert "/player/Bob/" not in response.content.decode()
    assert client.get(reverse("players")).status_code == 200
