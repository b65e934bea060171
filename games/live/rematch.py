"""Talk of a rematch, after the end of a match."""

from collections.abc import Callable

from games.live.protocol import RematchOffer

Maker = Callable[[str, bool], str | None]
"""`(slug, begin)`: makes the rematch of the match with that slug and gives the address of its page. Without `begin` it
only looks whether there can be one; the address then, if there is one already. Runs in a thread.

:raises Gone: there can be none.
"""


class Gone(Exception):
    """Somebody who played the match is not there any more."""


class RematchTalk:
    """Who has offered a rematch, and where it begins. Both have to want it."""

    __slots__ = ("_is_beginning", "offered_by", "url")

    def __init__(self, url: str | None) -> None:
        self.offered_by: int | None = None
        self.url = url
        """The page of the rematch, once there is one."""
        self._is_beginning = False

    @property
    def message(self) -> RematchOffer | None:
        """What somebody who comes in has to know."""
        if self.offered_by is None and self.url is None:
            return None
        return RematchOffer(self.offered_by, self.url)

    def is_news(self, seat: int) -> bool:
        """Whether a wish of this seat would change anything."""
        return self.url is None and self.offered_by != seat

    def offer(self, seat: int) -> bool:
        """The seat wants one. Whether that was news."""
        if self.offered_by is not None:
            return False
        self.offered_by = seat
        return True

    def accepts(self, seat: int) -> bool:
        """Whether this seat's wish is the second one, and the rematch has to be made now, once."""
        if self._is_beginning or self.url is not None or self.offered_by in (None, seat):
            return False
        self._is_beginning = True
        return True

    def begun(self, url: str | None) -> None:
        """It was made; or could not be (None), and may be wished for again."""
        self._is_beginning = False
        self.url = url
        if url is None:
            self.offered_by = None
