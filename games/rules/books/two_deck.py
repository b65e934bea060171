"""Two-deck Spit: D1 to D5."""

from collections.abc import Mapping
from typing import ClassVar

from games.rules.book import CENTRES
from games.rules.books.rows import RowBook
from games.rules.cards import PACK, SECOND_PACK, Card, Pile, face_down, face_up
from games.rules.draft import Draft
from games.rules.events import Kind
from games.rules.places import Place, Role
from games.rules.setup import Handling, Setup
from games.rules.state import SEATS, Cause, Phase, State, Status


class TwoDeckBook(RowBook):
    key = "two_deck"
    choices: ClassVar[Mapping[str, tuple[object, ...]]] = {"handling": tuple(Handling), "best_of": (1, 3, 5)}
    row = Role.ROW
    reserve = Role.DECK
    width = 4
    packs: ClassVar[tuple[Pile, Pile]] = (PACK, SECOND_PACK)
    """By seat: the cards that it begins with (D1)."""

    def places(self, setup: Setup) -> tuple[Place, ...]:
        return (*self._own_places(), *(Place(Role.CENTRE, None, number) for number in SEATS))

    def start(self, setup: Setup) -> State:
        places: dict[str, Pile] = {place.name: () for place in self.places(setup)}
        for deck, pack in zip(self.reserves, self.packs, strict=True):
            places[deck] = tuple(map(face_down, pack))
        return State(setup, Status(Phase.DEALING), places)

    def _home(self, card: Card) -> str:
        return self.reserves[0 if face_up(card) in self.packs[0] else 1]

    # Dealing (D1)

    def to_shuffle(self, state: State) -> Mapping[str, Pile]:
        return {deck: state.places[deck] for deck in self.reserves}

    def _deal(self, draft: Draft, orders: Mapping[str, Pile]) -> None:
        draft.add(Kind.SHUFFLED, orders=orders)
        moves = tuple(
            move
            for seat, deck in enumerate(self.reserves)
            for move in self._lay_out(seat, deck, list(draft.state.places[deck]))
        )
        status = draft.state.status
        status = status.afresh(Phase.READY, draft.at, status.round, CENTRES)
        draft.add(Kind.DEALT, moves=moves, status=status)

    # The turn (D2, D4, D5)

    def _turning(self, state: State) -> list[int]:
        return [seat for seat in SEATS if state.places[self.reserves[seat]]]

    def _can_turn(self, state: State) -> bool:
        return bool(self._turning(state))

    def _turn(self, draft: Draft) -> None:
        state = draft.state
        turning = self._turning(state)
        moves = tuple(self._draw(state, seat, CENTRES[seat]) for seat in turning)
        # By hand, a turn that both agreed on may take the last card of a seat with an empty row.
        out = [seat for seat in turning if self.cards_left(state, seat) == 1]
        if out:
            draft.add(Kind.TURNED, moves=moves)
            self._end_game(draft, out[0] if len(out) == 1 else None, Cause.OUT_OF_CARDS)
        else:
            self._make_turn(draft, moves)

    def _blocked(self, draft: Draft) -> None:
        if self._can_turn(draft.state):
            self._say_stuck(draft)
        else:
            self._end_by_count(draft, Cause.FEWER_CARDS)
