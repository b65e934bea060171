"""What of a match leaves the site as a document, and when."""

import gzip
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from games import append_only
from games.clock import wall
from games.models import End, Match
from games.ratings.services import rate_pending
from replays.build import NotOver, build
from replays.documents import document, etag
from replays.format import decode
from replays.models import Replay
from tests.factories import Player, make_user, play_match, play_short, store_match

pytestmark = pytest.mark.django_db


class TestDocument:
    def test_is_built_when_no_worker_got_to_it(self, match: Match) -> None:
        assert decode(document(match)).match.slug == match.slug
        assert Replay.objects.get().match_id == match.pk

    def test_comes_from_what_was_built(self, match: Match, django_assert_num_queries: Callable[..., object]) -> None:
        build(match)
        match = Match.objects.get(pk=match.pk)
        with django_assert_num_queries(3):  # type: ignore[attr-defined]  # end, seats, replay
            document(match)

    def test_an_old_one_is_built_anew(self, match: Match) -> None:
        build(match)
        Replay.objects.update(version=0, course=b"")
        assert decode(document(match)).result.seq == match.end.events

    def test_says_who_played_and_for_what(self, match: Match) -> None:
        before = decode(document(match)).match
        assert [seat.name for seat in before.seats] == ["ann", "ben"]
        assert [seat.rating for seat in before.seats] == [None, None]
        rate_pending()
        after = decode(document(match)).match
        assert [(seat.rating, seat.provisional) for seat in after.seats] == [(1500, True), (1500, True)]
        assert {seat.rating_after for seat in after.seats} == {1520, 1480}
        assert after.rated

    def test_does_not_say_what_a_match_before_it_did_that_is_withheld(self, match: Match) -> None:
        """Its ratings come when that one is known; for that one's own players they stand in it at once."""
        player = match.seats.get(number=0).user
        held = store_match(play_short(), player, make_user(), rated=True, delay=60)
        later = store_match(play_short(), player, make_user(), rated=True)
        with append_only.lifted(connection):
            End.objects.filter(match=held).update(withheld_until=wall() + timedelta(minutes=1))
        rate_pending()
        found = {each: decode(document(Match.objects.get(pk=each.pk))).match for each in (match, held, later)}
        shown = {each: [seat.rating is not None for seat in found[each].seats] for each in found}
        assert shown == {match: [True, True], held: [True, True], later: [False, False]}
        tag = etag(later)
        with append_only.lifted(connection):
            End.objects.update(withheld_until=None)
        assert all(seat.rating for seat in decode(document(later)).match.seats)
        assert etag(later) != tag

    def test_says_how_it_was_played(self, match: Match) -> None:
        rate_pending()
        after = decode(document(match)).match
        assert after.options == {
            "alternate": False,
            "best_of": 1,
            "handling": "automatic",
            "slap": True,
            "stockpiles": 5,
        }

    def test_nobody_reads_there_how_often_a_hand_went_wrong(self, client: Client) -> None:
        match = store_match(play_match(seed=3), make_user("ann"), make_user("ben"), misplays=(7, 2))
        build(match)
        for name in ("replay", "replay_document", "replay_course", "replay_embed"):
            response = client.get(reverse(name, args=[match.slug]), follow=True)
            assert response.status_code == 200
            sent = response.content
            assert b"misplay" not in (gzip.decompress(sent) if sent.startswith(b"\x1f\x8b") else sent)

    def test_a_bot_is_told_apart(self) -> None:
        match = store_match(play_match(seed=3), make_user("ann"), "deuce")
        assert [seat.bot for seat in decode(document(match)).match.seats] == [False, True]

    def test_has_the_name_of_today(self, match: Match) -> None:
        """B29: a new name shows at once, and somebody deleted has none any more."""
        build(match)
        ann = match.seats.get(number=0).user
        ann.username = "anna"
        ann.save()
        assert b'"anna"' in document(match)
        ann.delete()
        text = document(match)
        assert b"anna" not in text
        assert decode(text).match.seats[0].name == "deleted player"

    def test_names_stay_text(self) -> None:
        """B31"""
        name = "</script><svg/onload=a()>\"'"
        ann = make_user("ann")
        type(ann).objects.filter(pk=ann.pk).update(username=name)
        match = store_match(play_match(seed=3), ann, make_user())
        assert json.loads(document(match))["match"]["seats"][0]["name"] == name


class TestTag:
    def test_stays_while_nothing_changes(self, match: Match) -> None:
        first = etag(match)
        build(match)
        assert etag(Match.objects.get(pk=match.pk)) == first

    def test_changes_with_ratings_and_names(self, match: Match) -> None:
        tags = [etag(match)]
        rate_pending()
        tags.append(etag(match))
        match.seats.get(number=0).user.delete()
        tags.append(etag(match))
        assert len(set(tags)) == 3


class TestLive:
    """B08: while a match is played nothing of it gets out here."""

    @pytest.fixture
    def live(self) -> Match:
        return store_match(Player().play(until=80))

    def test_no_document(self, live: Match) -> None:
        with pytest.raises(NotOver):
            document(live)
        with pytest.raises(NotOver):
            etag(live)

    def test_no_address(self, live: Match, client: Client) -> None:
        response = client.get(reverse("replay_document", args=[live.slug]))
        assert response.status_code == 404
        assert b"centre" not in response.content

    def test_no_export(self, live: Match, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(CommandError, match="not over"):
            call_command("export_match", live.slug)
        assert capsys.readouterr().out == ""


class TestExport:
    def test_is_one_document(self, match: Match, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("export_match", match.slug)
        assert capsys.readouterr().out.encode() == document(match) + b"\n"

    def test_of_no_match(self) -> None:
        with pytest.raises(CommandError, match="no match"):
            call_command("export_match", "abcdefgh")


def test_the_address_gives_the_document(match: Match, client: Client) -> None:
    address = reverse("replay_document", args=[match.slug])
    response = client.get(address)
    assert response["Content-Type"] == "application/json"
    assert response.content == document(match)
    again = client.get(address, headers={"If-None-Match": response["ETag"]})
    assert again.status_code == 304
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(response.content) / 4
