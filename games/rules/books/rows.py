"""What two-deck Spit and Speed share: a row of single cards, filled up from a reserve."""

from collections.abc import Iterator
from typing import ClassVar

from games.rules.book import CENTRES, Book
from games.rules.cards import Card, face_up
from games.rules.commands import Play, PlayerCommand, Refill
from games.rules.draft import Draft
from games.rules.events import CardMove, Kind
from games.rules.places import Place, Role
from games.rules.refusals import Code, Refusal
from games.rules.state import SEATS, Cause, Phase, State


class RowBook(Book):
    """A game in which each seat plays from a row of single cards and fills it up from a reserve."""

    row: ClassVar[Role]
    """What the places of the row are called."""
    reserve: ClassVar[Role]
    """What the seat's face-down reserve is called."""
    width: ClassVar[int]
    """The most cards in the row."""

    def __init__(self) -> None:
        numbers = range(1, self.width + 1)
        self.rows = tuple(tuple(Place(self.row, seat, number).name for number in numbers) for seat in SEATS)
        """By seat: the names of the places of its row."""
        self.reserves = tuple(Place(self.reserve, seat).name for seat in SEATS)
        """By seat: the name of its reserve."""

    def _own_places(self) -> tuple[Place, ...]:
        return (
            *(Place(self.row, seat, number) for seat in SEATS for number in range(1, self.width + 1)),
            *(Place(self.reserve, seat) for seat in SEATS),
        )

    # Reading the table

    def cards_left(self, state: State, seat: int) -> int:
        places = state.places
        return sum(len(places[name]) for name in self.rows[seat]) + len(places[self.reserves[seat]])

    def _has_cards(self, state: State, seat: int) -> bool:
        """Whether there are cards left: cheaper than counting them, after each play."""
        places = state.places
        return bool(places[self.reserves[seat]]) or any(map(places.__getitem__, self.rows[seat]))

    def is_able(self, state: State, seat: int) -> bool:
        places = state.places
        followers = self.followers(state)
        fitting = [followers[places[name][-1]] for name in CENTRES]
        # With automatic handling there is never both a gap and a reserve.
        has_reserve = bool(places[self.reserves[seat]])
        for name in self.rows[seat]:
            if not places[name]:
                if has_reserve:
                    return True
                continue
            card = places[name][0]
            for cards in fitting:
                if card in cards:
                    return True
        return False

    def legal(self, state: State, seat: int) -> Iterator[PlayerCommand]:
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return
        places = state.places
        number = state.status.round
        for name in self.rows[seat]:
            if not places[name]:
                if places[self.reserves[seat]]:
                    yield Refill(number, name)
                continue
            card = places[name][0]
            for target in CENTRES:
                if self.fits(state, card, places[target][-1]):
                    yield Play(number, card, target)

    def plays(self, state: State, seat: int) -> set[tuple[Card, str]]:
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return set()
        places = state.places
        followers = self.followers(state)
        cards = {pile[0] for name in self.rows[seat] if (pile := places[name])}
        return {(card, target) for target in CENTRES for card in cards & followers[places[target][-1]]}

    # Plays, refills (D3, P2)

    def _draw(self, state: State, seat: int, place: str) -> CardMove:
        reserve = self.reserves[seat]
        return CardMove(face_up(state.places[reserve][-1]), reserve, place)

    def _play(self, draft: Draft, seat: int, command: Play) -> Refusal | None:
        state = draft.state
        card, target = command.card, command.to
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if target not in CENTRES:
            return Refusal(Code.NO_SUCH_PLACE)
        source = self._source(state, seat, card)
        if source is None:
            return Refusal(Code.NOT_YOUR_CARD)
        if not self.fits(state, card, state.places[target][-1]):
            return self._fit_refusal(draft, seat, card, source, target)
        if self._by_hand(state) or not state.places[self.reserves[seat]]:
            self._put(draft, seat, card, source, target)
        else:
            self._put(draft, seat, card, source, target, self._draw(state, seat, source))
        self._settle(draft, seat)
        return None

    def _source(self, state: State, seat: int, card: Card) -> str | None:
        """The place of the seat's row that holds that card."""
        for name in self.rows[seat]:
            if state.places[name] == (card,):
                return name
        return None

    def _refill(self, draft: Draft, seat: int, command: Refill) -> Refusal | None:
        state = draft.state
        if not self._by_hand(state):
            return Refusal(Code.NOT_IN_THIS_MATCH)
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if command.place not in self.rows[seat]:
            return Refusal(Code.NO_SUCH_PLACE)
        if state.places[command.place]:
            return Refusal(Code.PLACE_TAKEN)
        if not state.places[self.reserves[seat]]:
            return Refusal(Code.NOTHING_THERE)
        draft.add(Kind.REFILLED, seat=seat, moves=(self._draw(state, seat, command.place),))
        self._settle(draft, seat)
        return None

    # What follows (D5, P6)

    def _settle(self, draft: Draft, seat: int) -> None:
        """After an action of `seat`: has it won, is the table stuck?"""
        state = draft.state
        if not self._has_cards(state, seat):
            self._end_game(draft, seat, Cause.OUT_OF_CARDS)
        elif state.status.phase is Phase.PLAYING and self.is_stuck(state):
            self._blocked(draft)

    def _lay_out(self, seat: int, source: str, hand: list[Card]) -> Iterator[CardMove]:
        """The cards of the row, face up. Takes them off `hand`."""
        for name in self.rows[seat]:
            yield CardMove(face_up(hand.pop()), source, name)
