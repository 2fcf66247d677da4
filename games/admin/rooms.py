"""Staff pages about rooms: what is played there, by whom, what is said, and closing or renaming one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from accounts.staff_links import NONE, count_of, moment, to_list, to_person
from accounts.staff_pages import Act, ActForm, StaffPages
from games import options, wording
from games.admin.filters import RoomState, titled
from games.engine.seats import Occupant, Seat
from games.models import ChatLine, Match, Report, Room, Seating
from games.reports import visible_to
from games.services import moderation


class NewNameForm(ActForm):
    """What renaming a room asks: the new name; none leaves the name that every room has by itself."""

    name = forms.CharField(
        label=gettext_lazy("New name"),
        help_text=gettext_lazy("Leave it empty, and the room is called after its host."),
        max_length=40,
        required=False,
    )
    field_order = ("name", "why")


def _close(staff: User, room: Room, cleaned: dict[str, Any]) -> str:
    moderation.close_room(staff, room.pk, cleaned["why"])
    return gettext("The room is closed.")


def _rename(staff: User, room: Room, cleaned: dict[str, Any]) -> str:
    moderation.rename_room(staff, room.pk, cleaned["name"], cleaned["why"])
    return gettext("The room has its new name.")


@admin.register(Room)
class RoomAdmin(StaffPages):
    acts = (
        Act(
            name="close",
            label=gettext_lazy("Close the room"),
            effect=gettext_lazy("Everybody who waits there loses their seat, and nobody comes in any more."),
            permission="games.moderate_tables",
            do=_close,
            is_open=lambda staff, room: room.closed_at is None and not room.is_playing,
        ),
        Act(
            name="rename",
            label=gettext_lazy("Rename the room"),
            effect=gettext_lazy("Everybody sees the new name at once."),
            permission="games.moderate_tables",
            do=_rename,
            form=NewNameForm,
            is_open=lambda staff, room: room.closed_at is None,
        ),
    )
    list_display = ("title", "host_link", "state", "who_finds_it", "people", "matches", "lines", "reports", "made")
    list_filter = (
        RoomState,
        ("visibility", titled(gettext_lazy("who finds the room"), admin.ChoicesFieldListFilter)),
        ("is_rated", titled(gettext_lazy("rated"), admin.BooleanFieldListFilter)),
    )
    linked = ("host", "seatings__user")
    search_fields = (
        "id__exact",
        "name",
        "host__username",
        "host__guest_number__exact",
        "host__public_id__exact",
        "seatings__user__username",
    )
    search_help_text = gettext_lazy("Name or number of a room, name of its host or of somebody who sits there")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    fields = (
        "title",
        "identifier",
        "state",
        "host_link",
        "seats",
        "chosen_options",
        "made",
        "closed",
        "matches",
        "lines",
        "reports",
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Room]:
        running = Match.objects.filter(room=OuterRef("pk"), status=Match.Status.RUNNING)
        return (
            super()
            .get_queryset(request)
            .select_related("host")
            .annotate(
                is_playing=Exists(running),
                people_count=count_of(Seating.objects.filter(level=""), "room"),
                match_count=count_of(Match.objects.all(), "room"),
                line_count=count_of(ChatLine.objects.all(), "room"),
                report_count=count_of(visible_to(request.user), "room"),
            )
        )

    def label_of(self, subject: Room) -> str:
        return options.title_of(subject)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def title(self, room: Room) -> str:
        return format_html("<bdi>{}</bdi>", options.title_of(room))

    @admin.display(description=gettext_lazy("number"))
    def identifier(self, room: Room) -> str:
        return str(room.pk)

    @admin.display(description=gettext_lazy("host"))
    def host_link(self, room: Room) -> str:
        return to_person(room.host)

    @admin.display(description=gettext_lazy("state"))
    def state(self, room: Any) -> str:
        if room.is_playing:
            return gettext("Playing")
        return gettext("Waiting") if room.closed_at is None else gettext("Closed")

    @admin.display(description=gettext_lazy("who finds it"))
    def who_finds_it(self, room: Room) -> str:
        return gettext("Everybody") if room.is_public else gettext("By link")

    @admin.display(description=gettext_lazy("people seated"), ordering="people_count")
    def people(self, room: Any) -> int:
        return int(room.people_count)

    @admin.display(description=gettext_lazy("matches"), ordering="match_count")
    def matches(self, room: Any) -> str:
        return to_list(room.match_count, Match, room__id__exact=room.pk)

    @admin.display(description=gettext_lazy("lines"), ordering="line_count")
    def lines(self, room: Any) -> str:
        return to_list(room.line_count, ChatLine, room__id__exact=room.pk)

    @admin.display(description=gettext_lazy("reports"), ordering="report_count")
    def reports(self, room: Any) -> str:
        return to_list(room.report_count, Report, room__id__exact=room.pk, state="all")

    @admin.display(description=gettext_lazy("opened at"), ordering="created_at")
    def made(self, room: Room) -> str:
        return moment(room.created_at)

    @admin.display(description=gettext_lazy("closed at"))
    def closed(self, room: Room) -> str:
        return moment(room.closed_at)

    @admin.display(description=gettext_lazy("seats"))
    def seats(self, room: Room) -> SafeString | str:
        seatings = {row.seat: row for row in room.seatings.select_related("user")}
        taken = [(wording.seat_relation(None, seat), _who_sits(seatings[seat])) for seat in Seat if seat in seatings]
        return _pairs(taken) if taken else NONE

    @admin.display(description=gettext_lazy("options"))
    def chosen_options(self, room: Room) -> SafeString:
        return _pairs(options.all_of(room))


def _who_sits(row: Seating) -> str:
    return wording.computer(Occupant(row.level)) if row.user is None else to_person(row.user)


def _pairs(pairs: list[tuple[str, str]]) -> SafeString:
    return format_html('<dl class="facts">{}</dl>', format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", pairs))
