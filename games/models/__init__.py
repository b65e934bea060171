"""The stored facts: matches, their seats, their events, their ends, ratings, and what people do about each other.

Events and ends are append-only; the database itself refuses to change them
(`games.migrations`). Ratings can be recomputed from them.
"""

from games.models.lobby import Seek
from games.models.matches import MAX_DELAY, SLUG_ALPHABET, End, Event, Match, Process, Seat, new_slug
from games.models.ratings import ListedMatch, MatchFlag, PlayerMatch, Rating, RatingChange, RatingProgress
from games.models.stands import ChatLine, Muted, Onlooker
from games.models.ties import Block, Follow

__all__ = [
    "MAX_DELAY",
    "SLUG_ALPHABET",
    "Block",
    "ChatLine",
    "End",
    "Event",
    "Follow",
    "ListedMatch",
    "Match",
    "MatchFlag",
    "Muted",
    "Onlooker",
    "PlayerMatch",
    "Process",
    "Rating",
    "RatingChange",
    "RatingProgress",
    "Seat",
    "Seek",
    "new_slug",
]
