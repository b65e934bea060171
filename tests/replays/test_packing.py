"""The packed course: small, and nothing of the document lost. That the page reads it back: `browser/test_replay.py`."""

import gzip
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Match
from replays import packing, tasks
from replays.build import build
from replays.documents import document
from replays.format import decode
from replays.models import Replay
from tests.factories import Player, play_match, store_match

pytestmark = pytest.mark.django_db


def address_of(match: Match) -> str:
    return reverse("replay_course", args=[match.slug])


def test_is_an_eighth_of_the_document(match: Match, client: Client) -> None:
    packed = client.get(address_of(match), headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    plain = gzip.compress(document(match), 9)
    assert len(packed.content) < len(plain) / 2.5
    assert len(gzip.decompress(packed.content)) < len(document(match)) / 6


def test_has_a_value_for_each_event_and_each_move(match: Match, client: Client) -> None:
    packed = client.get(address_of(match)).json()
    whole = decode(document(match))
    for column in ("kinds", "gaps", "seats", "moves", "status"):
        assert len(packed[column]) == len(whole.events), column
    moves = [move for event in whole.events for move in event.moves]
    for column in ("sources", "targets", "faces"):
        assert len(packed[column]) == len(moves), column
    assert packed["cards"] == []
    assert sum(packed["gaps"]) == whole.result.at
    # Nobody's command ids are sent.
    assert "command" not in json.dumps(packed)


def test_a_card_that_was_not_there_is_sent_as_recorded(match: Match, client: Client, damage: Any) -> None:
    seq = match.events.filter(kind="played").order_by("seq")[3].seq
    body = json.loads(match.events.get(seq=seq).body)
    top = body["moves"][0][0]
    body["moves"][0][0] = "As" if top != "As" else "Ks"
    damage(match, seq, body=json.dumps(body))
    packed = client.get(address_of(match)).json()
    assert [card for _, card in packed["cards"]][:1] == [body["moves"][0][0]]


def test_is_kept_for_good_under_the_address_of_its_page(match: Match, client: Client) -> None:
    page = client.get(reverse("replay", args=[match.slug]))
    response = client.get(page.context["course"])
    assert "immutable" in response["Cache-Control"]
    assert "no-cache" in client.get(address_of(match))["Cache-Control"]
    # Names are on the page, so that a changed one shows at once.
    assert "ann" not in response.content.decode()
    assert [seat["name"] for seat in page.context["head"]["seats"]] == ["ann", "ben"]


def test_of_a_live_match_there_is_none(client: Client) -> None:
    """B08"""
    live = store_match(Player().play(until=80))
    assert client.get(address_of(live)).status_code == 404


def test_what_was_packed_in_another_way_is_packed_anew(match: Match, client: Client) -> None:
    build(match)
    Replay.objects.update(packing=0, packed=b"")
    assert client.get(address_of(match)).json()["packed"] == packing.PACKING
    Replay.objects.update(packing=0, packed=b"")
    tasks.sweep()
    assert Replay.objects.get().packing == packing.PACKING


def test_the_same_log_gives_the_same_bytes() -> None:
    match = store_match(play_match(seed=4))
    assert bytes(build(match).packed) == bytes(build(match).packed)
