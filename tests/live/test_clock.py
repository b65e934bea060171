"""What happens by itself: turns, inactivity, absence; and the clock over a restart."""

import asyncio

from games.rules.state import Cause, Phase
from tests.live.support import Client, House, begin, play_on


def ended(client: Client) -> dict | None:  # type: ignore[type-arg]
    for event in client.events:
        if event["kind"] == "ended":
            return dict(event["status"]["result"])
    return None


async def test_inactivity_is_warned_and_lost(house: House) -> None:
    """G8: the only seat that can act, and does not."""
    table = await house.table("quick")
    one, two = await begin(table)
    await play_on(
        table,
        (one, two),
        lambda state: (
            state.status.phase is Phase.PLAYING
            and sum(state.played) > 0
            and len([seat for seat in (0, 1) if table.book.is_able(state, seat)]) == 1
        ),
    )
    slow = 0 if table.book.is_able(table.shown, 0) else 1
    await one.event("warned", seat=slow)
    result = await one.until(lambda: ended(one), "for the end")
    assert result == {"winner": 1 - slow, "cause": "inactive"}


async def test_nobody_ever_plays(house: House) -> None:
    """M2: without a card played it is no match."""
    table = await house.table("quick")
    one, _two = await begin(table)
    result = await one.until(lambda: ended(one), "for the end")
    assert result == {"winner": None, "cause": "aborted"}


async def test_nobody_acts_any_more(house: House) -> None:
    """G8: both could play, and neither does."""
    table = await house.table("quick")
    one, two = await begin(table)
    await play_on(
        table,
        (one, two),
        lambda state: (
            state.status.phase is Phase.PLAYING
            and sum(state.played) > 0
            and all(table.book.is_able(state, seat) for seat in (0, 1))
        ),
    )
    result = await one.until(lambda: ended(one), "for the end")
    assert result == {"winner": None, "cause": "abandoned"}
    assert not [event for event in one.events if event["kind"] == "warned"]


class TestAbsence:
    async def test_is_seen_by_all_and_lost(self, house: House) -> None:
        """B06, B22."""
        table = await house.table("quick")
        one, two = await begin(table)
        await play_on(table, (one, two), lambda state: sum(state.played) > 0)
        watcher = Client(table)
        table.leave(two)
        for client in (one, watcher):
            await client.until(
                lambda client=client: (
                    client.of("presence")
                    and not client.of("presence")[-1]["seats"][1]["here"]
                    and client.of("presence")[-1]["seats"][1]["away_due"] is not None
                )
            )
        result = await one.until(lambda: ended(one), "for the end")
        assert result == {"winner": 0, "cause": "left"}

    async def test_return_cancels_it(self, house: House) -> None:
        table = await house.table("quick")
        one, two = Client(table, 0), Client(table, 1)
        table.leave(two)
        assert table.attendance.away_due(1) is not None
        back = Client(table, 1)
        assert table.attendance.away_due(1) is None
        await one.until(lambda: one.of("presence") and one.of("presence")[-1]["seats"][1]["here"])
        assert back.of("state")[-1]["you"] == 1

    async def test_two_tabs_are_one_player(self, house: House) -> None:
        """B07: closing one of two tabs starts nothing; both get everything."""
        table = await house.table("quick")
        tabs = Client(table, 0), Client(table, 0)
        table.leave(tabs[0])
        assert table.attendance.away_due(0) is None
        table.leave(tabs[1])
        assert table.attendance.away_due(0) is not None

    async def test_fast_reloads_cost_nothing_long_absences_add_up(self, house: House) -> None:
        table = await house.table("quick")
        seat = table.attendance.seats[0]
        for away in (50, 60, 70, 80, 90):
            client = Client(table, 0)
            table.leave(client)
            table.clock.zero -= away
        Client(table, 0)
        assert seat.spent == 0
        client = Client(table, 0)
        for member in list(table.room.players):
            table.leave(member)
        table.clock.zero -= 500
        Client(table, 0)
        assert seat.spent >= 500

    async def test_both_leave_at_once(self, house: House) -> None:
        """B21, as after a restart that nobody comes back from: a draw, as nobody is to blame."""
        table = await house.table("quick")
        players = await begin(table)
        await play_on(table, players, lambda state: sum(state.played) > 0)
        watcher = Client(table)
        table = await house.restarted(table)
        watcher = Client(table)
        result = await watcher.until(lambda: ended(watcher), "for the end")
        assert result == {"winner": None, "cause": Cause.ABANDONED.value}

    async def test_who_stays_a_little_longer_has_not_won(self, house: House) -> None:
        """B21: both left, one after the other; neither was there when the time was up."""
        table = await house.table("quick")
        one, two = await begin(table)
        await play_on(table, (one, two), lambda state: sum(state.played) > 0)
        watcher = Client(table)
        table.leave(one)
        table.clock.zero -= 200
        table.leave(two)
        result = await watcher.until(lambda: ended(watcher), "for the end")
        assert result == {"winner": None, "cause": "abandoned"}


class TestWatchers:
    async def test_one_session_counts_once(self, house: House) -> None:
        """B09."""
        table = await house.table("quick")
        Client(table, 0)
        tabs = [Client(table, who=("session", "a")) for _ in range(3)]
        others = [Client(table), Client(table)]
        assert table.attendance.watchers == 3
        for client in (*tabs, *others):
            table.leave(client)
        assert table.attendance.watchers == 0

    async def test_presence_is_not_told_for_each_of_a_crowd(self, house: House) -> None:
        table = await house.table("quick")
        one = Client(table, 0)
        crowd = [Client(table) for _ in range(300)]
        await one.until(lambda: one.of("presence") and one.of("presence")[-1]["watchers"] == 300)
        assert len(one.of("presence")) <= 3
        await crowd[-1].message("presence")

    async def test_a_crowd_gets_every_event_in_order(self, house: House) -> None:
        table = await house.table("quick")
        players = await begin(table)
        crowd = [Client(table) for _ in range(250)]
        await play_on(table, players, lambda state: sum(state.played) > 10)
        late = Client(table)
        await play_on(table, players, lambda state: sum(state.played) > 12)
        for client in (crowd[0], crowd[-1], late):
            await client.until(lambda client=client: client.state(table.match.setup).seq >= table.shown.seq)


class TestRestart:
    async def test_matches_go_on_by_themselves(self, house: House) -> None:
        """Killed in a countdown: nobody connects, and the turn comes all the same."""
        table = await house.table("normal")
        one, two = Client(table, 0), Client(table, 1)
        one.say("ready")
        two.say("ready")
        await one.until(lambda: table.shown.status.phase is Phase.COUNTDOWN)
        due = table.shown.status.due
        assert due is not None
        await house.restart()
        (table,) = house.supervisor.tables.values()
        assert table.shown.status.due == due
        # The clock stood still meanwhile.
        assert due - 3_000 <= table.now() < due
        watcher = Client(table)
        turned = await watcher.event("turned")
        assert turned["at"] >= due

    async def test_the_hidden_order_stays(self, house: House) -> None:
        """B23."""
        table = await house.table("quick")
        players = await begin(table)
        await play_on(table, players, lambda state: sum(state.played) > 3)
        before = table.shown
        table = await house.restarted(table)
        assert table.shown == before
        players = (Client(table, 0), Client(table, 1))
        await play_on(table, players, lambda state: sum(state.played) > 6)
        await house.supervisor.journal.flushed()
        assert await house.folded(table) == table.shown


class TestPings:
    async def test_the_silent_are_parted_from_and_lag_is_measured(self, house: House) -> None:
        """B06: a line that swallows everything."""
        table = await house.table("normal")
        now = [asyncio.get_running_loop().time()]
        table.room._clock = lambda: now[0]
        one, mute = Client(table, 0), Client(table, 1)
        for client in (one, mute):
            table.room.members[client].heard_at = now[0]
        now[0] += 3
        table.beat()
        (ping,) = one.of("ping")
        now[0] += 0.12
        one.raw(f'{{"t":"pong","n":{ping["n"] + 1}}}')
        assert table.attendance.seats[0].lag is None
        one.raw(f'{{"t":"pong","n":{ping["n"]}}}')
        assert table.attendance.seats[0].lag == 120
        table.room.members[one].heard_at = now[0]
        now[0] += 7.5
        table.beat()
        assert mute.closed == "silent"
        assert one.closed is None
        assert table.attendance.away_due(1) is not None
