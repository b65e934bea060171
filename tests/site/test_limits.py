"""How many guests and matches may be made from one address and by one person."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.lobby import services
from games.models import Match
from spitsite.accounts import limits
from spitsite.accounts.models import User
from tests.factories import SPIT

pytestmark = pytest.mark.django_db

SENTENCE = "Very many matches were begun from where you are"


@pytest.fixture(autouse=True)
def few(settings: Any) -> None:
    """Limits that are soon reached, and nothing counted yet."""
    cache.clear()
    settings.GUESTS_PER_ADDRESS, settings.MATCHES_PER_ADDRESS, settings.MATCHES_PER_PERSON = 3, 5, 2


def play(client: Client, address: str = "192.0.2.1", name: str = "play_computer") -> int:
    response = client.post(reverse(name), {"token": str(uuid4())}, REMOTE_ADDR=address)
    if response.status_code == 429:
        assert SENTENCE in response.content.decode()
    return response.status_code


def test_ever_new_guests_of_one_address_come_to_an_end() -> None:
    assert [play(Client()) for _ in range(5)] == [302, 302, 302, 429, 429]
    assert User.objects.count() == Match.objects.count() == 3
    assert play(Client(), "192.0.2.2") == 302


def test_who_has_signed_in_still_plays_there(ann: User, client: Client) -> None:
    for _ in range(4):
        play(Client())
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    assert play(client) == 302


@pytest.mark.parametrize("name", ["play_computer", "play_friend"])
def test_one_person_makes_so_many_matches_wherever_they_are(name: str) -> None:
    client = Client()
    assert [play(client, f"192.0.2.{number}", name) for number in range(1, 4)] == [302, 302, 429]
    assert Match.objects.count() == 2


def test_who_is_nobody_yet_takes_nothing_from_others_who_are_nobody() -> None:
    """The computer plays itself for whoever asks, without a guest being made of them."""
    address = reverse("exhibition")
    for number in range(4):
        client = Client()
        client.post(address, REMOTE_ADDR=f"192.0.2.{number}")
        assert SENTENCE not in client.get(reverse("tv")).content.decode()
    assert Match.objects.count() == 1


def test_one_address_makes_so_many_matches() -> None:
    guests = [Client() for _ in range(3)]
    assert [play(guest) for guest in (*guests, *guests)] == [302] * 5 + [429]


def test_a_guest_too_many_does_not_sit_down_either(ann: User) -> None:
    match = services.create_for_friend(ann, SPIT)
    for _ in range(3):
        play(Client())
    response = Client().post(reverse("match_join", args=[match.slug]), REMOTE_ADDR="192.0.2.1")
    assert response.status_code == 429
    assert SENTENCE in response.content.decode()
    assert match.seats.count() == 1


def test_an_ipv6_network_is_one_address_and_a_forged_header_another_one_s_claim() -> None:
    assert [play(Client(), f"2001:db8:1:1::{number}") for number in range(1, 5)] == [302, 302, 302, 429]
    assert play(Client(), "2001:db8:1:2::1") == 302
    for number in range(3):
        play(Client(), "192.0.2.9")
        forged = Client(headers={"x-forwarded-for": f"198.51.100.{number}"})
    assert play(forged, "192.0.2.9") == 429


def test_an_hour_later_it_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HOUR", 0)
    assert [play(Client()) for _ in range(5)] == [302] * 5


def test_nothing_is_counted_without_a_limit(settings: Any) -> None:
    settings.GUESTS_PER_ADDRESS = settings.MATCHES_PER_ADDRESS = 0
    assert [play(Client()) for _ in range(8)] == [302] * 8


def test_who_asks_for_too_many_new_passwords_is_told_on_a_page_of_the_site(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"reset_password": "1/m/ip"}
    page, asked = reverse("account_reset_password"), {"email": "stranger@example.org"}
    assert client.post(page, asked).status_code == 302
    response = client.post(page, asked)
    assert response.status_code == 429
    assert "Wait a few minutes, then try again." in response.content.decode()
    assert 'href="/rules/"' in response.content.decode()
