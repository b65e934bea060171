"""Nothing tells a stranger whether an address has an account."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from django.urls import reverse

from spitsite.accounts.models import User
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def plain(response: Any) -> tuple[int, str, str]:
    """An answer without what is different each time."""
    return (
        response.status_code,
        response.get("Location", ""),
        "" if response.status_code == 302 else response.content.decode(),
    )


class TestWhereMailIsSent:
    """`EMAIL_VERIFICATION=mandatory`, the default as soon as `EMAIL_URL` is set."""

    @pytest.fixture(autouse=True)
    def mandatory(self, settings: Any) -> None:
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    def sign_up(self, name: str, address: str) -> tuple[Client, Any]:
        client = Client()
        form = {"username": name, "email": address, "password1": PASSWORD}
        return client, client.post(reverse("account_signup"), form)

    def test_signing_up_with_a_taken_address_looks_the_same(self, ann: User) -> None:
        EmailAddress.objects.create(user=ann, email=ann.email, primary=True, verified=True)
        (stranger, fresh), (thief, taken) = self.sign_up("Carol", "carol@example.org"), self.sign_up("Cleo", ann.email)
        assert plain(fresh) == plain(taken)
        assert fresh.status_code == 302
        pages = [client.get(fresh["Location"]).content.decode() for client in (stranger, thief)]
        assert pages[0].replace("carol@example.org", "ADDRESS") == pages[1].replace("ann@example.org", "ADDRESS")
        assert not User.objects.filter(username="Cleo").exists()
        # Whose address it is hears of it.
        assert [message.to for message in mail.outbox] == [["carol@example.org"], ["ann@example.org"]]
        assert "already" in mail.outbox[1].body

    def test_an_account_is_used_once_its_address_is_confirmed(self) -> None:
        client, _response = self.sign_up("Carol", "carol@example.org")
        assert "_auth_user_id" not in client.session
        client.post(reverse("account_login"), {"login": "Carol", "password": PASSWORD})
        assert "_auth_user_id" not in client.session
        link = next(word for word in mail.outbox[0].body.split() if "/confirm-email/" in word)
        client.post(link)
        client.post(reverse("account_login"), {"login": "carol", "password": PASSWORD})
        assert "_auth_user_id" in client.session

    def test_a_guest_who_signs_up_keeps_the_row(self, guest: User) -> None:
        client = Client()
        client.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
        form = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD}
        client.post(reverse("account_signup"), form)
        guest.refresh_from_db()
        assert (guest.username, guest.is_guest) == ("Carol", False)
        # Until the address is confirmed, nobody is signed in as that person any more.
        assert client.get(reverse("account")).status_code == 302


def test_a_new_password_is_asked_for_in_the_same_way(ann: User) -> None:
    answers = [
        Client().post(reverse("account_reset_password"), {"email": email}) for email in (ann.email, "no@example.org")
    ]
    assert plain(answers[0]) == plain(answers[1])
    assert [message.to for message in mail.outbox] == [[ann.email], ["no@example.org"]]


def test_another_ones_address_is_not_given_away_by_a_change(ann: User, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email=bob.email, primary=True, verified=True)
    EmailAddress.objects.create(user=ann, email=ann.email, primary=True, verified=True)
    found = []
    for email in (bob.email, "free@example.org"):
        client = Client()
        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        found.append(plain(client.post(reverse("account_email"), {"email": email, "action_add": ""})))
    assert found[0][:2] == found[1][:2]


@pytest.mark.parametrize(("known", "unknown"), [("ann", "nobody"), ("ann@example.org", "nobody@example.org")])
def test_a_wrong_password_takes_as_long_for_a_name_that_is_none(
    ann: User, monkeypatch: pytest.MonkeyPatch, known: str, unknown: str
) -> None:
    """What takes the time is the hashing: it is done as often."""
    hashed = 0
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, *args: Any, **kwargs: Any) -> str:
        nonlocal hashed
        hashed += 1
        return encode(self, *args, **kwargs)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    counts, answers = [], []
    for login in (known, unknown):
        hashed = 0
        response = Client().post(reverse("account_login"), {"login": login, "password": "wrong"})
        counts.append(hashed)
        answers.append([str(error) for error in response.context["form"].non_field_errors()])
    assert counts[0] == counts[1] > 0
    # The sentence names the way in, not the person.
    assert answers[0] == answers[1]
