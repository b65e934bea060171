"""Speed: P1 to P6, with the variation V4."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from games.rules.book import CENTRES
from games.rules.books.rows import RowBook
from games.rules.cards import NEIGHBOURS, PACK, Card, Pile, face_down, face_up
from games.rules.draft import Draft
from games.rules.events import CardMove, Kind
from games.rules.places import Place, Role
from games.rules.setup import Handling, Options, Setup
from games.rules.state import SEATS, Cause, Phase, State, Status

SIDES = ("side.0", "side.1")
"""The side piles; the first one is the left one, as seat 0 sits (P4)."""
MOST_RESHUFFLES = 10
"""The most reshuffles of a game (G11)."""


class SpeedBook(RowBook):
    key = "speed"
    choices: ClassVar[Mapping[str, tuple[object, ...]]] = {
        "handling": tuple(Handling),
        "side": (10, 5),
        "best_of": (1, 3, 5),
        "target": (0, 10, 25, 50),
    }
    defaults = Options(best_of=3)
    row = Role.HAND
    reserve = Role.STOCK
    width = 5

    def places(self, setup: Setup) -> tuple[Place, ...]:
        return (
            Place(Role.PACK),
            *self._own_places(),
            *(Place(Role.SIDE, None, number) for number in SEATS),
            *(Place(Role.CENTRE, None, number) for number in SEATS),
        )

    def start(self, setup: Setup) -> State:
        places: dict[str, Pile] = {place.name: () for place in self.places(setup)}
        places[Role.PACK] = tuple(map(face_down, PACK))
        return State(setup, Status(Phase.DEALING), places)

    # Dealing (P1), and dealing new side piles (P4)

    def to_shuffle(self, state: State) -> Mapping[str, Pile]:
        return {Role.PACK.value: state.places[Role.PACK]}

    def _deal(self, draft: Draft, orders: Mapping[str, Pile]) -> None:
        pack = list(orders[Role.PACK])
        draft.add(Kind.SHUFFLED, orders=orders)
        status = draft.state.status
        if len(pack) == len(PACK):
            moves = tuple(self._first_deal(pack, draft.state.setup.options.side))
            draft.add(Kind.DEALT, moves=moves, status=status.afresh(Phase.READY, draft.at, status.round))
        else:
            moves = tuple(CardMove(card, Role.PACK, SIDES[index % 2]) for index, card in enumerate(reversed(pack)))
            status = replace(status, phase=Phase.STUCK, reshuffles=status.reshuffles + 1)
            draft.add(Kind.RESHUFFLED, moves=moves, status=status)
            self._turn(draft)

    def _first_deal(self, pack: list[Card], side: int) -> Iterator[CardMove]:
        for name in (target for targets in zip(*self.rows, strict=True) for target in targets):
            yield CardMove(face_up(pack.pop()), Role.PACK, name)
        shared = 2 * side + len(CENTRES)
        for index in range(len(pack) - shared):
            yield CardMove(pack.pop(), Role.PACK, self.reserves[index % 2])
        for index in range(2 * side):
            yield CardMove(pack.pop(), Role.PACK, SIDES[index % 2])
        for name in CENTRES:
            yield CardMove(pack.pop(), Role.PACK, name)

    # The turn (P2 to P4)

    def _can_turn(self, state: State) -> bool:
        if state.places[SIDES[0]] or state.places[SIDES[1]]:
            return True
        return state.status.reshuffles < MOST_RESHUFFLES

    def _turn(self, draft: Draft) -> None:
        state = draft.state
        places = state.places
        if state.status.phase is Phase.COUNTDOWN:
            self._make_turn(draft, tuple(CardMove(face_up(places[name][-1]), name, name) for name in CENTRES))
            return
        moves = tuple(
            CardMove(face_up(places[side][-1]), side, centre)
            for side, centre in zip(SIDES, CENTRES, strict=True)
            if places[side]
        )
        if moves:
            self._make_turn(draft, moves)
        else:
            status = replace(state.status, phase=Phase.DEALING, since=draft.at, due=None)
            draft.add(Kind.GATHERED, moves=tuple(self._under_the_tops(state)), status=status)

    def _under_the_tops(self, state: State) -> Iterator[CardMove]:
        """The cards under the tops into the pack; each top waits beside its pile meanwhile."""
        for side, centre in zip(SIDES, CENTRES, strict=True):
            *under, top = state.places[centre]
            yield CardMove(top, centre, side)
            for card in reversed(under):
                yield CardMove(face_down(card), centre, Role.PACK)
            yield CardMove(top, side, centre)

    # No way on (P5, G11)

    def _blocked(self, draft: Draft) -> None:
        state = draft.state
        if self._is_dead(state):
            self._end_by_count(draft, Cause.FEWER_CARDS)
        elif self._can_turn(state):
            self._say_stuck(draft)
        else:
            self._end_by_count(draft, Cause.CAP)

    def _is_dead(self, state: State) -> bool:
        """Whether no card of either hand lies next to any card that could ever be turned (P5)."""
        places = state.places
        ranks = {face_up(card)[0] for name in (*SIDES, *CENTRES) for card in places[name]}
        hands = [card for names in self.rows for name in names for card in places[name]]
        return not any(rank in ranks for card in hands for rank in NEIGHBOURS[card[0]])
