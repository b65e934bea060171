"""Classic Spit: S1 to S12, with the variations V1 to V3."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from games.rules.book import CENTRES, Book
from games.rules.cards import (
    ALTERNATING,
    BACK,
    FOLLOWERS,
    PACK,
    Card,
    Pile,
    face_down,
    face_up,
)
from games.rules.commands import Choose, Flip, Move, Play, PlayerCommand, Slap
from games.rules.draft import Draft
from games.rules.events import CardMove, Kind
from games.rules.places import Place, Role
from games.rules.refusals import Code, Refusal
from games.rules.setup import Handling, Setup
from games.rules.state import SEATS, Cause, Phase, State, Status

ROUND_CAP = {5: 40, 4: 120}
"""The most rounds, by the number of stockpiles (G11)."""
SPIT = ("0.spit", "1.spit")


@cache
def stockpiles(seat: int, number: int) -> tuple[str, ...]:
    """The names of a seat's stockpiles, shortest first."""
    return tuple(f"{seat}.stockpile.{index}" for index in range(1, number + 1))


class SpitBook(Book):
    key = "spit"
    choices: ClassVar[Mapping[str, tuple[object, ...]]] = {
        "handling": tuple(Handling),
        "stockpiles": (5, 4),
        "slap": (True, False),
        "alternate": (False, True),
        "best_of": (1, 3, 5),
    }

    def places(self, setup: Setup) -> tuple[Place, ...]:
        return (
            Place(Role.PACK),
            *(
                Place(Role.STOCKPILE, seat, number)
                for seat in SEATS
                for number in range(1, setup.options.stockpiles + 1)
            ),
            *(Place(Role.SPIT, seat) for seat in SEATS),
            *(Place(Role.CENTRE, None, number) for number in SEATS),
        )

    def start(self, setup: Setup) -> State:
        places: dict[str, Pile] = {place.name: () for place in self.places(setup)}
        places[Role.PACK] = tuple(map(face_down, PACK))
        return State(setup, Status(Phase.DEALING), places)

    # Reading the table

    def _own(self, state: State, seat: int) -> tuple[str, ...]:
        return stockpiles(seat, state.setup.options.stockpiles)

    def _layout_count(self, state: State, seat: int) -> int:
        return sum(len(state.places[name]) for name in self._own(state, seat))

    def _is_one_pile(self, state: State) -> bool:
        """Whether this is a one-pile round (S10)."""
        return None in state.status.starts

    def cards_left(self, state: State, seat: int) -> int:
        return self._layout_count(state, seat) + len(state.places[SPIT[seat]])

    def followers(self, state: State) -> Mapping[Card, frozenset[Card]]:
        return ALTERNATING if state.setup.options.alternate else FOLLOWERS

    def is_able(self, state: State, seat: int) -> bool:
        places = state.places
        followers = self.followers(state)
        fitting = [followers[places[name][-1]] for name in CENTRES if places[name]]
        has_space = has_depth = False
        for name in self._own(state, seat):
            pile = places[name]
            if not pile:
                has_space = True
                continue
            card = pile[-1]
            if card[0] == BACK:
                return True
            if len(pile) > 1:
                has_depth = True
            for cards in fitting:
                if card in cards:
                    return True
        return has_space and has_depth

    def legal(self, state: State, seat: int) -> Iterator[PlayerCommand]:
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return
        places = state.places
        number = state.status.round
        own = self._own(state, seat)
        spaces = [name for name in own if not places[name]]
        for name in own:
            if not places[name]:
                continue
            card = places[name][-1]
            if card[0] == BACK:
                yield Flip(number, name)
                continue
            for target in CENTRES:
                if places[target] and self.fits(state, card, places[target][-1]):
                    yield Play(number, card, target)
            for space in spaces:
                yield Move(number, card, space)

    def plays(self, state: State, seat: int) -> set[tuple[Card, str]]:
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return set()
        places = state.places
        followers = self.followers(state)
        tops = {pile[-1] for name in self._own(state, seat) if (pile := places[name])}
        return {(card, target) for target in CENTRES if (pile := places[target]) for card in tops & followers[pile[-1]]}

    # Dealing (S1, S8 to S10)

    def to_shuffle(self, state: State) -> Mapping[str, Pile]:
        if state.places[Role.PACK]:
            return {Role.PACK.value: state.places[Role.PACK]}
        return {name: state.places[name] for name in SPIT if state.places[name]}

    def _deal(self, draft: Draft, orders: Mapping[str, Pile]) -> None:
        draft.add(Kind.SHUFFLED, orders=orders)
        places = draft.state.places
        hands = {seat: list(places[SPIT[seat]]) for seat in SEATS}
        moves: list[CardMove] = []
        for index, card in enumerate(reversed(places[Role.PACK])):
            hands[index % 2].append(card)
            moves.append(CardMove(card, Role.PACK, SPIT[index % 2]))
        for seat in SEATS:
            moves += self._lay_out(hands[seat], SPIT[seat], self._own(draft.state, seat))
        starts = tuple(CENTRES[seat] if hands[seat] else None for seat in SEATS)
        status = draft.state.status
        status = status.afresh(Phase.READY, draft.at, status.round, (starts[0], starts[1]))
        draft.add(Kind.DEALT, moves=tuple(moves), status=status)

    @staticmethod
    def _lay_out(hand: list[Card], source: str, targets: tuple[str, ...]) -> Iterator[CardMove]:
        """Deal row by row, one card to each place, then one to each but the first, and so on (S9).

        With enough cards this is the layout of S1. The last card of each place
        lies face up. Takes the cards off `hand`.
        """
        places = [target for row in range(len(targets)) for target in targets[row:]]
        last = {target: index for index, target in enumerate(places[: len(hand)])}
        for index, target in enumerate(places[: len(hand)]):
            card = hand.pop()
            yield CardMove(face_up(card) if last[target] == index else card, source, target)

    # The turn (S2, S4, S5, S11)

    def _turning(self, state: State) -> list[int]:
        """The seats that turn a card now."""
        return [seat for seat in SEATS if state.places[SPIT[seat]] and state.status.starts[seat]]

    def _can_turn(self, state: State) -> bool:
        return bool(self._turning(state))

    def _spits_alone(self, state: State) -> int | None:
        """The only seat with spit cards, in a round of two piles (S5)."""
        turning = self._turning(state)
        return turning[0] if len(turning) == 1 and not self._is_one_pile(state) else None

    def _turn(self, draft: Draft) -> None:
        state = draft.state
        status = state.status
        moves = [
            CardMove(face_up(state.places[SPIT[seat]][-1]), SPIT[seat], target)
            for seat, target in zip(SEATS, status.starts, strict=True)
            if target is not None and state.places[SPIT[seat]]
        ]
        alone = status.alone
        if alone is None and status.phase is Phase.STUCK:
            # A turn that both agreed on while somebody could play does not take the choice away (S5).
            alone = self._spits_alone(state)
        self._make_turn(draft, tuple(moves), alone)

    def _choose(self, draft: Draft, seat: int, command: Choose) -> Refusal | None:
        state = draft.state
        status = state.status
        if command.pile not in CENTRES:
            return Refusal(Code.NO_SUCH_PLACE)
        if status.phase is Phase.SLAP:
            if status.chooser != seat:
                return Refusal(Code.NOT_NOW)
            self._award(draft, seat, command.pile, by_whom=seat)
            return None
        if status.phase is not Phase.STUCK or self._spits_alone(state) != seat:
            return Refusal(Code.NOT_NOW)
        if status.alone is not None:
            return Refusal(Code.ALREADY)
        starts = (command.pile, status.starts[1]) if seat == 0 else (status.starts[0], command.pile)
        draft.add(Kind.CHOSE, seat=seat, pile=command.pile, status=replace(status, starts=starts, alone=seat))
        return None

    # Plays, moves, flips (S3)

    def _source(self, state: State, seat: int, card: Card) -> str | None:
        """The stockpile of the seat whose top is that card, face up."""
        for name in self._own(state, seat):
            pile = state.places[name]
            if pile and pile[-1] == card:
                return name
        return None

    def _uncover(self, state: State, source: str) -> tuple[CardMove, ...]:
        """The flip of what lies under the top of `source`, when that happens by itself (G12)."""
        pile = state.places[source]
        if len(pile) < 2 or self._by_hand(state):
            return ()
        return (CardMove(face_up(pile[-2]), source, source),)

    def _play(self, draft: Draft, seat: int, command: Play) -> Refusal | None:
        state = draft.state
        card, target = command.card, command.to
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if target not in CENTRES or not state.places[target]:
            return Refusal(Code.NO_SUCH_PLACE)
        source = self._source(state, seat, card)
        if source is None or card[0] == BACK:
            return Refusal(Code.NOT_YOUR_CARD)
        if not self.fits(state, card, state.places[target][-1]):
            return self._fit_refusal(draft, seat, card, source, target)
        self._put(draft, seat, card, source, target, *self._uncover(state, source))
        self._settle(draft, seat)
        return None

    def _move(self, draft: Draft, seat: int, command: Move) -> Refusal | None:
        state = draft.state
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if command.to not in self._own(state, seat):
            return Refusal(Code.NO_SUCH_PLACE)
        source = self._source(state, seat, command.card)
        if source is None or command.card[0] == BACK:
            return Refusal(Code.NOT_YOUR_CARD)
        if state.places[command.to]:
            return Refusal(Code.PLACE_TAKEN)
        moves = (CardMove(command.card, source, command.to), *self._uncover(state, source))
        draft.add(Kind.MOVED, seat=seat, moves=moves)
        self._settle(draft, seat)
        return None

    def _flip(self, draft: Draft, seat: int, command: Flip) -> Refusal | None:
        state = draft.state
        if not self._by_hand(state):
            return Refusal(Code.NOT_IN_THIS_MATCH)
        if state.status.phase not in (Phase.PLAYING, Phase.STUCK):
            return Refusal(Code.NOT_NOW)
        if command.place not in self._own(state, seat):
            return Refusal(Code.NO_SUCH_PLACE)
        pile = state.places[command.place]
        if not pile or pile[-1][0] != BACK:
            return Refusal(Code.NOTHING_THERE)
        draft.add(Kind.FLIPPED, seat=seat, moves=(CardMove(face_up(pile[-1]), command.place, command.place),))
        self._settle(draft, seat)
        return None

    # What follows (S4 to S8, S11)

    def _settle(self, draft: Draft, seat: int) -> None:
        """After an action of `seat`: has it cleared its stockpiles, is the table stuck?"""
        state = draft.state
        if not any(map(state.places.__getitem__, self._own(state, seat))):
            if self._is_one_pile(state):
                draft.add(Kind.CLEARED, seat=seat)
                self._end_round(draft, {1 - seat: self._only_pile(state)})
            else:
                self._open_window(draft, seat)
        elif state.status.phase is Phase.PLAYING and self.is_stuck(state):
            self._blocked(draft)

    def _blocked(self, draft: Draft) -> None:
        """Nobody can act: a turn is due, or the round ends (S4, S6 b, S11)."""
        state = draft.state
        if self._can_turn(state):
            self._say_stuck(draft)
        elif self._is_one_pile(state):
            draft.add(Kind.CLEARED)
            counts = [self._layout_count(state, seat) for seat in SEATS]
            starter = 0 if state.status.starts[0] else 1
            taker = starter if counts[0] == counts[1] else counts.index(max(counts))
            self._end_round(draft, {taker: self._only_pile(state)})
        else:
            self._open_window(draft, None)

    @staticmethod
    def _only_pile(state: State) -> str:
        return state.status.starts[0] or state.status.starts[1] or CENTRES[0]

    def _open_window(self, draft: Draft, seat: int | None) -> None:
        state = draft.state
        chooser = None
        if not state.setup.options.slap:
            # Before any card was played nobody can have played last: then the piles are slapped for.
            chooser = seat if seat is not None else self._fewer(state)
            if chooser is None:
                chooser = state.last_player
        status = replace(
            state.status,
            phase=Phase.SLAP,
            since=draft.at,
            due=draft.at + state.pace.slap,
            ready=(False, False),
            chooser=chooser,
        )
        draft.add(Kind.CLEARED, seat=seat, status=status)

    def _fewer(self, state: State) -> int | None:
        """The seat with fewer stockpile cards, None when equal."""
        counts = [self._layout_count(state, seat) for seat in SEATS]
        return None if counts[0] == counts[1] else counts.index(min(counts))

    def _slap(self, draft: Draft, seat: int, command: Slap) -> Refusal | None:
        status = draft.state.status
        if command.pile not in CENTRES:
            return Refusal(Code.NO_SUCH_PLACE)
        if status.phase is not Phase.SLAP:
            return Refusal(Code.TOO_EARLY if draft.state.setup.options.slap else Code.NOT_IN_THIS_MATCH)
        if status.chooser is not None:
            return Refusal(Code.NOT_IN_THIS_MATCH)
        self._award(draft, seat, command.pile, by_whom=seat)
        return None

    def _fall_due(self, draft: Draft) -> None:
        if draft.state.status.phase is Phase.SLAP:
            self._window_closes(draft)
        else:
            self._turn(draft)

    def _window_closes(self, draft: Draft) -> None:
        """Nobody slapped, or chose, in time (S7, V2)."""
        state = draft.state
        favoured = state.status.chooser if state.status.chooser is not None else self._fewer(state)
        sizes = [len(state.places[name]) for name in CENTRES]
        if favoured is None or sizes[0] == sizes[1]:
            self._award(draft, 0, CENTRES[0], by_whom=None)
        else:
            self._award(draft, favoured, CENTRES[sizes.index(min(sizes))], by_whom=None)

    def _award(self, draft: Draft, seat: int, pile: str, *, by_whom: int | None) -> None:
        """`seat` gets `pile`, the other seat the other one (S7)."""
        draft.add(Kind.SLAPPED, seat=by_whom, pile=None if by_whom is None else pile)
        self._end_round(draft, {seat: pile, 1 - seat: CENTRES[1 - CENTRES.index(pile)]})

    def _end_round(self, draft: Draft, takes: Mapping[int, str]) -> None:
        """Gather each seat's cards; then the match ends (S12, G11) or the next deal is due (S8)."""
        state = draft.state
        moves = [
            CardMove(face_down(card), source, SPIT[seat])
            for seat in SEATS
            for source in (*((takes[seat],) if seat in takes else ()), *self._own(state, seat))
            for card in reversed(state.places[source])
        ]
        left = [len(state.places[SPIT[seat]]) + sum(move.target == SPIT[seat] for move in moves) for seat in SEATS]
        status = state.status
        rounds = status.round - status.first_round + 1
        over = 0 in left or rounds >= ROUND_CAP[state.setup.options.stockpiles]
        status = status.afresh(Phase.DEALING, draft.at, status.round if over else status.round + 1)
        draft.add(Kind.TAKEN, moves=tuple(moves), status=status)
        if 0 in left:
            self._end_game(draft, left.index(0), Cause.OUT_OF_CARDS)
        elif over:
            self._end_by_count(draft, Cause.CAP)
