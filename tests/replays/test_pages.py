"""The pages of the replays: the list, the replay, its document; nothing of a match that is still played."""

import gzip
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import End, Match
from games.played import unlist
from games.rules.registry import BOOKS
from games.rules.setup import Setup
from games.rules.state import Cause
from replays.models import Replay
from replays.views import PER_PAGE
from tests.factories import Player, make_match, make_user, play_match, play_short, store_match

pytestmark = pytest.mark.django_db


def slugs(response: Any) -> list[str]:
    return re.findall(r"/replay/([a-z0-9]+)/", response.content.decode())


@pytest.fixture
def live() -> Match:
    """A match in the middle of its first round."""
    player = Player(seed=1)
    player.play(until=30)
    return store_match(player.played())


class TestList:
    def test_empty(self, client: Client) -> None:
        response = client.get("/replays/")
        assert response.status_code == 200
        assert "No match has been finished yet." in response.content.decode()

    def test_the_newest_is_first_and_live_and_void_matches_are_not_there(self, client: Client, live: Match) -> None:
        first, second = make_match(), make_match()
        store_match(play_short(None, cause=Cause.BROKEN_OFF))
        assert slugs(client.get("/replays/")) == [second.slug, first.slug]

    def test_pages(self, client: Client) -> None:
        ann, bob = make_user(), make_user()
        made = [make_match(ann, bob).slug for _ in range(PER_PAGE + 2)]
        newest_first = made[::-1]
        first = client.get("/replays/")
        assert slugs(first) == newest_first[:PER_PAGE]
        assert first.context["newest"] == "/replays/#matches"
        second = client.get(f"/replays/{first.context['older']}")
        assert slugs(second) == newest_first[PER_PAGE:]
        assert second.context["older"] is None
        end = second.context["outcomes"][-1].end
        assert "No older matches." in client.get("/replays/", {"before": end}).content.decode()

    @pytest.mark.parametrize("asked", ["0x1", "-1", "abc", "", "9" * 30])
    def test_a_page_that_there_is_not(self, client: Client, asked: str) -> None:
        made = make_match()
        assert slugs(client.get("/replays/", {"before": asked})) == [made.slug]

    def test_the_number_of_queries_does_not_grow(self, client: Client, django_assert_max_num_queries: Any) -> None:
        for _ in range(12):
            make_match()
        with django_assert_max_num_queries(8):
            client.get("/replays/")


class TestFilter:
    @pytest.fixture
    def played(self) -> dict[str, Match]:
        """By name, those that ended first before the others."""
        ann, bob = make_user("Ann"), make_user("Bob")
        speed = Setup("speed", BOOKS["speed"].defaults)
        return {
            "rated": make_match(ann, bob),
            "fun": make_match(ann, make_user("Eve"), rated=False),
            "computer": make_match(bob, "king", rated=False),
            "machines": make_match("ace", "king", rated=False),
            "speed": store_match(play_short(0, speed), bob, ann, rated=True),
            "void": store_match(play_short(None, cause=Cause.BROKEN_OFF), ann, bob, rated=True),
        }

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ({}, ["speed", "machines", "computer", "fun", "rated"]),
            ({"game": "spit"}, ["machines", "computer", "fun", "rated"]),
            ({"game": "two_deck"}, []),
            ({"rated": "yes"}, ["speed", "rated"]),
            ({"rated": "no"}, ["machines", "computer", "fun"]),
            ({"game": "spit", "rated": "yes"}, ["rated"]),
            ({"player": "aNN"}, ["speed", "fun", "rated"]),
            ({"player": "Bob", "rated": "no"}, ["computer"]),
            ({"player": "Bob", "game": "speed", "rated": "yes"}, ["speed"]),
        ],
    )
    def test_finds(self, client: Client, played: dict[str, Match], query: dict[str, str], names: list[str]) -> None:
        response = client.get("/replays/", query)
        assert slugs(response) == [played[name].slug for name in names]
        assert ("No match is like that." in response.content.decode()) == (not names)

    @pytest.mark.parametrize(
        ("query", "text"),
        [
            ({"player": "nobody-at-all"}, "Nobody here is called that."),
            ({"player": "\0"}, "Null characters are not allowed."),
            ({"game": "whist"}, "Select a valid choice"),
            ({"rated": "perhaps"}, "Select a valid choice"),
        ],
    )
    def test_what_is_wrong_is_said_at_its_field(
        self, client: Client, played: dict[str, Match], query: dict[str, str], text: str
    ) -> None:
        response = client.get("/replays/", query)
        assert text in response.content.decode()
        assert slugs(response) == []

    def test_pages_keep_the_filter(self, client: Client) -> None:
        ann, bob = make_user("Ann"), make_user("Bob")
        made = [make_match(ann, bob, rated=number % 2 == 0) for number in range(2 * PER_PAGE + 3)]
        for query in ("?rated=yes", "?player=Bob&rated=yes"):
            first = client.get(f"/replays/{query}")
            second = client.get(f"/replays/{first.context['older']}")
            assert slugs(first) + slugs(second) == [match.slug for match in made if match.rated][::-1]

    def test_nobody_learns_of_an_end_that_is_withheld(self, client: Client, played: dict[str, Match]) -> None:
        """G9: not by any filter."""
        ann, bob = (get_user_model().objects.get(username=name) for name in ("Ann", "Bob"))
        hidden = store_match(Player(seed=3).play(until=40), ann, bob, rated=True, delay=30)
        until = timezone.now() + timedelta(seconds=30)
        End.objects.create(match=hidden, cause="out_of_cards", winner=0, events=1, at=1, withheld_until=until)
        for query in ({}, {"rated": "yes"}, {"game": "spit"}, {"player": "Ann"}):
            found = slugs(client.get("/replays/", query))
            assert found
            assert hidden.slug not in found, query

    def test_a_voided_match_is_rated_no_more(self, client: Client, played: dict[str, Match]) -> None:
        unlist(played["speed"].end)
        assert slugs(client.get("/replays/", {"rated": "yes"})) == [played["rated"].slug]
        assert played["speed"].slug in slugs(client.get("/replays/", {"game": "speed"}))

    def test_the_number_of_queries_does_not_grow(
        self, client: Client, played: dict[str, Match], django_assert_max_num_queries: Any
    ) -> None:
        for _ in range(12):
            make_match()
        for query in ({"rated": "yes"}, {"player": "Ann", "game": "spit"}):
            with django_assert_max_num_queries(10):
                client.get("/replays/", query)


class TestReplay:
    def test_of_a_live_match_its_own_page_is_shown(self, client: Client, live: Match) -> None:
        response = client.get(reverse("replay", args=[live.slug]))
        assert response.status_code == 302
        assert response["Location"] == live.get_absolute_url()

    def test_of_an_open_match_too(self, client: Client) -> None:
        match = Match.objects.create(game="spit")
        assert client.get(reverse("replay", args=[match.slug]))["Location"] == match.get_absolute_url()

    @pytest.mark.parametrize("path", ["nope", "a", "ABCDEFGH", "-1", "x" * 300])
    @pytest.mark.parametrize("tail", ["/", ".json"])
    def test_no_such_match(self, client: Client, path: str, tail: str) -> None:
        assert client.get(f"/replay/{path}{tail}").status_code == 404

    def test_names_are_text(self, client: Client) -> None:
        match = make_match(make_user("<b>&'\""), make_user("Bob"))
        page = client.get(reverse("replay", args=[match.slug])).content.decode()
        assert "<b>&" not in page
        assert "&lt;b&gt;&amp;&#x27;&quot;" in page

    def test_a_deleted_player_is_called_so_and_has_no_page(self, client: Client) -> None:
        ann, bob = make_user("Ann"), make_user("Bob")
        match = make_match(ann, bob)
        ann.delete()
        page = client.get(reverse("replay", args=[match.slug])).content.decode()
        assert "deleted player" in page
        assert "Ann" not in page

    @pytest.mark.parametrize("seat", [0, 1])
    def test_who_played_sits_below(self, client: Client, seat: int) -> None:
        people = [make_user("Ann"), make_user("Bob")]
        match = make_match(*people)
        client.force_login(people[seat])
        assert f'data-bottom="{seat}"' in client.get(reverse("replay", args=[match.slug])).content.decode()

    def test_a_log_that_breaks_the_rules_is_said_to(self, client: Client) -> None:
        match = make_match()
        client.get(reverse("replay_document", args=[match.slug]))
        address = reverse("replay", args=[match.slug])
        assert "does not agree with the rules" not in client.get(address).content.decode()
        Replay.objects.update(verdict=Replay.Verdict.FLAGGED)
        assert "does not agree with the rules" in client.get(address).content.decode()

    @pytest.mark.parametrize("name", ["replays", "replay", "replay_document"])
    def test_only_read(self, client: Client, name: str) -> None:
        arguments = [] if name == "replays" else [make_match().slug]
        assert client.post(reverse(name, args=arguments)).status_code == 405


class TestDocument:
    def test_of_a_live_match_there_is_none(self, client: Client, live: Match) -> None:
        response = client.get(reverse("replay_document", args=[live.slug]))
        assert response.status_code == 404

    def test_is_sent_small_and_asked_for_again(self, client: Client) -> None:
        match = store_match(play_match(seed=2))
        address = reverse("replay_document", args=[match.slug])
        plain = client.get(address)
        assert plain["Content-Type"] == "application/json"
        assert json.loads(plain.content)["match"]["slug"] == match.slug
        packed = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed.content) == plain.content
        assert len(packed.content) < len(plain.content) / 3
        for tag in (plain["ETag"], packed["ETag"]):
            again = client.get(address, headers={"If-None-Match": tag, "Accept-Encoding": "gzip"})
            assert again.status_code == 304
            assert not again.content
        assert "no-cache" in plain["Cache-Control"]

    def test_a_changed_name_makes_another_tag(self, client: Client) -> None:
        ann = make_user("Ann")
        match = make_match(ann, make_user("Bob"))
        address = reverse("replay_document", args=[match.slug])
        before = client.get(address)
        ann.delete()
        after = client.get(address, headers={"If-None-Match": before["ETag"]})
        assert after.status_code == 200
        assert "Ann" not in after.content.decode()
