"""Whole matches through tables, journal and database; and every stored log judged again."""

import json
from itertools import combinations, product

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from msgspec.structs import replace

from games import append_only
from games.management.arena import Arena, Pairing
from games.management.variations import variations
from games.models import End, Event, Match, RatingChange
from games.rules.book import Book
from games.rules.registry import BOOKS, book_of
from games.rules.setup import Options, Setup
from games.verification import verify
from tests.factories import play_match, play_short, store_match

many = pytest.mark.django_db(transaction=True)


def figures(text: str) -> dict:
    return json.loads(text.splitlines()[-1])


def made(book: Book, values: tuple[object, ...]) -> Options:
    return replace(book.defaults, **dict(zip(book.choices, values, strict=True)))


def selfplay(capsys: pytest.CaptureFixture[str], **options: object) -> dict:
    call_command("selfplay", **options)
    return figures(capsys.readouterr().out)


@many
def test_matches_are_played_stored_and_sound(capsys) -> None:
    played = selfplay(capsys, matches=5, seed=3)
    assert played["matches"] == Match.objects.filter(state=Match.State.OVER).count() == End.objects.count() == 5
    assert played["faults"] == played["caps"] == 0
    assert played["events"] == Event.objects.count() > 300
    assert played["ends"] == {"out_of_cards": 5}
    assert played["events_per_s"] > 0
    assert not Match.objects.filter(rated=True).exists()
    assert not RatingChange.objects.exists()


@many
def test_a_seed_gives_the_same_logs_however_many_are_played_at_a_time(capsys) -> None:
    one = selfplay(capsys, matches=3, seed=11, level_a="ace")
    two = selfplay(capsys, matches=3, seed=11, level_a="ace", together=1)
    other = selfplay(capsys, matches=3, seed=12, level_a="ace")
    assert one["digest"] == two["digest"] != other["digest"]


@many
def test_two_levels_are_compared(capsys) -> None:
    call_command("selfplay", matches=4, seed=5, level_a="five", level_b="ace")
    assert "Five – Ace: 0 – 4 of 4" in capsys.readouterr().out


@many
@pytest.mark.parametrize("game", sorted(BOOKS))
def test_each_game_is_played(capsys, game) -> None:
    assert selfplay(capsys, game=game, matches=2, seed=1)["faults"] == 0


@many
def test_options_are_played(capsys) -> None:
    options = ["stockpiles=4", "slap=false", "alternate=true", "handling=by_hand"]
    assert selfplay(capsys, matches=1, seed=1, level_a="king", option=options)["faults"] == 0
    assert Match.objects.get().options == {
        "handling": "by_hand",
        "stockpiles": 4,
        "slap": False,
        "alternate": True,
    }


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_the_variations_of_a_game_meet_every_value_and_all_pairs_of_them(book) -> None:
    found = variations(book)
    assert found[0] == book.defaults
    assert len(set(found)) == len(found)
    assert not any(book.validate(options) for options in found)
    every = [made(book, values) for values in product(*book.choices.values())]
    for one, two in combinations(book.choices, 2):

        def met(options, one=one, two=two):
            return getattr(options, one), getattr(options, two)

        usual = met(book.defaults)
        pairs = {met(options) for options in every if not book.validate(options)}
        assert {pair for pair in pairs if pair[0] != usual[0] and pair[1] != usual[1]} <= set(map(met, found))
    for name, values in book.choices.items():
        assert {getattr(options, name) for options in found} == set(values)


@many
def test_all_games_are_played_in_all_variations(capsys, monkeypatch) -> None:
    """Here of the two games with the shortest matches; `--game all` by hand plays every one."""
    books = {game: book_of(game) for game in ("speed", "japanese_speed")}
    monkeypatch.setattr("games.management.commands.selfplay.BOOKS", books)
    played = selfplay(capsys, game="all", matches=1, seed=1)
    assert played["faults"] == 0
    assert {"speed", "speed best_of=1 target=10", "japanese_speed handling=by_hand"} <= played["variations"].keys()
    assert played["matches"] == len(played["variations"]) == sum(len(variations(book)) for book in books.values())
    for figure in ("matches", "events"):
        assert played[figure] == sum(variation[figure] for variation in played["variations"].values())
    assert sum(played["ends"].values()) == played["matches"]


def test_all_games_choose_their_options_themselves() -> None:
    with pytest.raises(CommandError):
        call_command("selfplay", game="all", option=["stockpiles=4"])


@pytest.mark.parametrize("option", ["stockpiles=7", "stockpiles=x", "side=5", "colour=red"])
def test_options_that_the_game_does_not_have_are_refused(option) -> None:
    with pytest.raises(CommandError):
        call_command("selfplay", option=[option])


@many
def test_an_arena_gives_the_matches_in_the_order_of_the_pairings() -> None:
    setup = Setup("two_deck", book_of("two_deck").defaults)
    pairings = [Pairing(setup, (level, "king"), f"1/{level}") for level in ("deuce", "queen", "joker")]
    for pk, pairing in zip(Arena().play(pairings), pairings, strict=True):
        assert tuple(Match.objects.get(pk=pk).seats.order_by("number").values_list("bot", flat=True)) == pairing.levels


class TestVerifyLogs:
    pytestmark = many

    def faults(self, capsys: pytest.CaptureFixture[str], match: Match) -> str:
        with pytest.raises(CommandError):
            call_command("verify_logs", match=match.slug)
        out = capsys.readouterr()
        assert figures(out.out)["faults"] > 0
        return out.err

    def test_sound_logs_pass(self, capsys) -> None:
        store_match(play_match(seed=1))
        store_match(play_short(None))
        store_match(play_short(0))
        call_command("verify_logs")
        found = figures(capsys.readouterr().out)
        assert (found["matches"], found["faults"]) == (3, 0)
        assert found["events"] == Event.objects.count()

    def test_one_match_is_enough(self, capsys) -> None:
        match = store_match(play_short(0))
        store_match(play_short(1))
        call_command("verify_logs", match=match.slug)
        assert figures(capsys.readouterr().out)["matches"] == 1
        with pytest.raises(CommandError):
            call_command("verify_logs", match="nowhere")

    @pytest.mark.parametrize(
        "fields",
        [{"game": "chess"}, {"pace": "leisurely"}, {"options": {"best_of": "x"}}, {"options": {"best_of": 4}}],
    )
    def test_a_match_that_cannot_be_set_up_is_a_fault_and_the_others_are_checked(self, capsys, fields: dict) -> None:
        bad, good = store_match(play_short(0)), store_match(play_short(1))
        Match.objects.filter(pk=bad.pk).update(**fields)
        with pytest.raises(CommandError):
            call_command("verify_logs", all=True)
        out = capsys.readouterr()
        assert figures(out.out)["matches"] == 2
        assert bad.slug in out.err
        assert good.slug not in out.err

    def test_a_missing_event_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        with append_only.lifted(connection):
            match.events.filter(seq=20).delete()
        assert "event 20: missing" in self.faults(capsys, match)

    def test_a_row_that_says_otherwise_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        with append_only.lifted(connection):
            match.events.filter(seq=30).update(at=1)
        assert "event 30: the row says otherwise" in self.faults(capsys, match)

    def test_an_unreadable_event_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        with append_only.lifted(connection):
            match.events.filter(seq=30).update(body="{")
        assert "event 30:" in self.faults(capsys, match)

    def test_an_event_that_could_not_happen_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        played = match.events.filter(kind="played").first()
        body = json.loads(played.body)
        body["moves"][0][2] = "centre.0" if body["moves"][0][2] == "centre.1" else "centre.1"
        with append_only.lifted(connection):
            match.events.filter(pk=played.pk).update(body=json.dumps(body))
        assert f"event {played.seq}: the rules do not yield this played" in self.faults(capsys, match)

    def test_another_end_than_the_log_leads_to_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        with append_only.lifted(connection):
            End.objects.filter(match=match).update(winner=1 - match.end.winner)
        assert "the log ends with winner" in self.faults(capsys, match)

    def test_an_end_that_was_not_recorded_is_found(self, capsys) -> None:
        match = store_match(play_match(seed=2))
        with append_only.lifted(connection):
            End.objects.filter(match=match).delete()
        assert "the end is not recorded" in self.faults(capsys, match)

    def test_a_live_match_is_sound_without_an_end(self) -> None:
        from tests.factories import Player

        match = store_match(Player(seed=4).play(until=40))
        assert match.state == Match.State.LIVE
        assert verify(match).faults == []
