"""Matches in the admin site."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.admin.log import PAGE, clock, lines
from games.admin.read_only import NOTHING, GameFilter, ReadOnlyAdmin, may_judge_match, people_called
from games.live import announce
from games.models import End, Match, Seat
from games.moderation import measures
from games.moderation.models import MOST_TEXT
from games.people import name_of
from games.rules.state import Cause
from games.tasks import ask_for_recount
from games.words import CAUSES, game_name


class CauseFilter(admin.SimpleListFilter):
    """By how a match ended (M2)."""

    title = _("cause of the end")
    parameter_name = "cause"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        return [(cause.value, str(name)) for cause, name in CAUSES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        value = self.value()
        return queryset if value is None else queryset.filter(end__cause=value)


class SeatInline(admin.TabularInline[Seat, Match]):
    """The two seats of a match."""

    model = Seat
    fields = readonly_fields = ("number", "player", "bot", "misplays", "rating_before", "rating_after")
    extra = 0
    can_delete = False
    ordering = ("number",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "rating_change")

    @admin.display(description=_("player"))
    def player(self, seat: Seat) -> str | SafeString:
        if seat.user is None:
            return name_of(seat)
        opts = seat.user._meta
        address = reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[seat.user_id])
        return format_html('<a href="{}">{}</a>', address, name_of(seat))

    @admin.display(description=_("misplays"))
    def misplays(self, seat: Seat) -> int | str:
        """How often the rules refused what the hand did; docs/moderation.md says what counts."""
        end = _end(seat.match)
        return NOTHING if end is None or end.misplays is None else end.misplays[seat.number]

    @admin.display(description=_("rating before"))
    def rating_before(self, seat: Seat) -> int | str:
        change = getattr(seat, "rating_change", None)
        return NOTHING if change is None else round(change.before)

    @admin.display(description=_("rating after"))
    def rating_after(self, seat: Seat) -> int | str:
        change = getattr(seat, "rating_change", None)
        return NOTHING if change is None else round(change.after)


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display: tuple[str, ...] = ("slug", "game_name", "players", "state", "rated", "result", "created_at")
    list_filter = ("state", GameFilter, "rated", CauseFilter, ("created_at", admin.DateFieldListFilter))
    search_fields = ("slug",)
    search_help_text = _("The public id of a match, or the beginning of a player's name.")
    ordering = ("-created_at",)
    actions: tuple[str, ...] = ("break_off", "void")
    inlines: ClassVar = (SeatInline,)
    fields: ClassVar[tuple[str, ...]] = (
        "slug", "game_name", "options", "pace", "rated", "state", "created_at", "started_at", "ended_at", "result",
        "duration", "log_link", "rematch_link",
    )  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
        return super().get_queryset(request).select_related("end", "rematch_of", "voided").prefetch_related(seats)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        # One or the other: both at once no index serves.
        if Match.objects.filter(slug=term.lower()).exists():
            return queryset.filter(slug=term.lower()), False
        return queryset.filter(pk__in=Seat.objects.filter(user__in=people_called(term)).values("match")), False

    def view_on_site(self, match: Match) -> str:
        return match.get_absolute_url()

    @admin.display(description=_("game"), ordering="game")
    def game_name(self, match: Match) -> str:
        return game_name(match.game)

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return " – ".join(name_of(seat) for seat in match.seats.all())

    @admin.display(description=_("result"))
    def result(self, match: Match) -> str:
        """Who won, or why nobody did."""
        end = _end(match)
        if end is None:
            return NOTHING
        cause = str(CAUSES[Cause(end.cause)])
        if end.void:
            return cause
        if hasattr(match, "voided"):
            return _("voided ({cause})").format(cause=cause)
        if end.winner is None:
            return _("draw ({cause})").format(cause=cause)
        return _("{name} won ({cause})").format(name=name_of(match.seats.all()[end.winner]), cause=cause)

    @admin.display(description=_("ended"))
    def ended_at(self, match: Match) -> str:
        end = _end(match)
        return NOTHING if end is None else date_format(localtime(end.ended_at), "DATETIME_FORMAT")

    @admin.display(description=_("duration"))
    def duration(self, match: Match) -> str:
        end = _end(match)
        return NOTHING if end is None else clock(end.at)

    @admin.display(description=_("log"))
    def log_link(self, match: Match) -> SafeString:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:games_match_log", args=[match.pk]), _("Read the events")
        )

    @admin.display(description=_("rematch of"))
    def rematch_link(self, match: Match) -> str:
        if match.rematch_of is None:
            return NOTHING
        address = reverse("admin:games_match_change", args=[match.rematch_of_id])
        return format_html('<a href="{}">{}</a>', address, match.rematch_of.slug)

    # The log

    def get_urls(self) -> list[URLPattern]:
        log = path("<int:pk>/log/", self.admin_site.admin_view(self.log_view), name="games_match_log")
        return [log, *super().get_urls()]

    def log_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The log of one match, page by page."""
        match = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, match):
            raise PermissionDenied
        paginator = Paginator(range(1, match.events.count() + 1), PAGE)
        page = paginator.get_page(request.GET.get("page"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Log of {match}").format(match=match.slug),
            "opts": self.opts,
            "match": match,
            "game": game_name(match.game),
            "names": [name_of(seat) for seat in match.seats.all()],
            "is_open": match.state == Match.State.OVER,
            "lines": lines(match, page.number),
            "page": page,
            "pages": paginator.get_elided_page_range(page.number),
        }
        return TemplateResponse(request, "admin/games/match/log.html", context)

    def _judged(self, request: HttpRequest, matches: list[Match]) -> list[Match] | None:
        """The same matches; None, and it is said, if any of them is not for this moderator to decide about."""
        if refused := [match.slug for match in matches if not may_judge_match(request.user, match)]:
            text = _(
                "Nothing was done: you, or somebody who works in the admin site, played these. "
                "Somebody else has to decide: %s."
            )
            self.message_user(request, text % ", ".join(refused), messages.ERROR)
            return None
        return matches

    # Breaking off

    @admin.action(description=_("Break off selected live matches"), permissions=["operate"])
    def break_off(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Asks first; then live play ends them without a result (M2)."""
        live = self._judged(request, [match for match in queryset if match.state == Match.State.LIVE])
        if live is None:
            return None
        if not live:
            self.message_user(request, _("None of these matches is being played."), messages.WARNING)
            return None
        if "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Break off?"),
                "opts": self.opts,
                "matches": [(match, self.players(match)) for match in live],
                "action_checkbox_name": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/games/match/break_off.html", context)
        told = [match for match in live if announce.break_off(match.slug)]
        for match in told:
            self.log_change(request, match, str(_("Broken off")))
            measures.broken_off(request.user, match)
        if told:
            text = ngettext("%d match is being broken off.", "%d matches are being broken off.", len(told)) % len(told)
            self.message_user(request, text, messages.SUCCESS)
        if unheard := [match.slug for match in live if match not in told]:
            text = _("Not broken off, for no server that plays matches could be told: %s.") % ", ".join(unheard)
            self.message_user(request, text, messages.ERROR)
        return None

    # Voiding

    @admin.action(description=_("Void selected finished rated matches"), permissions=["moderate"])
    def void(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Asks for the reason first; then the matches count for nothing, and all ratings are counted anew."""
        found = self._judged(request, [match for match in queryset if _can_be_voided(match)])
        if found is None:
            return None
        if not found:
            text = _("None of these matches can be voided: only finished rated ones with a result can, once.")
            self.message_user(request, text, messages.WARNING)
            return None
        reason = request.POST.get("reason", "").replace("\0", "").strip()
        if "confirmed" not in request.POST or not reason or len(reason) > MOST_TEXT:
            context = {
                **self.admin_site.each_context(request),
                "title": _("Void?"),
                "opts": self.opts,
                "matches": [(match, self.players(match), self.result(match)) for match in found],
                "action_checkbox_name": ACTION_CHECKBOX_NAME,
                "reason": reason,
                "most": MOST_TEXT,
                "is_missing": "confirmed" in request.POST,
            }
            return TemplateResponse(request, "admin/games/match/void.html", context)
        voided = [match for match in found if self._void(request, match, reason)]
        if voided:
            said = ngettext(
                "%d match was voided. The ratings are being counted again.",
                "%d matches were voided. The ratings are being counted again.",
                len(voided),
            )
            self.message_user(request, said % len(voided), messages.SUCCESS)
            ask_for_recount()
        if others := [match.slug for match in found if match not in voided]:
            late = _("Somebody else has voided these meanwhile: %s.") % ", ".join(others)
            self.message_user(request, late, messages.WARNING)
        return None

    def _void(self, request: HttpRequest, match: Match, reason: str) -> bool:
        """Whether it was still to be voided."""
        try:
            with transaction.atomic():
                measures.void(request.user, match, reason)
                self.log_change(request, match, str(_("Voided")))
        except measures.CannotVoid:
            return False
        return True


def _can_be_voided(match: Match) -> bool:
    end = _end(match)
    return match.rated and end is not None and not end.void and not hasattr(match, "voided")


def _end(match: Match) -> End | None:
    """The end, if there is one; selected together with the match."""
    return getattr(match, "end", None)
