"""What forms take and what lists show of matches that come about."""

from typing import Any
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client
from msgspec.structs import replace

from games import words
from games.bots.levels import DEFAULT, LEVELS
from games.clock import wall
from games.lobby import selectors, services
from games.lobby.forms import PlayForm, way_fields
from games.lobby.sketch import sketch
from games.rules.book import CENTRES
from games.rules.log import states
from games.rules.registry import BOOKS
from games.rules.setup import Handling, Options, Setup
from games.rules.state import Cause
from spitsite.accounts.models import User
from tests.factories import SPIT, Played, Player, make_match, play_match, play_short, store_match


class TestForm:
    def test_nothing_chosen_is_what_is_usual(self) -> None:
        form = PlayForm({}, user=AnonymousUser())
        assert form.is_valid()
        assert form.setup() == Setup("spit")
        assert form.cleaned_data["level"] == DEFAULT
        assert isinstance(form.cleaned_data["token"], UUID)
        assert not form.is_particular

    @pytest.mark.parametrize("game", BOOKS)
    def test_every_game_is_offered_as_its_book_likes_it(self, game: str) -> None:
        form = PlayForm({"game": game}, user=AnonymousUser())
        assert form.is_valid()
        assert form.setup() == Setup(game, BOOKS[game].defaults)

    def test_everything_chosen(self) -> None:
        chosen = {
            "game": "spit",
            "level": "joker",
            "spit-stockpiles": "4",
            "spit-slap": "false",
            "spit-alternate": "true",
            "spit-handling": "by_hand",
            "spit-length": "3",
            "pace": "relaxed",
        }
        form = PlayForm(chosen, user=AnonymousUser())
        assert form.is_valid()
        assert form.setup() == Setup(
            "spit", Options(handling=Handling.BY_HAND, stockpiles=4, slap=False, alternate=True, best_of=3), "relaxed"
        )
        assert form.cleaned_data["level"] == "joker"
        assert form.is_particular

    @pytest.mark.parametrize(
        ("length", "best_of", "target"), [("1", 1, 0), ("3", 3, 0), ("5", 5, 0), ("to-10", 1, 10), ("to-50", 1, 50)]
    )
    def test_m1_a_match_has_one_length(self, length: str, best_of: int, target: int) -> None:
        form = PlayForm({"game": "speed", "speed-length": length}, user=AnonymousUser())
        assert form.is_valid()
        assert form.setup().options == Options(best_of=best_of, target=target)

    @pytest.mark.parametrize("game", BOOKS)
    def test_whatever_can_be_chosen_can_be_played(self, game: str) -> None:
        book = BOOKS[game]
        fields = dict(way_fields(book))
        offered = {(name, value) for name, field in fields.items() for value, _label in field.choices}
        for name, value in offered:
            form = PlayForm({"game": game, f"{game}-{name}": value}, user=AnonymousUser())
            assert form.is_valid()
            assert not book.validate(form.setup().options)
        assert len(offered) == sum(map(len, book.choices.values())) - ("target" in book.choices)

    @pytest.mark.parametrize("game", BOOKS)
    def test_each_way_has_a_name_and_a_sentence(self, game: str) -> None:
        assert words.SENTENCES[game]
        for _name, field in way_fields(BOOKS[game]):
            assert field.label
            assert str(field.help_text).endswith(".")
            for value, label in field.choices:
                assert str(label) != value

    def test_ways_of_another_game_mean_nothing(self) -> None:
        form = PlayForm({"game": "two_deck", "spit-slap": "false", "speed-length": "<script>"}, user=AnonymousUser())
        assert form.is_valid()
        assert form.setup() == Setup("two_deck")
        assert not form.is_particular

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("spit-stockpiles", "6"),
            ("spit-slap", "maybe"),
            ("spit-handling", "by_foot"),
            ("spit-length", "to-10"),
            ("pace", "<script>"),
            ("level", "emperor"),
            ("game", "poker"),
            ("token", "1"),
        ],
    )
    def test_bad_input_is_told_at_its_field(self, field: str, value: str) -> None:
        form = PlayForm({field: value}, user=AnonymousUser())
        assert not form.is_valid()
        assert set(form.errors) == {field}

    def test_each_form_has_a_token_of_its_own(self) -> None:
        tokens = {PlayForm(user=AnonymousUser())["token"].value() for _ in range(3)}
        assert len(tokens) == 3

    def test_levels_are_shown_from_the_slowest_to_the_fastest(self) -> None:
        levels = PlayForm(user=AnonymousUser()).levels()
        assert [level["key"] for level in levels] == [level.key for level in LEVELS]
        assert [level["key"] for level in levels if level["is_chosen"]] == [DEFAULT]

    def test_rated_is_for_people_with_an_account(self) -> None:
        assert PlayForm({"rated": "yes"}, user=User(username="Ann"), is_for_friend=True).is_valid()
        for nobody in (AnonymousUser(), User(username="guest-1234", is_guest=True)):
            form = PlayForm({"rated": "yes"}, user=nobody, is_for_friend=True)
            assert not form.is_valid()
            assert form.errors.as_data()["rated"][0].code == "no_account"
            # Against the computer nothing is rated, whatever is set for a friend on the same page.
            form = PlayForm({"rated": "yes"}, user=nobody)
            assert form.is_valid()
            assert form.cleaned_data["rated"] is False


class TestSketches:
    @pytest.mark.parametrize("game", BOOKS)
    def test_every_card_lies_inside(self, game: str) -> None:
        picture = sketch(BOOKS[game])
        assert len(picture.shapes) > 10
        for shape in picture.shapes:
            assert 0 <= shape.x <= shape.x + shape.width <= picture.width
            assert 0 <= shape.y <= shape.y + shape.height <= picture.height

    def test_a_hand_is_hidden_and_colours_are_told(self) -> None:
        kinds = {game: [shape.kind for shape in sketch(BOOKS[game]).shapes] for game in BOOKS}
        assert kinds["speed"].count("back") == 5 + 2 + 2
        assert (kinds["japanese_speed"].count("red"), kinds["japanese_speed"].count("black")) == (4, 4)
        assert kinds["spit"].count("face") == 2 * 5 + 2


def _begun() -> Played:
    """A match in mid-play."""
    player = Player(SPIT, seed=4)
    while sum(player.state.played) < 5:
        player.step()
    return player.played()


@pytest.mark.django_db
class TestLists:
    def test_live_matches(self, ann: User, guest: User) -> None:
        services.create_for_friend(ann, SPIT)
        live = services.create_against_computer(guest, "king", Setup("spit", Options(slap=False), "relaxed"))
        (shown,) = selectors.live_matches()
        assert (shown.slug, shown.url) == (live.slug, f"/match/{live.slug}/")
        assert shown.facts == ("Spit", "no slap", "relaxed")
        assert [person.name for person in shown.people] == [guest.display_name, "King"]
        assert [person.is_bot for person in shown.people] == [False, True]
        assert shown.glance is None
        assert shown.until is None

    def test_what_it_costs_does_not_grow_with_the_matches(
        self, settings: LazySettings, django_assert_max_num_queries: Any
    ) -> None:
        """Where other processes have the tables, their logs are read all at once."""
        settings.PLAY_IS_SHARED = True
        begun = _begun()
        matches = [store_match(begun) for _ in range(12)]
        with django_assert_max_num_queries(6):
            shown = selectors.live_matches(6)
        assert [one.slug for one in shown] == [match.slug for match in reversed(matches[6:])]
        left = tuple(BOOKS["spit"].cards_left(begun.state, seat) for seat in (0, 1))
        assert [one.glance and one.glance.left for one in shown] == [left] * 6
        with django_assert_max_num_queries(6):
            assert len(selectors.live_matches(50)) == 12

    def test_others_take_the_places_of_those_that_are_not_to_be_known_yet(self) -> None:
        begun = _begun()
        known = [store_match(begun) for _ in range(3)]
        for _ in range(4):
            store_match(begun, started_at=wall(), delay=60)
        assert [one.slug for one in selectors.live_matches(2)] == [known[2].slug, known[1].slug]

    @pytest.mark.parametrize("game", BOOKS)
    def test_a_glance_is_made_of_what_watchers_may_see(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Through the one door for secrets: what the door hides, a glance does not show."""
        setup = Setup(game, BOOKS[game].defaults)
        played = play_match(setup)
        for state in list(states(setup, played.events))[::20]:
            seen = selectors.glance_of(BOOKS[game], state)
            assert seen.left == tuple(BOOKS[game].cards_left(state, seat) for seat in (0, 1))
            assert seen.round == (state.status.round if game == "spit" else 0), "only Spit has rounds"
            tops = [state.places[name][-1:] for name in CENTRES]
            assert [face is not None for face in seen.piles] == [bool(top) and top[0][0] != "-" for top in tops]
        dark = {name: ("-",) * len(pile) for name, pile in state.places.items()}
        monkeypatch.setattr(selectors, "redacted", lambda state, _audience: replace(state, places=dark))
        assert selectors.glance_of(BOOKS[game], state).piles == (None, None)

    @pytest.mark.parametrize("game", BOOKS)
    def test_the_game_comes_first(self, ann: User, bob: User, game: str) -> None:
        store_match(play_short(0, Setup(game, BOOKS[game].defaults)), ann, bob)
        (outcome,) = selectors.recent_outcomes()
        assert outcome.facts == (words.GAMES[game],)

    def test_a_race_to_points_is_no_best_of(self, ann: User) -> None:
        match = services.create_for_friend(ann, Setup("speed", Options(best_of=1, target=25)))
        assert selectors.facts_of(match) == ("Speed", "to 25 points")

    def test_whoever_has_sat_at_a_match_is_not_new(self, ann: User) -> None:
        assert selectors.is_new(AnonymousUser())
        assert selectors.is_new(ann)
        services.create_for_friend(ann, SPIT)
        assert not selectors.is_new(ann)

    def test_recent_ones_have_a_result(self, ann: User, bob: User) -> None:
        won = make_match(ann, bob, winner=1)
        make_match(ann, bob, winner=None)
        store_match(play_short(None, cause=Cause.BROKEN_OFF), ann, bob)
        drawn, first = selectors.recent_outcomes()
        assert drawn.is_draw
        assert (first.slug, first.winner, first.cause) == (won.slug, 1, "resigned")

    def test_the_first_page_gives_no_number_that_is_too_old(self, client: Client, ann: User, bob: User) -> None:
        cache.clear()
        client.get("/")
        make_match(ann, bob, winner=1)
        page = client.get("/").content.decode()
        assert "All replays" in page
        assert ">now</time>" in page
        cache.clear()
        assert "The replay" in client.get("/").content.decode()

    def test_the_number_of_queries_does_not_grow(self, django_assert_num_queries: Any) -> None:
        for _number in range(3):
            make_match()
        with django_assert_num_queries(4):  # one asks what is withheld still
            assert len(selectors.recent_outcomes()) == 3
