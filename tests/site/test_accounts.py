"""Accounts and guests."""

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from games.bots.levels import LEVELS
from spitsite.accounts import guests, names
from spitsite.accounts.models import User
from spitsite.accounts.tasks import remove_ended_sessions, remove_idle_guests
from tests.conftest import PASSWORD
from tests.factories import make_match

FORM = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD}


def who(client: Client) -> Any:
    """The user that the client's session belongs to, or None."""
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


@pytest.fixture
def as_guest(client: Client, guest: User) -> Client:
    client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.django_db
class TestSignUp:
    def test_makes_an_account_and_signs_in(self, client: Client) -> None:
        response = client.post(reverse("account_signup"), FORM)
        assert response.status_code == 302
        carol = who(client)
        assert (carol.username, carol.email, carol.is_guest) == ("Carol", "carol@example.org", False)
        assert carol.check_password(PASSWORD)
        assert [message.to for message in mail.outbox] == [["carol@example.org"]]

    @pytest.mark.parametrize("name", ["ANN", "ann", " Ann ", "aNn"])
    def test_a_taken_name_is_refused_in_any_case(self, client: Client, ann: User, name: str) -> None:
        response = client.post(reverse("account_signup"), {**FORM, "username": name})
        assert response.status_code == 200
        assert response.context["form"].errors["username"] == ["Somebody has this name already."]
        assert User.objects.filter(username__iexact="ann").count() == 1

    @pytest.mark.parametrize(
        "name",
        [
            "<svg/onload=alert(1)>",
            'a"b',
            "a</script>",
            "\u202eabc",
            "аnn",  # a Cyrillic letter
            "a b",
            "a\u200bb",
            "-abc",
            "x",
            "x" * 31,
            "guest-1234",
            "Guest1234",
            "GUEST",
            "admin",
            "Deleted",
            "deleted-player",
            "Anonymous",
            "Spit",
            "joker",
            "DEUCE",
            "A-ce",
        ],
    )
    def test_other_names_are_refused_at_the_field(self, client: Client, name: str) -> None:
        response = client.post(reverse("account_signup"), {**FORM, "username": name})
        assert response.status_code == 200
        assert set(response.context["form"].errors) == {"username"}
        assert str(response.context["form"].errors["username"][0]).endswith(".")
        # What was typed is still there.
        assert response.context["form"]["email"].value() == "carol@example.org"
        assert not User.objects.exists()

    def test_every_level_of_the_computer_keeps_its_name(self) -> None:
        for level in LEVELS:
            for name in (level.key, str(level.name).upper()):
                with pytest.raises(ValidationError) as caught:
                    names.NotReserved()(name)
                assert caught.value.code == "reserved"
        names.NotReserved()("Jokerfan")

    def test_a_weak_password_is_refused(self, client: Client) -> None:
        response = client.post(reverse("account_signup"), {**FORM, "password1": "12345678"})
        assert set(response.context["form"].errors) == {"password1"}

    @pytest.mark.parametrize("address", ["ann@example.org", "ANN@Example.Org"])
    def test_an_address_belongs_to_one_account(self, client: Client, ann: User, address: str) -> None:
        response = client.post(reverse("account_signup"), {**FORM, "email": address})
        assert set(response.context["form"].errors) == {"email"}
        assert User.objects.count() == 1

    @pytest.mark.parametrize(
        "target", ["//evil.example", "/\\evil.example", "https:evil.example", "javascript:alert(1)"]
    )
    @pytest.mark.parametrize("page", ["account_signup", "account_login"])
    def test_only_pages_of_this_site_are_gone_on_to(self, client: Client, ann: User, page: str, target: str) -> None:
        form = FORM if page == "account_signup" else {"login": "ann", "password": PASSWORD}
        response = client.post(reverse(page), {**form, "next": target})
        assert response.status_code == 302
        assert response["Location"] == reverse("home")


@pytest.mark.django_db
class TestMails:
    @pytest.mark.parametrize(
        ("page", "form"),
        [
            ("account_signup", FORM),
            ("account_reset_password", {"email": "ann@example.org"}),
            ("account_reset_password", {"email": "stranger@example.org"}),
        ],
    )
    def test_name_the_site(self, client: Client, ann: User, settings: Any, page: str, form: dict[str, str]) -> None:
        settings.SITE_NAME = "Spit & Friends"
        settings.ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Spit & Friends] "
        settings.ALLOWED_HOSTS = ["cards.example"]
        client.post(reverse(page), form, headers={"host": "cards.example"})
        [message] = mail.outbox
        assert message.subject.startswith("[Spit & Friends] ")
        assert "Hello from Spit & Friends!" in message.body
        assert "Thank you for using Spit & Friends!" in message.body
        assert "cards.example!" not in message.body


@pytest.mark.django_db
class TestSignIn:
    @pytest.mark.parametrize("login", ["Ann", "ann", "ANN", " ann ", "ann@example.org", "Ann@Example.org"])
    def test_by_name_or_address_in_any_case(self, client: Client, ann: User, login: str) -> None:
        client.post(reverse("account_login"), {"login": login, "password": PASSWORD})
        assert who(client) == ann

    @pytest.mark.parametrize("login", ["ann", "nobody"])
    def test_wrong_password_and_unknown_name_look_the_same(self, client: Client, ann: User, login: str) -> None:
        response = client.post(reverse("account_login"), {"login": login, "password": "wrong"})
        assert response.status_code == 200
        assert len(response.context["form"].non_field_errors()) == 1
        assert who(client) is None

    def test_sign_out(self, client: Client, ann: User) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        client.post(reverse("account_logout"))
        assert who(client) is None

    def test_a_new_password_by_mail(self, client: Client, ann: User) -> None:
        client.post(reverse("account_reset_password"), {"email": "ann@example.org"})
        [message] = mail.outbox
        link = next(word for word in message.body.split() if "/password/reset/key/" in word)
        page = client.get(link, follow=True)
        client.post(page.redirect_chain[-1][0], {"password1": "another horse 7", "password2": "another horse 7"})
        ann.refresh_from_db()
        assert ann.check_password("another horse 7")


@pytest.mark.django_db
class TestNames:
    def test_the_database_itself_refuses_the_name_in_another_case(self, ann: User) -> None:
        with pytest.raises(IntegrityError):
            User.objects.create(username="aNN")

    def test_forms_say_so_before(self, ann: User) -> None:
        with pytest.raises(ValidationError):
            User(username="aNN", password="x").full_clean()

    def test_a_line_end_is_no_part_of_a_name(self) -> None:
        with pytest.raises(ValidationError):
            names.well_formed("ann\n")

    def test_found_in_any_case(self, ann: User) -> None:
        assert User.objects.get_by_natural_key("ANN") == ann

    def test_a_name_is_found_by_an_index(self, ann: User, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(1) as asked:
            User.objects.get_by_natural_key("ANN")
        with connection.cursor() as cursor:
            cursor.execute(("EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN ") + asked[0]["sql"])
            assert connection.vendor != "sqlite" or "(name_key=?)" in str(cursor.fetchall())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "spellings",
    [
        ["Ann", "ann", "ANN", "aNn", "anN"],
        ["Bob", "B0b", "bob", "BOB", "b0B"],
        ["Žofie", "žofie", "ŽOFIE", "Z\u030cofie"],
    ],
)
def test_b30_one_name_asked_for_by_many_at_once_goes_to_one(spellings: list[str]) -> None:
    start = threading.Barrier(len(spellings))
    answers: list[int] = []

    def sign_up(number: int, name: str) -> None:
        start.wait()
        response = Client().post(
            reverse("account_signup"), {"username": name, "email": f"ann{number}@example.org", "password1": PASSWORD}
        )
        answers.append(response.status_code)
        connection.close()

    threads = [threading.Thread(target=sign_up, args=pair) for pair in enumerate(spellings)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] * (len(spellings) - 1) + [302]
    assert User.objects.count() == 1


def request_of(user: object, session: Any) -> HttpRequest:
    request = RequestFactory().post("/")
    request.user = user  # type: ignore[assignment]
    request.session = session
    return request


@pytest.mark.django_db
class TestGuests:
    def test_somebody_new_becomes_a_guest_who_is_signed_in(self, client: Client) -> None:
        request = request_of(AnonymousUser(), client.session)
        guest = guests.ensure_user(request)
        assert guest.is_guest
        assert not guest.has_usable_password()
        assert request.user == guest
        assert request.session["_auth_user_id"] == str(guest.pk)
        assert guest.display_name == f"Guest {guest.username.removeprefix('guest-')}"

    def test_somebody_known_stays_who_they_are(self, client: Client, ann: User) -> None:
        assert guests.ensure_user(request_of(ann, client.session)) is ann
        assert User.objects.count() == 1

    def test_a_taken_number_is_not_given_twice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        numbers = iter(["guest-1000", "guest-1000", "guest-1000", "guest-1001"])
        monkeypatch.setattr(names, "new_guest_name", lambda digits: next(numbers))
        assert [guests.create_guest().username for _ in range(2)] == ["guest-1000", "guest-1001"]

    def test_numbers_have_as_many_digits_as_asked_for(self) -> None:
        for digits in (4, 5, 9):
            assert len(names.guest_number(names.new_guest_name(digits))) == digits

    @pytest.mark.parametrize("page", ["account_signup", "account_login", "account_reset_password"])
    def test_the_account_pages_are_open_to_them(self, as_guest: Client, page: str) -> None:
        assert as_guest.get(reverse(page)).status_code == 200

    def test_pages_of_an_account_ask_them_to_sign_in(self, as_guest: Client) -> None:
        response = as_guest.get(reverse("account_change_password"))
        assert response["Location"].startswith(reverse("account_login"))

    def test_signing_up_keeps_the_row_and_the_matches(self, as_guest: Client, guest: User) -> None:
        match = make_match(guest, "easy", rated=False)
        as_guest.post(reverse("account_signup"), FORM)
        carol = User.objects.get()
        assert who(as_guest) == carol
        assert (carol.pk, carol.username, carol.is_guest) == (guest.pk, "Carol", False)
        assert carol.display_name == "Carol"
        assert match.seats.get(number=0).user == carol

    def test_a_refused_sign_up_leaves_the_guest_a_guest(self, as_guest: Client, guest: User, ann: User) -> None:
        as_guest.post(reverse("account_signup"), {**FORM, "username": "ann"})
        guest.refresh_from_db()
        assert guest.is_guest
        assert who(as_guest) == guest

    def test_a_form_sent_again_changes_nothing(self, as_guest: Client, guest: User) -> None:
        again = Client()
        again.cookies = as_guest.cookies.copy()
        as_guest.post(reverse("account_signup"), FORM)
        again.post(reverse("account_signup"), {**FORM, "username": "Other"})
        assert User.objects.get(pk=guest.pk).username == "Carol"

    def test_signing_in_leaves_the_guest_behind(self, as_guest: Client, guest: User, ann: User) -> None:
        as_guest.post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
        assert who(as_guest) == ann
        assert User.objects.filter(pk=guest.pk).exists()

    def test_they_can_sign_out(self, as_guest: Client) -> None:
        as_guest.post(reverse("account_logout"))
        assert who(as_guest) is None


@pytest.mark.django_db
class TestIdleGuests:
    @pytest.fixture
    def make(self) -> Callable[..., User]:
        def guest(days: int, **fields: Any) -> User:
            made = guests.create_guest()
            seen = timezone.now() - timedelta(days=days)
            User.objects.filter(pk=made.pk).update(**{"last_login": seen, "date_joined": seen, **fields})
            return made

        return guest

    def test_only_long_gone_guests_without_matches_are_removed(self, make: Callable[..., User]) -> None:
        gone, never_came = make(40), make(40, last_login=None)
        here, account, player = make(3), make(40, is_guest=False), make(40)
        make_match(player, "easy", rated=False)
        assert remove_idle_guests() == 2
        assert remove_idle_guests() == 0
        left = set(User.objects.values_list("pk", flat=True))
        assert left == {here.pk, account.pk, player.pk}
        assert not left & {gone.pk, never_came.pk}

    def test_the_command_says_how_many(self, make: Callable[..., User], capsys: pytest.CaptureFixture[str]) -> None:
        make(40)
        call_command("remove_idle_guests")
        assert capsys.readouterr().out == "1 idle guest removed.\n"


@pytest.mark.django_db
def test_sessions_that_have_run_out_are_removed_with_what_is_known_of_their_browsers(ann: User) -> None:
    here, gone = Client(), Client()
    for browser in (here, gone):
        browser.post("/accounts/login/", {"login": "Ann", "password": PASSWORD})
    long_ago = timezone.now() - timedelta(days=91)
    ended = gone.session.session_key
    Session.objects.filter(pk=ended).update(expire_date=long_ago)
    UserSession.objects.update(created_at=long_ago)
    assert remove_ended_sessions() == 1
    assert remove_ended_sessions() == 0
    assert [one.session_key for one in UserSession.objects.all()] == [here.session.session_key]
    assert here.get("/accounts/sessions/").status_code == 200


@pytest.mark.django_db
class TestAdmin:
    def test_visitors_and_guests_are_asked_to_sign_in(self, client: Client, guest: User) -> None:
        for _ in range(2):
            response = client.get(reverse("admin:index"), follow=True)
            assert response.redirect_chain[-1][0].startswith(reverse("account_login"))
            client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")

    def test_players_have_no_business_there(self, client: Client, ann: User) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(reverse("admin:index"), follow=True).status_code == 403

    def test_administrators_see_the_people(self, client: Client, boss: User, guest: User) -> None:
        client.post(reverse("account_login"), {"login": "boss", "password": PASSWORD})
        assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200
        assert client.get(reverse("admin:accounts_user_change", args=[guest.pk])).status_code == 200
