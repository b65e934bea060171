"""Names: which there may be, and which are taken for one another (B30, B31)."""

import importlib
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from spitsite.accounts import names
from spitsite.accounts.likeness import is_mixed, likeness
from spitsite.accounts.models import User, check_free
from tests.conftest import PASSWORD


def form(name: str) -> dict[str, str]:
    return {"username": name, "email": "somebody@example.org", "password1": PASSWORD}


@pytest.mark.parametrize(
    "name", ["Ann", "Zoë", "Jürgen_2", "Дима", "Σίσυφος", "名無し", "김-철수", "שלום", "สมชาย", "नरेंद्र", "Nguyễn", "7up"]
)
def test_names_of_all_languages_are_names(name: str) -> None:
    names.well_formed(names.normal(name))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("a\u200bb", "invisible"),
        ("a\u2060b", "invisible"),
        ("\u202eabc", "invisible"),
        ("a\u00adb", "invisible"),
        ("ann\n", "invisible"),
        ("\ufeffann", "invisible"),
        ("a b", "spaces"),
        ("a\u00a0b", "spaces"),
        ("a\u3000b", "spaces"),
        ("\u0391nn", "alphabet"),  # Greek
        ("\u0430nn", "alphabet"),  # Cyrillic
        ("\u13aann", "alphabet"),  # Cherokee
        ("Z" + 5 * "\u0301" + "a", "accents"),
        ("<b>", "made of"),
        ("ﬁne", "made of"),
        ("x\U0001f600", "made of"),
        ("𝐁𝐨𝐛", "made of"),
        ("_a", "made of"),
        ("a.b", "made of"),
    ],
)
@pytest.mark.django_db
def test_b31_what_is_no_name_is_refused_at_the_field_with_its_reason(client: Client, name: str, word: str) -> None:
    with pytest.raises(ValidationError) as caught:
        names.well_formed(name)
    assert word in str(caught.value.messages[0])
    # Around a name, forms leave out what is not seen.
    if name.strip() == name:
        response = client.post(reverse("account_signup"), form(name))
        assert set(response.context["form"].errors) == {"username"}
        assert response.context["form"]["username"].value() == name
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "B0b"),
        ("Bill", "BiII"),
        ("Bill", "Bi11"),
        ("Tom", "Torn"),
        ("coco", "\u0441\u043e\u0441\u043e"),
        ("Zoë", "ZOË"),
    ],
)
@pytest.mark.django_db
def test_b30_names_that_look_alike_are_taken_once(client: Client, one: str, other: str) -> None:
    person = User.objects.create_user(one)
    assert likeness(one) == likeness(other)
    response = client.post(reverse("account_signup"), form(other))
    assert set(response.context["form"].errors) == {"username"}
    with pytest.raises(ValidationError):
        User(username=other, password="x").full_clean()
    with pytest.raises(IntegrityError):
        User.objects.create(username=other)
    assert person.pk


@pytest.mark.parametrize(("one", "other"), [("Neil", "Nell"), ("Zoë", "Zoe"), ("Ann", "Anna"), ("player1", "player2")])
def test_others_are_told_apart(one: str, other: str) -> None:
    assert likeness(one) != likeness(other)


def test_scripts_that_one_language_is_written_in_may_stand_together() -> None:
    assert not is_mixed("漢字とカタカナ")
    assert not is_mixed("김漢字")
    assert is_mixed("Дimа")


@pytest.mark.django_db
def test_b30_in_any_case_and_width_it_is_one_person(client: Client) -> None:
    zofie = User.objects.create_user("Žofie", "zofie@example.org", PASSWORD)
    for spelling in ("žofie", "ŽOFIE", "Z\u030cofie", " Žofie "):
        visitor = Client()
        visitor.post(reverse("account_login"), {"login": spelling, "password": PASSWORD})
        assert visitor.session.get("_auth_user_id") == str(zofie.pk)
    page = client.get(reverse("profile", args=["žofie"]), follow=True)
    assert page.status_code == 200
    assert "Žofie" in page.content.decode()


@pytest.mark.django_db
def test_a_person_may_keep_the_name(ann: User) -> None:
    check_free("aNN", ann)
    ann.username = "ANN"
    ann.full_clean()
    ann.save()
    assert User.objects.get_by_natural_key("ann").username == "ANN"


@pytest.mark.django_db
def test_older_names_that_look_alike_stay(ann: User) -> None:
    """The migration gives the younger one a likeness of its own, which saving keeps."""
    migration: Any = importlib.import_module("spitsite.accounts.migrations.0003_names_that_look_alike")
    other = User.objects.create_user("Bob")
    User.objects.filter(pk=other.pk).update(username="Arn", name_key="1", name_looks="1")
    User.objects.filter(pk=ann.pk).update(username="Am", name_key="2", name_looks="2")
    migration.fill(apps, None)
    for person in User.objects.all():
        person.full_clean(exclude=["password"])
        person.save()
    assert set(User.objects.values_list("name_looks", flat=True)) == {"arn", f"arn~{max(ann.pk, other.pk)}"}
