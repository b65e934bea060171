"""Who must not be brought together. The one place that decides it, for pairing, challenges and invitations alike."""

from collections.abc import Collection

from games.ties import blocked_pairs


def kept_apart(users: Collection[int]) -> set[frozenset[int]]:
    """The pairs among these people who are not to meet, whoever of the two wants it so; each a set of two ids.

    One call for all of them: pairing asks once for everybody who waits.
    """
    return blocked_pairs(users)


def may_meet(one: int, other: int) -> bool:
    """Whether these two may be brought together. Nobody meets himself."""
    return one != other and frozenset((one, other)) not in kept_apart((one, other))
