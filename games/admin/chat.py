"""The chat in the admin site: what was said, what was reported, who may not write."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.admin.read_only import ReadOnlyAdmin
from games.live.supervisor import get_supervisor
from games.models import ChatLine, ChatReport, Muted
from games.stands import chat
from games.stands.hall import hall

WEEK = 7


def _hide(lines: list[ChatLine]) -> None:
    chat.hide(lines)
    for line in lines:
        get_supervisor().call(hall.hide, line.match.slug, [line.pk])


def _match_link(line: ChatLine) -> SafeString:
    return format_html('<a href="{}">{}</a>', reverse("match", args=[line.match.slug]), line.match.slug)


@admin.register(ChatReport)
class ChatReportAdmin(ReadOnlyAdmin):
    """The queue: what was reported and nobody has looked at."""

    list_display = ("text", "author", "match", "reporter", "at", "is_hidden", "is_done")
    list_filter = ("is_done", ("at", admin.DateFieldListFilter))
    ordering = ("is_done", "-at")
    actions = ("hide", "mute_week", "mute", "dismiss")
    fields: ClassVar[tuple[str, ...]] = ("text", "author", "match", "reporter", "at", "is_hidden", "is_done")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatReport]:
        return super().get_queryset(request).select_related("line__user", "line__match", "reporter")

    @admin.display(description=_("text"))
    def text(self, report: ChatReport) -> str:
        return report.line.text

    @admin.display(description=_("author"))
    def author(self, report: ChatReport) -> str:
        return chat.author(report.line)

    @admin.display(description=_("match"))
    def match(self, report: ChatReport) -> SafeString:
        return _match_link(report.line)

    @admin.display(description=_("hidden"), boolean=True)
    def is_hidden(self, report: ChatReport) -> bool:
        return report.line.is_hidden

    @admin.action(description=_("Take the lines away"), permissions=["operate"])
    def hide(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        lines = list({report.line_id: report.line for report in queryset}.values())
        _hide(lines)
        self._say(request, lines)

    @admin.action(
        description=_("Take the lines away, and let their authors write nothing for a week"), permissions=["operate"]
    )
    def mute_week(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        self._mute(request, queryset, WEEK)

    @admin.action(
        description=_("Take the lines away, and let their authors never write again"), permissions=["operate"]
    )
    def mute(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        self._mute(request, queryset, None)

    @admin.action(description=_("Nothing is wrong with them"), permissions=["operate"])
    def dismiss(self, request: HttpRequest, queryset: QuerySet[ChatReport]) -> None:
        queryset.update(is_done=True)

    def _mute(self, request: HttpRequest, queryset: QuerySet[ChatReport], days: int | None) -> None:
        lines = list({report.line_id: report.line for report in queryset}.values())
        for line in lines:
            if line.user_id is not None:
                chat.mute(line.user_id, days, line.text)
        _hide(lines)
        self._say(request, lines)

    def _say(self, request: HttpRequest, lines: list[ChatLine]) -> None:
        text = ngettext("%d line was taken away.", "%d lines were taken away.", len(lines)) % len(lines)
        self.message_user(request, text, messages.SUCCESS)


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnlyAdmin):
    list_display = ("text", "author", "match_link", "at", "reports", "is_hidden")
    list_filter = ("is_hidden", ("at", admin.DateFieldListFilter))
    search_fields = ("match__slug", "text")
    search_help_text = _("The public id of a match, or a part of the text.")
    ordering = ("-pk",)
    actions = ("hide",)
    fields: ClassVar[tuple[str, ...]] = ("text", "author", "match_link", "at", "is_hidden")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        lines: QuerySet[ChatLine] = super().get_queryset(request).select_related("user", "match")
        return lines.annotate(report_count=Count("reports"))

    @admin.display(description=_("author"))
    def author(self, line: ChatLine) -> str:
        return chat.author(line)

    @admin.display(description=_("match"))
    def match_link(self, line: ChatLine) -> SafeString:
        return _match_link(line)

    @admin.display(description=_("reports"))
    def reports(self, line: Any) -> int:
        return int(line.report_count)

    @admin.action(description=_("Take the lines away"), permissions=["operate"])
    def hide(self, request: HttpRequest, queryset: QuerySet[ChatLine]) -> None:
        _hide(list(queryset))


@admin.register(Muted)
class MutedAdmin(admin.ModelAdmin[Muted]):
    """Who may not write in the chat of watchers: somebody is put here, changed, taken away."""

    list_display = ("user", "until", "note", "at")
    autocomplete_fields: ClassVar[Any] = ("user",)
    ordering = ("-at",)
