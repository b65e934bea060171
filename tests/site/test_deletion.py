"""B29: who deletes the account is "deleted player" everywhere; opponents keep everything."""

import json
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games.lobby import services
from games.models import End, Event, Match, Rating, Seat
from games.ratings.recount import recount
from games.ratings.services import rate_pending
from spitsite.accounts.models import User
from tests.conftest import PASSWORD
from tests.factories import SPIT, make_match, play_match, store_match

BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def zora(db: None) -> User:
    """Whose name is in no word of the site."""
    return User.objects.create_user("Zoraqua", "zora@example.org", PASSWORD)


@pytest.fixture
def as_zora(client: Client, zora: User) -> Client:
    client.post(reverse("account_login"), {"login": "Zoraqua", "password": PASSWORD})
    return client


def pages(match: Match, opponent: User) -> list[str]:
    """Wherever somebody who played it was named."""
    return [
        "/",
        "/watch/",
        "/replays/",
        match.get_absolute_url(),
        f"/replay/{match.slug}/",
        f"/replay/{match.slug}.json",
        f"/player/{opponent.username}/",
        "/admin/",
        "/admin/games/match/",
        f"/admin/games/match/{match.pk}/change/",
        f"/admin/games/match/{match.pk}/log/",
        "/admin/games/rating/",
        "/admin/games/ratingchange/",
        "/admin/accounts/user/",
    ]


def test_b29_after_five_matches(as_zora: Client, zora: User, bob: User, boss: User) -> None:
    matches = [store_match(play_match(seed=seed), zora, bob, rated=True) for seed in range(2)]
    matches += [make_match(bob, zora, winner=winner) for winner in (0, 1, None)]
    rate_pending()
    before = Rating.objects.get(user=bob).standing
    kept = [model.objects.count() for model in (Match, Seat, Event, End)]
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=boss, content_type=kind, object_id=str(zora.pk), object_repr="Zoraqua", action_flag=CHANGE
    )
    response = as_zora.post(reverse("account_delete"), {"password": PASSWORD}, follow=True)
    assert response.status_code == 200
    assert "deleted" in response.content.decode()
    assert not User.objects.filter(username="Zoraqua").exists()
    assert "_auth_user_id" not in as_zora.session

    assert [model.objects.count() for model in (Match, Seat, Event, End)] == kept
    assert Rating.objects.get(user=bob).standing == before
    admin = Client()
    admin.force_login(boss, backend=BACKEND)
    for match in matches:
        for page in pages(match, bob):
            answer = admin.get(page)
            assert answer.status_code == 200, page
            assert "zoraqua" not in answer.content.decode().lower(), page
        document = json.loads(admin.get(f"/replay/{match.slug}.json").content)
        assert sorted(seat["name"] for seat in document["match"]["seats"]) == ["Bob", "deleted player"]
    assert "deleted player" in admin.get("/admin/games/match/").content.decode()
    assert admin.get("/player/Zoraqua/").status_code == 404
    assert recount(repair=False)
    assert Rating.objects.get(user=bob).standing.value == pytest.approx(before.value)
    # The name is free.
    User.objects.create_user("Zoraqua")


def test_b29_in_a_live_match_and_with_an_open_invitation(as_zora: Client, zora: User, bob: User) -> None:
    live = services.create_for_friend(zora, SPIT)
    services.join(live, bob)
    waiting = services.create_for_friend(zora, SPIT)
    page = as_zora.get(reverse("account_delete")).content.decode()
    assert "You are playing a match" in page
    as_zora.post(reverse("account_delete"), {"password": PASSWORD})
    assert not User.objects.filter(pk=zora.pk).exists()
    # The table goes on until the rules end it (tests/live/test_signed_out.py); nobody could come to the other one.
    assert Match.objects.get(pk=live.pk).state == Match.State.LIVE
    assert not Match.objects.filter(pk=waiting.pk).exists()
    visitor = Client()
    for address in ("/", "/watch/", live.get_absolute_url()):
        assert "Zoraqua" not in visitor.get(address).content.decode()
    assert visitor.get(waiting.get_absolute_url()).status_code == 404


def test_every_sign_in_ends(as_zora: Client, zora: User) -> None:
    elsewhere = Client()
    elsewhere.post(reverse("account_login"), {"login": "Zoraqua", "password": PASSWORD})
    as_zora.post(reverse("account_delete"), {"password": PASSWORD})
    assert elsewhere.get(reverse("account")).status_code == 302
    assert not [row for row in Session.objects.all() if row.get_decoded().get("_auth_user_id") == str(zora.pk)]


@pytest.mark.parametrize("form", [{}, {"password": ""}, {"password": "wrong"}])
def test_nobody_is_deleted_without_the_password(as_zora: Client, zora: User, form: dict[str, str]) -> None:
    response = as_zora.post(reverse("account_delete"), form)
    assert response.status_code == 200
    assert User.objects.filter(pk=zora.pk).exists()
    if form:
        assert set(response.context["form"].errors) == {"password"}


def test_guessing_there_is_slowed_like_anywhere(as_zora: Client, zora: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip"}
    for number in range(11):
        as_zora.post(reverse("account_delete"), {"password": f"wrong {number}"})
    as_zora.post(reverse("account_delete"), {"password": PASSWORD})
    assert User.objects.filter(pk=zora.pk).exists()
