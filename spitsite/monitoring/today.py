"""The figures of today for the front page of the admin site."""

from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import Count
from django.db.models.functions import TruncHour
from django.utils.timezone import localtime

from games.clock import wall
from games.live.supervisor import get_supervisor
from games.models import Match
from games.moderation.models import Report
from spitsite.accounts.models import User
from spitsite.monitoring.backlog import Backlogs

SECONDS: Final = 10
"""So long the figures of the database are kept: a page that is loaded again and again asks for them once."""
KEY: Final = "monitoring.today"
HOURS: Final = 24
HEIGHT: Final = 60
"""Of the chart, in its own units; an hour is 10 wide."""

_backlogs: Final = Backlogs()


class Bar(NamedTuple):
    """An hour of the chart, in its own units."""

    hour: int
    matches: int
    x: int
    y: float
    height: float


class Today(NamedTuple):
    live: int
    """Matches being played, on all servers."""
    waiting: int
    """Invitations that nobody has come to."""
    sockets: int
    """Open sockets of matches in this process."""
    sign_ups: int
    matches: int
    """Made since midnight."""
    reports: int
    """Nobody has looked at them yet."""
    replay_lag: float
    rating_lag: float
    """Seconds (`games.ratings`, `replays`): how far the tasks are behind."""
    most: int
    """The matches of the busiest hour."""
    bars: list[Bar]


def today() -> Today:
    """
    :raises DatabaseError: or InterfaceError: the database cannot be read.
    """
    stored: dict[str, Any] | None = cache.get(KEY)
    if stored is None:
        stored = _read()
        cache.set(KEY, stored, SECONDS)
    rest = dict(stored)
    per_hour: list[int] = rest.pop("per_hour")
    most = max(per_hour)
    return Today(**rest, sockets=_sockets(), most=most, bars=_bars(per_hour, most))


def _read() -> dict[str, Any]:
    midnight = localtime(wall()).replace(hour=0, minute=0, second=0, microsecond=0)
    made = Match.objects.filter(created_at__gte=midnight)
    hours = made.annotate(hour=TruncHour("created_at")).values("hour").order_by().annotate(matches=Count("pk"))
    per_hour = [0] * HOURS
    for row in hours:
        per_hour[localtime(row["hour"]).hour] += row["matches"]
    backlog = _backlogs.look()
    return {
        "live": Match.objects.filter(state=Match.State.LIVE).count(),
        "waiting": Match.objects.filter(state=Match.State.OPEN).count(),
        "sign_ups": User.objects.filter(date_joined__gte=midnight, is_guest=False).count(),
        "matches": sum(per_hour),
        "reports": Report.objects.filter(measure=None, about__isnull=False).count(),
        "replay_lag": backlog.replay_lag,
        "rating_lag": backlog.rating_lag,
        "per_hour": per_hour,
    }


def _sockets() -> int:
    supervisor = get_supervisor()
    # Copies: the event loop goes on meanwhile.
    places = (
        *supervisor.tables.copy().values(),
        *supervisor.remotes.copy().values(),
        *supervisor.waiting.rooms.copy().values(),
    )
    return sum(member.wire for place in places for member in tuple(place.room.members.values()))


def _bars(per_hour: list[int], most: int) -> list[Bar]:
    bars = []
    for hour, matches in enumerate(per_hour):
        height = round(HEIGHT * matches / most, 1) if most else 0.0
        bars.append(Bar(hour, matches, 10 * hour, HEIGHT - height, height))
    return bars
