"""How matches come about.

Plain functions, each one transaction. Whatever may happen twice at once (two
people open one link, a form is sent twice) is settled by the database: by a
row's lock and by what must be unique.
"""

from datetime import timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from games import clock
from games.bots.levels import level_of
from games.live import announce
from games.live.rematch import Gone
from games.lobby import queue
from games.lobby.errors import Code as Code
from games.lobby.errors import LobbyError as LobbyError
from games.lobby.seats import check_free, hold
from games.models import MAX_DELAY, SLUG_ALPHABET, Match, Seat
from games.moderation import standing
from games.rules.registry import BOOKS
from games.rules.setup import PACES, Setup
from games.ties import may_meet

Player = Any
"""The site's user, whichever model that is; `is_guest` tells who has no account."""

MOST_AT_ONCE: Final = 10
"""How many matches one person may have waiting or being played."""


INVITATION_LASTS: Final = timedelta(hours=24)
"""How long a match waits for whoever opens its page; after that the sweep takes it away."""


def create_against_computer(
    user: Player, level: str, setup: Setup, *, token: UUID | None = None, delay: int = 0
) -> Match:
    """A match against the computer, which begins at once. Never rated (R2).

    :param delay: seconds by which watchers see everything later; the site may want more.
    :param token: made for one form; with the same token it is the same match.
    :raises LobbyError: `TOO_MANY`; `TAKEN`, when somebody else has used the token.
    """
    bot = level_of(level).key
    return _create(user, setup, rated=False, bot=bot, token=token, delay=delay)


def create_for_friend(
    user: Player, setup: Setup, *, rated: bool = False, token: UUID | None = None, delay: int = 0
) -> Match:
    """A match that waits for whoever opens its page first.

    :param delay: seconds by which watchers see everything later; the site may want more.
    :param token: made for one form; with the same token it is the same match.
    :raises LobbyError: `TOO_MANY`, `NO_ACCOUNT`, `SEATED`; `TAKEN`, when somebody else has used the token.
    """
    if rated and is_guest(user):
        raise LobbyError(Code.NO_ACCOUNT)
    return _create(user, setup, rated=rated, bot="", token=token, delay=delay)


def exhibition(levels: tuple[str, str], setup: Setup) -> Match:
    """A match of the computer against itself, to be watched; the one that is being played, if there is one."""
    check_setup(setup)
    with transaction.atomic():
        playing = Match.objects.filter(state=Match.State.LIVE).exclude(seats__bot="").order_by("-pk").first()
        if playing is not None:
            return playing
        match = Match.objects.create(
            game=setup.game, options=msgspec.to_builtins(setup.options), pace=setup.pace, delay=delay_of(0)
        )
        Seat.objects.bulk_create(
            Seat(match=match, number=number, bot=level_of(level).key) for number, level in enumerate(levels)
        )
        begin(match)
    return match


def join(match: Match, user: Player) -> Match:
    """Sit down opposite; the match begins. Who sits there already just stays (B38).

    A match with a guest is never rated (R2), whatever was asked for.

    :raises LobbyError: `TAKEN`, `TOO_MANY`, `WITHDRAWN`, `APART`, `BANNED`; of a rated match `SEATED`, `THEY_PLAY`.
    """
    with transaction.atomic():
        found = Match.objects.select_for_update().filter(pk=match.pk).first()
        if found is None:
            raise LobbyError(Code.WITHDRAWN)
        match = found
        if match.seats.filter(user=user).exists():
            return match
        if match.state != Match.State.OPEN:
            raise LobbyError(Code.TAKEN)
        check_number(user)
        if standing.banned_among(match.seats.exclude(user=None).values_list("user_id", flat=True)):
            raise LobbyError(Code.WITHDRAWN)
        host = match.seats.select_related("user").get(number=0).user
        if host is not None and not may_meet(host, user):
            raise LobbyError(Code.APART)
        match.rated = match.rated and not is_guest(user)
        queue.turn()
        if match.rated and host is not None:
            hold(user, host)
            check_free(user)
            check_free(host, Code.THEY_PLAY)
        Seat.objects.create(match=match, number=1, user=user)
        begin(match)
    return match


def withdraw(match: Match, user: Player) -> bool:
    """Take an invitation back; whether it was there to be taken back: open, and this person's own."""
    with transaction.atomic():
        own = Match.objects.select_for_update().filter(pk=match.pk, state=Match.State.OPEN)
        if not own.exists() or not match.seats.filter(number=0, user=user).exists():
            return False
        _remove(match)
    return True


def expire_invitations() -> int:
    """Take away the matches that nobody sat down at (`INVITATION_LASTS`); how many there were."""
    before = clock.wall() - INVITATION_LASTS
    expired = 0
    for pk in Match.objects.filter(state=Match.State.OPEN, created_at__lt=before).values_list("pk", flat=True):
        with transaction.atomic():
            # Somebody may be sitting down just now.
            match = Match.objects.select_for_update().filter(pk=pk, state=Match.State.OPEN).first()
            if match is not None:
                _remove(match)
                expired += 1
    return expired


def _remove(match: Match) -> None:
    """Nothing ever happened at an open match: no event, no end, no rating hangs on it."""
    match.seats.all().delete()
    match.delete()
    transaction.on_commit(partial(announce.match_withdrawn, match.slug))


def rematch(match: Match) -> Match:
    """The match that follows on this one, with the same people and the same setup; always the same one.

    :raises LobbyError: `NOT_OVER`, `GONE`; of a rated match `SEATED`: one of them plays another one by now.
    """
    following = _following(match)
    if following is not None:
        return following
    seats = list(match.seats.select_related("user"))
    try:
        with transaction.atomic():
            queue.turn()
            if following := Match.objects.filter(rematch_of=match).first():
                # The other one was quicker, while this one waited for the turn.
                return following
            people = [seat.user for seat in seats if seat.user is not None]
            if len(people) == 2 and not may_meet(*people):
                raise LobbyError(Code.GONE)
            if match.rated:
                hold(*people)
                for person in people:
                    check_free(person)
            following = Match.objects.create(
                game=match.game,
                options=match.options,
                pace=match.pace,
                rated=match.rated,
                rematch_of=match,
                delay=delay_of(match.delay),
            )
            Seat.objects.bulk_create(
                Seat(match=following, number=seat.number, user=seat.user, bot=seat.bot) for seat in seats
            )
            queue.follow(match, following)
            begin(following)
    except IntegrityError:
        # The other one was quicker by a moment.
        return Match.objects.get(rematch_of=match)
    return following


def _following(match: Match) -> Match | None:
    """The rematch, if there is one already; None: there can be one.

    :raises LobbyError: `NOT_OVER`, `GONE`.
    """
    if following := Match.objects.filter(rematch_of=match).first():
        return following
    if match.state != Match.State.OVER:
        raise LobbyError(Code.NOT_OVER)
    if not all(seat.bot or (seat.user and seat.user.is_active) for seat in match.seats.select_related("user")):
        raise LobbyError(Code.GONE)
    if standing.banned_among(seat.user_id for seat in match.seats.all() if seat.user_id is not None):
        raise LobbyError(Code.GONE)
    return None


def rematch_url(slug: str, begin: bool) -> str | None:
    """The page of the rematch of the match with that slug, for live play (`games.live.rematch.Maker`).

    :raises Gone: there can be none.
    """
    match = Match.objects.get(slug=slug)
    try:
        if begin:
            return rematch(match).get_absolute_url()
        following = _following(match)
    except LobbyError as error:
        if error.code in (Code.GONE, Code.SEATED):
            raise Gone from error
        raise
    return None if following is None else following.get_absolute_url()


def made_by(token: UUID) -> Match | None:
    """The match that a form with that token made, as long as it is not over."""
    return Match.objects.filter(slug__in=_slugs(token)).exclude(state=Match.State.OVER).first()


def is_guest(user: Player) -> bool:
    return bool(getattr(user, "is_guest", False))


def delay_of(asked: int) -> int:
    """The delay of a match, in seconds: what was asked for, or what the site wants."""
    least: int = settings.WATCH_DELAY
    return min(MAX_DELAY, max(asked, least))


def _create(user: Player, setup: Setup, *, rated: bool, bot: str, token: UUID | None, delay: int) -> Match:
    check_setup(setup)
    for slug in [None] if token is None else _slugs(token):
        try:
            return _create_once(user, setup, rated=rated, bot=bot, slug=slug, delay=delay)
        except (IntegrityError, LobbyError):
            made = Match.objects.filter(slug=slug).first()
            if made is None:
                raise
            if made.state != Match.State.OVER:
                if made.seats.filter(user=user).exists():
                    return made
                raise LobbyError(Code.TAKEN) from None
            # Played to its end since: the browser went back to the page with the form. The next slug then.
    raise LobbyError(Code.TAKEN)


def _create_once(user: Player, setup: Setup, *, rated: bool, bot: str, slug: str | None, delay: int) -> Match:
    with transaction.atomic():
        check_number(user)
        if rated:
            check_free(user)
        match = Match(
            game=setup.game,
            options=msgspec.to_builtins(setup.options),
            pace=setup.pace,
            rated=rated,
            delay=delay_of(delay),
        )
        if slug is not None:
            match.slug = slug
        match.save(force_insert=True)
        Seat.objects.create(match=match, number=0, user=user)
        if bot:
            Seat.objects.create(match=match, number=1, bot=bot)
            begin(match)
    return match


def _slugs(token: UUID) -> list[str]:
    """The slugs that matches made with this token may have, in order.

    So it is the slug, which is unique, that keeps one form from making two
    matches, in whatever process it arrives. Nobody can tell the token from it.
    """
    return [_slug(token, nth) for nth in range(8)]


def _slug(token: UUID, nth: int) -> str:
    number = int.from_bytes(salted_hmac("games.lobby", f"{token}:{nth}", algorithm="sha256").digest())
    letters = []
    for _place in range(8):
        number, letter = divmod(number, len(SLUG_ALPHABET))
        letters.append(SLUG_ALPHABET[letter])
    return "".join(letters)


def begin(match: Match) -> None:
    """Everybody has sat down: the match is being played. In a transaction."""
    queue.forget(list(match.seats.exclude(user=None).values_list("user", flat=True)), match)
    match.state = Match.State.LIVE
    match.started_at = clock.wall()
    match.save(update_fields=["state", "started_at", "rated"])
    transaction.on_commit(partial(announce.match_seated, match.slug))


def check_number(user: Player) -> None:
    """
    :raises LobbyError: `TOO_MANY`, `BANNED`.
    """
    if standing.is_banned(user):
        raise LobbyError(Code.BANNED)
    if Seat.objects.filter(user=user).exclude(match__state=Match.State.OVER).count() >= MOST_AT_ONCE:
        raise LobbyError(Code.TOO_MANY)


def check_setup(setup: Setup) -> None:
    """The forms let nothing else through.

    :raises ValueError: there is no such game, or it cannot be played so.
    """
    if setup.game not in BOOKS or setup.pace not in PACES or BOOKS[setup.game].validate(setup.options):
        raise ValueError(f"this cannot be played: {setup}")
