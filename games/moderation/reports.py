"""How a report is made. Whoever is reported is never told."""

from datetime import timedelta
from typing import Any, Final

from games.clock import wall
from games.models import ChatLine, Match
from games.moderation.models import Report

MOST_PER_DAY: Final = 20
"""Reports that one person may make in a day."""


class TooManyReports(Exception):
    """Somebody has reported very much today."""


def report(
    reporter: Any,
    about: Any,
    place: str,
    reason: str,
    *,
    text: str = "",
    match: Match | None = None,
    moment: int | None = None,
    line: ChatLine | None = None,
) -> Report:
    """Keep a report. The same again, as long as nobody has looked at it, is the same report.

    :raises TooManyReports: `MOST_PER_DAY`.
    """
    again = Report.objects.filter(
        reporter=reporter, about=about, place=place, match=match, line=line, reason=reason, measure=None
    ).first()
    if again is not None:
        return again
    if Report.objects.filter(reporter=reporter, at__gt=wall() - timedelta(days=1)).count() >= MOST_PER_DAY:
        raise TooManyReports
    return Report.objects.create(
        reporter=reporter, about=about, place=place, reason=reason, text=text, match=match, moment=moment, line=line
    )


def report_line(reporter: Any, number: int) -> bool:
    """Somebody finds that a line of the chat should not be there. Whether there is such a line to be seen.

    :raises TooManyReports: `MOST_PER_DAY`.
    """
    line = ChatLine.objects.select_related("user", "match").filter(pk=number, is_hidden=False).first()
    if line is None:
        return False
    if line.user is not None and line.user_id != reporter.pk:
        report(reporter, line.user, Report.Place.CHAT, Report.Reason.CHAT, match=line.match, line=line)
    return True
