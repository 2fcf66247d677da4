"""Filters of the lists of staff, with words of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import ChatLine, Match, Room


def titled(title: Promise, kind: type[admin.FieldListFilter]) -> type[admin.FieldListFilter]:
    """Return Django's own filter of a field under a title in the language of the reader."""

    class Titled(kind):  # type: ignore[valid-type, misc]
        def __init__(self, *args: Any, **keywords: Any) -> None:
            super().__init__(*args, **keywords)
            self.title = title

    return Titled


class RoomState(admin.SimpleListFilter):
    """What happens in a room."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [
            ("playing", gettext_lazy("Playing")),
            ("waiting", gettext_lazy("Waiting")),
            ("closed", gettext_lazy("Closed")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Room]) -> QuerySet[Room]:
        playing = Exists(Match.objects.filter(room=OuterRef("pk"), status=Match.Status.RUNNING))
        match self.value():
            case "playing":
                return queryset.filter(playing)
            case "waiting":
                return queryset.filter(~playing, closed_at=None)
            case "closed":
                return queryset.exclude(closed_at=None)
        return queryset


class MatchEnd(admin.SimpleListFilter):
    """Whether a match counts."""

    title = gettext_lazy("what it counts for")
    parameter_name = "counts"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [
            ("rated", gettext_lazy("Rated")),
            ("unrated", gettext_lazy("Not rated")),
            ("annulled", gettext_lazy("Annulled")),
            ("imported", gettext_lazy("Brought as a record")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        match self.value():
            case "rated":
                return queryset.filter(is_rated=True, annulled_at=None)
            case "unrated":
                return queryset.filter(is_rated=False, is_imported=False, annulled_at=None)
            case "annulled":
                return queryset.exclude(annulled_at=None)
            case "imported":
                return queryset.filter(is_imported=True)
        return queryset


class LineKind(admin.SimpleListFilter):
    """How a line was said, and whether it is still there."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Promise]]:
        return [
            ("own", gettext_lazy("Own words")),
            ("phrase", gettext_lazy("Offered phrases")),
            ("deleted", gettext_lazy("Deleted")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ChatLine]) -> QuerySet[ChatLine]:
        match self.value():
            case "own":
                return queryset.exclude(text="")
            case "phrase":
                return queryset.exclude(phrase="")
            case "deleted":
                return queryset.exclude(deleted_at=None)
        return queryset
