"""Everything that is kept about somebody, for them to take along: a zip with a JSON file for each kind of thing.

What of another kind is kept of people one day gets a part here; a test holds the parts to the models.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO, TextIOWrapper
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrPromise

from games.models import Block, ChatLine, Follow, Match, Muted, Onlooker, Rating, RatingChange, Seat
from games.moderation.models import TOLD, Measure, Report
from games.people import name_of
from spitsite.accounts.models import User
from spitsite.accounts.preferences.models import Preferences

Rows = Iterable[Mapping[str, Any]]

AT_ONCE: Final = 500
"""Rows read from the database in one go."""


def _account(person: User) -> Rows:
    yield {
        "name": person.username,
        "email": person.email,
        "since": person.date_joined,
        "last_sign_in": person.last_login,
        "first_name": person.first_name,
        "last_name": person.last_name,
        "groups": [group.name for group in person.groups.all()],
    }


def _addresses(person: User) -> Rows:
    yield from EmailAddress.objects.filter(user=person).values("email", "verified", "primary")


def _matches(person: User) -> Rows:
    """All matches in the order in which they were made; `seat` is one's own."""
    seats = _in_parts(
        Seat.objects.filter(user=person)
        .select_related("match__end", "rating_change")
        .prefetch_related("match__seats__user")
    )
    for seat in seats:
        match = seat.match
        end = getattr(match, "end", None)
        change: RatingChange | None = getattr(seat, "rating_change", None)
        misplays = end and end.misplays
        yield {
            "match": match.slug,
            "game": match.game,
            "options": match.options,
            "pace": match.pace,
            "rated": match.rated,
            "state": match.state,
            "made": match.created_at,
            "started": match.started_at,
            "ended": end and end.ended_at,
            "seat": seat.number,
            "opponent": next((name_of(other) for other in match.seats.all() if other.number != seat.number), None),
            "winner": end and end.winner,
            "cause": end and end.cause,
            "misplays": misplays and misplays[seat.number],
            "rating_before": change and change.before,
            "rating_after": change and change.after,
            "replay": f"/replay/{match.slug}/" if match.state == Match.State.OVER else None,
        }


def _ratings(person: User) -> Rows:
    fields = [field.name for field in Rating._meta.concrete_fields if field.name not in ("id", "user")]
    yield from Rating.objects.filter(user=person).order_by("game").values(*fields)


def _sign_ins(person: User) -> Rows:
    yield from UserSession.objects.filter(user=person).order_by("pk").values("created_at", "ip", "user_agent")


def _second_factors(person: User) -> Rows:
    """That they are there; what they are made of stays secret."""
    yield from Authenticator.objects.filter(user=person).order_by("pk").values("type", "created_at", "last_used_at")


def _preferences(person: User) -> Rows:
    yield from Preferences.objects.filter(user=person).values("chosen")
    yield from Onlooker.objects.filter(user=person).values("is_named", "has_chat")


def _chat(person: User) -> Rows:
    """What was said as a watcher, and whether that is allowed still."""
    yield from ChatLine.objects.filter(user=person).order_by("pk").values("match__slug", "at", "text", "is_hidden")
    yield from Muted.objects.filter(user=person).values("at", "until")


def _people(person: User) -> Rows:
    """Whom one follows and whom one has blocked."""
    yield from Follow.objects.filter(follower=person).values("followed__username", "since")
    yield from Block.objects.filter(blocker=person).values("blocked__username", "since")


def _reports(person: User) -> Rows:
    """What somebody has reported. Who was meant is theirs; what became of it is not."""
    fields = ("at", "place", "match__slug", "moment", "reason", "text")
    yield from Report.objects.filter(reporter=person).order_by("pk").values(*fields)


def _decisions(person: User) -> Rows:
    """What was decided about somebody, as their own page tells it."""
    fields = ("at", "kind", "reason", "until", "read_at")
    yield from Measure.objects.filter(about=person, kind__in=TOLD).order_by("pk").values(*fields)


PARTS: Final[dict[str, Callable[[User], Rows]]] = {
    "account": _account,
    "addresses": _addresses,
    "chat": _chat,
    "matches": _matches,
    "people": _people,
    "preferences": _preferences,
    "ratings": _ratings,
    "sign-ins": _sign_ins,
    "second-factors": _second_factors,
    "reports": _reports,
    "decisions": _decisions,
}
"""What makes each file of the zip, without its `.json`."""

WORDS: Final[dict[str, StrPromise]] = {
    "account": _("your name, your address, when you came, your groups"),
    "addresses": _("your email addresses, and whether they are confirmed"),
    "second-factors": _("that you have an app or passkeys for signing in; what they are made of stays secret"),
    "sign-ins": _("from where you are signed in"),
    "preferences": _("what you have chosen"),
    "matches": _(
        "all your matches, with their results, how often a card was put where it may not lie, and what they did to "
        "your rating; the cards are in their replays"
    ),
    "ratings": _("your ratings"),
    "people": _("whom you follow, and whom you have blocked"),
    "chat": _("what you wrote in chats, and until when you cannot write"),
    "reports": _("what you have reported"),
    "decisions": _("what was decided about you, and why"),
}
"""What each of these files holds, for the page that offers them."""

README: Final = """What this site keeps about you, one file for each kind of thing, as JSON.

Times are UTC. A match's cards are in its replay, which anyone may see: {site}replay/MATCH.json
The misplays of a match are how often you put a card where it may not lie, or slapped a pile before its time (null: not
counted). They are in no replay; those who look after the site see them too.
"""


def archive(person: User, site: str) -> bytes:
    """The zip.

    :param site: the address of the site, for what is to be found there.
    """
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", README.format(site=site))
        for name, rows in PARTS.items():
            with file.open(f"{name}.json", "w") as part, TextIOWrapper(part, "utf-8") as text:
                _write(text, rows(person))
    return made.getvalue()


def _write(text: TextIOWrapper, rows: Rows) -> None:
    """A list, a line for each row: any number of them is never in memory at once."""
    text.write("[")
    for number, row in enumerate(rows):
        text.write(",\n" if number else "\n")
        json.dump(row, text, cls=DjangoJSONEncoder, ensure_ascii=False)
    text.write("\n]\n")


def _in_parts(rows: QuerySet[Any]) -> Iterator[Any]:
    last = 0
    while some := list(rows.filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        yield from some
        last = some[-1].pk
