"""The chat in the admin site: what was said, who may not write. Reports of it are in the queue of reports."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.read_only import ReadOnlyAdmin
from games.live.supervisor import get_supervisor
from games.models import ChatLine, Muted
from games.moderation import measures
from games.stands import chat
from games.stands.hall import hall


def hide(by: Any, lines: list[ChatLine], reason: str = "") -> None:
    """Take lines away, also from the pages that show them at this moment."""
    with transaction.atomic():
        chat.hide(lines)
        measures.hidden(by, lines, reason)
    for line in lines:
        get_supervisor().call(hall.hide, line.match.slug, [line.pk])


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
        return format_html('<a href="{}">{}</a>', reverse("match", args=[line.match.slug]), line.match.slug)

    @admin.display(description=_("reports"))
    def reports(self, line: Any) -> int:
        return int(line.report_count)

    @admin.action(description=_("Take the lines away"), permissions=["moderate"])
    def hide(self, request: HttpRequest, queryset: QuerySet[ChatLine]) -> None:
        hide(request.user, list(queryset))


@admin.register(Muted)
class MutedAdmin(ReadOnlyAdmin):
    """Who may not write in the chat of watchers. Decided, and taken back, on the person's own page."""

    list_display = ("user", "until", "note", "at")
    list_select_related = ("user",)
    ordering = ("-at",)
    fields: ClassVar[tuple[str, ...]] = ("user", "until", "note", "at")
    readonly_fields = fields
