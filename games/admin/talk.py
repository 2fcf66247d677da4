"""Staff pages about what is said at the tables, and deleting a line of it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from accounts.staff_links import NONE, moment, to_person, to_row
from accounts.staff_pages import Act, StaffPages
from games import options, talk
from games.admin.filters import LineKind
from games.models import ChatLine
from games.services import moderation


def _delete(staff: User, line: ChatLine, cleaned: dict[str, Any]) -> str:
    moderation.delete_line(staff, line.pk, cleaned["why"])
    return gettext("The line is deleted.")


@admin.register(ChatLine)
class LineAdmin(StaffPages):
    acts = (
        Act(
            name="delete",
            label=gettext_lazy("Delete the line"),
            effect=gettext_lazy("Its words go at once, from every open page as well, and cannot be brought back."),
            permission="games.moderate_tables",
            do=_delete,
            is_open=lambda staff, line: line.deleted_at is None,
        ),
    )
    list_display = ("said_at", "author_link", "words", "room_link", "match_link")
    list_filter = (LineKind,)
    linked = ("room", "match", "author")
    search_fields = (
        "text",
        "author__username",
        "author__guest_number__exact",
        "author__public_id__exact",
        "room__name",
    )
    search_help_text = gettext_lazy("Words of the line, name of who said it, or name of the room")
    date_hierarchy = "created_at"
    ordering = ("-pk",)
    list_select_related = ("author", "room__host", "match")
    fields = ("said_at", "author_link", "words", "room_link", "match_link", "deleted")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        return super().get_queryset(request).select_related(*self.list_select_related)

    def label_of(self, subject: ChatLine) -> str:
        return gettext("Line %(number)d by %(name)s") % {"number": subject.pk, "name": subject.author.display_name}

    @admin.display(description=gettext_lazy("said at"), ordering="created_at")
    def said_at(self, line: ChatLine) -> str:
        return moment(line.created_at)

    @admin.display(description=gettext_lazy("who said it"), ordering="author__username")
    def author_link(self, line: ChatLine) -> str:
        return to_person(line.author)

    @admin.display(description=gettext_lazy("line"))
    def words(self, line: ChatLine) -> str:
        return format_html("<bdi>{}</bdi>", talk.words_of(line))

    @admin.display(description=gettext_lazy("room"))
    def room_link(self, line: ChatLine) -> str:
        return to_row(line.room, options.title_of(line.room))

    @admin.display(description=gettext_lazy("match"))
    def match_link(self, line: ChatLine) -> str:
        return NONE if line.match is None else to_row(line.match, line.match.get_status_display())

    @admin.display(description=gettext_lazy("deleted at"))
    def deleted(self, line: ChatLine) -> str:
        return moment(line.deleted_at)
