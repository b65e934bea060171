"""Every form with bad input: each fault is said at its field, nothing typed is lost but passwords, nothing breaks."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.urls import reverse

from spitsite.accounts.models import User
from tests.conftest import PASSWORD

LONG: Final = "x" * 5000
NASTY: Final = (
    "",
    " ",
    "\0",
    "a\0b",
    LONG,
    "\ud7ff\U0010ffff",
    "%00",
    "'\"<svg/onload=x>",
    "{}",
    "[]",
    "null",
    "-1",
    "٣",
    "\u202e",
)
"""What no field should break on."""


class Bad(NamedTuple):
    """A form filled in wrongly, and what is said."""

    form: str
    fields: dict[str, str]
    wrong: set[str]
    """Fields with a sentence at them; `__all__`: above the form."""


SIGN_UP: Final = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD}
NEW: Final = {"password1": "another horse 7", "password2": "another horse 7"}

FORMS: Final = (
    Bad("sign up", {}, {"username", "email", "password1"}),
    Bad("sign up", {**SIGN_UP, "username": "a b"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "username": "a\u200bb"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "username": "\u0410nn"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "username": "ANN"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "username": "<svg/onload=alert(1)>"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "username": 31 * "x"}, {"username"}),
    Bad("sign up", {**SIGN_UP, "email": "carol@"}, {"email"}),
    Bad("sign up", {**SIGN_UP, "email": "carol at home"}, {"email"}),
    Bad("sign up", {**SIGN_UP, "email": "ann@example.org"}, {"email"}),
    Bad("sign up", {**SIGN_UP, "password1": "123"}, {"password1"}),
    Bad("sign up", {**SIGN_UP, "password1": "carol@example.org"}, {"password1"}),
    Bad("sign up", {"username": "?", "email": "?", "password1": "?"}, {"username", "email", "password1"}),
    Bad("sign in", {}, {"login", "password"}),
    Bad("sign in", {"login": "Ann", "password": ""}, {"password"}),
    Bad("sign in", {"login": "Ann", "password": "wrong"}, {"__all__"}),
    Bad("sign in", {"login": "nobody@example.org", "password": "wrong"}, {"__all__"}),
    Bad("reset", {}, {"email"}),
    Bad("reset", {"email": "ann"}, {"email"}),
    Bad("new password", {}, {"password1", "password2"}),
    Bad("new password", {**NEW, "password2": "another horse 8"}, {"password2"}),
    Bad("new password", {"password1": "12345", "password2": "12345"}, {"password1"}),
    Bad("password", {}, {"oldpassword", "password1", "password2"}),
    Bad("password", {**NEW, "oldpassword": "wrong"}, {"oldpassword"}),
    Bad("password", {**NEW, "oldpassword": PASSWORD, "password2": "other"}, {"password2"}),
    Bad("password", {"oldpassword": PASSWORD, "password1": "ann", "password2": "ann"}, {"password1"}),
    Bad("address", {"action_add": ""}, {"email"}),
    Bad("address", {"action_add": "", "email": "nowhere"}, {"email"}),
    Bad("address", {"action_add": "", "email": "ann@example.org"}, {"email"}),
    Bad("name", {}, {"username"}),
    Bad("name", {"username": "Bob"}, {"username"}),
    Bad("name", {"username": "B0b"}, {"username"}),
    Bad("name", {"username": "bot"}, {"username"}),
    Bad("delete", {}, {"password"}),
    Bad("delete", {"password": "wrong"}, {"password"}),
    Bad("is it you", {}, {"password"}),
    Bad("is it you", {"password": "wrong"}, {"password"}),
    Bad("app", {}, {"code"}),
    Bad("app", {"code": "12345"}, {"code"}),
    Bad("second step", {"code": ""}, {"code"}),
    Bad("second step", {"code": "000000"}, {"code"}),
)

PASSWORDS: Final = ("password", "password1", "password2", "oldpassword")


@pytest.fixture
def ready(client: Client, ann: User, bob: User) -> Callable[[str], str]:
    """Brings a browser to a form; its address."""

    def reset_key() -> str:
        key = f"{user_pk_to_url_str(ann)}-{default_token_generator.make_token(ann)}"
        uid, _, token = key.partition("-")
        address = reverse("account_reset_password_from_key", args=[uid, token])
        return str(client.get(address)["Location"])

    def signed_in(name: str, once_more: bool = False) -> str:
        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        if once_more:
            client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        return reverse(name)

    def half_signed_in() -> str:
        TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
        RecoveryCodes.activate(ann)
        client.post(reverse("account_login"), {"login": "Ann", "password": PASSWORD})
        return reverse("mfa_authenticate")

    ways: dict[str, Callable[[], str]] = {
        "sign up": lambda: reverse("account_signup"),
        "sign in": lambda: reverse("account_login"),
        "reset": lambda: reverse("account_reset_password"),
        "new password": reset_key,
        "password": lambda: signed_in("account_change_password"),
        "address": lambda: signed_in("account_email", once_more=True),
        "name": lambda: signed_in("account_name"),
        "delete": lambda: signed_in("account_delete"),
        "is it you": lambda: signed_in("account_reauthenticate"),
        "app": lambda: signed_in("mfa_activate_totp", once_more=True),
        "key": lambda: signed_in("mfa_add_webauthn", once_more=True),
        "second step": half_signed_in,
        "passkey": lambda: reverse("mfa_login_webauthn"),
        "computer": lambda: reverse("play_computer"),
        "friend": lambda: reverse("play_friend"),
    }
    return lambda form: ways[form]()


def field_tag(content: str, field: str) -> str:
    """The field that somebody types into."""
    tags = [tag for tag in re.findall(r"<input[^>]*>", content) if f'name="{field}"' in tag]
    return next(tag for tag in tags if 'type="hidden"' not in tag)


def shown(content: str, field: str) -> str:
    """What stands in a field of a page."""
    value = re.search(r'value="([^"]*)"', field_tag(content, field))
    return unescape(value[1]) if value else ""


@pytest.mark.parametrize("bad", FORMS, ids=lambda bad: f"{bad.form}-{'-'.join(sorted(bad.wrong))}")
def test_is_said_at_its_field_and_nothing_is_lost(client: Client, ready: Callable[[str], str], bad: Bad) -> None:
    address = ready(bad.form)
    people = list(User.objects.values_list("username", "email", "password"))
    response = client.post(address, bad.fields)
    assert response.status_code == 200
    errors = response.context["form"].errors
    assert set(errors) == bad.wrong
    content = response.content.decode()
    for field, sentences in errors.items():
        for sentence in sentences:
            assert str(sentence).endswith((".", "?", "!")), sentence
            assert sentence in unescape(content)
        if field != "__all__":
            tag = field_tag(content, field)
            said = re.search(r'aria-describedby="([^"]*)"', tag)
            assert 'aria-invalid="true"' in tag
            assert said
            assert f'id="id_{field}_error"' in content
            assert f"id_{field}_error" in said[1].split()
    for field, typed in bad.fields.items():
        if field in PASSWORDS:
            assert not shown(content, field)
        elif not field.startswith("action"):
            assert shown(content, field) == typed
    # And nothing has happened.
    assert list(User.objects.values_list("username", "email", "password")) == people


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("sign up", SIGN_UP),
        ("sign in", {"login": "Ann", "password": "x"}),
        ("reset", {"email": "ann@example.org"}),
        ("new password", NEW),
        ("password", {**NEW, "oldpassword": PASSWORD}),
        ("address", {"action_add": "", "email": "x"}),
        ("name", {"username": "x"}),
        ("delete", {"password": "x"}),
        ("is it you", {"password": "x"}),
        ("app", {"code": "x"}),
        ("key", {"name": "x", "passwordless": "on", "credential": "{}"}),
        ("second step", {"code": "x"}),
        ("passkey", {"credential": "{}"}),
        ("computer", {"game": "spit", "level": "king", "token": "x"}),
        ("friend", {"game": "spit", "rated": "yes", "token": "x"}),
    ],
)
def test_nothing_breaks(client: Client, ready: Callable[[str], str], form: str, fields: dict[str, str]) -> None:
    """Each field in turn has what nobody means, also where only a program could send it."""
    address = ready(form)
    for field in (*fields, "next"):
        for nasty in NASTY:
            response = client.post(address, {**fields, field: nasty})
            assert response.status_code < 500, (field, nasty)
            if response.status_code in (301, 302):
                assert urlsplit(urljoin("http://testserver/", response["Location"])).netloc == "testserver"


MADE_UP: Final = {"clientDataJSON": "e30", "attestationObject": "e30", "authenticatorData": "e30", "signature": "e30"}
CREDENTIALS: Final = (
    *("", "x", "{}", "[]", "null", "7", '{"id": 1}', '{"response": {}}', '{"response": 1}'),
    json.dumps({"id": "a", "rawId": "a", "type": "public-key", "response": MADE_UP}),
    json.dumps({"id": "YWJj", "rawId": "YWJj", "type": "public-key", "response": MADE_UP}),
    json.dumps({"id": "YWJj", "rawId": "YWJj", "type": "public-key", "response": {**MADE_UP, "userHandle": "MQ"}}),
    json.dumps({"id": "YWJj", "rawId": "YWJj", "type": "public-key", "response": {**MADE_UP, "userHandle": "____"}}),
)


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("form", ["key", "passkey"])
def test_a_passkey_that_is_none_is_refused(
    client: Client, ready: Callable[[str], str], form: str, credential: str, ann: User
) -> None:
    address = ready(form)
    client.get(address, headers={"accept": "application/json"})
    response: Any = client.post(address, {"name": "My phone", "credential": credential})
    assert response.status_code in (200, 302)
    assert not Authenticator.objects.exists()
    if form == "key":
        assert response.context["form"].errors
        assert shown(response.content.decode(), "name") == "My phone"
    else:
        assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("name", ["preferences", "watching_choice", "judge_replay", "exhibition", "account_login"])
def test_a_form_in_another_coding_than_ours_is_refused(db: None, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get(reverse("account_login"))
    response = client.post(reverse(name), b"a=1", content_type="application/x-www-form-urlencoded; charset=utf-16")
    assert response.status_code == 400
    assert "That does not fit" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\0", "An\0n", LONG, "\u202e", "%00", "../.."])
@pytest.mark.parametrize(
    ("view", "others"),
    [
        ("profile", ()),
        ("challenge", ()),
        ("challenge_send", ()),
        ("report_player", ()),
        ("head_to_head", ("Ann",)),
        ("tie", ("follow",)),
    ],
)
def test_nobody_has_such_a_name(client: Client, ann: User, view: str, others: tuple[str, ...], name: str) -> None:
    """On any database: PostgreSQL refuses even to look for some of these."""
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse(view, args=[name, *others])
    page = {"page": "PageOfSomebody123456"}
    assert {client.get(address).status_code, client.post(address, page).status_code} <= {404, 405}
    assert client.get(reverse("people"), {"undo": f"follow:{name}"}).status_code == 200
    assert client.get(reverse("head_to_head_form", args=["Ann"]), {"name": name}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("value", ['"\\000aaaaaaaaaaaa"', '"\\377aaaaaaaaaaaa"', "x" * 4000, '"', ";;", "=" * 40, "\\"])
def test_no_cookie_breaks_a_page(client: Client, value: str) -> None:
    """A quoted cookie may hold any character, that too which PostgreSQL takes for none."""
    names = ("sessionid", "csrftoken", "visitor", "liked", "preferences", "messages", "language")
    cookies = {"cookie": "; ".join(f"{name}={value}" for name in names)}
    for page in ("home", "preferences", "account_login"):
        assert client.get(reverse(page), headers=cookies).status_code == 200
    made = client.post(reverse("play_computer"), headers=cookies)
    assert made["Location"].startswith("/match/")
