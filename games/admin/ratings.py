"""Ratings and their changes in the admin site."""

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.read_only import GameFilter, ReadOnlyAdmin, people_called
from games.models import Rating, RatingChange
from games.people import name_of
from games.tasks import recount_ratings
from games.words import game_name


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ("user", "game_name", "rounded", "provisional", "matches", "highest")
    list_filter = (GameFilter,)
    list_select_related = ("user",)
    search_fields = ("user",)
    search_help_text = _("The beginning of a player's name.")
    ordering = ("-value",)
    fields = ("user", "game_name", "value", "matches", "peak")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Rating], search_term: str
    ) -> tuple[QuerySet[Rating], bool]:
        term = search_term.strip()
        return (queryset.filter(user__in=people_called(term)) if term else queryset), False

    @admin.display(description=_("game"), ordering="game")
    def game_name(self, rating: Rating) -> str:
        return game_name(rating.game)

    @admin.display(description=_("rating"), ordering="value")
    def rounded(self, rating: Rating) -> int:
        return round(rating.value)

    @admin.display(description=_("highest"), ordering="peak")
    def highest(self, rating: Rating) -> int:
        return round(rating.peak)

    @admin.display(description=_("provisional"), boolean=True)
    def provisional(self, rating: Rating) -> bool:
        return rating.standing.is_provisional

    # Recounting

    def get_urls(self) -> list[URLPattern]:
        recount = path("recount/", self.admin_site.admin_view(self.recount_view), name="games_rating_recount")
        return [recount, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        may_recount = self.has_operate_permission(request)
        return super().changelist_view(request, {**(extra_context or {}), "may_recount": may_recount})

    def recount_view(self, request: HttpRequest) -> HttpResponse:
        """Have all ratings counted from nothing (invariant 7)."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_operate_permission(request):
            raise PermissionDenied
        LogEntry.objects.create(
            user_id=request.user.pk,  # type: ignore[misc]  # who may recount is signed in
            content_type=ContentType.objects.get_for_model(Rating),
            object_repr=str(_("all ratings")),
            action_flag=CHANGE,
            change_message=str(_("Counted again")),
        )
        recount_ratings.delay()
        self.message_user(
            request,
            _("All ratings are counted again from the first match on. What differs is put right and logged."),
            messages.SUCCESS,
        )
        return redirect("admin:games_rating_changelist")


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = ("end_id", "player", "game", "match", "from_rating", "to_rating", "points", "matches")
    list_select_related = ("seat__user", "seat__match")
    search_fields = ("seat",)
    search_help_text = _("The beginning of a player's name.")
    ordering = ("-id",)
    fields = readonly_fields = ("player", "match", "game", "before", "after", "points", "matches")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[RatingChange], search_term: str
    ) -> tuple[QuerySet[RatingChange], bool]:
        term = search_term.strip()
        return (queryset.filter(seat__user__in=people_called(term)) if term else queryset), False

    @admin.display(description=_("player"))
    def player(self, change: RatingChange) -> str:
        return name_of(change.seat)

    @admin.display(description=_("game"))
    def game(self, change: RatingChange) -> str:
        return game_name(change.seat.match.game)

    @admin.display(description=_("match"))
    def match(self, change: RatingChange) -> SafeString:
        address = reverse("admin:games_match_change", args=[change.seat.match_id])
        return format_html('<a href="{}">{}</a>', address, change.seat.match.slug)

    @admin.display(description=_("before"))
    def from_rating(self, change: RatingChange) -> int:
        return round(change.before)

    @admin.display(description=_("after"))
    def to_rating(self, change: RatingChange) -> int:
        return round(change.after)

    @admin.display(description=_("points"))
    def points(self, change: RatingChange) -> str:
        return f"{change.after - change.before:+.1f}"
