"""Looking for an opponent, from the wish to the table.

    waiting ──paired (`pair`, `accept`)──▶ paired ──both pages answered (`here`)──▶ at a match
       ▲                                     │
       └──────── the other did not come ─────┘      (with the old place in the queue: at the front)

All of it is in the database, and whatever changes it takes turns (`turn`): so nobody is paired twice, whichever
processes and tabs ask at the same moment. A seek lives as long as its page (`renew`); a killed process renews nothing.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

import msgspec
from django.db import transaction
from django.db.models import DurationField, ExpressionWrapper, F, Q
from django.db.models.functions import Now

from games.lobby import news, pairing
from games.lobby.errors import Code, LobbyError
from games.lobby.queue import LIVES, living, remove, turn, waiting
from games.lobby.seats import check_free, hold
from games.lobby.services import Player, begin, check_number, check_setup, delay_of, is_guest
from games.models import Match, Seat, Seek
from games.moderation.standing import banned_among
from games.people import standings_of
from games.rules.setup import Setup
from games.standing import Standing
from games.ties import blocked_pairs, may_meet, takes_challenges

COMES: Final = timedelta(seconds=5)
"""The time that a page has to answer when its seek is paired."""
CHALLENGE_LASTS: Final = timedelta(seconds=90)
"""How long a challenge to a person waits for an answer."""
SENT: Final = timedelta(seconds=20)
"""How long the page of a seek that has led to a match is told where to go."""
KEPT: Final = timedelta(hours=1)
"""How long such a seek is kept: for whoever came to a table that the other one did not come to (`again`), and for
whoever wants another opponent after the match (`games.lobby.selectors.came_by_pairing`)."""
AGAIN: Final = timedelta(minutes=2)
"""How long after the end of such a match its place in the queue is good for."""
MOST: Final = 400
"""How many of those who wait in a pool are looked at, the longest waiting first."""

Kind = Seek.Kind


def seek(
    user: Player,
    page: str,
    kind: str,
    setup: Setup,
    *,
    rated: bool = False,
    delay: int = 0,
    to: Player | None = None,
    is_again: bool = False,
) -> Seek:
    """Look for an opponent. It takes the place of what the person looked for before; nobody looks for two things.

    The same quick pairing again, from another tab or by a double click, is the same seek with its place in the queue.

    :param page: the name of the page that waits.
    :param delay: of a challenge, seconds by which watchers see the match later; the site may want more.
    :param is_again: with the place in the queue of before (`again`), if there is one.
    :raises LobbyError: `TOO_MANY`, `NO_ACCOUNT`, `SEATED`; to a person: `OWN`, `APART`, `UNWANTED`,
        `NO_ACCOUNT_THERE`.
    :raises ValueError: there is no such game, or it cannot be played so.
    """
    check_setup(setup)
    if rated and is_guest(user):
        raise LobbyError(Code.NO_ACCOUNT)
    if to is not None:
        if to.pk == user.pk:
            raise LobbyError(Code.OWN)
        if rated and is_guest(to):
            raise LobbyError(Code.NO_ACCOUNT_THERE)
        if not may_meet(user, to):
            raise LobbyError(Code.APART)
        if not takes_challenges(to, user):
            raise LobbyError(Code.UNWANTED)
    with transaction.atomic():
        turn()
        check_number(user)
        if rated:
            hold(user)
            check_free(user)
        before = again(user) if is_again and kind == Kind.QUICK else None
        old = waiting().filter(user=user).first()
        if kind == Kind.QUICK and old is not None and _is_same_quick(old, setup, rated):
            Seek.objects.filter(pk=old.pk).update(page=page, seen_at=Now())
            news.tell()
            return old
        made = _replace(user, page, kind, setup, rated, delay, to)
        if before is not None and (before.game, before.rated) == (setup.game, rated):
            made.began_at = before.began_at
            made.save(update_fields=["began_at"])
    if kind == Kind.QUICK:
        pair()
    return made


def again(user: Player) -> Seek | None:
    """The quick pairing that led this person to a match of which nothing came, just now: its place in the queue is
    good for once more."""
    found = Seek.objects.filter(user=user, kind=Kind.QUICK, match__end__void=True, match__rematch_of=None)
    return found.filter(match__end__ended_at__gt=Now() - AGAIN).select_related("match").first()


def cancel(user: Player) -> bool:
    """Look no longer; whether the person did. Whoever was paired with them is back in the queue."""
    with transaction.atomic():
        turn()
        own = Seek.objects.filter(user=user, match=None)
        return remove(own) > 0


def accept(user: Player, page: str, key: int) -> Seek:
    """Answer an open challenge, or one to this person. The match begins when both pages have answered (`here`).

    :param page: the name of the page that goes to the table.
    :raises LobbyError: `OVER`, `OWN`, `APART`, `TOO_MANY`, `NO_ACCOUNT`, `SEATED`, `THEY_PLAY`.
    """
    with transaction.atomic():
        turn()
        for_all = Q(kind=Kind.OPEN) | Q(kind=Kind.PERSON, to=user)
        # Two pages of one person, a double click: it is accepted already.
        asked = living().filter(for_all, pk=key, match=None).select_related("user", "partner").first()
        if asked is None:
            raise LobbyError(Code.OVER)
        if asked.user_id == user.pk:
            raise LobbyError(Code.OWN)
        if asked.partner is not None:
            if asked.partner.user_id == user.pk:
                return asked.partner
            raise LobbyError(Code.OVER)
        if not may_meet(asked.user, user):
            raise LobbyError(Code.APART)
        if asked.rated and is_guest(user):
            raise LobbyError(Code.NO_ACCOUNT)
        check_number(user)
        if asked.rated:
            hold(user, asked.user)
            check_free(user)
            check_free(asked.user, Code.THEY_PLAY)
        answer = _replace(user, page, Kind.ANSWER, asked.setup, asked.rated, asked.delay, None)
        _bring_together(asked, answer)
    return answer


def check_open_to_guests(key: int) -> None:
    """
    :raises LobbyError: `OVER`, `NO_ACCOUNT`: somebody new could not accept that challenge.
    """
    asked = waiting().filter(pk=key, kind=Kind.OPEN).first()
    if asked is None:
        raise LobbyError(Code.OVER)
    if asked.rated:
        raise LobbyError(Code.NO_ACCOUNT)


def decline(user: Player, key: int) -> bool:
    """Say no to a challenge; whether it was there to be declined."""
    with transaction.atomic():
        turn()
        return remove(Seek.objects.filter(pk=key, kind=Kind.PERSON, to=user, partner=None)) > 0


def here(user: int, page: str) -> Match | None:
    """The page of a paired seek says that it is there. The match, which begins as soon as both pages have said so.

    :param user: the id of its person.
    """
    with transaction.atomic():
        turn()
        own = Seek.objects.filter(user=user, page=page).exclude(partner=None).select_related("user", "partner").first()
        if own is None or own.partner is None or own.match is not None:
            return None if own is None else own.match
        own.came = True
        own.save(update_fields=["came"])
        if not own.partner.came:
            return None
        return _begin(own, own.partner)


def pair() -> int:
    """Bring together whom one can of those who wait for quick pairing (`games.lobby.pairing`); how many pairs."""
    if waiting().filter(kind=Kind.QUICK).count() < 2:
        return 0
    with transaction.atomic():
        turn()
        waited = ExpressionWrapper(Now() - F("began_at"), DurationField())
        pools: dict[tuple[str, bool], list[pairing.Waiter]] = {}
        seeks = {
            each.pk: each for each in waiting().filter(kind=Kind.QUICK).order_by("began_at").annotate(waited=waited)
        }
        for each in seeks.values():
            pool = pools.setdefault((each.game, each.rated), [])
            if len(pool) < MOST:
                seconds = each.waited.total_seconds()
                pool.append(pairing.Waiter(each.pk, each.user_id, each.rating, each.is_provisional, seconds))
        found = 0
        for pool in pools.values():
            apart = blocked_pairs([waiter.user for waiter in pool]) if len(pool) > 1 else set()
            for one, other in pairing.pairs(pool, apart):
                _bring_together(seeks[one], seeks[other])
                found += 1
    return found


def renew(keys: Collection[int]) -> None:
    """The pages of these seeks are there.

    Never waits for somebody whose turn it is: a seek that is being changed is renewed the next time.
    """
    with transaction.atomic():
        free = Seek.objects.filter(pk__in=keys).select_for_update(skip_locked=True, no_key=True)
        Seek.objects.filter(pk__in=list(free.values_list("pk", flat=True))).update(seen_at=Now())


def tidy() -> bool:
    """Take away what is over: pages that are gone, pairs of which one did not come, challenges that nobody answered.

    Whoever did come waits on, at the front: with the place in the queue that they had. Whether there was anything.
    """
    if not Seek.objects.filter(_is_over()).exists():
        return False
    with transaction.atomic():
        turn()
        over = Seek.objects.filter(_is_over())
        remove(over)
    return True


def _is_over() -> Q:
    late = Q(partner__isnull=False, match=None, paired_at__lt=Now() - COMES)
    gone = Q(seen_at__lt=Now() - LIVES)
    return (
        (gone & Q(match=None))
        | (late & Q(came=False))
        | Q(kind=Kind.PERSON, partner=None, match=None, began_at__lt=Now() - CHALLENGE_LASTS)
        # Answers nothing, whatever became of the challenge.
        | Q(kind=Kind.ANSWER, partner=None, match=None)
        | (~Q(match=None) & Q(paired_at__lt=Now() - KEPT))
    )


def _is_same_quick(old: Seek, setup: Setup, rated: bool) -> bool:
    return old.kind == Kind.QUICK and (old.game, old.rated) == (setup.game, rated)


def _replace(user: Player, page: str, kind: str, setup: Setup, rated: bool, delay: int, to: Player | None) -> Seek:
    """A new seek in place of the old one. In one's turn."""
    remove(Seek.objects.filter(user=user))
    standing = None
    if not is_guest(user):
        # Everybody sees it: no more than everybody may know.
        standing = standings_of([user.pk]).get((user.pk, setup.game), Standing())
    news.tell()
    return Seek.objects.create(
        user=user,
        page=page,
        kind=kind,
        game=setup.game,
        options=msgspec.to_builtins(setup.options),
        pace=setup.pace,
        rated=rated,
        delay=delay,
        rating=None if standing is None else standing.value,
        is_provisional=standing is None or standing.is_provisional,
        to=to,
    )


def _bring_together(one: Seek, other: Seek) -> None:
    for own, partner in ((one, other), (other, one)):
        Seek.objects.filter(pk=own.pk).update(partner=partner, paired_at=Now(), came=False)
    news.tell()


def _begin(one: Seek, other: Seek) -> Match | None:
    """Both have come. Whoever asked first has the first seat. In one's turn.

    None: one of them has sat down at a rated match in the meantime, or may not play any more; the other one waits on.
    """
    first, second = sorted((one, other), key=lambda each: (each.kind == Kind.ANSWER, each.began_at, each.pk))
    if banned := banned_among([first.user_id, second.user_id]):
        remove(Seek.objects.filter(user__in=banned))
        return None
    if first.rated:
        hold(first.user, second.user)
        for each in (first, second):
            try:
                check_free(each.user)
            except LobbyError:
                remove(Seek.objects.filter(pk=each.pk))
                return None
    setup = first.setup
    match = Match.objects.create(
        game=setup.game, options=first.options, pace=setup.pace, rated=first.rated, delay=delay_of(first.delay)
    )
    Seat.objects.bulk_create(
        Seat(match=match, number=number, user=each.user) for number, each in enumerate((first, second))
    )
    Seek.objects.filter(pk__in=(first.pk, second.pk)).update(match=match, seen_at=Now())
    begin(match)
    news.tell()
    return match
