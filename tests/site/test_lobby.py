"""How matches come about: services, forms and what lists show of them."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connections
from django.test import Client
from msgspec.structs import replace

from games import clock, words
from games.bots.levels import DEFAULT, LEVELS
from games.live import announce
from games.live.rematch import Gone
from games.lobby import selectors, services
from games.lobby.forms import PlayForm, way_fields
from games.lobby.services import INVITATION_LASTS, MOST_AT_ONCE, Code, LobbyError
from games.lobby.sketch import sketch
from games.models import Match, Seat
from games.rules.book import CENTRES
from games.rules.log import states
from games.rules.registry import BOOKS
from games.rules.setup import Handling, Options, Setup
from games.rules.state import Cause
from games.tasks import sweep
from spitsite.accounts.models import User
from tests.factories import SPIT, make_match, make_user, play_match, play_short, store_match


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The slugs that live play was told of."""
    slugs: list[str] = []
    monkeypatch.setattr(announce, "match_seated", slugs.append)
    return slugs


def at_once(count: int, task: Callable[[int], Any]) -> list[Any]:
    """What `task` gives in so many threads that start together, each with a connection of its own."""
    barrier = threading.Barrier(count)

    def run(number: int) -> Any:
        try:
            barrier.wait(10)
            return task(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def players(match: Match) -> list[Any]:
    return [seat.bot or seat.user for seat in match.seats.order_by("number")]


@pytest.mark.django_db
class TestAgainstTheComputer:
    def test_begins_at_once(
        self, ann: User, seated: list[str], django_capture_on_commit_callbacks: Callable[..., Any]
    ) -> None:
        setup = Setup("spit", Options(handling=Handling.BY_HAND, stockpiles=4, slap=False), "relaxed")
        with django_capture_on_commit_callbacks(execute=True):
            match = services.create_against_computer(ann, "queen", setup)
        assert (match.state, match.rated, match.pace) == (Match.State.LIVE, False, "relaxed")
        assert match.options == {"handling": "by_hand", "stockpiles": 4, "slap": False}
        assert match.started_at is not None
        assert players(match) == [ann, "queen"]
        assert seated == [match.slug]

    def test_an_unknown_level_is_a_fault_of_the_caller(self, ann: User) -> None:
        with pytest.raises(KeyError):
            services.create_against_computer(ann, "emperor", SPIT)

    @pytest.mark.parametrize(
        "setup",
        [
            Setup("poker"),
            Setup("spit", Options(stockpiles=7)),
            Setup("spit", pace="hasty"),
            Setup("spit", Options(side=5)),
        ],
    )
    def test_what_cannot_be_played_is_not_made(self, ann: User, setup: Setup) -> None:
        with pytest.raises(ValueError, match="cannot be played"):
            services.create_for_friend(ann, setup)
        assert not Match.objects.exists()

    def test_nobody_sits_at_very_many_tables(self, ann: User) -> None:
        for _number in range(MOST_AT_ONCE):
            services.create_for_friend(ann, SPIT)
        with pytest.raises(LobbyError) as caught:
            services.create_against_computer(ann, "five", SPIT, token=uuid4())
        assert caught.value.code is Code.TOO_MANY
        assert Match.objects.count() == MOST_AT_ONCE


@pytest.mark.django_db
class TestForAFriend:
    def test_waits(self, ann: User, seated: list[str]) -> None:
        match = services.create_for_friend(ann, SPIT, rated=True)
        assert (match.state, match.rated, match.started_at) == (Match.State.OPEN, True, None)
        assert players(match) == [ann]
        assert seated == []

    def test_a_guest_cannot_ask_for_a_rated_one(self, guest: User) -> None:
        with pytest.raises(LobbyError) as caught:
            services.create_for_friend(guest, SPIT, rated=True)
        assert caught.value.code is Code.NO_ACCOUNT

    def test_the_friend_sits_down_and_it_begins(
        self, ann: User, bob: User, seated: list[str], django_capture_on_commit_callbacks: Callable[..., Any]
    ) -> None:
        match = services.create_for_friend(ann, SPIT, rated=True)
        with django_capture_on_commit_callbacks(execute=True):
            services.join(match, bob)
        match.refresh_from_db()
        assert (match.state, match.rated) == (Match.State.LIVE, True)
        assert match.started_at is not None
        assert players(match) == [ann, bob]
        assert seated == [match.slug]

    def test_with_a_guest_it_is_not_rated(self, ann: User, guest: User) -> None:
        match = services.create_for_friend(ann, SPIT, rated=True)
        services.join(match, guest)
        match.refresh_from_db()
        assert (match.state, match.rated) == (Match.State.LIVE, False)

    def test_b38_nobody_sits_down_opposite_himself(self, ann: User, seated: list[str]) -> None:
        match = services.create_for_friend(ann, SPIT)
        assert services.join(match, ann) == match
        match.refresh_from_db()
        assert match.state == Match.State.OPEN
        assert players(match) == [ann]

    def test_who_sits_already_stays(self, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        services.join(match, bob)
        assert services.join(match, bob) == match
        assert services.join(match, ann) == match
        assert match.seats.count() == 2

    def test_the_third_one_comes_too_late(self, ann: User, bob: User, boss: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        services.join(match, bob)
        with pytest.raises(LobbyError) as caught:
            services.join(match, boss)
        assert caught.value.code is Code.TAKEN
        assert players(match) == [ann, bob]


@pytest.mark.django_db
class TestTakenBack:
    def test_by_whoever_made_it_while_it_waits(self, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        assert not services.withdraw(match, bob)
        assert services.withdraw(match, ann)
        assert not Match.objects.exists()
        assert not Seat.objects.exists()
        assert not services.withdraw(match, ann)

    def test_not_once_somebody_sits_there(self, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        services.join(match, bob)
        assert not services.withdraw(match, ann)
        assert match.seats.count() == 2

    def test_then_nobody_sits_down(self, ann: User, bob: User) -> None:
        match = services.create_for_friend(ann, SPIT)
        opened = Match.objects.get(pk=match.pk)
        services.withdraw(match, ann)
        with pytest.raises(LobbyError) as caught:
            services.join(opened, bob)
        assert caught.value.code is Code.WITHDRAWN

    def test_the_sweep_takes_what_has_waited_for_too_long(self, ann: User, bob: User) -> None:
        old, new, live = (services.create_for_friend(ann, SPIT) for _ in range(3))
        services.join(live, bob)
        before = clock.wall() - INVITATION_LASTS
        Match.objects.exclude(pk=new.pk).update(created_at=before)
        sweep()
        assert set(Match.objects.values_list("pk", flat=True)) == {new.pk, live.pk}
        assert not Match.objects.filter(pk=old.pk).exists()


@pytest.mark.django_db
class TestTokens:
    def test_one_token_makes_one_match(self, ann: User) -> None:
        token = uuid4()
        first = services.create_for_friend(ann, SPIT, token=token)
        assert services.create_for_friend(ann, SPIT, token=token) == first
        assert services.made_by(token) == first
        assert services.create_for_friend(ann, SPIT, token=uuid4()) != first

    def test_after_the_end_the_same_page_makes_another(self, ann: User) -> None:
        token = uuid4()
        first = services.create_for_friend(ann, SPIT, token=token)
        Match.objects.filter(pk=first.pk).update(state=Match.State.OVER)
        assert services.made_by(token) is None
        second = services.create_for_friend(ann, SPIT, token=token)
        assert second != first
        assert services.made_by(token) == second

    def test_a_token_is_of_no_use_to_others(self, ann: User, bob: User) -> None:
        token = uuid4()
        services.create_for_friend(ann, SPIT, token=token)
        with pytest.raises(LobbyError) as caught:
            services.create_for_friend(bob, SPIT, token=token)
        assert caught.value.code is Code.TAKEN

    def test_the_slug_does_not_tell_the_token(self, ann: User, settings: Any) -> None:
        token = UUID(int=1)
        first = services.create_for_friend(ann, SPIT, token=token)
        settings.SECRET_KEY = "another site"
        assert services.create_for_friend(ann, SPIT, token=token).slug != first.slug


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    def test_many_open_the_link_and_one_sits(self, seated: list[str]) -> None:
        match = services.create_for_friend(make_user(), SPIT)
        people = [make_user() for _ in range(6)]

        def open_link(number: int) -> str:
            try:
                services.join(match, people[number])
            except LobbyError as error:
                return error.code
            return "seated"

        assert sorted(at_once(6, open_link)) == ["seated", *["taken"] * 5]
        assert match.seats.count() == 2
        assert seated == [match.slug]

    def test_b38_one_person_in_many_tabs_sits_once(self, seated: list[str]) -> None:
        match, person = services.create_for_friend(make_user(), SPIT), make_user()
        at_once(5, lambda _number: services.join(match, person))
        assert match.seats.filter(user=person).count() == 1
        assert seated == [match.slug]

    def test_b02_a_form_sent_many_times_makes_one_match(self, seated: list[str]) -> None:
        person, token = make_user(), uuid4()
        made = at_once(5, lambda _number: services.create_against_computer(person, "five", SPIT, token=token).pk)
        assert len(set(made)) == 1
        assert Match.objects.count() == 1
        assert Seat.objects.count() == 2
        assert len(seated) == 1

    def test_b02_both_ask_for_the_rematch_and_there_is_one(self, seated: list[str]) -> None:
        match = make_match()
        following = at_once(4, lambda _number: services.rematch(match).pk)
        assert len(set(following)) == 1
        assert Match.objects.count() == 2
        assert len(seated) == 1


@pytest.mark.django_db
class TestRematch:
    def test_the_same_people_and_the_same_rules(self, ann: User, bob: User) -> None:
        setup = Setup("spit", Options(alternate=True), "relaxed")
        match = store_match(play_match(setup), ann, bob, rated=True)
        following = services.rematch(match)
        assert (following.options, following.pace, following.rated) == (match.options, "relaxed", True)
        assert following.state == Match.State.LIVE
        assert players(following) == [ann, bob]
        assert services.rematch(match) == following
        for begin in (True, False):
            assert services.rematch_url(match.slug, begin) == f"/match/{following.slug}/"

    def test_the_computer_is_always_ready(self, ann: User) -> None:
        assert players(services.rematch(make_match(ann, "ace", rated=False))) == [ann, "ace"]

    def test_not_while_the_match_goes_on(self, ann: User) -> None:
        with pytest.raises(LobbyError) as caught:
            services.rematch(services.create_against_computer(ann, "five", SPIT))
        assert caught.value.code is Code.NOT_OVER

    @pytest.mark.parametrize("is_deleted", [True, False])
    def test_not_with_somebody_who_is_gone(self, ann: User, bob: User, is_deleted: bool) -> None:
        match = make_match(ann, bob)
        if is_deleted:
            bob.delete()
        else:
            User.objects.filter(pk=bob.pk).update(is_active=False)
        with pytest.raises(LobbyError) as caught:
            services.rematch(match)
        assert caught.value.code is Code.GONE
        for begin in (True, False):
            with pytest.raises(Gone):
                services.rematch_url(match.slug, begin)

    def test_to_look_whether_there_can_be_one_makes_none(self, ann: User, bob: User) -> None:
        match = make_match(ann, bob)
        assert services.rematch_url(match.slug, begin=False) is None
        assert Match.objects.count() == 1


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

    @pytest.mark.parametrize("game", BOOKS)
    def test_a_glance_is_made_of_what_watchers_may_see(self, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Through the one door for secrets: what the door hides, a glance does not show."""
        setup = Setup(game, BOOKS[game].defaults)
        played = play_match(setup)
        for state in list(states(setup, played.events))[::20]:
            seen = selectors.glance_of(BOOKS[game], state)
            assert seen.left == tuple(BOOKS[game].cards_left(state, seat) for seat in (0, 1))
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
        with django_assert_num_queries(3):
            assert len(selectors.recent_outcomes()) == 3
