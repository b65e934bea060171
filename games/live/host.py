"""What a table asks of those around it: its process, and the ends of other processes at its match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from games.live.hub import Elsewhere
from games.live.match_info import Loaded

if TYPE_CHECKING:
    from games.live.table import Table


class Host(Protocol):
    """What a table asks of its process (`games.live.supervisor`)."""

    @property
    def is_sure(self) -> bool:
        """Whether the process may still take its matches for its own (`games.live.ownership`)."""

    async def keeps(self, slug: str) -> bool:
        """Whether the match is still this process's own."""

    async def reload(self, slug: str) -> Loaded:
        """The match as the database has it."""

    def overtaken(self, table: Table) -> None:
        """Another process has the match."""

    async def rematch(self, slug: str, begin: bool) -> str | None:
        """Begin the rematch of a match that is over, or only look whether there can be one (`rematch.Maker`)."""

    def over(self, table: Table) -> None:
        """The match is over, and the database knows."""

    def deserted(self, table: Table) -> None:
        """The last socket has left."""

    def lost(self, table: Table) -> None:
        """The table cannot go on: its match cannot be read."""


class Leaving(Elsewhere, Protocol):
    """Those whose sockets are in another process."""

    def leave(self) -> None:
        """All of them go."""
