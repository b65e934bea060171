"""The admin site of the games: everything to look at, nothing to edit or delete.

What happened in a match is written once and never changed (the database itself
refuses); ratings follow from it. So the pages here only show, and their few
actions ask the parts that may act.
"""

from games.admin.chat import ChatLineAdmin, MutedAdmin
from games.admin.flags import MatchFlagAdmin
from games.admin.matches import MatchAdmin
from games.admin.moderation import BannedAdmin, MeasureAdmin, NoticeAdmin, ReportAdmin
from games.admin.ratings import RatingAdmin, RatingChangeAdmin

__all__ = [
    "BannedAdmin",
    "ChatLineAdmin",
    "MatchAdmin",
    "MatchFlagAdmin",
    "MeasureAdmin",
    "MutedAdmin",
    "NoticeAdmin",
    "RatingAdmin",
    "RatingChangeAdmin",
    "ReportAdmin",
]
