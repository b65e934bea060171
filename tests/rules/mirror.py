"""The mirror: the same match with the seats exchanged.

The rules favour no seat, so the mirrored commands must give the mirrored log.
Centre piles belong to the seats that start them and are exchanged with them,
but in Speed, where they and the side piles lie left and right (P4).
"""

from msgspec.structs import replace

from games.rules.cards import SECOND, Card, Pile
from games.rules.commands import Command, Deal, End
from games.rules.events import CardMove, Event
from games.rules.setup import Setup
from games.rules.state import Phase, Result, State, Status, Touch

SUITS = str.maketrans("cdhs", "dcsh")


class Mirror:
    def __init__(self, setup: Setup) -> None:
        self.game = setup.game
        self.speed = setup.game == "speed"
        self.dealt_to_seats = 52 - 2 * setup.options.side - 2 if self.speed else 52
        """How many cards of the pack are dealt to the seats in turn."""

    def seat(self, seat: int | None) -> int | None:
        return None if seat is None else 1 - seat

    def place(self, name: str) -> str:
        if name[0] in "01":
            return f"{1 - int(name[0])}{name[1:]}"
        if name.startswith("centre") and not self.speed:
            return f"centre.{1 - int(name[-1])}"
        return name

    def card(self, card: Card) -> Card:
        """The card that is to the other seat what this one is to its own."""
        if self.game == "two_deck":
            return card[:-1] if card.endswith(SECOND) else card + SECOND
        if self.game == "japanese_speed":
            return card[:-1] + card[-1].translate(SUITS)
        return card

    def pile(self, pile: Pile) -> Pile:
        return tuple(map(self.card, pile))

    def order(self, name: str, pile: Pile) -> Pile:
        """A shuffled pack, so that each seat is dealt what the other one was."""
        if name != "pack" or len(pile) != 52:
            return self.pile(pile)
        cards = list(pile)
        for index in range(51, 51 - self.dealt_to_seats, -2):
            cards[index], cards[index - 1] = cards[index - 1], cards[index]
        return tuple(cards)

    def command(self, command: Command) -> Command:
        if isinstance(command, Deal):
            return Deal({self.place(name): self.order(name, pile) for name, pile in command.orders.items()})
        if isinstance(command, End):
            return End(command.cause, self.seat(command.loser))
        changes = {}
        for field in ("to", "place", "pile"):
            name = getattr(command, field, None)
            if name:
                changes[field] = self.place(name)
        if hasattr(command, "card"):
            changes["card"] = self.card(command.card)
        return replace(command, **changes)

    def result(self, result: Result | None) -> Result | None:
        return result and Result(self.seat(result.winner), result.cause)

    def status(self, status: Status) -> Status:
        starts = tuple(name and self.place(name) for name in reversed(status.starts))
        return replace(
            status,
            ready=status.ready[::-1],
            starts=starts,
            alone=self.seat(status.alone),
            chooser=self.seat(status.chooser),
            result=self.result(status.result),
            score=status.score[::-1],
            last=self.result(status.last),
        )

    def event(self, event: Event) -> Event:
        """The mirrored event, but for the order of its moves: see `sorted_moves`."""
        return replace(
            event,
            seat=self.seat(event.seat),
            by=self.seat(event.by),
            moves=tuple(CardMove(self.card(c), self.place(s), self.place(t)) for c, s, t in event.moves),
            status=event.status and self.status(event.status),
            orders=event.orders and {self.place(name): self.order(name, pile) for name, pile in event.orders.items()},
            pile=event.pile and self.place(event.pile),
            place=event.place and self.place(event.place),
            card=event.card and self.card(event.card),
        )

    def state(self, state: State) -> State:
        return replace(
            state,
            status=self.status(state.status),
            places={self.place(name): self.pile(pile) for name, pile in state.places.items()},
            played=state.played[::-1],
            touched={
                self.place(name): tuple(Touch(1 - touch.seat, touch.at) for touch in plays)
                for name, plays in state.touched.items()
            },
            last_player=self.seat(state.last_player),
            warned=self.seat(state.warned),
        )


def sorted_moves(event: Event) -> Event:
    """The event without the order of what happened at one moment."""
    return replace(event, moves=tuple(sorted(event.moves)))


def settled(state: State) -> State:
    """The state without the order of cards that wait to be shuffled."""
    if state.status.phase is Phase.DEALING:
        return replace(state, places={name: tuple(sorted(pile)) for name, pile in state.places.items()})
    return replace(state, places=dict(sorted(state.places.items())))
