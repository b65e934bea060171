"""Matches that moderators should look at (R4), in the admin site."""

from datetime import datetime

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_stubs_ext import StrOrPromise

from games.admin.read_only import GameFilter, ReadOnlyAdmin, log_changed, may_judge_match, people_called
from games.clock import wall
from games.models import MatchFlag, Seat
from games.people import name_of
from games.rules.state import Cause
from games.words import CAUSES, clock, game_name


class SettledFilter(admin.SimpleListFilter):
    """What is still to be looked at, unless asked otherwise."""

    title = _("looked at")
    parameter_name = "settled"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", str(_("Yes"))), ("all", str(_("All")))]

    def choices(self, changelist: object) -> object:  # type: ignore[override]
        for value, title in ((None, _("No")), *self.lookup_choices):
            query = changelist.get_query_string({self.parameter_name: value} if value else {}, [self.parameter_name])  # type: ignore[attr-defined]
            yield {"selected": self.value() == value, "query_string": query, "display": title}

    def queryset(self, request: HttpRequest, queryset: QuerySet[MatchFlag]) -> QuerySet[MatchFlag]:
        match self.value():
            case "all":
                return queryset
            case "yes":
                return queryset.filter(settled_at__isnull=False)
            case _:
                return queryset.filter(settled_at=None)


class FlagGameFilter(GameFilter):
    field = "end__match__game"


@admin.register(MatchFlag)
class MatchFlagAdmin(ReadOnlyAdmin):
    list_display = ("reason", "players", "game", "ended", "length", "cause", "winner", "match", "looked_at")
    list_filter = (SettledFilter, "reason", FlagGameFilter)
    search_fields = ("end",)
    search_help_text = _("The beginning of a player's name.")
    ordering = ("-end", "reason")
    actions = ("settle", "reopen")
    fields = readonly_fields = (
        "reason", "players", "game", "ended", "length", "cause", "winner", "match", "settled_at", "settled_by",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[MatchFlag]:
        seats = Prefetch("end__match__seats", Seat.objects.select_related("user").order_by("number"))
        return super().get_queryset(request).select_related("end__match", "settled_by").prefetch_related(seats)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[MatchFlag], search_term: str
    ) -> tuple[QuerySet[MatchFlag], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        return queryset.filter(end__in=Seat.objects.filter(user__in=people_called(term)).values("match__end")), False

    @admin.display(description=_("players"))
    def players(self, flag: MatchFlag) -> str:
        return " – ".join(name_of(seat) for seat in flag.end.match.seats.all())

    @admin.display(description=_("game"))
    def game(self, flag: MatchFlag) -> str:
        return game_name(flag.end.match.game)

    @admin.display(description=_("ended"), ordering="end")
    def ended(self, flag: MatchFlag) -> object:
        return flag.end.ended_at

    @admin.display(description=_("length"))
    def length(self, flag: MatchFlag) -> str:
        return clock(flag.end.at)

    @admin.display(description=_("cause"))
    def cause(self, flag: MatchFlag) -> str:
        return str(CAUSES[Cause(flag.end.cause)])

    @admin.display(description=_("winner"))
    def winner(self, flag: MatchFlag) -> str:
        winner = flag.end.winner
        return str(_("draw")) if winner is None else name_of(flag.end.match.seats.all()[winner])

    @admin.display(description=_("match"))
    def match(self, flag: MatchFlag) -> SafeString:
        match = flag.end.match
        address = reverse("admin:games_match_change", args=[match.pk])
        return format_html('<a href="{}">{}</a>', address, match.slug)

    @admin.display(description=_("looked at"), boolean=True)
    def looked_at(self, flag: MatchFlag) -> bool:
        return flag.settled_at is not None

    @admin.action(description=_("Looked at: nothing more to do"), permissions=["operate"])
    def settle(self, request: HttpRequest, queryset: QuerySet[MatchFlag]) -> None:
        with transaction.atomic():
            flags = list(queryset.select_for_update(of=("self",)).filter(settled_at=None))
            own = [flag for flag in flags if not may_judge_match(request.user, flag.end.match)]
            done = self._change(request, [flag for flag in flags if flag not in own], wall(), _("Looked at"))
        self.message_user(
            request, ngettext("%d flag is settled.", "%d flags are settled.", done) % done, messages.SUCCESS
        )
        if own:
            text = _("You, or somebody who works in the admin site, played these. Somebody else has to decide: %s.")
            slugs = dict.fromkeys(flag.end.match.slug for flag in own)
            self.message_user(request, text % ", ".join(slugs), messages.ERROR)

    @admin.action(description=_("Look at it once more"), permissions=["operate"])
    def reopen(self, request: HttpRequest, queryset: QuerySet[MatchFlag]) -> None:
        with transaction.atomic():
            flags = list(queryset.select_for_update(of=("self",)).exclude(settled_at=None))
            self._change(request, flags, None, _("To be looked at once more"))

    @staticmethod
    def _change(request: HttpRequest, flags: list[MatchFlag], settled_at: datetime | None, said: StrOrPromise) -> int:
        """Settle or reopen flags; how many. In a transaction. Who did which is in the history of each."""
        by = None if settled_at is None else request.user.pk
        MatchFlag.objects.filter(pk__in=[flag.pk for flag in flags]).update(settled_at=settled_at, settled_by=by)
        log_changed(request, flags, said)
        return len(flags)
