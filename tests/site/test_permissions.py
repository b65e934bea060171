"""Who may do what: every address of the site, asked for and posted to by everybody there is.

A view that is not in the table (`permissions.txt`) makes the first test fail; a change of an answer the second.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from games.lobby import services
from games.models import ChatLine, Match, MatchFlag, Muted, Rating, RatingChange
from games.moderation import measures
from games.moderation.models import Kind, Notice, Report
from games.ratings.services import rate_pending
from replays.documents import replay_of
from replays.models import Replay
from spitsite.accounts.guests import create_guest
from spitsite.accounts.models import User
from spitsite.accounts.preferences.models import Preferences
from tests.conftest import PASSWORD
from tests.factories import SPIT, make_match, moderators

WHO: Final = ("visitor", "guest", "Ann", "Bob", "moderator", "boss")
"""Ann has an account and what is asked for is hers; Bob has an account; moderators look at everything in the admin
site; the boss may do everything there."""

TABLE: Final = Path(__file__).parent / "permissions.txt"


def table() -> dict[str, tuple[list[str], list[str]]]:
    """By the name of a view: what each gets for GET and for POST.

    A number is a status; `login`: is asked to sign in; `again`: is asked for the password once more; `else`: is sent to
    another page, as who has done something is.
    """
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            name, *answers = line.replace("|", " ").split()
            rows[name] = (answers[:6], answers[6:])
    return rows


def names(resolver: Any = None, prefix: str = "") -> Iterator[str]:
    """The names of all views; Django's admin has some without, which lead elsewhere."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            space = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from names(pattern, prefix + space)
        elif pattern.name:
            yield prefix + pattern.name


class World:
    """Something for every address to be about."""

    def __init__(self) -> None:
        self.ann = User.objects.create_user("Ann", "ann@example.org", PASSWORD)
        self.bob = User.objects.create_user("Bob", "bob@example.org", PASSWORD)
        self.boss = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
        self.moderator = User.objects.create_user("Mo", "mo@example.org", PASSWORD, is_staff=True)
        self.moderator.groups.add(moderators())
        self.guest = create_guest()
        self.match = make_match(self.ann, create_guest(), rated=True)
        rated = make_match(self.ann, self.boss)
        rate_pending()
        replay_of(self.match)
        self.open = services.create_for_friend(self.ann, SPIT)
        self.session = UserSession.objects.create(user=self.ann, ip="127.0.0.1", session_key="x" * 32)
        self.key = Authenticator.objects.create(user=self.bob, type="totp", data={})
        self.line = ChatLine.objects.create(match=self.match, user=self.bob, text="bad words")
        self.banned = User.objects.create_user("Bad")
        measures.decide(None, self.banned, Kind.BAN, "x", None)
        clip = [self.match.slug, 0, 1000, 0]
        self.about = {
            "accounts_user": self.ann.pk,
            "auth_group": moderators().pk,
            "games_match": self.match.pk,
            "games_rating": Rating.objects.filter(user=self.ann).get().pk,
            "games_ratingchange": RatingChange.objects.filter(end__match=rated).first().pk,  # type: ignore[union-attr]
            "replays_replay": Replay.objects.get(match=self.match).pk,
            "moderation_report": Report.objects.create(
                reporter=self.guest, about=self.bob, place="chat", reason="chat", line=self.line
            ).pk,
            "moderation_measure": measures.decide(None, self.ann, Kind.WARN, "x").pk,
            "moderation_banned": self.banned.pk,
            "moderation_notice": Notice.objects.create(text="x").pk,
            "games_chatline": self.line.pk,
            "games_muted": Muted.objects.create(user=self.banned).pk,
            "mfa_authenticator": self.key.pk,
            "preferences_preferences": Preferences.objects.create(user=self.ann, chosen={"theme": "dark"}).pk,
            "games_matchflag": MatchFlag.objects.filter(end__match=rated).first().pk,
            "account_emailaddress": EmailAddress.objects.create(user=self.ann, email=self.ann.email, primary=True).pk,
        }
        self.of_view: dict[str, list[Any]] = {
            "match": [self.match.slug],
            "match_join": [self.open.slug],
            "match_withdraw": [self.open.slug],
            "match_after": [self.match.slug],
            "profile": ["Ann"],
            "report_match": [self.match.slug],
            "report_player": ["Ann"],
            "report_line": [self.line.pk],
            "admin:moderation_report_case": [self.bob.pk],
            "admin:moderation_report_lift": [self.bob.pk],
            "admin:moderation_report_hide": [self.line.pk],
            "overlay": [self.match.slug],
            "rules_of": ["spit"],
            "jsi18n": ["en"],
            "replay": [self.match.slug],
            "replay_document": [self.match.slug],
            "replay_course": [self.match.slug],
            "replay_embed": [self.match.slug],
            "replay_image": [self.match.slug],
            "replay_clip": clip,
            "replay_clip_state": clip,
            "replay_clip_picture": clip,
            "match_qr": [self.open.slug],
            "embed": [self.match.slug],
            "chat_report": [self.line.pk],
            "tv_game": ["spit"],
            "leaderboard": ["spit"],
            "head_to_head_form": ["Ann"],
            "head_to_head": ["Ann", "Bob"],
            "tie": ["Ann", "follow"],
            "challenge": ["Ann"],
            "challenge_send": ["Ann"],
            "lobby_accept": [99],
            "lobby_decline": [99],
            "usersessions_end": [self.session.pk],
            "account_confirm_email": ["nonsense"],
            "account_reset_password_from_key": ["1", "nonsense"],
            "mfa_remove_webauthn": [99],
            "mfa_edit_webauthn": [99],
            "admin:view_on_site": [1, 1],
            "admin:auth_user_password_change": [self.ann.pk],
            "admin:games_match_log": [self.match.pk],
            "admin:app_list": ["games"],
        }
        people = {
            "guest": self.guest, "Ann": self.ann, "Bob": self.bob, "moderator": self.moderator, "boss": self.boss,
        }  # fmt: skip
        self.clients = {who: Client() for who in WHO}
        for who, person in people.items():
            self.clients[who].force_login(person, backend="django.contrib.auth.backends.ModelBackend")

    def address(self, name: str) -> str:
        """An address of that view."""
        model, _, page = name.removeprefix("admin:").rpartition("_")
        if name.startswith("admin:") and model in self.about and page in ("history", "delete", "change"):
            return reverse(name, args=[self.about[model]])
        return reverse(name, args=self.of_view.get(name, []))

    def client(self, who: str) -> Client:
        """A browser in which they are signed in; what it does there changes no other one."""
        client = Client()
        client.cookies = self.clients[who].cookies.copy()
        return client


def answer(response: Any) -> str:
    """In the words of the table."""
    if response.status_code in (301, 302):
        target = response["Location"].partition("?")[0]
        # The admin site sends those who are not signed in to its own door, and that one to everybody's.
        doors = (reverse("account_login") + "?", reverse("admin:login") + "?")
        signs_in = response["Location"].startswith(doors)
        again = (reverse("account_reauthenticate"), reverse("mfa_reauthenticate"))
        return "login" if signs_in else "again" if target in again else "else"
    return str(response.status_code)


def answers(world: World, name: str, method: str) -> list[str]:
    found = []
    for who in WHO:
        # Whatever somebody may do is undone for the next one.
        with transaction.atomic():
            found.append(answer(getattr(world.client(who), method)(world.address(name))))
            transaction.set_rollback(True)
    return found


def test_every_view_has_its_row() -> None:
    assert set(names()) == set(table())


@pytest.mark.django_db
def test_everybody_may_do_what_the_table_says() -> None:
    world = World()
    wrong = []
    for name, (get, post) in table().items():
        for method, expected in (("get", get), ("post", post)):
            found = answers(world, name, method)
            if found != expected:
                wrong.append(f"{method.upper()} {name}: {' '.join(found)} and not {' '.join(expected)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db
def test_moderators_change_nothing_in_the_admin_site() -> None:
    """Not by a form that they fill in by hand either."""
    world = World()
    mo = world.client("moderator")
    for name, data in (
        ("admin:accounts_user_change", {"username": "Other"}),
        (
            "admin:accounts_user_changelist",
            {"action": "delete_selected", "_selected_action": world.ann.pk, "post": "yes"},
        ),
        ("admin:accounts_user_delete", {"post": "yes"}),
        ("admin:games_match_changelist", {"action": "break_off", "_selected_action": world.match.pk, "confirmed": "1"}),
        ("admin:replays_replay_changelist", {"action": "rebuild", "_selected_action": 1}),
        ("admin:auth_user_password_change", {"password1": "new horse 77", "password2": "new horse 77"}),
    ):
        mo.post(world.address(name), data)
    world.ann.refresh_from_db()
    assert world.ann.username == "Ann"
    assert world.ann.check_password(PASSWORD)
    assert Match.objects.get(pk=world.match.pk).state == Match.State.OVER
    # Addresses, passwords and second steps are none of their business.
    for name in ("admin:accounts_user_change", "admin:accounts_user_changelist"):
        content = mo.get(world.address(name)).content.decode()
        assert "Ann" in content
        assert "ann@example.org" not in content
        assert "algorithm" not in content
    assert "ann@example.org" in world.client("boss").get(world.address("admin:accounts_user_change")).content.decode()


@pytest.mark.django_db
def test_the_secret_of_a_second_step_is_shown_to_nobody() -> None:
    world = World()
    Authenticator.objects.filter(pk=world.key.pk).update(data={"secret": "JBSWY3DPEHPK3PXP"})
    for page in ("change", "changelist", "delete", "history"):
        response = world.client("boss").get(world.address(f"admin:mfa_authenticator_{page}"))
        assert response.status_code == 200
        assert "JBSWY3DPEHPK3PXP" not in response.content.decode()
