"""Whatever was to happen by itself happens after a restart of the server, too: nothing waits for a process that died.

`House.restart` is what a new process after `kill -9` is; one test does it to a real server.
"""

from collections.abc import Callable

import pytest

from games.live.table import Table
from games.rules import setup
from games.rules.setup import Pace
from games.rules.state import Phase, State
from tests.live.support import REMATCH, Client, House, begin, play_on
from tests.live.test_sockets import hang_up as hang_up
from tests.live.test_sockets import make_matches, sit, visit
from tests.site_process import Site

UNHURRIED = Pace(
    "unhurried",
    countdown=1_500,
    stuck=1_500,
    still_stuck=1_500,
    slap=1_500,
    warning=1_500,
    inactive=3_000,
    abandoned=3_000,
    grace=6_000,
    away_budget=18_000,
)
"""Time to restart before anything falls due, and not long to wait for it then."""
LATE = 5_000
"""Milliseconds that a busy machine may be late."""


@pytest.fixture(autouse=True)
def unhurried(quick: Pace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(setup.PACES, UNHURRIED.key, UNHURRIED)  # type: ignore[arg-type]


async def restarted(house: House, table: Table) -> Table:
    """The table in the next process: where it was, and before anything else fell due."""
    before = table.shown
    due = table.book.next_due(before)
    after = await house.restarted(table)
    assert after.shown == before
    assert after.book.next_due(after.shown) == due
    assert due is not None
    assert after.now() < due
    return after


@pytest.mark.parametrize(
    ("phase", "follows"),
    [(Phase.COUNTDOWN, "turned"), (Phase.STUCK, "turned"), (Phase.SLAP, "taken")],
)
async def test_a_countdown_goes_on_though_nobody_comes(house: House, phase: Phase, follows: str) -> None:
    """The turn after the countdown and when it is stuck (G6), and the end of the slap window (S7)."""
    table = await house.table(UNHURRIED.key)
    players = (Client(table, 0), Client(table, 1))
    if phase is not Phase.COUNTDOWN:
        players[0].say("ready")
        players[1].say("ready")
        await players[0].event("turned")
    await play_on(table, players, lambda state: state.status.phase is phase)
    due = table.shown.status.due
    assert due is not None
    seq = table.shown.seq
    table = await restarted(house, table)
    watcher = Client(table)
    happened = await watcher.event(follows)
    assert due <= happened["at"] < due + LATE
    assert table.shown.seq > seq
    assert await house.folded(table) == table.shown


def is_slow(table: Table) -> Callable[[State], bool]:
    """Whether only one seat can act, in the middle of a round."""

    def found(state: State) -> bool:
        able = [seat for seat in (0, 1) if table.book.is_able(state, seat)]
        return state.status.phase is Phase.PLAYING and sum(state.played) > 0 and len(able) == 1

    return found


@pytest.mark.parametrize("is_warned", [False, True])
async def test_inactivity_is_counted_on(house: House, is_warned: bool) -> None:
    """G8, before and after the warning."""
    table = await house.table(UNHURRIED.key)
    one, two = await begin(table)
    await play_on(table, (one, two), is_slow(table))
    slow = 0 if table.book.is_able(table.shown, 0) else 1
    since = table.shown.moved_at
    if is_warned:
        await one.event("warned", seat=slow)
    table = await restarted(house, table)
    one, two = Client(table, 0), Client(table, 1)
    if not is_warned:
        await one.event("warned", seat=slow)
    ended = await one.event("ended")
    assert ended["status"]["result"] == {"winner": 1 - slow, "cause": "inactive"}
    assert since + UNHURRIED.inactive <= ended["at"] < since + UNHURRIED.inactive + LATE
    assert len(await house.ends(table)) == 1


async def test_who_was_away_is_waited_for_and_loses(house: House) -> None:
    """The grace begins anew with the server, for both; who comes back has it no longer."""
    table = await house.table("quick")
    one, two = await begin(table)
    await play_on(table, (one, two), lambda state: sum(state.played) > 0)
    table.leave(two)
    table = await house.restarted(table)
    one = Client(table, 0)
    seats = one.of("state")[-1]["presence"]["seats"]
    assert seats[0]["away_due"] is None
    assert seats[1]["away_due"] is not None
    ended = await one.event("ended")
    assert ended["status"]["result"] == {"winner": 0, "cause": "left"}
    assert ended["at"] >= seats[1]["away_due"]


class TestRematch:
    async def test_an_offer_can_be_made_again_and_accepted(self, house: House) -> None:
        """The page does so by itself (tests/js/session.test.js); the new process knows of no offer."""
        made = house.make_rematches()
        table = await house.table()
        one, two = await begin(table)
        one.say("resign")
        await two.until(lambda: table.shown.is_over)
        one.say("rematch", "offer")
        await two.message("rematch", offered_by=0)
        table = await house.restarted(table)
        made = house.make_rematches()
        one, two = Client(table, 0), Client(table, 1)
        assert two.of("rematch") == []
        one.say("rematch", "offer-again")
        await two.message("rematch", offered_by=0, url=None)
        two.say("rematch")
        for client in (one, two):
            await client.message("rematch", url=REMATCH)
        assert made == [table.match.slug]


async def test_a_real_server_killed_in_the_countdown_turns_all_the_same(start_site: Callable[..., Site]) -> None:
    site = start_site()
    ((slug, cookies),) = make_matches(site)
    pages = await sit(site, slug, cookies)
    for page in pages:
        page.say("ready")
    for page in pages:
        await page.until(lambda page=page: len([e for e in page.events if e["kind"] == "readied"]) == 2)
    due = pages[0].events[-1]["status"]["due"]
    site.kill()
    site = start_site()
    # Nobody of the two comes back, and nobody does anything.
    watcher = await visit(site, slug)
    state = await watcher.message("state")
    turned = state["view"] if state["view"]["status"]["phase"] == "playing" else await watcher.event("turned")
    assert due <= turned["at"] < due + LATE
    assert "Traceback" not in site.output
