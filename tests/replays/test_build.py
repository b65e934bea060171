"""Building replays: once or twice, by whoever, from sound logs and from damaged ones."""

import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from msgspec.structs import replace

from games.live.signals import match_over
from games.models import Event, Match
from games.rules import events as rules
from games.rules.log import decode_event, states
from games.rules.state import Cause
from replays import tasks
from replays.build import NotOver, build
from replays.documents import document
from replays.format import VERSION, decode
from replays.models import Replay
from replays.timeline import open_view
from tests.factories import Player, make_match, make_user, play_match, play_short, store_match

pytestmark = pytest.mark.django_db


def stored(replay: Replay) -> tuple[object, ...]:
    return replay.digest, bytes(replay.course), replay.verdict, replay.faults, replay.size


class TestBuild:
    def test_a_sound_match(self, match: Match) -> None:
        replay = build(match)
        assert replay.verdict == Replay.Verdict.SOUND
        assert replay.faults == []
        assert len(zlib.decompress(replay.course)) == replay.size
        assert len(replay.course) < replay.size / 4
        assert [seat.played for seat in decode(document(match)).statistics.seats] == [
            match.events.filter(kind="played", seat=seat).count() for seat in (0, 1)
        ]

    def test_its_keyframes_are_the_log_s_states(self, match: Match) -> None:
        """Invariant 5, on what was stored."""
        read = decode(document(match))
        rows = match.events.order_by("seq").values_list("body", "version")
        log = [decode_event(body, version) for body, version in rows]
        assert read.events == log
        course = list(states(match.setup, log))
        assert read.keyframes == [open_view(course[frame.seq]) for frame in read.keyframes]

    def test_twice_is_the_same_and_one(self, match: Match) -> None:
        first = build(match)
        second = build(match)
        assert stored(first) == stored(second)
        assert Replay.objects.count() == 1

    def test_a_live_match_has_none(self) -> None:
        live = store_match(Player().play(until=60))
        with pytest.raises(NotOver):
            build(live)
        assert not Replay.objects.exists()

    def test_an_aborted_match_has_one(self) -> None:
        match = store_match(play_short(None, cause=Cause.BROKEN_OFF))
        assert build(match).verdict == Replay.Verdict.SOUND


class TestDamagedLogs:
    """Flagged, told, never mended, and never an exception."""

    def flagged(self, match: Match) -> Replay:
        before = list(Event.objects.filter(match=match).order_by("seq").values_list("seq", "body"))
        replay = build(match)
        assert replay.verdict == Replay.Verdict.FLAGGED
        assert replay.faults
        assert list(Event.objects.filter(match=match).order_by("seq").values_list("seq", "body")) == before
        return replay

    def test_another_winner_is_recorded(self) -> None:
        played = play_match(seed=2)
        other = replace(played.result, winner=1 - played.result.winner)
        status = replace(played.state.status, result=other)
        match = store_match(played, recorded=replace(played.state, status=status))
        assert [text for _, text in self.flagged(match).faults] == [
            f"the log ends with winner {played.result.winner}, recorded is {other.winner}"
        ]

    def test_a_card_that_does_not_fit(self, match: Match, damage: Callable[..., None]) -> None:
        row = match.events.filter(kind="played")[3]
        card = decode_event(row.body).moves[0].card
        damage(match, row.seq, body=row.body.replace(f'"{card}"', '"Ks"' if card != "Ks" else '"2c"', 1))
        assert any(seq == row.seq for seq, _ in self.flagged(match).faults)

    def test_an_event_is_missing(self, match: Match, damage: Callable[..., None]) -> None:
        damage(match, 12)
        replay = self.flagged(match)
        assert any(seq == 12 and "missing" in text for seq, text in replay.faults)

    def test_statistics_end_before_the_first_fault(self, match: Match, damage: Callable[..., None]) -> None:
        rows = match.events.filter(kind="played").order_by("seq")
        row = rows[3]
        damage(match, row.seq, body=row.body.replace(f'"seat":{row.seat}', '"seat":7'))
        self.flagged(match)
        read = decode(document(match))
        assert read.verdict.faults[0].seq == row.seq
        assert sum(seat.played for seat in read.statistics.seats) == 3
        assert read.statistics.duration < row.at

    def test_the_last_event_is_missing(self, match: Match, damage: Callable[..., None]) -> None:
        damage(match, match.end.events)
        assert any("leads to no end" in text for _, text in self.flagged(match).faults)

    def test_no_event_at_all(self, match: Match, damage: Callable[..., None]) -> None:
        for seq in range(1, match.end.events + 1):
            damage(match, seq)
        self.flagged(match)

    @pytest.mark.parametrize(
        "fields",
        [
            {"body": "{"},
            {"body": '{"kind":"waved","at":1}'},
            {"body": '{"kind":"played","at":-1}'},
            {"body": '{"kind":"played","at":1}'},
            {"body": '{"kind":"played","at":1,"seat":7,"moves":[["7h","nowhere","centre.0"]]}'},
            {"version": 99},
        ],
    )
    def test_an_event_that_cannot_be_read_or_applied(
        self, match: Match, damage: Callable[..., None], fields: dict[str, object]
    ) -> None:
        damage(match, 20, **fields)
        replay = self.flagged(match)
        assert any(seq == 20 for seq, _ in replay.faults)
        read = decode(document(match))
        assert not read.verdict.sound
        assert len(read.events) >= 19

    def test_an_event_behind_the_end_that_cannot_be_applied(self) -> None:
        played = play_match(seed=2)
        foreign = rules.Event(rules.Kind.PLAYED, played.state.at, 0, (rules.CardMove("7h", "nowhere", "centre.0"),))
        match = store_match(replace(played, events=(*played.events, foreign)))
        last = len(played.events) + 1
        assert [seq for seq, _ in self.flagged(match).faults] == [last, last]


class TestTasks:
    def test_build_replay_builds_once(self, match: Match) -> None:
        tasks.build_replay.delay(match.pk)
        built_at = match.replay.built_at
        tasks.build_replay.delay(match.pk)
        match.refresh_from_db()
        assert Replay.objects.get().built_at == built_at

    def test_rebuild_builds_again(self, match: Match) -> None:
        replay = build(match)
        Replay.objects.update(digest="", course=b"", verdict="flagged")
        tasks.rebuild_replays.delay([match.pk])
        assert stored(Replay.objects.get()) == stored(replay)

    def test_one_that_fails_does_not_stop_the_others(self, match: Match) -> None:
        odd = make_match()
        Match.objects.filter(pk=odd.pk).update(game="bridge")
        tasks.rebuild_replays.delay([odd.pk, match.pk])
        assert Replay.objects.get().match_id == match.pk

    def test_sweep_builds_what_is_missing_or_old(self, match: Match) -> None:
        old, fine = make_match(), make_match()
        build(old)
        build(fine)
        Replay.objects.filter(match=old).update(version=0)
        kept = Replay.objects.get(match=fine).built_at
        store_match(Player().play(until=50))
        tasks.sweep.delay()
        assert set(Replay.objects.values_list("match_id", flat=True)) == {match.pk, old.pk, fine.pk}
        assert set(Replay.objects.values_list("version", flat=True)) == {VERSION}
        assert Replay.objects.get(match=fine).built_at == kept

    def test_sweep_with_nothing_to_do(self, match: Match, django_assert_num_queries: Callable[..., object]) -> None:
        build(match)
        with django_assert_num_queries(3):  # type: ignore[attr-defined]
            tasks.sweep()

    def test_the_end_of_a_match_builds_and_rates(self, match: Match) -> None:
        match_over.send(sender=None, slug=match.slug, match_id=match.pk)
        match_over.send(sender=None, slug=match.slug, match_id=match.pk)
        assert Replay.objects.filter(match=match).count() == 1
        assert match.end.rating_changes.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_build_one() -> None:
    match = store_match(play_match(seed=1), make_user(), make_user())
    barrier = threading.Barrier(2)

    def work() -> tuple[object, ...]:
        try:
            barrier.wait(10)
            return stored(build(Match.objects.get(pk=match.pk)))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        one, two = (future.result(30) for future in [pool.submit(work) for _ in range(2)])
    assert one == two
    assert Replay.objects.count() == 1
