"""Staff pages about matches: finding them, ending, annulling, and giving a seat to the computer."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from accounts.staff_links import count_of, list_address, moment, to_list, to_person, to_row
from accounts.staff_pages import Act, ActForm, QueueLine, StaffPages
from games import options, selectors, wording
from games.admin import match_page
from games.admin.filters import MatchEnd, titled
from games.admin.looking import IS_BARRED, refused_look
from games.engine.seats import Seat
from games.models import ChatLine, Match, Report
from games.reports import visible_to
from games.services import moderation


class SeatForm(ActForm):
    """What giving a seat to the computer asks: which of the seats that people hold."""

    seat = forms.TypedChoiceField(label=gettext_lazy("Seat"), coerce=lambda value: Seat(int(value)))
    field_order = ("seat", "why")

    def __init__(self, subject: Match, *args: Any, **kwargs: Any) -> None:
        super().__init__(subject, *args, **kwargs)
        self.fields["seat"].choices = [
            (row.seat, f"{wording.seat_relation(None, Seat(row.seat))}: {row.user.display_name}")
            for row in subject.seats.filter(is_playing=True).select_related("user").order_by("seat")
        ]


def _end(staff: User, match: Match, cleaned: dict[str, Any]) -> str:
    moderation.end_match(staff, match.pk, cleaned["why"])
    return gettext("The match is over. It is void.")


def _annul(staff: User, match: Match, cleaned: dict[str, Any]) -> str:
    moderation.annul_match(staff, match.pk, cleaned["why"])
    return gettext("The match is annulled.")


def _replace(staff: User, match: Match, cleaned: dict[str, Any]) -> str:
    moderation.replace_seat(staff, match.pk, cleaned["seat"], cleaned["why"])
    return gettext("The computer plays this seat from now on.")


def _is_running(_staff: User, match: Match) -> bool:
    return match.status == Match.Status.RUNNING


@admin.register(Match)
class MatchAdmin(StaffPages):
    acts = (
        Act(
            name="end",
            label=gettext_lazy("End the match"),
            effect=gettext_lazy("The match stops at once and is void: nobody wins it, and no rating changes."),
            permission="games.moderate_tables",
            do=_end,
            is_open=_is_running,
        ),
        Act(
            name="replace",
            label=gettext_lazy("Give a seat to the computer"),
            effect=gettext_lazy(
                "The person leaves the match at once and cannot come back to it. The computer plays on for them."
            ),
            permission="games.moderate_tables",
            do=_replace,
            form=SeatForm,
            is_open=_is_running,
        ),
        Act(
            name="annul",
            label=gettext_lazy("Annul the match"),
            effect=gettext_lazy(
                "The result counts nowhere any more, and the ratings after it are worked out again without it."
            ),
            permission="games.moderate_tables",
            do=_annul,
            is_open=lambda staff, match: match.status == Match.Status.WON and match.annulled_at is None,
        ),
    )
    change_form_template = "admin/games/match.html"
    list_display = ("started", "room_link", "people", "state", "ended", "lines", "reports")
    list_filter = (("status", titled(gettext_lazy("state"), admin.ChoicesFieldListFilter)), MatchEnd)
    linked = ("room", "seats__user")
    search_fields = (
        "id__exact",
        "room__id__exact",
        "room__name",
        "seats__user__username",
        "seats__user__guest_number__exact",
        "seats__user__public_id__exact",
    )
    search_help_text = gettext_lazy("Name of a person or a room, or number of a match")
    date_hierarchy = "started_at"
    ordering = ("-started_at",)
    fields = ("started",)
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return (
            super()
            .get_queryset(request)
            .select_related("room__host")
            .prefetch_related("seats__user")
            .annotate(
                line_count=count_of(ChatLine.objects.all(), "match"),
                report_count=count_of(visible_to(request.user), "match"),
            )
        )

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"note": IS_BARRED, **(extra_context or {})})

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        match = self.get_object(request, object_id)
        if match is None or not self.has_view_permission(request, match):
            return super().change_view(request, object_id, form_url, extra_context)
        refused = refused_look(request, self.admin_site, [match])
        shown = {**match_page.context_of(match, request.user), **(extra_context or {})} if refused is None else {}
        return refused or super().change_view(request, object_id, form_url, shown)

    def queue(self, request: HttpRequest) -> QueueLine:
        running = Match.objects.filter(status=Match.Status.RUNNING)
        return QueueLine(gettext_lazy("Running matches"), running.count(), list_address(Match, status__exact="running"))

    def label_of(self, subject: Match) -> str:
        return gettext("%(room)s, %(time)s") % {
            "room": options.title_of(subject.room),
            "time": moment(subject.started_at),
        }

    @admin.display(description=gettext_lazy("started at"), ordering="started_at")
    def started(self, match: Match) -> str:
        return moment(match.started_at)

    @admin.display(description=gettext_lazy("ended at"), ordering="ended_at")
    def ended(self, match: Match) -> str:
        return moment(match.ended_at)

    @admin.display(description=gettext_lazy("room"))
    def room_link(self, match: Match) -> str:
        return to_row(match.room, options.title_of(match.room))

    @admin.display(description=gettext_lazy("people"))
    def people(self, match: Match) -> SafeString:
        seats = list(match.seats.all())
        names = selectors.names_in(seats)
        accounts = {Seat(row.seat): row.user for row in seats}
        shown = [(names[seat],) if accounts[seat] is None else (to_person(accounts[seat]),) for seat in Seat]
        return format_html_join(", ", "{}", shown)

    @admin.display(description=gettext_lazy("state"), ordering="status")
    def state(self, match: Match) -> str:
        return gettext("Annulled") if match.annulled_at else str(match.get_status_display())

    @admin.display(description=gettext_lazy("lines"), ordering="line_count")
    def lines(self, match: Any) -> str:
        return to_list(match.line_count, ChatLine, match__id__exact=match.pk)

    @admin.display(description=gettext_lazy("reports"), ordering="report_count")
    def reports(self, match: Any) -> str:
        return to_list(match.report_count, Report, match__id__exact=match.pk, state="all")
