"""The page of preferences: with and without an account, with good and with bad input."""

import threading
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.moderation import notices
from spitsite.accounts.models import User
from spitsite.accounts.preferences import services
from spitsite.accounts.preferences.models import Preferences
from tests.conftest import PASSWORD

BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGE = "/preferences/"
SCRIPT = {"HTTP_ACCEPT": "application/json"}
FORM = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD}


def cookie(client: Client) -> str:
    """What the browser keeps."""
    found = client.cookies.get(services.COOKIE)
    return found.value if found is not None else ""


@pytest.fixture
def as_ann(client: Client, ann: User) -> Client:
    client.force_login(ann, backend=BACKEND)
    return client


@pytest.mark.django_db
class TestGuests:
    def test_a_choice_is_kept_in_the_browser_and_seen_on_the_next_page(self, client: Client) -> None:
        response = client.post(PAGE, {"theme": "dark", "deck": "four"}, follow=True)
        assert b'data-theme="dark"' in response.content
        assert b'data-deck="four"' in response.content
        assert b'content="dark"' in response.content
        assert b'<meta name="theme-color" content="#0f151c">' in response.content
        assert cookie(client) == "deck=four&theme=dark"
        assert not Preferences.objects.exists()

    def test_of_the_same_choices_nothing_is_said_twice(self, client: Client) -> None:
        client.post(PAGE, {"theme": "dark"})
        client.post(PAGE, {"deck": "four"})
        client.post(PAGE, {"theme": "auto"})
        assert cookie(client) == "deck=four"

    @pytest.mark.parametrize("value", ['"><script>', "theme=purple", "theme=dark&theme=light&x", "%00", "=" * 5000])
    def test_a_cookie_of_nonsense_does_no_harm(self, client: Client, value: str) -> None:
        client.cookies = SimpleCookie({services.COOKIE: value})
        response = client.get(PAGE)
        assert response.status_code == 200
        assert b"<script>" not in response.content.partition(b"<head>")[0]

    def test_signing_up_takes_it_along(self, client: Client) -> None:
        client.post(PAGE, {"theme": "contrast", "key.table.left": "U"})
        client.post(reverse("account_signup"), FORM)
        assert dict(services.of(User.objects.get(username="Carol")).chosen) == {
            "theme": "contrast",
            "key.table.left": "KeyU",
        }

    def test_a_guest_who_signs_up_takes_it_along(self, client: Client, guest: User) -> None:
        client.force_login(guest, backend=BACKEND)
        client.post(PAGE, {"cards": "large"})
        assert not Preferences.objects.exists()
        client.post(reverse("account_signup"), FORM)
        guest.refresh_from_db()
        assert not guest.is_guest
        assert services.of(guest)["cards"] == "large"


@pytest.mark.django_db
class TestAccounts:
    def test_a_choice_is_kept_with_the_account_on_every_device(self, as_ann: Client, ann: User) -> None:
        as_ann.post(PAGE, {"theme": "dark", "volume": "40"})
        other = Client()
        other.force_login(ann, backend=BACKEND)
        page = other.get("/").content
        assert b'data-theme="dark"' in page
        assert b'data-preferences="theme=dark&amp;volume=40"' in page
        assert Preferences.objects.count() == 1

    def test_signing_in_an_account_that_has_chosen_keeps_its_choice(self, client: Client, ann: User) -> None:
        services.store(ann, {"theme": "light"})
        client.post(PAGE, {"theme": "dark", "deck": "four"})
        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        assert dict(services.of(ann).chosen) == {"theme": "light"}
        assert b'data-theme="light"' in client.get("/").content

    def test_signing_in_an_account_that_has_not_takes_the_browsers(self, client: Client, ann: User) -> None:
        client.post(PAGE, {"theme": "dark"})
        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        assert services.of(ann)["theme"] == "dark"

    def test_what_nobody_knows_in_a_row_is_left_out(self, as_ann: Client, ann: User) -> None:
        Preferences.objects.create(user=ann, chosen={"theme": "purple", "gone": "x", "deck": "four"})
        assert dict(services.of(ann).chosen) == {"deck": "four"}
        Preferences.objects.update(chosen=[1, 2])
        assert as_ann.get("/").status_code == 200
        services.store(ann, {"deck": "four"})
        assert dict(services.of(ann).chosen) == {"deck": "four"}

    def test_what_is_of_the_account_alone_is_offered_there_and_never_in_the_cookie(
        self, as_ann: Client, ann: User, guest: User
    ) -> None:
        as_ann.post(PAGE, {"challenges": "followed", "online": "no", "theme": "dark"})
        assert (services.of(ann)["challenges"], services.of(ann)["online"]) == ("followed", "no")
        assert cookie(as_ann) == "theme=dark"
        page = as_ann.get(PAGE).content.decode()
        assert 'data-preferences="challenges=followed&amp;online=no&amp;theme=dark"' in page
        assert 'name="challenges" value="followed" checked' in page
        assert services.chosen("online", [ann.pk, guest.pk, 0]) == {ann.pk: "no"}
        as_ann.force_login(guest, backend=BACKEND)
        for client in (as_ann, Client()):
            page = client.get(PAGE).content.decode()
            assert "theme" in page
            assert "challenges" not in page

    def test_they_go_with_the_person(self, ann: User) -> None:
        services.store(ann, {"theme": "light"})
        ann.delete()
        assert not Preferences.objects.exists()

    def test_a_page_reads_them_once(self, as_ann: Client, django_assert_max_num_queries: Any) -> None:
        notices.current()  # The word to everybody is kept in the cache.
        with django_assert_max_num_queries(4):  # session, user, preferences, what moderators decided
            as_ann.get("/about/")


@pytest.mark.django_db(transaction=True)
def test_two_devices_that_choose_at_once_lose_nothing(ann: User) -> None:
    changes = [{"theme": "dark"}, {"deck": "four"}, {"cards": "large"}, {"volume": "10"}, {"sounds": "off"}]
    start = threading.Barrier(len(changes))

    def choose(change: dict[str, str]) -> None:
        start.wait()
        services.store(ann, change)
        connection.close()

    threads = [threading.Thread(target=choose, args=(change,)) for change in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dict(services.of(ann).chosen) == {name: value for change in changes for name, value in change.items()}


@pytest.mark.django_db
class TestBadInput:
    @pytest.mark.parametrize(
        ("name", "value", "said"),
        [
            ("theme", "purple", "Select a valid choice"),
            ("volume", "1000", "Select a valid choice"),
            ("volume", "<b>", "Select a valid choice"),
            ("key.table.left", "Enter", "cannot be used"),
            ("key.table.left", "abc", "cannot be used"),
            ("key.table.left", "x" * 500, "at most 24"),
            ("key.table.left", "S", "already the key for: Second place"),
            ("key.replay.back", "k", "already the key for: Play, pause"),
        ],
    )
    def test_is_said_at_its_field_and_nothing_is_kept(self, client: Client, name: str, value: str, said: str) -> None:
        response = client.post(PAGE, {name: value, "deck": "four"})
        assert response.status_code == 400
        assert said in str(response.context["form"].errors[name])
        assert said in response.content.decode()
        assert cookie(client) == ""
        # What was typed is still there.
        assert response.context["form"]["deck"].value() == "four"

    def test_two_keys_sent_together_can_swap(self, client: Client) -> None:
        response = client.post(PAGE, {"key.table.left": "K", "key.table.right": "J"})
        assert response.status_code == 302
        assert cookie(client) == "key.table.left=KeyK&key.table.right=KeyJ"

    def test_a_page_without_anything_to_choose_changes_nothing(self, client: Client) -> None:
        assert client.post(PAGE, {}).status_code == 302
        assert cookie(client) == ""

    def test_other_methods_are_refused(self, client: Client) -> None:
        assert client.put(PAGE).status_code == 405

    def test_a_form_from_elsewhere_is_refused(self) -> None:
        assert Client(enforce_csrf_checks=True).post(PAGE, {"theme": "dark"}).status_code == 403


@pytest.mark.django_db
class TestScripts:
    def test_are_told_what_is_chosen(self, as_ann: Client, ann: User) -> None:
        response = as_ann.post(PAGE, {"theme": "dark"}, **SCRIPT)
        assert response.json() == {"chosen": "theme=dark"}
        assert services.of(ann)["theme"] == "dark"

    def test_are_told_what_is_wrong(self, as_ann: Client) -> None:
        response = as_ann.post(PAGE, {"theme": "purple"}, **SCRIPT)
        assert response.status_code == 400
        assert "theme" in response.json()["errors"]


@pytest.mark.django_db
class TestReset:
    def test_of_the_keys_leaves_the_rest(self, client: Client) -> None:
        client.post(PAGE, {"theme": "dark", "key.table.left": "U"})
        client.post(PAGE, {"reset": "keys"})
        assert cookie(client) == "theme=dark"

    def test_of_everything(self, as_ann: Client, ann: User) -> None:
        as_ann.post(PAGE, {"theme": "dark", "key.table.left": "U"})
        as_ann.post(PAGE, {"reset": "all"})
        assert dict(services.of(ann).chosen) == {}
