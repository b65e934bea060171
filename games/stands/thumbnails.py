"""What a thumbnail of a match shows: no more than fits on it, and no more than a watcher may see (G9)."""

from games.rules.book import CENTRES
from games.rules.registry import BOOKS
from games.rules.state import SEATS, State
from games.rules.view import Audience, redacted

Thumbnail = tuple[int | str | None, ...]
"""The number of the last event, the round, the phase; the cards left, by seat; the tops of the centre piles, from left
to right as seat 0 sees them, None where nothing lies open."""


def thumbnail(state: State) -> Thumbnail:
    seen = redacted(state, Audience.WATCHERS)
    book = BOOKS[state.setup.game]
    tops = [seen.places[name][-1] if seen.places.get(name) else None for name in CENTRES]
    return (
        seen.seq,
        seen.status.round,
        seen.status.phase.value,
        *(book.cards_left(seen, seat) for seat in SEATS),
        *(None if top is None or top[0] == "-" else top for top in tops),
    )
