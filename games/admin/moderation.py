"""Moderation in the admin site: the queue of reports, one person's case, the log of what was done."""

from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count, Max, Min, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.chat import hide
from games.admin.read_only import NOTHING, ReadOnlyAdmin, may_judge, people_called
from games.clock import wall
from games.models import ChatLine, Match, Rating
from games.moderation import measures, notices, standing
from games.moderation.models import MOST_TEXT, Banned, Kind, Measure, Notice, Report
from games.words import game_name

CONTEXT: Final = 5
"""Chat lines that are shown before and after the one that was reported."""
PER_PAGE: Final = 50

DECISIONS: Final = (
    (Kind.DISMISS, _("Dismiss: nothing is wrong")),
    (Kind.WARN, _("Warn")),
    (Kind.MUTE, _("Mute: no chat")),
    (Kind.BAN, _("Ban: no play, no chat")),
)
LENGTHS: Final = (("1", _("1 day")), ("7", _("7 days")), ("30", _("30 days")), ("0", _("for good")))


class DecisionForm(forms.Form):
    """What is to be done about somebody."""

    kind = forms.ChoiceField(label=_("What to do"), choices=DECISIONS, widget=forms.RadioSelect)
    length = forms.ChoiceField(
        label=_("For how long (mute and ban)"), choices=LENGTHS, widget=forms.RadioSelect, initial="1", required=False
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MOST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("The person reads it, word for word. Of a dismissal only moderators do."),
    )

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        kind = found.get("kind")
        if kind in (Kind.WARN, Kind.MUTE, Kind.BAN) and not found.get("reason", "").strip():
            self.add_error("reason", _("The person has to know why."))
        if kind in (Kind.MUTE, Kind.BAN) and not found.get("length") and "length" not in self.errors:
            self.add_error("length", _("Say for how long."))
        return found

    @property
    def days(self) -> int | None:
        return int(self.cleaned_data["length"] or "0") or None


class LiftForm(forms.Form):
    """A mute or a ban is to end now."""

    kind = forms.ChoiceField(choices=[(Kind.UNMUTE, ""), (Kind.UNBAN, "")])
    reason = forms.CharField(label=_("Reason"), max_length=MOST_TEXT)


def decide(by: Any, about: Any, form: DecisionForm) -> Measure:
    """What the form says."""
    chosen = form.cleaned_data
    return measures.decide(by, about, Kind(chosen["kind"]), chosen["reason"].strip(), form.days)


def replay_at(report: Report) -> str | None:
    """The address of what was reported: a replay at its moment, or the table of a match that goes on."""
    if report.match is None:
        return None
    if report.match.state != Match.State.OVER:
        return report.match.get_absolute_url()
    address = reverse("replay", args=[report.match.slug])
    return address if report.moment is None else f"{address}?t={report.moment}"


def chat_around(line: ChatLine) -> list[ChatLine]:
    """The line among what was said before and after it, hidden ones too."""
    at_match = ChatLine.objects.filter(match=line.match_id).select_related("user")
    before = list(at_match.filter(pk__lt=line.pk).order_by("-pk")[:CONTEXT])[::-1]
    return [*before, *at_match.filter(pk__gte=line.pk).order_by("pk")[: CONTEXT + 1]]


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    """All reports as a list; the queue and the cases are pages of their own."""

    list_display = ("at", "about", "reason", "place", "reporter", "match", "measure")
    list_select_related = ("about", "reporter", "match", "measure")
    list_filter = ("reason", "place", ("measure", admin.EmptyFieldListFilter))
    search_fields = ("about",)
    search_help_text = _("The beginning of the name of whoever was reported.")
    fields: ClassVar[tuple[str, ...]] = (
        "about", "reason", "text", "place", "match", "moment", "line", "reporter", "at", "measure",
    )  # fmt: skip
    readonly_fields = fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Report], search_term: str
    ) -> tuple[QuerySet[Report], bool]:
        term = search_term.strip()
        return (queryset.filter(about__in=people_called(term)) if term else queryset), False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("queue/", view(self.queue_view), name="moderation_report_queue"),
            path("person/<int:pk>/", view(self.case_view), name="moderation_report_case"),
            path("person/<int:pk>/lift/", view(self.lift_view), name="moderation_report_lift"),
            path("line/<int:pk>/hide/", view(self.hide_view), name="moderation_report_hide"),
            *super().get_urls(),
        ]

    def queue_view(self, request: HttpRequest) -> HttpResponse:
        """Who has open reports: the most reported first, then the longest waiting."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        waiting = (
            Report.objects.filter(measure=None, about__isnull=False)
            .order_by()
            .values("about")
            .annotate(open=Count("pk"), reporters=Count("reporter", distinct=True), first=Min("at"), last=Max("at"))
            .order_by("-reporters", "first")
        )
        page = Paginator(waiting, PER_PAGE).get_page(request.GET.get("page"))
        shown = list(page)
        people = get_user_model().objects.in_bulk([row["about"] for row in shown])
        reasons: dict[int, dict[str, int]] = {}
        rows = Report.objects.filter(about__in=people, measure=None).values_list("about", "reason")
        for about, reason in rows:
            of_person = reasons.setdefault(about or 0, {})
            name = str(Report.Reason(reason).label)
            of_person[name] = of_person.get(name, 0) + 1
        context = {
            **self.admin_site.each_context(request),
            "title": _("Reports to be looked at"),
            "opts": self.opts,
            "people": [(people[row["about"]], row, reasons.get(row["about"], {}).items()) for row in shown],
            "page": page,
        }
        return TemplateResponse(request, "admin/moderation/queue.html", context)

    def case_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """One person: what was reported, what was done before, and what is to be done."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        person: Any = get_object_or_404(get_user_model(), pk=pk)
        may_moderate = self.has_moderate_permission(request)
        form = DecisionForm(request.POST if request.method == "POST" else None)
        if request.method == "POST":
            if not may_moderate or not may_judge(request.user, person):
                raise PermissionDenied
            if form.is_valid():
                measure = decide(request.user, person, form)
                text = _("{name}: {what}").format(name=person, what=measure.get_kind_display())
                self.message_user(request, text, messages.SUCCESS)
                return redirect("admin:moderation_report_queue")
        found = Report.objects.filter(about=person).select_related("reporter", "match", "line__match", "line__user")
        reports = [
            (report, replay_at(report), chat_around(report.line) if report.line else ())
            for report in found.filter(measure=None).order_by("pk")[:PER_PAGE]
        ]
        seats = person.seats.filter(match__state=Match.State.OVER)
        context = {
            **self.admin_site.each_context(request),
            "title": _("About {name}").format(name=person),
            "opts": self.opts,
            "person": person,
            "account": reverse(f"admin:{person._meta.app_label}_{person._meta.model_name}_change", args=[pk]),
            "reports": reports,
            "closed": found.exclude(measure=None).select_related("measure")[:PER_PAGE],
            "measures": Measure.objects.filter(about=person).select_related("by", "match")[:PER_PAGE],
            "ban": standing.ban_of(person),
            "mute": standing.mute_of(person),
            "ratings": [(game_name(rating.game), rating) for rating in Rating.objects.filter(user=person)],
            "matches": seats.count(),
            "chat": ChatLine.objects.filter(user=person).select_related("match").order_by("-pk")[:20],
            "reported": Report.objects.filter(reporter=person).count(),
            "form": form,
            "may_decide": may_moderate and may_judge(request.user, person),
        }
        return TemplateResponse(request, "admin/moderation/case.html", context, status=400 if form.errors else 200)

    def lift_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """End a mute or a ban before its time."""
        person = get_object_or_404(get_user_model(), pk=pk)
        if not self.has_moderate_permission(request) or not may_judge(request.user, person):
            raise PermissionDenied
        form = LiftForm(request.POST)
        if request.method == "POST" and not form.is_valid():
            self.message_user(request, _("Not lifted: a reason is needed, which the person reads."), messages.ERROR)
        elif request.method == "POST":
            chosen = form.cleaned_data
            measures.lift(request.user, person, Kind(chosen["kind"]), chosen["reason"])
            self.message_user(request, _("Lifted."), messages.SUCCESS)
        return redirect("admin:moderation_report_case", pk)

    def hide_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a line of the chat away."""
        line = get_object_or_404(ChatLine.objects.select_related("match", "user"), pk=pk)
        if not self.has_moderate_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            hide(request.user, [line])
            self.message_user(request, _("The line was taken away."), messages.SUCCESS)
        if line.user_id is None:
            return redirect("admin:moderation_report_queue")
        return redirect("admin:moderation_report_case", line.user_id)


class InForceFilter(admin.SimpleListFilter):
    """Bans that have not run out."""

    title = _("in force")
    parameter_name = "force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", str(_("Yes"))), ("0", str(_("No")))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        match self.value():
            case "1":
                return queryset.filter(standing.in_force())
            case "0":
                return queryset.filter(until__lte=wall())
        return queryset


@admin.register(Banned)
class BannedAdmin(ReadOnlyAdmin):
    list_display = ("user", "until", "reason", "at", "case")
    list_select_related = ("user",)
    list_filter = (InForceFilter,)
    ordering = ("-at",)
    fields: ClassVar[tuple[str, ...]] = ("user", "until", "reason", "at", "case")
    readonly_fields = fields

    @admin.display(description=_("case"))
    def case(self, banned: Banned) -> SafeString:
        return format_html('<a href="{}">{}</a>', reverse("admin:moderation_report_case", args=[banned.pk]), _("Open"))


@admin.register(Measure)
class MeasureAdmin(ReadOnlyAdmin):
    """What moderators did: written by their acts alone, changed by nobody."""

    list_display = ("at", "by", "kind", "about", "match_link", "until", "reason")
    list_select_related = ("by", "about", "match")
    list_filter = ("kind", ("at", admin.DateFieldListFilter))
    search_fields = ("about",)
    search_help_text = _("The beginning of the name of whoever decided, or whom it is about.")
    fields: ClassVar[tuple[str, ...]] = ("at", "by", "kind", "about", "match_link", "until", "reason", "read_at")
    readonly_fields = fields

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Measure], search_term: str
    ) -> tuple[QuerySet[Measure], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        return queryset.filter(Q(about__in=people_called(term)) | Q(by__in=people_called(term))), False

    @admin.display(description=_("match"))
    def match_link(self, measure: Measure) -> str:
        if measure.match is None:
            return NOTHING
        address = reverse("admin:games_match_change", args=[measure.match_id])
        return format_html('<a href="{}">{}</a>', address, measure.match.slug)


@admin.register(Notice)
class NoticeAdmin(admin.ModelAdmin[Notice]):
    """The message to everybody."""

    list_display = ("text", "begins", "ends", "link")
    ordering = ("-begins",)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(request, obj, change, form=NoticeForm, **kwargs)

    def save_model(self, request: HttpRequest, obj: Notice, form: Any, change: Any) -> None:
        super().save_model(request, obj, form, change)
        notices.changed()

    def delete_model(self, request: HttpRequest, obj: Notice) -> None:
        super().delete_model(request, obj)
        notices.changed()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Notice]) -> None:
        super().delete_queryset(request, queryset)
        notices.changed()


class NoticeForm(forms.ModelForm[Notice]):
    class Meta:
        model = Notice
        fields = ("text", "link", "begins", "ends")

    def clean_link(self) -> str:
        """A link leads to a page, on this site or elsewhere, and never runs a script."""
        link: str = self.cleaned_data["link"].strip()
        is_here = link.startswith("/") and not link.startswith("//")
        if link and not is_here and not link.startswith("https://"):
            raise forms.ValidationError(_("Begin with / for a page of this site, or with https:// for another one."))
        return link

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        begins, ends = found.get("begins"), found.get("ends")
        if begins and ends and ends <= begins:
            self.add_error("ends", _("It would end before it begins."))
        return found
