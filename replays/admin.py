"""Replays in the admin site, and what matches gain there by having one."""

import zlib
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from msgspec.structs import asdict

from games.admin.matches import MatchAdmin
from games.admin.read_only import NOTHING, ReadOnlyAdmin, log_changed, people_called
from games.models import Match
from games.moderation.models import Report
from replays import suspects
from replays.format import VERSION, decode_course
from replays.models import Replay
from replays.statistics import Burst
from replays.tasks import rebuild_replays

FIGURES: Final[dict[str, Promise]] = {
    "played": _("cards played"),
    "per_minute": _("cards per minute of play"),
    "reaction": _("reaction to a turn (ms)"),
    "burst": _("longest burst"),
    "contests_won": _("contests won"),
    "contests_lost": _("contests lost"),
    "slaps": _("slapped or chose first"),
    "overlooked": _("plays overlooked"),
    "overlooked_ms": _("longest overlooked (ms)"),
}
"""The fields of `SeatStatistics`, for people."""

SIGNS: Final[dict[str, Promise]] = {
    "quick": _("too quick after a turn"),
    "even": _("too even a rhythm"),
    "flawless": _("hardly a wrong press"),
}
AT_ONCE: Final = 20
"""People on the page of signs: the courses of their last matches are read for it."""


def rebuild(modeladmin: ReadOnlyAdmin, request: HttpRequest, of: Mapping[int, Replay | Match]) -> None:
    """Have replays built again, and say so: by the ids of their matches, what was selected."""
    log_changed(request, list(of.values()), _("Built again"))
    rebuild_replays.delay(list(of))
    count = len(of)
    text = ngettext("%d replay is being built again.", "%d replays are being built again.", count) % count
    modeladmin.message_user(request, text, messages.SUCCESS)


@admin.register(Replay)
class ReplayAdmin(ReadOnlyAdmin):
    list_display = ("match", "verdict", "size", "version", "built_at", "open_link")
    list_filter = ("verdict",)
    search_fields = ("=match__slug",)
    search_help_text = _("The public id of a match.")
    ordering = ("-match",)
    actions = ("rebuild",)
    fields = readonly_fields = (
        "match", "verdict", "faults_table", "figures", "size", "version", "digest", "built_at", "open_link",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Replay]:
        return super().get_queryset(request).select_related("match").defer("course", "packed")

    # Signs that a program plays

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.suspects_view)
        return [path("suspects/", view, name="replays_replay_suspects"), *super().get_urls()]

    def suspects_view(self, request: HttpRequest) -> HttpResponse:
        """The signs of some people: of those with open reports, or whose name begins so (`?q=`)."""
        if not self.has_moderate_permission(request):
            raise PermissionDenied
        term = request.GET.get("q", "").replace("\0", "").strip()
        if term:
            ids = list(people_called(term)[:AT_ONCE])
            wanted = [row["pk"] for row in ids]
        else:
            reported = Report.objects.filter(measure=None, about__isnull=False, reason=Report.Reason.CHEATING)
            wanted = list(reported.order_by().values_list("about", flat=True).distinct()[:AT_ONCE])
        people = get_user_model().objects.in_bulk(wanted)
        habits = suspects.habits_of(people)
        rows = [(people[pk], found, [str(SIGNS[sign]) for sign in found.signs]) for pk, found in habits.items()]
        rows.sort(key=lambda row: (-len(row[2]), str(row[0])))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Signs that a program plays"),
            "opts": self.opts,
            "rows": rows,
            "term": term,
            "last": suspects.LAST,
            "quick": suspects.QUICK,
        }
        return TemplateResponse(request, "admin/replays/suspects.html", context)

    @admin.display(description=_("faults"))
    def faults_table(self, replay: Replay) -> str:
        """What is wrong with the log, by event."""
        if not replay.faults:
            return NOTHING
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}: {}</li>", replay.faults))

    @admin.display(description=_("statistics"))
    def figures(self, replay: Replay) -> str:
        """The figures of both seats, side by side."""
        if replay.version != VERSION:
            return NOTHING
        one, two = decode_course(zlib.decompress(replay.course)).statistics.seats
        rows = ((name, _figure(getattr(one, field)), _figure(getattr(two, field))) for field, name in FIGURES.items())
        return format_html(
            "<table><tr><td></td><th>{}</th><th>{}</th></tr>{}</table>",
            0,
            1,
            format_html_join("", "<tr><th>{}</th><td>{}</td><td>{}</td></tr>", rows),
        )

    @admin.display(description=_("replay"))
    def open_link(self, replay: Replay) -> SafeString:
        return format_html('<a href="{}">{}</a>', replay.get_absolute_url(), _("Open"))

    @admin.action(description=_("Rebuild selected replays"), permissions=["operate"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[Replay]) -> None:
        rebuild(self, request, {replay.match_id: replay for replay in queryset})


def _figure(value: object) -> str:
    match value:
        case None:
            return NOTHING
        case Burst():
            return ngettext("%(cards)d card in %(ms)d ms", "%(cards)d cards in %(ms)d ms", value.cards) % asdict(value)
        case _:
            return str(value)


class MatchWithReplayAdmin(MatchAdmin):
    """The games' page of matches, with their replays."""

    list_display = (*MatchAdmin.list_display[:-1], "replay_link", MatchAdmin.list_display[-1])
    actions = (*MatchAdmin.actions, "rebuild_replay")
    fields = readonly_fields = (*MatchAdmin.fields, "replay_link")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).select_related("replay").defer("replay__course", "replay__packed")

    @admin.display(description=_("replay"))
    def replay_link(self, match: Match) -> str:
        replay: Replay | None = getattr(match, "replay", None)
        if replay is None:
            return NOTHING
        text = _("flagged") if replay.is_flagged else _("Open")
        return format_html('<a href="{}">{}</a>', replay.get_absolute_url(), text)

    def view_on_site(self, match: Match) -> str:
        replay: Any = getattr(match, "replay", None)
        return match.get_absolute_url() if replay is None else replay.get_absolute_url()

    @admin.action(description=_("Rebuild replays of selected finished matches"), permissions=["operate"])
    def rebuild_replay(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        over = {match.pk: match for match in queryset if match.state == Match.State.OVER}
        if over:
            rebuild(self, request, over)
        else:
            self.message_user(request, _("None of these matches is over."), messages.WARNING)


admin.site.unregister(Match)
admin.site.register(Match, MatchWithReplayAdmin)
