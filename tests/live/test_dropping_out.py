"""Who drops out, comes back, or does not: what was under way, the grace, the end of the match (B03, B18, B21, B22)."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.test import Client as Administrator
from django.urls import reverse

from games.live.table import Table
from games.lobby import selectors
from games.models import End, Match, Rating, RatingChange, Seat
from games.profiles import selectors as profiles
from games.ratings.services import rate_pending
from games.rules import setup
from games.rules.book import Decision
from games.rules.commands import Elapse
from games.rules.registry import book_of
from games.rules.setup import Pace
from games.rules.state import Cause, Phase, State
from games.shuffling import RandomDealer
from games.words import CAUSES
from tests.live.support import WAIT, Client, House, begin, do, moves, play_on, plays
from tests.live.test_contests import after_first_turn

HOUR = 3_600_000
ROOMY = Pace("roomy", countdown=20, stuck=60, still_stuck=40, slap=60_000, cap=HOUR, inactive=HOUR, abandoned=HOUR)
"""With the true grace and budget of an absence."""


@pytest.fixture(autouse=True)
def roomy(quick: Pace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.PACES, ROOMY.key, ROOMY)  # type: ignore[arg-type]


async def in_database(look: Callable[[], Any]) -> Any:
    """What the database says, once it says it."""

    def wait() -> Any:
        give_up = time.monotonic() + WAIT
        while not (answer := look()):
            assert time.monotonic() < give_up, "waited too long for the database"
            time.sleep(0.02)
        return answer

    return await sync_to_async(wait)()


# A stale move (B03)


def ends_alone(seed: int) -> bool:
    """Whether seat 1 can end the first round with seat 0 away, which had something to play at its beginning."""
    book = book_of("spit")
    state = after_first_turn(seed)
    if state.status.phase is not Phase.PLAYING or not plays(state, 0):
        return False
    while state.status.phase is not Phase.SLAP:
        possible = moves(state, 1)
        command = possible[0] if possible else Elapse()
        if not possible and state.status.due is None:
            return False
        decision = book.decide(state, command, at=state.status.due or state.at, seat=1 if possible else None)
        assert isinstance(decision, Decision)
        state = decision.state
    return True


async def end_round_alone(table: Table, player: Client) -> None:
    number = table.state.status.round
    while table.shown.status.round == number:
        seq = table.shown.seq
        if table.state.status.phase is Phase.SLAP:
            player.say("slap", pile="centre.1")
        elif possible := moves(table.state, 1):
            do(player, possible[0])
        await player.until(lambda seq=seq: table.shown.seq > seq)  # type: ignore[misc]


async def test_b03_a_move_held_back_since_the_last_round(house: House) -> None:
    """A is cut off in round 1; B ends it; A's command of then comes first on the new line; then A plays at once."""
    house.supervisor.dealer = RandomDealer(next(filter(ends_alone, range(2_000))))
    table = await house.table(ROOMY.key)
    one, two = await begin(table)
    held = plays(table.state, 0)[0]
    table.leave(one)
    await end_round_alone(table, two)
    assert table.shown.status.round == 2
    seq = table.shown.seq
    back = Client(table, 0)
    (state,) = back.of("state")
    assert (state["seq"], state["view"]["status"]["round"], state["view"]["status"]["phase"]) == (seq, 2, "ready")
    back.say("play", "held", round=1, card=held.card, to=held.to)
    await back.message("refused", id="held", code="old_round")
    assert table.state.seq == seq
    await play_on(table, (back, two), lambda state: state.status.phase is Phase.PLAYING and bool(moves(state, 0)))
    name = do(back, moves(table.state, 0)[0])
    answer = await back.until(lambda: back.answer(name))
    assert answer["t"] == "events"
    assert await house.folded(table) == table.shown
    assert "held" not in {event.command for event in await house.log(table)}


# Grace and budget (B22)


def pass_time(table: Table, ms: int) -> None:
    table.clock.zero -= ms
    table._set_alarm()


async def test_b22_two_absences_five_reloads_two_tabs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.live.presence.RELOAD", 3_000)
    table = await house.table(ROOMY.key)
    one, two = await begin(table)
    await play_on(table, (one, two), lambda state: sum(state.played) > 0)
    watcher = Client(table)
    others = (two, watcher)

    async def seen(here: bool) -> list[int | None]:
        """When A loses, as the others see it, once they see it."""
        for other in others:
            await other.until(
                lambda other=other: (told := other.of("presence")) and told[-1]["seats"][0]["here"] is here
            )
        return [other.of("presence")[-1]["seats"][0]["away_due"] for other in others]

    async def away(seconds: int, left: int) -> Client:
        """Be away for a while; `left` is what the countdown began with, in ms."""
        nonlocal one
        went = table.now()
        table.leave(one)
        for due in await seen(here=False):
            assert due is not None
            assert abs(due - went - left) < 500
        pass_time(table, seconds * 1_000)
        one = Client(table, 0)
        assert await seen(here=True) == [None, None]
        assert one.of("state")[0]["presence"]["seats"][0]["away_due"] is None
        return one

    await away(20, ROOMY.grace)
    await away(20, ROOMY.grace)
    await away(29, ROOMY.grace)
    spent = table.attendance.seats[0].spent
    assert abs(spent - 69_000) < 1_000
    for _ in range(5):
        table.leave(one)
        pass_time(table, 2_000)
        one = Client(table, 0)
    assert table.attendance.seats[0].spent == spent, "a reload costs nothing"
    # One of two tabs is closed: nothing begins, however long the other stays.
    tab = Client(table, 0)
    table.leave(one)
    assert table.attendance.away_due(0) is None
    pass_time(table, 120_000)
    one = tab
    # What is left of the budget is all there is.
    await away(10, ROOMY.away_budget - spent)
    assert not table.shown.is_over
    left = ROOMY.away_budget - table.attendance.seats[0].spent
    table.leave(one)
    pass_time(table, left - 2_000)
    await seen(here=False)
    assert not table.state.is_over
    pass_time(table, 2_000)
    ended = await two.event("ended")
    assert ended["status"]["result"] == {"winner": 1, "cause": "left"}


# Nobody there any more (B21), nothing played yet (B18)


def is_closed(match_id: int) -> Callable[[], End | None]:
    return lambda: End.objects.filter(match_id=match_id).first()


def standing(match_id: int) -> tuple[str, list[str], int]:
    """The state of the match, what the lobby shows as live, and how many ratings it changed."""
    live = [shown.slug for shown in selectors.live_matches()]
    changes = RatingChange.objects.filter(end__match_id=match_id).count()
    return Match.objects.get(pk=match_id).state, live, changes


async def test_b21_both_leave_and_nobody_ever_looks(house: House) -> None:
    """The server closes it alone: a draw, since cards were played, gone from the lobby, and rated once.

    The administrator is shown the same.
    """
    table = await house.table("quick", rated=True)
    players = await begin(table)
    await play_on(table, players, lambda state: sum(state.played) > 0)
    pk = table.match.pk
    assert (await sync_to_async(standing)(pk))[1] == [table.match.slug]
    for player in players:
        table.leave(player)
    assert not table.room.members
    end = await in_database(is_closed(pk))
    assert (end.winner, end.cause, end.void) == (None, "abandoned", False)
    assert await in_database(lambda: RatingChange.objects.count() == 2)
    assert await sync_to_async(standing)(pk) == ("over", [], 2)
    listed, page = await sync_to_async(in_the_admin)(pk)
    assert (listed["live"], listed["over"]) == (0, 1)
    assert f"draw ({CAUSES[Cause.ABANDONED]})" in page


def in_the_admin(match_id: int) -> tuple[dict[str, int], str]:
    """How many matches the list in the admin's pages has in each state, and the page of that match."""
    client = Administrator()
    client.force_login(get_user_model().objects.create_superuser("boss"))
    found = {}
    for state in ("live", "over"):
        answer = client.get(reverse("admin:games_match_changelist"), {"state__exact": state})
        found[state] = answer.context["cl"].result_count
    return found, client.get(reverse("admin:games_match_change", args=[match_id])).content.decode()


@pytest.mark.parametrize("how", ["leaves", "restart"])
async def test_b18_without_a_card_played_it_is_no_match(house: House, how: str) -> None:
    """One leaves before any card; or the server is restarted then, and nobody comes back."""
    table = await house.table("quick", rated=True)
    one, two = await begin(table)
    pk = table.match.pk
    if how == "leaves":
        table.leave(one)
        ended = await two.event("ended")
        assert ended["status"]["result"] == {"winner": None, "cause": "aborted"}
    else:
        await house.restart()
    end = await in_database(is_closed(pk))
    assert (end.winner, end.cause, end.void) == (None, "aborted", True)

    def counted() -> tuple[int, int, list[Any]]:
        rate_pending()
        player = Seat.objects.get(match_id=pk, number=0).user
        return Rating.objects.count(), profiles.record_of(player).played, selectors.recent_outcomes()

    assert await sync_to_async(counted)() == (0, 0, [])
    assert await sync_to_async(standing)(pk) == ("over", [], 0)


async def test_b18_a_restart_in_the_middle_aborts_nothing(house: House) -> None:
    table = await house.table(rated=True)
    players = await begin(table)
    await play_on(table, players, lambda state: sum(state.played) > 0)
    table = await house.restarted(table)
    players = (Client(table, 0), Client(table, 1))
    before = sum(table.shown.played)
    await play_on(table, players, lambda state: sum(state.played) > before)
    assert await house.ends(table) == []


async def test_b18_who_resigns_in_mid_round_is_rated_at_once(house: House) -> None:
    table = await house.table(rated=True)
    players = await begin(table)

    def mid_round(state: State) -> bool:
        return sum(state.played) > 0 and state.status.phase is Phase.PLAYING

    await play_on(table, players, mid_round)
    players[0].say("resign")
    await players[1].event("ended")
    pk = table.match.pk
    assert await in_database(lambda: RatingChange.objects.count() == 2)
    assert await sync_to_async(standing)(pk) == ("over", [], 2)

    def outcome() -> tuple[str, int | None]:
        (shown,) = selectors.ended()
        return shown.cause, shown.winner

    assert await sync_to_async(outcome)() == ("resigned", 1)
