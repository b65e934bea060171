"""Who follows whom, and who wants nothing to do with whom."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils.module_loading import import_string

from games.models import Block, Follow

Player = Any
"""A user of the site, or somebody who is not signed in; whatever has a `pk`."""


def is_blocked(one: Player, other: Player) -> bool:
    """Whether either of the two has blocked the other: no pairing, no challenge, no chat. One query."""
    if one is None or other is None or one.pk is None or other.pk is None:
        return False
    return Block.objects.filter(Q(blocker=one.pk, blocked=other.pk) | Q(blocker=other.pk, blocked=one.pk)).exists()


def may_meet(one: Player, other: Player) -> bool:
    """Whether the two may be paired, challenge each other, or sit down at one table. Nobody meets himself (B38)."""
    is_oneself = one is not None and other is not None and one.pk is not None and one.pk == other.pk
    return not is_oneself and not is_blocked(one, other)


def takes_challenges(player: Player, by: Player) -> bool:
    """Whether somebody wants to be challenged by that person, who may be nobody yet: their own choice."""
    wish = _chosen("challenges", [player.pk]).get(player.pk)
    if wish == "followed":
        return by is not None and by.pk is not None and follows(player, by)
    return wish != "nobody"


def hidden_ids(users: Iterable[int]) -> set[int]:
    """The ids of those among these people of whom nobody is to see that they are here. One query."""
    return {pk for pk, wish in _chosen("online", users).items() if wish == "no"}


def _chosen(name: str, users: Iterable[int]) -> dict[int, str]:
    found: dict[int, str] = import_string(settings.CHOSEN)(name, list(users))
    return found


def blocked_ids(user: Player, among: Iterable[int] | None = None) -> set[int]:
    """The ids of all whom this person has blocked or was blocked by; of those `among`, if given. One query.

    For many at once: whoever pairs people, or sends a line of chat to a table.
    """
    if user is None or user.pk is None:
        return set()
    mine, theirs = Q(blocker=user.pk), Q(blocked=user.pk)
    if among is not None:
        ids = list(among)
        mine, theirs = mine & Q(blocked__in=ids), theirs & Q(blocker__in=ids)
    pairs = Block.objects.filter(mine | theirs).values_list("blocker", "blocked")
    return {other if one == user.pk else one for one, other in pairs}


def apart_from(users: Iterable[int]) -> dict[int, set[int]]:
    """For each of these people the ids of all whom they have blocked or were blocked by. One query."""
    found: dict[int, set[int]] = {user: set() for user in users}
    pairs = Block.objects.filter(Q(blocker__in=found) | Q(blocked__in=found)).values_list("blocker", "blocked")
    for one, other in pairs:
        for own, apart in ((one, other), (other, one)):
            if own in found:
                found[own].add(apart)
    return found


def blocked_pairs(users: Iterable[int]) -> set[frozenset[int]]:
    """The pairs among these people that must not meet. One query."""
    ids = list(users)
    pairs = Block.objects.filter(blocker__in=ids, blocked__in=ids).values_list("blocker", "blocked")
    return {frozenset(pair) for pair in pairs}


def has_blocked(user: Player, other: Player) -> bool:
    return user.pk is not None and Block.objects.filter(blocker=user.pk, blocked=other.pk).exists()


def follows(user: Player, other: Player) -> bool:
    return user.pk is not None and Follow.objects.filter(follower=user.pk, followed=other.pk).exists()


def follow(user: Player, other: Player) -> bool:
    """Whether they follow now: nobody follows himself, or somebody who is blocked or has blocked them."""
    if not may_meet(user, other):
        return False
    Follow.objects.get_or_create(follower=user, followed=other)
    return True


def unfollow(user: Player, other: Player) -> None:
    Follow.objects.filter(follower=user, followed=other).delete()


def block(user: Player, other: Player) -> bool:
    """Whether they are blocked now. Neither follows the other any more."""
    if user.pk == other.pk:
        return False
    with transaction.atomic():
        Block.objects.get_or_create(blocker=user, blocked=other)
        Follow.objects.filter(Q(follower=user, followed=other) | Q(follower=other, followed=user)).delete()
    return True


def unblock(user: Player, other: Player) -> None:
    Block.objects.filter(blocker=user, blocked=other).delete()
