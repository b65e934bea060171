"""Replay documents from elsewhere: judged, told what is wrong with them, and not kept."""

import json
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.models import Match
from replays import aside, opened
from replays.documents import document
from replays.models import Replay
from replays.opened import Code, NotJudged, judge_document
from tests.factories import play_match, store_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def read() -> dict[str, Any]:
    """A sound document, to be spoiled."""
    found: dict[str, Any] = json.loads(document(store_match(play_match(seed=2, pace=(400, 700)))))
    return found


def judged(read: dict[str, Any]) -> opened.Judged:
    return judge_document(json.dumps(read).encode())


def played(read: dict[str, Any], number: int) -> tuple[int, dict[str, Any]]:
    """The number, from 1, and the event of a play."""
    found = [(seq, event) for seq, event in enumerate(read["events"], 1) if event["kind"] == "played"]
    return found[number]


class TestJudge:
    def test_a_sound_document(self, read: dict[str, Any]) -> None:
        verdict = judged(read)
        assert verdict.sound
        assert verdict.faults == []
        assert verdict.events == len(read["events"])

    def test_its_figures_are_worked_out_and_not_believed(self, read: dict[str, Any]) -> None:
        true = read["statistics"]["seats"][0]["played"]
        read["statistics"]["seats"][0]["played"] = 999
        assert judged(read).statistics.seats[0].played == true

    def test_the_first_event_that_breaks_a_rule_is_named(self, read: dict[str, Any]) -> None:
        seq, event = played(read, 6)
        move = event["moves"][0]
        move[2] = "centre.0" if move[2] == "centre.1" else "centre.1"
        verdict = judged(read)
        assert not verdict.sound
        assert verdict.faults[0].seq == seq
        assert "rules do not yield" in verdict.faults[0].text

    def test_a_fault_is_found_wherever_it_is(self, read: dict[str, Any]) -> None:
        """Also a play a millisecond before the log allows it, a card that was never dealt, a slap nobody made."""
        seq, event = played(read, 9)
        event["moves"][0][0] = "Ah'"
        assert judged(read).faults[0].seq == seq

    def test_another_winner_than_the_events_lead_to(self, read: dict[str, Any]) -> None:
        read["result"]["winner"] = 1 - read["result"]["winner"]
        verdict = judged(read)
        assert [fault.seq for fault in verdict.faults] == [0]
        assert "winner" in verdict.faults[0].text

    def test_other_cards_to_begin_with(self, read: dict[str, Any]) -> None:
        read["start"]["pack"][0], read["start"]["pack"][1] = read["start"]["pack"][1], read["start"]["pack"][0]
        assert judged(read).faults[0].seq == 0

    def test_an_end_cut_off(self, read: dict[str, Any]) -> None:
        del read["events"][-3:]
        assert "no end" in judged(read).faults[-1].text

    def test_the_example_of_the_page_is_sound(self) -> None:
        from tests.replays.test_format import EXAMPLE

        assert judge_document(EXAMPLE.encode()).sound


Spoil = Callable[[dict[str, Any]], object]

SPOILED: list[tuple[Code, Spoil]] = [
    (Code.NOT_A_REPLAY, lambda read: read.update(format="chess")),
    (Code.NOT_A_REPLAY, lambda read: read.pop("version")),
    (Code.TOO_NEW, lambda read: read.update(version=2)),
    (Code.DAMAGED, lambda read: read.update(events={})),
    (Code.DAMAGED, lambda read: read["events"][3].update(at="soon")),
    (Code.DAMAGED, lambda read: read["events"][3].update(kind="cheated")),
    (Code.DAMAGED, lambda read: read.pop("start")),
    # Figures up to such times would need more memory than there is.
    (Code.DAMAGED, lambda read: read["events"][-1].update(at=2**31)),
    (Code.DAMAGED, lambda read: read["events"][-1].update(at=10**15)),
    (Code.DAMAGED, lambda read: read["events"][0].update(at=-1)),
    (Code.UNKNOWN_GAME, lambda read: read["match"].update(game="poker")),
    (Code.UNKNOWN_OPTIONS, lambda read: read["match"]["options"].update(jokers=2)),
    (Code.UNKNOWN_OPTIONS, lambda read: read["match"]["options"].update(stockpiles=9)),
    (Code.UNKNOWN_PACE, lambda read: read["match"]["pace"].update(slap=1)),
    (Code.UNKNOWN_PACE, lambda read: read["match"]["pace"].update(key="blitz")),
]


@pytest.mark.parametrize(("code", "spoil"), SPOILED)
def test_what_is_not_judged_is_told_with_its_code(read: dict[str, Any], code: Code, spoil: Spoil) -> None:
    spoil(read)
    with pytest.raises(NotJudged) as refused:
        judged(read)
    assert refused.value.code is code
    assert str(code.sentence).endswith(".")


@pytest.mark.parametrize(
    "text", [b"", b"null", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "spit-replay", "version": "1"}']
)
def test_what_is_no_replay_at_all(text: bytes) -> None:
    with pytest.raises(NotJudged) as refused:
        judge_document(text)
    assert refused.value.code is Code.NOT_A_REPLAY


def test_too_many_events(read: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "MOST_EVENTS", len(read["events"]) - 1)
    with pytest.raises(NotJudged) as refused:
        judged(read)
    assert refused.value.code is Code.TOO_LONG


class TestAddress:
    def post(self, client: Client, content: bytes) -> Any:
        file = SimpleUploadedFile("replay.json", content, "application/json")
        return client.post(reverse("judge_replay"), {"document": file})

    def test_a_document_of_this_site(self, client: Client, match: Match) -> None:
        content = document(match)
        before = Replay.objects.count(), Match.objects.count()
        response = self.post(client, content)
        assert response.status_code == 200
        assert response.json()["sound"] is True
        assert response.json()["statistics"]["seats"][0]["played"] > 0
        assert (Replay.objects.count(), Match.objects.count()) == before, "nothing is kept"

    def test_refusals_have_a_code_and_a_sentence(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        response = self.post(client, b"{}")
        assert response.status_code == 400
        assert response.json() == {"code": "not_a_replay", "sentence": "This is not a replay."}
        assert client.post(reverse("judge_replay")).json()["code"] == "not_a_replay"
        monkeypatch.setattr("replays.opening.MOST_BYTES", 10)
        response = self.post(client, b"x" * 11)
        assert (response.status_code, response.json()["code"]) == (413, "too_large")

    def test_not_for_ever(self, client: Client, settings: LazySettings) -> None:
        cache.clear()
        settings.JUDGED_PER_ADDRESS = 2
        assert [self.post(client, b"{}").status_code for _ in range(3)] == [400, 400, 429]

    def test_one_that_is_not_judged_in_time_is_given_up(
        self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(aside, "LASTS", 0.001)
        response = self.post(client, document(match))
        assert (response.status_code, response.json()["code"]) == (400, "failed")

    def test_while_others_have_theirs_judged_for_long(
        self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(aside, "WAITS", 0.01)
        turn = aside._turns.setdefault("replays.opened", BoundedSemaphore())
        with turn:
            response = self.post(client, document(match))
        assert (response.status_code, response.json()["code"]) == (503, "busy")
        assert self.post(client, document(match)).status_code == 200

    def test_plays_do_not_wait_for_it(self, client: Client, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is another process that judges: this one's interpreter is not held."""
        content = document(match)
        monkeypatch.setattr(opened, "judge_document", lambda text: pytest.fail("judged in the server"))
        assert self.post(client, content).json()["sound"] is True

    def test_takes_a_token(self) -> None:
        assert Client(enforce_csrf_checks=True).post(reverse("judge_replay")).status_code == 403

    def test_the_page(self, client: Client) -> None:
        assert "Drop a replay file here" in client.get(reverse("open_replay")).content.decode()
