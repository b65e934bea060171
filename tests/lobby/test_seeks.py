"""Looking for an opponent, from the wish to the table: on a real database."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import F, Q
from django.test import Client

from games import append_only, ties
from games.live import announce
from games.lobby import queue, seeks, services
from games.lobby.errors import Code, LobbyError
from games.lobby.queue import LIVES
from games.lobby.seeks import AGAIN, CHALLENGE_LASTS, COMES, Kind
from games.models import End, Match, Rating, Seat, Seek
from games.moderation import measures
from games.moderation.models import Banned
from games.moderation.models import Kind as Measures
from games.rules.setup import Handling, Options, Setup
from spitsite.accounts.models import User
from tests.factories import SPIT, make_user

PAGE = "PageOfSomebody123456"


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The slugs that live play was told of."""
    slugs: list[str] = []
    monkeypatch.setattr(announce, "match_seated", slugs.append)
    return slugs


def quick(user: User, page: str = PAGE, game: str = "spit", rated: bool = False) -> Seek:
    return seeks.seek(user, page, Kind.QUICK, Setup(game), rated=rated)


def now(seek: Seek) -> Seek | None:
    return Seek.objects.select_related("partner__user").filter(pk=seek.pk).first()


def partner(user: User) -> User | None:
    own = Seek.objects.select_related("partner__user").get(user=user)
    return None if own.partner is None else own.partner.user  # type: ignore[return-value]


def ago(seek: Seek, **by: timedelta) -> None:
    """Let something of a seek have happened earlier."""
    Seek.objects.filter(pk=seek.pk).update(**{name: F(name) - age for name, age in by.items()})


def refusal(ask: Callable[[], Any]) -> Code:
    with pytest.raises(LobbyError) as caught:
        ask()
    return caught.value.code


@pytest.mark.django_db
class TestQuickPairing:
    def test_two_who_want_the_same_go_to_one_table(self, ann: User, bob: User, told: list[str]) -> None:
        quick(ann, "a" * 20, rated=True)
        assert partner(ann) is None
        quick(bob, "b" * 20, rated=True)
        assert (partner(ann), partner(bob)) == (bob, ann)
        assert not Match.objects.exists(), "nobody sits before both pages have answered"
        assert seeks.here(ann.pk, "a" * 20) is None
        assert seeks.here(ann.pk, "a" * 20) is None, "said twice"
        assert seeks.here(bob.pk, "somebody else's page") is None
        match = seeks.here(bob.pk, "b" * 20)
        assert match is not None
        assert (match.state, match.rated, match.game) == (Match.State.LIVE, True, "spit")
        assert [seat.user for seat in match.seats.order_by("number")] == [ann, bob]
        assert seeks.here(ann.pk, "a" * 20) == match, "the page that asks again hears the same"
        assert Match.objects.count() == 1

    def test_other_games_and_ways_do_not_meet(self, ann: User, bob: User, boss: User) -> None:
        quick(ann)
        quick(bob, game="speed")
        quick(boss, rated=True)
        assert not Seek.objects.exclude(partner=None).exists()

    def test_b38_two_tabs_and_double_clicks_are_one_seek(self, ann: User) -> None:
        first = quick(ann, "a" * 20)
        ago(first, began_at=timedelta(seconds=60))
        second = quick(ann, "b" * 20)
        again = quick(ann, "b" * 20)
        assert first.pk == second.pk == again.pk
        assert Seek.objects.get().page == "b" * 20
        assert seeks.pair() == 0

    def test_another_wish_takes_the_place_of_the_first(self, ann: User, bob: User) -> None:
        quick(ann)
        quick(bob, game="speed")
        quick(ann, game="speed")
        assert partner(ann) == bob
        # And who was paired already lets the other one wait on.
        waits = Seek.objects.get(user=bob)
        quick(ann, game="two_deck")
        assert partner(bob) is None
        assert now(waits) is not None

    def test_who_does_not_come_is_out_and_the_other_one_at_the_front(self, ann: User, bob: User, boss: User) -> None:
        first = quick(ann, "a" * 20)
        ago(first, began_at=timedelta(seconds=20))
        place = Seek.objects.get(pk=first.pk).began_at
        quick(bob, "b" * 20)
        seeks.here(ann.pk, "a" * 20)
        ago(first, paired_at=COMES)
        ago(Seek.objects.get(user=bob), paired_at=COMES)
        assert seeks.tidy()
        assert not Seek.objects.filter(user=bob).exists()
        waits = now(first)
        assert waits is not None
        assert (waits.partner, waits.began_at, waits.came) == (None, place, False)
        # The next one who comes is theirs.
        quick(boss, "c" * 20)
        assert partner(ann) == boss

    def test_neither_comes(self, ann: User, bob: User) -> None:
        for user in (ann, bob):
            quick(user)
        Seek.objects.update(paired_at=F("paired_at") - COMES)
        seeks.tidy()
        assert not Seek.objects.exists()

    def test_a_page_that_is_gone_waits_no_longer(self, ann: User, bob: User) -> None:
        gone = quick(ann)
        ago(gone, seen_at=LIVES)
        quick(bob)
        assert partner(bob) is None
        seeks.tidy()
        assert list(Seek.objects.all()) == [Seek.objects.get(user=bob)]

    def test_a_page_that_is_there_is_renewed(self, ann: User) -> None:
        seek = quick(ann)
        ago(seek, seen_at=LIVES - timedelta(seconds=1))
        seeks.renew([seek.pk])
        ago(seek, seen_at=timedelta(seconds=2))
        assert not seeks.tidy()
        assert queue.waiting().filter(pk=seek.pk).exists()

    def test_by_rating_and_the_range_widens(self, ann: User, bob: User) -> None:
        for user, value in ((ann, 1400), (bob, 1900)):
            Rating.objects.create(user=user, game="spit", value=value, matches=40, peak=value)
        seek = quick(ann, rated=True)
        quick(bob, rated=True)
        assert partner(ann) is None
        ago(seek, began_at=timedelta(seconds=20))
        assert seeks.pair() == 0, "both have to be content"
        ago(Seek.objects.get(user=bob), began_at=timedelta(seconds=20))
        assert seeks.pair() == 1
        assert partner(ann) == bob

    def test_guests_are_paired_just_for_fun(self, guest: User, ann: User) -> None:
        assert refusal(lambda: quick(guest, rated=True)) is Code.NO_ACCOUNT
        quick(guest)
        quick(ann)
        assert partner(guest) == ann

    def test_those_who_block_each_other_are_not(self, ann: User, bob: User, boss: User) -> None:
        ties.block(bob, ann)
        quick(ann)
        quick(bob)
        assert seeks.pair() == 0
        quick(boss)
        assert partner(boss) == ann

    def test_taken_back(self, ann: User, bob: User) -> None:
        quick(ann)
        assert seeks.cancel(ann)
        assert not seeks.cancel(ann)
        quick(bob)
        quick(ann)
        # Even when paired: the other one waits on.
        assert seeks.cancel(ann)
        assert partner(bob) is None

    def test_who_sits_down_elsewhere_looks_no_longer(self, ann: User, bob: User) -> None:
        quick(ann)
        quick(bob)
        services.create_against_computer(ann, "five", SPIT)
        assert not Seek.objects.filter(user=ann).exists()
        assert partner(bob) is None

    def test_a_deleted_person_leaves_the_other_waiting(self, ann: User, bob: User) -> None:
        quick(ann)
        quick(bob)
        ann.delete()
        assert seeks.here(bob.pk, PAGE) is None
        assert not seeks.tidy()
        assert queue.waiting().get().user == bob
        assert now(queue.waiting().get()).paired_at is None  # type: ignore[union-attr]


def deleted(user: User, by: User) -> None:
    user.delete()


def banned(user: User, by: User) -> None:
    measures.decide(by, user, Measures.BAN, "for a test", 1)


@pytest.mark.django_db
@pytest.mark.parametrize("gone", [deleted, banned])
class TestWhoIsNoMore:
    """Somebody's account is deleted, or they are banned: nobody waits for them."""

    def test_whoever_was_paired_with_them_waits_on(self, ann: User, bob: User, boss: User, gone: Any) -> None:
        quick(ann)
        at_first = quick(bob, rated=False)
        gone(ann, boss)
        (left,) = Seek.objects.all()
        assert (left.user, left.partner, left.paired_at, left.came) == (bob, None, None, False)
        assert left.began_at == at_first.began_at
        quick(boss)
        assert partner(bob) == boss

    @pytest.mark.parametrize("kind", [Kind.OPEN, Kind.PERSON])
    def test_nobody_waits_with_an_answer(self, ann: User, bob: User, boss: User, gone: Any, kind: str) -> None:
        offered = seeks.seek(ann, PAGE, kind, SPIT, to=bob if kind == Kind.PERSON else None)
        answer = seeks.accept(bob, "b" * 20, offered.pk)
        seeks.here(bob.pk, answer.page)
        gone(ann, boss)
        assert not Seek.objects.exists()

    def test_nor_for_one(self, ann: User, bob: User, boss: User, gone: Any) -> None:
        seeks.seek(bob, PAGE, Kind.PERSON, SPIT, to=ann)
        services.create_for_friend(ann, SPIT)
        gone(ann, boss)
        assert not Seek.objects.exists()
        assert not Match.objects.exists()


@pytest.mark.django_db
def test_who_was_banned_is_not_seated(ann: User, bob: User) -> None:
    """However the ban came to be."""
    quick(ann, "a" * 20)
    quick(bob, "b" * 20)
    seeks.here(bob.pk, "b" * 20)
    Banned.objects.create(user=ann, reason="for a test")
    assert seeks.here(ann.pk, "a" * 20) is None
    assert not Match.objects.exists()
    assert queue.waiting().get().user == bob


@pytest.mark.django_db
def test_an_answer_to_nothing_is_taken_away(ann: User, bob: User) -> None:
    """However it came to be."""
    answer = seeks.accept(bob, PAGE, seeks.seek(ann, PAGE, Kind.OPEN, SPIT).pk)
    Seek.objects.filter(user=ann).delete()
    assert Seek.objects.get() == answer
    assert seeks.tidy()
    assert not Seek.objects.exists()


@pytest.mark.django_db
class TestOpenChallenges:
    SETUP = Setup("spit", Options(handling=Handling.BY_HAND), "relaxed")

    def test_accepted_it_is_played_as_offered(self, ann: User, bob: User) -> None:
        offered = seeks.seek(ann, "a" * 20, Kind.OPEN, self.SETUP, rated=True)
        answer = seeks.accept(bob, "b" * 20, offered.pk)
        assert seeks.accept(bob, "b" * 20, offered.pk).pk == answer.pk, "a double click"
        seeks.here(bob.pk, "b" * 20)
        match = seeks.here(ann.pk, "a" * 20)
        assert match is not None
        assert match.setup == self.SETUP
        assert match.rated
        # Whoever offered has the first seat.
        assert [seat.user for seat in match.seats.order_by("number")] == [ann, bob]

    def test_b38_not_by_oneself(self, ann: User) -> None:
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        assert refusal(lambda: seeks.accept(ann, "b" * 20, offered.pk)) is Code.OWN
        assert not Seat.objects.exists()

    def test_by_one_only(self, ann: User, bob: User, boss: User) -> None:
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        seeks.accept(bob, PAGE, offered.pk)
        assert refusal(lambda: seeks.accept(boss, PAGE, offered.pk)) is Code.OVER
        # Whoever accepted and leaves takes the answer along; the challenge is open again.
        seeks.cancel(bob)
        seeks.accept(boss, PAGE, offered.pk)
        assert partner(ann) == boss

    def test_what_is_not_open_any_more(self, ann: User, bob: User) -> None:
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        ago(offered, seen_at=LIVES)
        for key in (offered.pk, 0, 10**15):
            assert refusal(lambda key=key: seeks.accept(bob, PAGE, key)) is Code.OVER  # type: ignore[misc]
        waits = quick(ann)
        assert refusal(lambda: seeks.accept(bob, PAGE, waits.pk)) is Code.OVER

    def test_guests_accept_what_is_for_fun(self, ann: User, guest: User) -> None:
        rated = seeks.seek(ann, PAGE, Kind.OPEN, SPIT, rated=True)
        assert refusal(lambda: seeks.accept(guest, PAGE, rated.pk)) is Code.NO_ACCOUNT
        seeks.accept(guest, PAGE, seeks.seek(ann, PAGE, Kind.OPEN, SPIT).pk)
        assert partner(guest) == ann

    def test_those_who_block_each_other_do_not(self, ann: User, bob: User) -> None:
        offered = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        ties.block(ann, bob)
        assert refusal(lambda: seeks.accept(bob, PAGE, offered.pk)) is Code.APART
        match = services.create_for_friend(ann, SPIT)
        assert refusal(lambda: services.join(match, bob)) is Code.APART


@pytest.mark.django_db
class TestChallengesToAPerson:
    def test_accepted(self, ann: User, bob: User, boss: User) -> None:
        sent = seeks.seek(ann, "a" * 20, Kind.PERSON, SPIT, to=bob)
        assert refusal(lambda: seeks.accept(boss, PAGE, sent.pk)) is Code.OVER, "it is not for everybody"
        seeks.accept(bob, "b" * 20, sent.pk)
        seeks.here(ann.pk, "a" * 20)
        assert seeks.here(bob.pk, "b" * 20) is not None

    def test_declined_by_whom_it_is_for(self, ann: User, bob: User, boss: User) -> None:
        sent = seeks.seek(ann, PAGE, Kind.PERSON, SPIT, to=bob)
        assert not seeks.decline(boss, sent.pk)
        assert seeks.decline(bob, sent.pk)
        assert not seeks.decline(bob, sent.pk)
        assert not Seek.objects.exists()

    def test_it_expires(self, ann: User, bob: User) -> None:
        sent = seeks.seek(ann, PAGE, Kind.PERSON, SPIT, to=bob)
        ago(sent, began_at=CHALLENGE_LASTS)
        assert seeks.tidy()
        assert not Seek.objects.exists()

    def test_refused(self, ann: User, guest: User, bob: User) -> None:
        def to(other: User, rated: bool = False) -> Code:
            return refusal(lambda: seeks.seek(ann, PAGE, Kind.PERSON, SPIT, rated=rated, to=other))

        assert to(ann) is Code.OWN
        assert to(guest, rated=True) is Code.NO_ACCOUNT_THERE
        ties.block(bob, ann)
        assert to(bob) is Code.APART


@pytest.mark.django_db
class TestOneSeatInRatedPlay:
    @pytest.fixture
    def running(self, ann: User, boss: User) -> Match:
        """Ann plays a rated match."""
        return services.join(services.create_for_friend(ann, SPIT, rated=True), boss)

    def test_no_second_one_by_any_way(self, running: Match, ann: User, bob: User) -> None:
        offered = seeks.seek(bob, PAGE, Kind.OPEN, SPIT, rated=True)
        invitation = services.create_for_friend(bob, SPIT, rated=True)
        ways: list[Callable[[], Any]] = [
            lambda: quick(ann, rated=True),
            lambda: seeks.seek(ann, PAGE, Kind.OPEN, SPIT, rated=True),
            lambda: seeks.seek(ann, PAGE, Kind.PERSON, SPIT, rated=True, to=bob),
            lambda: seeks.accept(ann, PAGE, offered.pk),
            lambda: services.create_for_friend(ann, SPIT, rated=True),
            lambda: services.join(invitation, ann),
        ]
        for way in ways:
            with pytest.raises(LobbyError) as caught:
                way()
            assert (caught.value.code, caught.value.match) == (Code.SEATED, running)
        # Just for fun as many as one likes.
        quick(ann)
        services.create_against_computer(ann, "five", SPIT)

    def test_nor_of_the_other_one(self, ann: User, bob: User, boss: User) -> None:
        invitation = services.create_for_friend(ann, SPIT, rated=True)
        services.join(services.create_for_friend(ann, SPIT, rated=True), boss)
        assert refusal(lambda: services.join(invitation, bob)) is Code.THEY_PLAY

    def test_who_sits_down_while_the_other_page_is_awaited(self, ann: User, bob: User, boss: User) -> None:
        invitation = services.create_for_friend(boss, SPIT, rated=True)
        for user in (ann, bob):
            quick(user, rated=True)
        seeks.here(ann.pk, PAGE)
        services.join(invitation, bob)
        assert seeks.here(ann.pk, PAGE) is None
        assert partner(ann) is None
        assert Match.objects.filter(state=Match.State.LIVE).count() == 1


@pytest.mark.django_db(transaction=True)
class TestAtTheSameMoment:
    """Many threads, each with a connection of its own."""

    @staticmethod
    def at_once(tasks: list[Callable[[], Any]]) -> list[Any]:
        barrier = threading.Barrier(len(tasks))

        def run(task: Callable[[], Any]) -> Any:
            try:
                barrier.wait(10)
                return task()
            except LobbyError as error:
                return error.code
            finally:
                connections.close_all()

        with ThreadPoolExecutor(len(tasks)) as pool:
            return list(pool.map(run, tasks))

    def test_b38_one_person_in_many_tabs_is_queued_once(self) -> None:
        ann = make_user()
        self.at_once([lambda page=page: quick(ann, page * 20) for page in "abcdef"])  # type: ignore[misc]
        assert Seek.objects.count() == 1

    def test_many_seekers_are_paired_once_each(self) -> None:
        people = [make_user() for _ in range(12)]
        self.at_once([lambda user=user: quick(user) for user in people])  # type: ignore[misc]
        while seeks.pair():
            pass
        partners = dict(Seek.objects.values_list("pk", "partner"))
        assert len(partners) == 12
        assert all(partners[other] == own for own, other in partners.items())
        self.at_once([lambda user=user: seeks.here(user.pk, PAGE) for user in people])  # type: ignore[misc]
        assert Match.objects.count() == 6
        assert set(Seat.objects.values_list("user", flat=True)) == {user.pk for user in people}

    def test_whoever_is_banned_meanwhile_waits_for_nobody_and_nobody_for_them(self) -> None:
        boss = make_user()
        for _ in range(5):
            ann, bob, cid = (make_user() for _ in range(3))
            offered = seeks.seek(ann, "a" * 20, Kind.OPEN, SPIT).pk
            self.at_once(
                [
                    lambda ann=ann: banned(ann, boss),  # type: ignore[misc]
                    lambda bob=bob, offered=offered: seeks.accept(bob, "b" * 20, offered),  # type: ignore[misc]
                    lambda ann=ann: quick(ann, "a" * 20),  # type: ignore[misc]
                    lambda cid=cid: quick(cid, "c" * 20),  # type: ignore[misc]
                    lambda ann=ann: services.create_for_friend(ann, SPIT),  # type: ignore[misc]
                ]
            )
            assert not Seek.objects.filter(Q(user=ann) | Q(kind=Kind.ANSWER) | Q(partner__isnull=False)).exists()
            Seek.objects.all().delete()

    def test_many_accept_one_challenge_and_one_gets_it(self) -> None:
        offered = seeks.seek(make_user(), PAGE, Kind.OPEN, SPIT)
        people = [make_user() for _ in range(6)]
        answers = self.at_once([lambda user=user: seeks.accept(user, PAGE, offered.pk) for user in people])  # type: ignore[misc]
        assert sorted(map(str, answers)).count("over") == 5

    def test_all_ways_into_rated_play_at_once_give_one_seat(self) -> None:
        ann = make_user()
        invitations = [services.create_for_friend(make_user(), SPIT, rated=True) for _ in range(5)]
        self.at_once([lambda match=match: services.join(match, ann) for match in invitations])  # type: ignore[misc]
        assert Seat.objects.filter(user=ann, match__state=Match.State.LIVE).count() == 1


@pytest.mark.django_db
class TestWhoeverCameToATableInVain:
    """The other one answered, but never came to the table: the match is aborted."""

    @pytest.fixture
    def aborted(self, ann: User, bob: User) -> Seek:
        """Ann's seek, which led to a match with Bob of which nothing came."""
        seek = quick(ann, rated=True)
        ago(seek, began_at=timedelta(seconds=100))
        quick(bob, rated=True)
        seeks.here(ann.pk, PAGE)
        match = seeks.here(bob.pk, PAGE)
        assert match is not None
        match.state = Match.State.OVER
        match.save()
        End.objects.create(match=match, winner=None, cause="aborted", void=True, events=1, at=30_000)
        return Seek.objects.get(pk=seek.pk)

    def test_has_the_old_place_in_the_queue(self, aborted: Seek, ann: User, client: Client) -> None:
        made = seeks.seek(ann, PAGE, Kind.QUICK, SPIT, rated=True, is_again=True)
        assert made.pk != aborted.pk
        assert made.began_at == aborted.began_at

    def test_the_home_page_asks_for_it(self, aborted: Seek, ann: User, client: Client) -> None:
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert "data-again" not in client.get("/").content.decode()
        content = client.get("/?again").content.decode()
        assert 'data-again="spit" data-again-rated="yes" data-again-name="Bob"' in content
        answer = client.post("/lobby/quick/", {"game": "spit", "rated": "yes", "page": PAGE, "again": "yes"})
        assert Seek.objects.get(pk=answer.json()["seek"]).began_at == aborted.began_at
        assert "data-again" not in client.get("/?again").content.decode(), "once"

    def test_not_for_something_else_and_not_for_ever(self, aborted: Seek, ann: User) -> None:
        Match.objects.update(rated=True)
        with append_only.lifted(connection):
            End.objects.update(ended_at=F("ended_at") - AGAIN)
        made = seeks.seek(ann, PAGE, Kind.QUICK, SPIT, rated=True, is_again=True)
        assert made.began_at > aborted.began_at

    def test_what_was_played_is_no_reason(self, ann: User, bob: User) -> None:
        for user in (ann, bob):
            quick(user)
        seeks.here(ann.pk, PAGE)
        match = seeks.here(bob.pk, PAGE)
        assert seeks.again(ann) is None
        assert match is not None
        # Who plays elsewhere by then has nothing to come back to.
        services.create_against_computer(ann, "five", SPIT)
        assert not Seek.objects.filter(user=ann).exists()


@pytest.mark.django_db
class TestAnotherOpponent:
    """After a match that quick pairing led to one may look for somebody else who plays the same."""

    @pytest.fixture
    def played(self, ann: User, bob: User) -> Match:
        for user in (ann, bob):
            quick(user, game="speed", rated=True)
        seeks.here(ann.pk, PAGE)
        match = seeks.here(bob.pk, PAGE)
        assert match is not None
        self.end(match)
        return match

    def end(self, match: Match, **fields: Any) -> None:
        Match.objects.filter(pk=match.pk).update(state=Match.State.OVER)
        match.refresh_from_db()
        End.objects.create(match=match, **{"winner": 0, "cause": "resigned", "events": 9, "at": 30_000, **fields})

    def another(self, client: Client, match: Match, user: User) -> Any:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client.get(match.get_absolute_url()).context["table_data"].get("another")

    def test_the_table_says_what_to_look_for(self, played: Match, client: Client, ann: User, boss: User) -> None:
        assert self.another(client, played, ann) == {"game": "speed", "rated": True}
        assert self.another(client, played, boss) is None, "who watches"
        quick(ann)
        assert self.another(client, played, ann) is None, "somebody else is looked for already"

    def test_after_a_rematch_too(self, played: Match, client: Client, ann: User, bob: User) -> None:
        following = services.rematch(played)
        for user in (ann, bob):
            assert self.another(client, following, user) == {"game": "speed", "rated": True}
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(following.get_absolute_url()).context["table_data"]["again"] is None
        # A rematch of which nothing came gives no place in the queue.
        self.end(following, winner=None, cause="aborted", void=True)
        assert seeks.again(ann) is None

    def test_friends_and_challenges_have_none(self, client: Client, ann: User, bob: User) -> None:
        offer = seeks.seek(ann, PAGE, Kind.OPEN, SPIT)
        seeks.accept(bob, PAGE, offer.pk)
        seeks.here(ann.pk, PAGE)
        match = seeks.here(bob.pk, PAGE)
        assert match is not None
        self.end(match)
        assert self.another(client, match, ann) is None
