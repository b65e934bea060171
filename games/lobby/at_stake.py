"""What accepting a rated challenge would do to the rating of whoever may, in words; and what of it pages were told.

A full lobby has a thousand pages and fifty challenges. Nothing of the fifty thousand is done again while nothing is
new, and none of it in the event loop.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from django.contrib.auth import get_user_model
from msgspec import Struct

from games.lobby.board import Board
from games.lobby.frames import Stakes, encode
from games.lobby.services import is_guest
from games.models import Seek
from games.ratings.stake import stakes

LASTS: Final = 120.0
"""Seconds after which it is worked out anew for somebody at the latest: ratings have changed meanwhile."""
AT_ONCE: Final = 2_000
"""So many pairs of a person and a challenge are worked out in one look; what is more waits for the next."""

Wanted = Iterable[tuple[int, Seek]]
"""Ids of people, each with a challenge that is shown to them."""


class Told(Struct, frozen=True):
    """What somebody is told."""

    texts: Mapping[int, str]
    """In words, by the ids of the challenges; empty for one's own, and for guests."""
    shown: tuple[int, ...] = ()
    """The ids of the rated challenges that they were shown when it was last looked at."""
    frame: str = ""
    """What a page with the list is told; empty: nothing."""
    is_guest: bool = False
    until: float = 0.0
    """When all of it is worked out anew, by the clock that `AtStake.look` is given."""


UNTOLD: Final = Told({})


class AtStake:
    """What everybody is told who has a page here. Used by one thread after the other."""

    def __init__(self) -> None:
        self.told: Mapping[int, Told] = {}
        """By the ids of the people; never changed, but taken away for another."""
        self._offered: tuple[int, ...] = ()

    def look(self, found: Board, viewers: Collection[int], readers: Collection[int], now: float) -> bool:
        """Work out what is missing; whether there is more than is done in one go.

        Blocks: for a worker's thread. No query when nothing is new, else as many for a thousand people as for one.

        :param viewers: the ids of those who are shown the open challenges.
        :param readers: the ids of those who are told of challenges to them. They are told once, so none of these waits.
        :param now: seconds, of a clock that never goes back.
        """
        offered = {seek.pk: seek for seek in found.offered if seek.rated}
        shown = tuple(offered)
        if shown == self._offered:
            # The same object as before is compared in no time.
            shown = self._offered
        self._offered = shown
        to = _rated_to(found, readers)
        told: dict[int, Told] = {}
        due: dict[int, tuple[Told, dict[int, Seek]]] = {}
        size = 0
        is_behind = False
        for person in (*to, *viewers) if offered else to:
            if person in told or person in due:
                continue
            own = to.get(person)
            key = shown if person in viewers else ()
            if own is not None:
                key += tuple(own)
            before = self.told.get(person, UNTOLD)
            is_over = now >= before.until
            if not is_over and before.shown is key:
                told[person] = before
                continue
            wanted = own or {}
            if person in viewers:
                wanted = offered | own if own else offered
            if not is_over and wanted.keys() <= before.texts.keys():
                # What is gone is taken away with the next news.
                told[person] = Told(before.texts, key, before.frame, before.is_guest, before.until)
                continue
            missing = wanted if is_over else {pk: seek for pk, seek in wanted.items() if pk not in before.texts}
            if size and size + len(missing) > AT_ONCE and own is None:
                is_behind = True
                told[person] = before
                continue
            size += len(missing)
            due[person] = (before, missing)
            told[person] = Told({}, key)
        if due:
            self._work_out(due, told, offered, viewers, now)
        self.told = told
        return is_behind

    def _work_out(
        self,
        due: Mapping[int, tuple[Told, Mapping[int, Seek]]],
        told: dict[int, Told],
        offered: Collection[int],
        viewers: Collection[int],
        now: float,
    ) -> None:
        """Complete what these people are told.

        :param due: what each was told before, and the challenges that are missing there.
        """
        strangers = {person for person, (before, _missing) in due.items() if now >= before.until}
        guests = {person for person, (before, _missing) in due.items() if before.is_guest} - strangers
        if strangers:
            guests |= {user.pk for user in get_user_model().objects.filter(pk__in=strangers) if is_guest(user)}
        new = _texts(
            (person, seek)
            for person, (_before, missing) in due.items()
            if person not in guests
            for seek in missing.values()
        )
        for person, (before, missing) in due.items():
            key = told[person].shown
            texts = {pk: new.get((person, pk), "") if pk in missing else before.texts[pk] for pk in key}
            frame = ""
            if person in viewers and person not in guests:
                said = {pk: text for pk, text in texts.items() if text and pk in offered}
                frame = encode(Stakes(said)) if said else ""
            # Not for everybody at the same moment, though all of them came at one.
            until = now + LASTS * random.uniform(0.5, 1) if person in strangers else before.until
            told[person] = Told(texts, key, before.frame if frame == before.frame else frame, person in guests, until)


def told_to(user: Any, seeks: Sequence[Seek]) -> dict[int, str]:
    """The same for one person: in words, by the ids of the challenges."""
    if is_guest(user):
        return {}
    texts = _texts((user.pk, seek) for seek in seeks if seek.rated)
    return {seek: text for (_person, seek), text in texts.items()}


def _rated_to(found: Board, readers: Collection[int]) -> dict[int, dict[int, Seek]]:
    """The rated challenges to these people."""
    to: dict[int, dict[int, Seek]] = {}
    for person, challenges in found.by_challenged.items():
        if person in readers and (rated := {seek.pk: seek for seek in challenges if seek.rated}):
            to[person] = rated
    return to


def _texts(wanted: Wanted) -> dict[tuple[int, int], str]:
    """In words, by the ids of whoever has an account and the challenge of somebody else."""
    triples = {
        (person, seek.pk): (person, seek.user_id, seek.game) for person, seek in wanted if person != seek.user_id
    }
    points = stakes(set(triples.values()))
    # Many of them are the same.
    written = {each: each.all_text for each in set(points.values())}
    return {key: written[points[triple]] for key, triple in triples.items()}
