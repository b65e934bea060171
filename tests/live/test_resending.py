"""B02: one effect for each intent, however often it is clicked or sent."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from games.live.table import Table
from games.rules.commands import Flip, Move, PlayerCommand, Refill
from games.rules.registry import book_of
from games.rules.state import SEATS, Phase, State
from tests.live.support import REMATCH, Client, House, begin, do, moves, play_on, plays

TIMES = 5


class Intent(NamedTuple):
    """A command that somebody means, and the event that it makes."""

    name: str
    event: str
    when: Callable[[State], tuple[int, dict[str, Any]] | None]
    """The seat that can give it now, and what it carries; None: not now."""
    match: dict[str, Any]


def in_phase(phase: Phase, **fields: Any) -> Callable[[State], tuple[int, dict[str, Any]] | None]:
    return lambda state: (state.status.chooser or 0, fields) if state.status.phase is phase else None


def legal(kind: type[PlayerCommand]) -> Callable[[State], tuple[int, dict[str, Any]] | None]:
    """One of that kind that a seat can give; of moves one that turns up a card."""

    def found(state: State) -> tuple[int, dict[str, Any]] | None:
        if state.status.phase is not Phase.PLAYING:
            return None
        for seat in SEATS:
            able = moves(state, seat) if kind is Move else list(book_of(state.setup.game).legal(state, seat))
            for command in able:
                if isinstance(command, kind):
                    names = ("card", "to") if isinstance(command, Move) else ("place",)
                    return seat, {name: getattr(command, name) for name in names}
        return None

    return found


def a_play(state: State) -> tuple[int, dict[str, Any]] | None:
    if state.status.phase is not Phase.PLAYING:
        return None
    return next(((seat, {"card": p.card, "to": p.to}) for seat in SEATS for p in plays(state, seat)), None)


BY_HAND = {"handling": "by_hand"}
INTENTS = [
    Intent("ready", "readied", in_phase(Phase.READY), {"pace": "normal"}),
    Intent("spit", "called", in_phase(Phase.PLAYING), {}),
    Intent("play", "played", a_play, {}),
    Intent("move", "moved", legal(Move), {}),
    Intent("flip", "flipped", legal(Flip), {"options": BY_HAND}),
    Intent("refill", "refilled", legal(Refill), {"game": "speed", "options": BY_HAND}),
    Intent("slap", "slapped", in_phase(Phase.SLAP, pile="centre.0"), {}),
    Intent("choose", "slapped", in_phase(Phase.SLAP, pile="centre.1"), {"options": {"slap": False}}),
]


def assert_conserved(table: Table) -> None:
    cards = [card.removeprefix("-") for pile in table.shown.places.values() for card in pile]
    assert len(cards) == len(set(cards)) == 52


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
async def test_b02_sent_again_and_clicked_twice(house: House, intent: Intent) -> None:
    """Five times under one id, and once more under another, as a second click has it."""
    table = await house.table(**intent.match)
    players = (Client(table, 0), Client(table, 1)) if intent.name == "ready" else await begin(table)
    await play_on(table, players, lambda state: intent.when(state) is not None)
    await house.supervisor.journal.flushed()
    found = intent.when(table.state)
    assert found is not None
    seat, fields = found
    client = players[seat]
    number = table.state.status.round
    for _ in range(TIMES):
        client.say(intent.name, "the-one", round=number, **fields)
    client.say(intent.name, "the-second-click", round=number, **fields)
    await client.message("refused", id="the-second-click")
    await client.until(lambda: len([m for m in client.of("ack") if m["id"] == "the-one"]) == TIMES - 1)
    log = await house.log(table)
    (done,) = (event for event in log if event.command == "the-one")
    assert done.kind == intent.event
    assert {message["seq"] for message in client.of("ack") if message["id"] == "the-one"} == {log.index(done) + 1}
    assert "the-second-click" not in {event.command for event in log}
    assert_conserved(table)
    assert await house.folded(table) == table.shown


async def test_b02_two_cards_on_one_pile_at_once(house: House) -> None:
    """Both fit when they are clicked; the second does not on the first: it stays, and nothing is lost."""
    for _ in range(30):
        table = await house.table()
        players = await begin(table)

        def pair(state: State) -> list[Any]:
            fitting = [plays(state, 0), plays(state, 1)] if state.status.phase is Phase.PLAYING else []
            return [
                (one, two) for own in fitting for one in own for two in own if one.to == two.to and one.card < two.card
            ]

        await play_on(table, players, lambda state: bool(pair(state)))
        if pair(table.state):
            break
    first, second = pair(table.state)[0]
    client = players[0] if first in plays(table.state, 0) else players[1]
    lay = next(name for name, pile in table.state.places.items() if pile and pile[-1] == second.card)
    names = do(client, first), do(client, second)
    assert (await client.message("refused", id=names[1]))["code"] == "not_adjacent"
    answer = await client.until(lambda: client.answer(names[0]))
    assert answer["events"][0]["kind"] == "played"
    assert table.shown.places[lay][-1] == second.card
    assert_conserved(table)


async def test_b02_resigning_twice_and_a_rematch_for_all_the_clicks(house: House) -> None:
    made = house.make_rematches()
    table = await house.table()
    one, two = await begin(table)
    for _ in range(TIMES):
        one.say("resign", "enough")
    one.say("resign", "enough-again")
    await one.message("refused", id="enough-again", code="game_over")
    assert len(one.of("ack")) == TIMES - 1
    assert [event.kind for event in await house.log(table)].count("ended") == 1  # type: ignore[comparison-overlap]
    assert len(await house.ends(table)) == 1
    for client in (one, two):
        for _ in range(TIMES):
            client.say("rematch", "again")
        client.say("rematch", "again-2")
    for client in (one, two):
        await client.message("rematch", url=REMATCH)
        await client.until(lambda client=client: len([m for m in client.of("ack") if m["id"] == "again"]) == TIMES)
    assert made == [table.match.slug]
