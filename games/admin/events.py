"""Staff pages about the event log of a match: one sentence for each event, of what everybody may know of it.

A stored event holds what nobody may see while the match is played, so it passes `view.public_event` first, and its own
columns are neither shown nor searched, narrowed or sorted by.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_lazy

from accounts.staff_links import NONE, to_person, to_row
from accounts.staff_pages import StaffPages
from games import codec, event_list, options, selectors, wording
from games.admin.looking import matches_among, refused_look
from games.engine.view import PublicEvent, public_event
from games.models import GameEvent, Match

OF_A_MATCH = "match__id__exact"


def told(row: GameEvent) -> PublicEvent:
    """Return what everybody may know of a stored event."""
    return public_event(codec.decode(row.payload, row.schema))


class OfMatchesThatAreOver(ChangeList):
    """The list without a match chosen."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[GameEvent]:
        return super().get_queryset(request, exclude_parameters).exclude(match__status=Match.Status.RUNNING)


@admin.register(GameEvent)
class EventAdmin(StaffPages):
    list_display = ("number", "happened_at", "sentence", "person", "match_link")
    list_display_links = ("number",)
    linked = ("match",)
    search_fields = ("match__id__exact",)
    search_help_text = gettext_lazy("Number of a match. The list of matches finds them by the names of their people.")
    list_per_page = 100
    show_full_result_count = False
    fields = ("number", "happened_at", "sentence", "person", "match_link", "replay")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[GameEvent]:
        return super().get_queryset(request).select_related("match__room__host").prefetch_related("match__seats__user")

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        return self.list_display[:-1] if OF_A_MATCH in request.GET else self.list_display

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("match_id", "sequence") if OF_A_MATCH in request.GET else ("-pk",)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The log of one match, or the newest events of those that are over; looking at one that is played is noted."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        refused = refused_look(request, self.admin_site, matches_among(request.GET.getlist(OF_A_MATCH)))
        return refused or super().changelist_view(request, {**self._about_match(request), **(extra_context or {})})

    def _about_match(self, request: HttpRequest) -> dict[str, Any]:
        """Return the name of the match whose log is listed, and the way back to its page."""
        match = matches_among(request.GET.getlist(OF_A_MATCH)).select_related("room__host").first()
        if match is None:
            return {}
        back = {"label": gettext("Back to the match"), "address": reverse("admin:games_match_change", args=[match.pk])}
        return {"subtitle": options.title_of(match.room), "links": [back]}

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return ChangeList if OF_A_MATCH in request.GET else OfMatchesThatAreOver

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        may_look = row is not None and self.has_view_permission(request, row)
        refused = refused_look(request, self.admin_site, [row.match]) if row is not None and may_look else None
        return refused or super().change_view(request, object_id, form_url, extra_context)

    def label_of(self, subject: GameEvent) -> str:
        where = options.title_of(subject.match.room)
        return gettext("%(room)s, event %(number)d") % {"room": where, "number": subject.sequence}

    @admin.display(description=gettext_lazy("number"))
    def number(self, row: GameEvent) -> int:
        return row.sequence

    @admin.display(description=gettext_lazy("when"))
    def happened_at(self, row: GameEvent) -> str:
        at = localtime(row.created_at)
        return f"{date_format(at, 'DATE_FORMAT')} {date_format(at, 'H:i:s')}"

    @admin.display(description=gettext_lazy("what happened"))
    def sentence(self, row: GameEvent) -> str:
        return format_html("<bdi>{}</bdi>", event_list.sentence(told(row), selectors.names_in(row.match.seats.all())))

    @admin.display(description=gettext_lazy("seat"))
    def person(self, row: GameEvent) -> str:
        seat = event_list.seat_of(told(row))
        if seat is None:
            return NONE
        user = next((one.user for one in row.match.seats.all() if one.seat == seat), None)
        place = wording.seat_relation(None, seat)
        return place if user is None else format_html("{} · {}", place, to_person(user))

    @admin.display(description=gettext_lazy("match"))
    def match_link(self, row: GameEvent) -> str:
        return to_row(row.match, options.title_of(row.match.room))

    @admin.display(description=gettext_lazy("Replay"))
    def replay(self, row: GameEvent) -> str:
        if row.match.status == Match.Status.RUNNING:
            return gettext("When the match is over.")
        return format_html('<a href="{}">{}</a>', reverse("games:replay", args=[row.match_id]), gettext("Replay"))
