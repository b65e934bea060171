"""Moments of a finished match, for pictures of them."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from games.models import Match
from games.people import name_of
from games.rules.log import states
from games.rules.registry import book_of
from games.rules.state import SEATS, Phase, State
from games.rules.view import View
from games.verification import read_rows, rows_of
from replays.build import end_of
from replays.drawing import Sitter
from replays.timeline import open_view


class Moment(Struct, frozen=True):
    """What a picture shows."""

    at: int
    view: View
    sitters: tuple[Sitter, Sitter]

    @property
    def clock(self) -> str:
        """The time as it is written, to the millisecond."""
        return f"{self.at // 60_000}:{self.at // 1000 % 60:02}.{self.at % 1000:03}"


class Course:
    """The table at any time of a finished match.

    :raises NotOver: the match is not over; nothing of it may be shown (G9).
    """

    def __init__(self, match: Match) -> None:
        end_of(match)
        self.setup = match.setup
        self.events, _ = read_rows(rows_of(match))
        self.names = [name_of(seat) for seat in match.seats.select_related("user").order_by("number")]
        self._times = [event.at for event in self.events]

    @property
    def end(self) -> int:
        return self._times[-1] if self._times else 0

    def best(self) -> int:
        """A time that makes a good picture of the whole: in the middle of the match, while cards are played."""
        middle = bisect_right(self._times, self.end // 2)
        for state in islice(states(self.setup, self.events), middle, None):
            if state.status.phase is Phase.PLAYING and state.played != (0, 0):
                return state.at
        return self.end

    def moment(self, at: int) -> Moment:
        """The table at a time, which is brought within the match."""
        return next(self.moments([at]))

    def moments(self, times: Sequence[int]) -> Iterator[Moment]:
        """The table at each of these times.

        :param times: in order.
        """
        course = states(self.setup, self.events)
        state = next(course)
        seq = 0
        for asked in times:
            at = min(max(asked, 0), self.end)
            until = bisect_right(self._times, at)
            while seq < until:
                state = next(course)
                seq += 1
            yield Moment(at, open_view(state), self._sitters(state))

    def _sitters(self, state: State) -> tuple[Sitter, Sitter]:
        book = book_of(self.setup.game)
        one, two = (Sitter(self.names[seat], book.cards_left(state, seat)) for seat in SEATS)
        return one, two

    def times_between(self, start: int, end: int, step: int, most: int) -> list[int]:
        """Times at which a clip of a part has a picture: one for each change, none sooner than `step` ms after the one
        before, and none later than `most` ms after it."""
        times = [start]
        changes = self._times[bisect_right(self._times, start) : bisect_right(self._times, end)]
        for at in [*changes, end]:
            while at - times[-1] > most:
                times.append(times[-1] + most)
            if at - times[-1] >= step:
                times.append(at)
            elif at > times[-1] and len(times) > 1:
                times[-1] = at
        return times
