"""The queue of reports, and one screen for each with all that a decision needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Case, Count, Model, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy

from accounts.acts import acts_visible_to, ids_of
from accounts.history import history_of
from accounts.models import StaffAct, User
from accounts.staff_links import in_its_direction, list_address
from accounts.staff_pages import Act, ActForm, QueueLine, StaffPages
from games import options
from games.models import Match, Report
from games.reports import ReportedLine, age_of, lines_of, visible_to
from games.services import reports

Status = Report.Status

DECISIONS = ("warn", "mute", "suspend", "ban", "take-name")
"""The acts on the page of a person that a report may lead to."""


class TakeOnForm(ActForm):
    """Taking a report on needs no reason; taking one over may have one."""

    def __init__(self, subject: Report, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["why"].required = False


class ResolveForm(ActForm):
    """What came of a report, and why."""

    resolution = forms.ChoiceField(
        label=gettext_lazy("What came of it"),
        help_text=gettext_lazy("Whoever reported is told this much, and not what was done."),
        choices=Report.Resolution.choices,
        widget=forms.RadioSelect,
    )
    field_order = ("resolution", "why")


def _take_on(staff: User, report: Report, form: dict[str, Any]) -> str:
    reports.take_on(staff, report.pk, form["why"])
    return gettext("This report is yours now.")


def _give_back(staff: User, report: Report, form: dict[str, Any]) -> str:
    reports.give_back(staff, report.pk, form["why"])
    return gettext("The report waits for somebody else now.")


def _resolve(staff: User, report: Report, form: dict[str, Any]) -> str:
    reports.resolve(staff, report.pk, form["resolution"], form["why"])
    return gettext("The report is resolved. Whoever made it is told.")


def _may_take_on(staff: User, report: Report) -> bool:
    may_take_over = staff.has_perm("accounts.manage_staff") and report.assignee_id != staff.pk
    return report.status == Status.OPEN or (report.status == Status.ASSIGNED and may_take_over)


class StateFilter(admin.SimpleListFilter):
    """How far reports are; without a choice those that wait for a decision."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str | Promise]]:
        return [*Status.choices, ("all", gettext_lazy("All"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() in Status.values:
            return queryset.filter(status=self.value())
        return queryset if self.value() == "all" else queryset.exclude(status=Status.RESOLVED)

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        return [{**first, "display": gettext("Not resolved")}, *others]


class AssigneeFilter(admin.SimpleListFilter):
    """Whose they are."""

    title = gettext_lazy("assignee")
    parameter_name = "whose"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [("mine", gettext_lazy("Me")), ("nobodys", gettext_lazy("Nobody yet"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        match self.value():
            case "mine":
                return queryset.filter(assignee=request.user)
            case "nobodys":
                return queryset.filter(assignee=None)
        return queryset


@admin.register(Report)
class ReportAdmin(StaffPages):
    list_display = ("number", "ground", "about", "age", "others_waiting", "state", "whose")
    list_display_links = ("number",)
    list_filter = (StateFilter, AssigneeFilter, "ground")
    list_select_related = ("reported", "assignee")
    linked = ("reported", "reporter", "match", "room")
    search_fields = ("reported__username", "reported__public_id", "reporter__username", "reporter__public_id", "text")
    ordering = (
        Case(When(status=Status.OPEN, then=Value(0)), When(status=Status.ASSIGNED, then=Value(1)), default=Value(2)),
        "created_at",
    )
    change_list_template = "admin/games/reports.html"
    change_form_template = "admin/games/report.html"
    acts = (
        Act(
            "take-on",
            gettext_lazy("Take on"),
            gettext_lazy("This report becomes yours to decide. Others of the staff see that you look at it."),
            "games.handle_report",
            _take_on,
            form=TakeOnForm,
            is_open=_may_take_on,
        ),
        Act(
            "give-back",
            gettext_lazy("Give back"),
            gettext_lazy("The report goes back to the queue, for somebody else to take on."),
            "games.handle_report",
            _give_back,
            is_open=lambda staff, report: report.status == Status.ASSIGNED and report.assignee_id == staff.pk,
        ),
        Act(
            "resolve",
            gettext_lazy("Resolve"),
            gettext_lazy("This ends the report for good. Decide first about the person, the lines and the match."),
            "games.handle_report",
            _resolve,
            form=ResolveForm,
            is_open=lambda staff, report: report.status != Status.RESOLVED and report.assignee_id in (None, staff.pk),
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Those that this member of staff may know of, each with how many others wait about the same person."""
        visible = visible_to(request.user)
        waiting = visible.filter(reported=OuterRef("reported")).exclude(status=Status.RESOLVED)
        others = waiting.exclude(pk=OuterRef("pk")).order_by().values("reported").annotate(count=Count("pk"))
        return visible.annotate(others=Coalesce(Subquery(others.values("count")), 0)).order_by(*self.ordering)

    def queue(self, request: HttpRequest) -> QueueLine:
        waiting = visible_to(request.user).filter(status=Status.OPEN)
        return QueueLine(
            gettext_lazy("Open reports"), waiting.count(), list_address(Report, state=Status.OPEN), waits=True
        )

    def label_of(self, subject: Report) -> str:
        return gettext("Report %(number)d") % {"number": subject.pk}

    @admin.display(description=gettext_lazy("report"), ordering="created_at")
    def number(self, report: Report) -> str:
        return self.label_of(report)

    @admin.display(description=gettext_lazy("about whom"))
    def about(self, report: Report) -> str | None:
        return report.reported and in_its_direction(report.reported.display_name)

    @admin.display(description=gettext_lazy("age"), ordering="created_at")
    def age(self, report: Report) -> str:
        return age_of(report)

    @admin.display(description=gettext_lazy("other open reports"))
    def others_waiting(self, report: Report) -> int | None:
        return report.others or None

    @admin.display(description=gettext_lazy("state"))
    def state(self, report: Report) -> str:
        return report.get_resolution_display() or report.get_status_display()

    @admin.display(description=gettext_lazy("assignee"))
    def whose(self, report: Report) -> str | None:
        return report.assignee and in_its_direction(report.assignee.display_name)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        visible = visible_to(request.user).order_by()
        counts = dict(visible.values_list("status").annotate(Count("pk")))
        totals = [
            {"label": label, "count": counts.get(status, 0), "query": f"state={status}"}
            for status, label in Status.choices
        ]
        mine = visible.filter(assignee=request.user, status=Status.ASSIGNED).count()
        totals.insert(2, {"label": gettext("Assigned to me"), "count": mine, "query": "state=assigned&whose=mine"})
        return super().changelist_view(request, {**(extra_context or {}), "totals": totals})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        report = self.get_object(request, object_id)
        screen = {} if report is None else self._screen(request, report)
        return super().change_view(request, object_id, form_url, {**screen, **(extra_context or {})})

    def after(self, subject: Model, act: Act, cleaned: dict[str, Any]) -> str:
        if act.name == "resolve":
            return reverse("admin:games_report_changelist")
        return super().after(subject, act, cleaned)

    def _screen(self, request: HttpRequest, report: Report) -> dict[str, object]:
        """Return what templates/admin/games/report.html shows."""
        lines = lines_of(report)
        prefilled = urlencode({"ground": report.ground, "report": report.pk})
        tables = [row for row in (report.match, report.room) if row is not None]
        return {
            "report": report,
            "age": age_of(report),
            "room_title": options.title_of(report.room) if report.room else "",
            "room_name_then": report.room_name if report.room and report.room.name != report.room_name else "",
            "name_then": _name_then(report),
            "is_over": report.match is not None and report.match.status != Match.Status.RUNNING,
            "lines": lines,
            "may_delete_lines": request.user.has_perm("games.moderate_tables"),
            "decisions": self._acts_on(request, report.reported, DECISIONS, prefilled) if report.reported else [],
            "table_acts": [act for row in tables for act in self._acts_on(request, row, query=f"report={report.pk}")],
            "done": self._done(request.user, report, lines),
            "people": [
                {"role": role, "person": person, "history": history_of(person, request.user) if person else []}
                for role, person in (
                    (gettext("Reported person"), report.reported),
                    (gettext("Reported by"), report.reporter),
                )
            ],
        }

    def _acts_on(
        self, request: HttpRequest, row: Model, names: Sequence[str] = (), query: str = ""
    ) -> list[dict[str, object]]:
        """Return the acts that are open on the page of another row, all of them or those of these names."""
        pages = self.admin_site.get_model_admin(type(row))
        # Read as its own page reads it: whether an act is open may hang on what that adds to a row.
        acts = pages.open_acts(request, pages.get_object(request, str(row.pk)))
        return [
            {**act, "address": f"{act['address']}?{query}" if query else act["address"]}
            for act in acts
            if not names or act["name"] in names
        ]

    def _done(self, reader: User, report: Report, lines: Sequence[ReportedLine]) -> list[dict[str, object]]:
        """Return what staff have done about a report so far, as far as the reader may know, oldest first: to it, for
        it, and since it was made to its room, match and lines."""
        about = Q(subject=StaffAct.Subject.REPORT, subject_id=str(report.pk))
        if report.reported is not None:
            about |= Q(person__in=ids_of([report.reported.public_id]), detail__report=report.pk)
        since = Q(
            subject=StaffAct.Subject.LINE,
            subject_id__in=[str(line.number) for line in lines if line.number is not None],
        )
        since |= Q(subject=StaffAct.Subject.MATCH, subject_id=str(report.match_id))
        since |= Q(subject=StaffAct.Subject.ROOM, subject_id=str(report.room_id))
        visible = acts_visible_to(reader).exclude(act=StaffAct.Act.LOOK)
        acts = visible.filter(about | (since & Q(at__gte=report.created_at)))
        rows = list(acts.order_by("at", "pk"))
        people = User.objects.filter(public_id__in=[row.staff for row in rows])
        names = {user.public_id: user.display_name for user in people}
        return [{"act": row, "name": names.get(row.staff, "")} for row in rows]


def _name_then(report: Report) -> str:
    """Return what the reported person was called when it was made, if that is not their name now."""
    now = "" if report.reported is None else report.reported.username
    return report.reported_name if report.reported_name != now else ""
