"""The table: commands, answers, order. On a real database, with real commits."""

import pytest

from games.rules.commands import Elapse, Play
from games.rules.registry import book_of
from games.rules.state import Phase, State
from games.shuffling import RandomDealer
from tests.live.support import Client, House, Program, begin, do, moves, play_on, plays


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

        await house.restart()
        table = await house.supervisor.table(table.match.slug)
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

        await house.restart()
        again = Client(await house.supervisor.table(table.match.slug), 0)
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


def contests(fits: bool, number: int) -> list[tuple[int, Play, Play]]:
    """Deals after whose first turn both seats want one pile: the seed, and the two plays.

    Either the second card fits on the first one (then it does not fit on what
    lies there now), or both fit now (then neither fits on the other).
    """
    found = []
    book = book_of("spit")
    for seed in range(1_000):
        state = after_first_turn(seed)
        if state.status.phase is not Phase.PLAYING:
            continue
        tops = [pile[-1] for name, pile in state.places.items() if name.startswith("1.stockpile")]
        pairs = [
            (mine, Play(1, card, mine.to))
            for mine in plays(state, 0)
            for card in tops
            if book.fits(state, card, mine.card if fits else state.places[mine.to][-1])
        ]
        if pairs:
            found.append((seed, *pairs[0]))
        if len(found) == number:
            return found
    raise AssertionError("not enough deals")


def after_first_turn(seed: int) -> State:
    from games.rules.commands import Deal, Ready
    from games.rules.setup import Setup

    book = book_of("spit")
    state = book.start(Setup("spit", pace="quick"))
    dealer = RandomDealer(seed)
    for seat, command in (
        (None, Deal(dealer.shuffle(book.to_shuffle(state)))),
        (0, Ready(1)),
        (1, Ready(1)),
        (None, Elapse()),
    ):
        decision = book.decide(state, command, at=state.status.due or 0, seat=seat)
        state = decision.state  # type: ignore[union-attr]
    return state


OUTCOMES = {
    # Does the second card fit on the first one? Who is first? What becomes of the first and of the second command.
    (True, 0): ("played", "played"),
    (True, 1): ("not_adjacent", "played"),
    (False, 0): ("played", "pile_changed"),
    (False, 1): ("played", "pile_changed"),
}


@pytest.mark.parametrize(("fits", "first"), OUTCOMES)
async def test_both_play_on_one_pile(house: House, fits: bool, first: int) -> None:
    """B01, both orders of arrival: the first accepted stays; the second is judged against the new top (G4)."""
    for seed, mine, other in contests(fits, 8):
        house.supervisor.dealer = RandomDealer(seed)
        table = await house.table()
        players = await begin(table)
        order = [(players[0], mine), (players[1], other)]
        if first == 1:
            order.reverse()
        ids = [do(player, play) for player, play in order]
        outcome = []
        for (player, _), name in zip(order, ids, strict=True):
            answer = await player.until(lambda player=player, name=name: player.answer(name))
            outcome.append(answer.get("code") or answer["events"][0]["kind"])
        assert tuple(outcome) == OUTCOMES[fits, first]
        assert await house.folded(table) == table.shown
        for player in players:
            await player.until(
                lambda player=player, table=table: player.state(table.match.setup).seq == table.shown.seq
            )
            assert player.state(table.match.setup).places["centre.0"] == table.shown.places["centre.0"]


async def test_a_lost_race_is_told_and_kept(house: House) -> None:
    """The loser is told who was faster by how much; the log keeps it, and the same is said when asked again (G4)."""
    seed, mine, other = contests(False, 1)[0]
    house.supervisor.dealer = RandomDealer(seed)
    table = await house.table()
    players = await begin(table)
    do(players[0], mine)
    name = do(players[1], other)
    refused = await players[1].message("refused", id=name)
    assert (refused["code"], refused["by"]) == ("pile_changed", 0)
    assert 0 <= refused["late"] < 1000
    # The refusal comes before the event that keeps it, so that no page takes the event for an acceptance.
    missed = await players[1].until(
        lambda: [m for m in players[1].of("events") if m["events"][0].get("command") == name]
    )
    assert players[1].messages.index(refused) < players[1].messages.index(missed[0])
    await house.restart()
    again = Client(await house.supervisor.table(table.match.slug), 1)
    do(again, other, name)
    assert await again.message("refused", id=name) == refused


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
    table._zero -= due
    card = after_turn(table.state)
    name = one.say("play", card=card, to="centre.0")
    await one.until(lambda: one.answer(name))
    kinds = [event.kind.value for event in await house.log(table)]
    assert kinds.index("turned") == 4
    assert (one.answer(name) or {}).get("code") != "not_now"


def after_turn(state: State) -> str:
    return state.places["0.stockpile.1"][-1]
