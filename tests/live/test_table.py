"""The table: commands, answers, order. On a real database, with real commits."""

from games.rules.state import Phase, State
from tests.live.support import Client, House, Program, begin, do, moves, play_on


class TestCommands:
    async def test_a_play_reaches_everybody_and_the_log(self, house: House) -> None:
        table = await house.table()
        players = await begin(table)
        watcher = Client(table)
        await play_on(table, players, lambda state: sum(state.played) > 0)
        for client in (*players, watcher):
            await client.event("played")
            assert client.state(table.match.setup).places.keys() == table.shown.places.keys()
        assert await house.folded(table) == table.shown

    async def test_nothing_is_shown_before_it_is_in_the_database(self, house: House, program: Program) -> None:
        table = await house.table()
        found: list[bool] = []

        def check(message: dict) -> None:  # type: ignore[type-arg]
            if message["t"] in ("events", "ack", "refused"):
                last = message.get("seq", 0) + len(message.get("events", ())) - 1
                ((stored,),) = program.ask(f"SELECT max(seq) FROM games_event WHERE match_id = {table.match.pk}")
                found.append(stored >= last)

        players = await begin(table)
        for player in players:
            player.on_message = check
        await play_on(table, players, lambda state: sum(state.played) > 20)
        assert len(found) > 40
        assert all(found)

    async def test_a_refusal_waits_for_what_it_rests_on(self, house: House) -> None:
        table = await house.table()
        one, two = await begin(table)
        await play_on(table, (one, two), lambda state: bool(moves(state, 0)))
        done = do(one, moves(table.state, 0)[0])
        refused = one.say("spit", round=99)
        assert one.answer(refused) is None
        await one.until(lambda: one.answer(refused))
        order = [message for message in one.messages if message in (one.answer(done), one.answer(refused))]
        assert order == [one.answer(done), one.answer(refused)]

    async def test_a_watcher_cannot_act(self, house: House) -> None:
        table = await house.table()
        await begin(table)
        watcher = Client(table)
        watcher.say("spit", "w1")
        watcher.say("rematch", "w2")
        assert watcher.of("refused") == [
            {"t": "refused", "id": "w1", "code": "not_seated"},
            {"t": "refused", "id": "w2", "code": "not_seated"},
        ]

    async def test_one_command_has_one_effect(self, house: House) -> None:
        """B02, also after the process was killed."""
        table = await house.table()
        one, two = await begin(table)
        await play_on(table, (one, two), lambda state: bool(moves(state, 0)))
        command = moves(table.state, 0)[0]
        for _ in range(5):
            do(one, command, "the-one")
        await one.until(lambda: len(one.of("ack")) == 4)
        (acked,) = {message["seq"] for message in one.of("ack")}
        log = await house.log(table)
        assert [event.command for event in log].count("the-one") == 1
        assert log[acked - 1].command == "the-one"

        table = await house.restarted(table)
        again = Client(table, 0)
        do(again, command, "the-one")
        assert await again.message("ack") == {"t": "ack", "id": "the-one", "seq": acked}
        assert len(await house.log(table)) == len(log)

    async def test_ids_of_two_seats_do_not_meet(self, house: House) -> None:
        table = await house.table()
        one, two = Client(table, 0), Client(table, 1)
        one.say("ready", "1")
        two.say("ready", "1")
        await one.event("turned")
        assert [event.seat for event in await house.log(table) if event.command == "1"] == [0, 1]

    async def test_a_refused_command_is_refused_alike_again(self, house: House) -> None:
        table = await house.table()
        one, _ = await begin(table)
        for _ in range(3):
            one.say("play", "no", card="Xx", to="centre.0")
        await one.until(lambda: len(one.of("refused")) == 3)
        assert {message["code"] for message in one.of("refused")} == {"not_your_card"}

    async def test_a_command_of_an_old_round_does_nothing(self, house: House) -> None:
        """B03."""
        table = await house.table()
        players = await begin(table)
        await play_on(table, players, lambda state: state.status.round > 1 and state.status.phase is Phase.PLAYING)
        seq = table.state.seq
        held = players[0].say("play", round=1, card="7h", to="centre.0")
        await players[0].message("refused", id=held, code="old_round")
        assert table.state.seq == seq
        await play_on(table, players, lambda state: state.seq > seq)

    async def test_a_resignation_ends_the_match_once(self, house: House) -> None:
        """B14: everything that can end a match, in one instant."""
        table = await house.table()
        one, two = await begin(table)
        await play_on(table, (one, two), lambda state: sum(state.played) > 0)
        first = one.say("resign")
        second = two.say("resign")
        table.break_off()
        table.leave(one)
        await two.message("refused", id=second, code="game_over")
        (end,) = await house.ends(table)
        assert (end.winner, end.cause, end.void) == (1, "resigned", False)
        log = await house.log(table)
        assert [event.kind.value for event in log].count("ended") == 1
        assert log[-1].command == first
        assert end.events == len(log)

        again = Client(await house.restarted(table), 0)
        again.say("resign", first)
        await again.message("ack", id=first)

    async def test_a_whole_match(self, house: House) -> None:
        """Fold = state = what every client got to; every screen went through the same events."""
        table = await house.table()
        players = await begin(table)
        watcher = Client(table)
        await play_on(table, players, lambda state: state.status.round > 3)
        players[1].say("resign")
        await watcher.event("ended")
        state = await house.folded(table)
        assert state == table.shown == table.state
        for client in (*players, watcher):
            await client.until(lambda client=client: client.messages[-1]["t"] in ("state", "presence"))
            shown = client.state(table.match.setup)
            assert shown.places == state.places
            assert shown.status == state.status


async def test_what_fell_due_comes_before_what_arrives_later(house: House) -> None:
    """A turn that is due and a play: time decides, not whose callback the loop runs first."""
    table = await house.table()
    one, two = Client(table, 0), Client(table, 1)
    one.say("ready")
    two.say("ready")
    due = table.state.status.due
    assert due is not None
    # The loop is busy, or was suspended: its timers have not been looked at.
    table._alarm.set(None)
    table.clock.zero -= due
    card = after_turn(table.state)
    name = one.say("play", card=card, to="centre.0")
    await one.until(lambda: one.answer(name))
    kinds = [event.kind.value for event in await house.log(table)]
    assert kinds.index("turned") == 4
    assert (one.answer(name) or {}).get("code") != "not_now"


def after_turn(state: State) -> str:
    return state.places["0.stockpile.1"][-1]
