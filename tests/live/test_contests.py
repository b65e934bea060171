"""Both seats want the same pile (B01): the first accepted stays, the second is judged against the new top (G4)."""

import pytest

from games.live.table import Table
from games.rules.commands import Deal, Elapse, Play, Ready
from games.rules.registry import book_of
from games.rules.setup import Setup
from games.rules.state import Phase, State
from games.shuffling import RandomDealer
from tests.live.support import Client, House, begin, do, plays

PAIRS = 200


def contests(fits: bool, number: int) -> list[tuple[int, Play, Play]]:
    """Deals after whose first turn both seats want one pile: the seed, and the two plays.

    Either the second card fits on the first one (then it does not fit on what
    lies there now), or both fit now (then neither fits on the other).
    """
    found = []
    book = book_of("spit")
    for seed in range(5_000):
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
    book = book_of("spit")
    state = book.start(Setup("spit", pace="calm"))
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


async def contest(house: House, seed: int, mine: Play, other: Play, first: int) -> tuple[str, ...]:
    """Both play in the same millisecond; what becomes of the first and of the second command, the same for all."""
    house.supervisor.dealer = RandomDealer(seed)
    table = await house.table()
    players = await begin(table)
    watcher = Client(table)
    before = table.state
    order = [(players[0], mine), (players[1], other)]
    if first == 1:
        order.reverse()
    ids = [do(player, play) for player, play in order]
    outcome = []
    for (player, _), name in zip(order, ids, strict=True):
        answer = await player.until(lambda player=player, name=name: player.answer(name))
        outcome.append(answer.get("code") or answer["events"][0]["kind"])
    await house.supervisor.journal.flushed()
    same_everywhere(table, (*players, watcher), await house.folded(table))
    # In the order in which they came, whoever was refused with the card back where it lay.
    assert [event.command for event in await house.log(table) if event.command in ids and event.kind == "played"] == [
        name for name, kind in zip(ids, outcome, strict=True) if kind == "played"
    ]
    for (player, play), kind in zip(order, outcome, strict=True):
        (source,) = (name for name, pile in before.places.items() if pile and pile[-1] == play.card)
        assert source.startswith(f"{player.seat}.stockpile")
        if kind != "played":
            assert table.shown.places[source] == before.places[source]
    return tuple(outcome)


def same_everywhere(table: Table, clients: tuple[Client, ...], folded: State) -> None:
    """Log, table and every screen agree: tops, counts, status; and each card is in one place."""
    assert folded == table.shown == table.state
    for client in clients:
        screen = client.state(table.match.setup)
        assert screen.status == folded.status
        assert screen.seq == folded.seq
        for name, pile in folded.places.items():
            assert len(screen.places[name]) == len(pile)
            assert [card for card in screen.places[name] if card[0] != "-"] == [c for c in pile if c[0] != "-"]
    cards = [card.removeprefix("-") for pile in folded.places.values() for card in pile]
    assert len(cards) == len(set(cards)) == 52


@pytest.mark.parametrize("fits", [True, False])
async def test_b01_both_play_on_one_pile_at_once(house: House, fits: bool) -> None:
    """100 pairs in which the second card fits on the first one, 100 in which it does not any more."""
    pairs = contests(fits, PAIRS // 2)
    for number, (seed, mine, other) in enumerate(pairs):
        first = 0 if fits else number % 2
        assert await contest(house, seed, mine, other, first) == OUTCOMES[fits, first]


async def test_b01_a_card_that_came_before_the_one_it_fits_on(house: House) -> None:
    for seed, mine, other in contests(True, 8):
        assert await contest(house, seed, mine, other, 1) == OUTCOMES[True, 1]


async def test_b01_a_play_elsewhere_is_not_refused_because_the_game_moved_on(house: House) -> None:
    """The second seat saw the table before the first one's play, and plays on the other pile."""
    found = 0
    for seed in range(5_000):
        state = after_first_turn(seed)
        pairs = [(a, b) for a in plays(state, 0) for b in plays(state, 1) if a.to != b.to]
        if state.status.phase is not Phase.PLAYING or not pairs:
            continue
        assert await contest(house, seed, *pairs[0], found % 2) == ("played", "played")
        found += 1
        if found == 20:
            return
    raise AssertionError("not enough deals")


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
    again = Client(await house.restarted(table), 1)
    do(again, other, name)
    assert await again.message("refused", id=name) == refused
