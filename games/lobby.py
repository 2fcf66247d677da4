"""The read side of the lobby: the public rooms that somebody may find, and who has invited them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from games import options, selectors
from games.engine.rules import TARGETS
from games.engine.seats import Seat
from games.models import Admission, Clock, Level, Match, Presence, Room, Seating

LISTED = 60
"""A longer list is cut: nobody reads it, and every socket of the lobby is sent it."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which rooms somebody looks for; a value of None asks for nothing."""

    status: str | None = None
    has_free_seat: bool = False
    clock: int | None = None
    target: int | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Filter:
        """Read the query of the lobby's address. What it does not know is left out."""
        status, clock, target = query.get("status"), query.get("clock"), query.get("target")
        return cls(
            status if status in ("waiting", "playing") else None,
            query.get("free") == "1",
            next((seconds for seconds in Clock.values if str(seconds) == clock), None),
            next((points for points in TARGETS if str(points) == target), None),
        )

    @property
    def query(self) -> dict[str, str]:
        """The query that `from_query` reads as this filter."""
        query = {
            "status": self.status or "",
            "free": "1" if self.has_free_seat else "",
            "clock": str(self.clock or ""),
            "target": str(self.target or ""),
        }
        return {name: value for name, value in query.items() if value}


@dataclass(frozen=True, slots=True)
class SeatLabel:
    """Who sits in a seat of a listed room; ``kind`` is 'free', 'person' or 'computer'."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """A listed room. ``match_id`` is the match that it plays, None while it waits; ``is_mine``: the reader’s seat."""

    room_id: UUID
    title: str
    host: str
    seats: list[SeatLabel]
    free_seats: int
    target: int
    clock: str
    notes: list[str]
    watchers: int
    match_id: UUID | None
    has_spectators: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Invitation:
    """A room into which somebody is invited."""

    room_id: UUID
    title: str
    inviter: str


def rows(wanted: Filter, user_id: int | None) -> list[Row]:
    """Return the public rooms that fit, those that wait first, the fullest of them on top; at most `LISTED`.

    Rooms in which somebody sits whom the reader has blocked, or who has blocked the reader, are left out.
    """
    now = timezone.now()
    running = Match.objects.filter(room=OuterRef("pk"), status=Match.Status.RUNNING).values("pk")[:1]
    watching = (
        Presence.objects.filter(match=OuterRef("match_id"), seat__isnull=True, seen_until__gt=now)
        .order_by()
        .values("match")
        .annotate(n=Count("user", distinct=True) + Count("pk", filter=Q(user__isnull=True)))
        .values("n")
    )
    found = (
        Room.objects.filter(visibility=Room.Visibility.PUBLIC, closed_at__isnull=True)
        .annotate(match_id=Subquery(running), taken=Count("seatings"))
        .annotate(watchers=Coalesce(Subquery(watching), 0))
        .filter(taken__gt=0)
    )
    if user_id is not None:
        found = found.exclude(seatings__user_id__in=selectors.avoided_by(user_id))
    if wanted.status is not None:
        found = found.filter(match_id__isnull=wanted.status == "waiting")
    if wanted.has_free_seat:
        found = found.filter(taken__lt=len(Seat), match_id__isnull=True)
    if wanted.clock is not None:
        found = found.filter(clock=wanted.clock)
    if wanted.target is not None:
        found = found.filter(target=wanted.target)
    listed = (
        found.select_related("host")
        .prefetch_related(
            Prefetch("seatings", Seating.objects.select_related("user")),
        )
        .order_by(F("match_id").asc(nulls_first=True), "-taken", "-created_at")[:LISTED]
    )
    return [_row(room, user_id) for room in listed]


def invitations(user_id: int | None) -> list[Invitation]:
    """Return the invitations that somebody has not answered yet, the newest first."""
    if user_id is None:
        return []
    found = (
        Admission.objects.filter(user_id=user_id, is_answered=False, room__closed_at__isnull=True)
        .exclude(inviter_id__in=selectors.avoided_by(user_id))
        .select_related("room__host", "inviter")
        .order_by("-created_at")
    )
    return [
        Invitation(
            one.room_id,
            options.title_of(one.room),
            one.inviter.display_name if one.inviter else gettext("Deleted account"),
        )
        for one in found
    ]


def _row(room: Room, user_id: int | None) -> Row:
    seated = {seating.seat: seating for seating in room.seatings.all()}
    host = room.host.display_name if room.host else ""
    is_playing = room.match_id is not None
    return Row(
        room_id=room.pk,
        title=options.title_of(room),
        host=host,
        seats=[_label(seated.get(seat), seat, is_playing=is_playing) for seat in Seat],
        free_seats=0 if is_playing else len(Seat) - len(seated),
        target=room.target,
        clock=options.clock_of(room),
        notes=options.unusual_of(room),
        watchers=room.watchers,
        match_id=room.match_id,
        has_spectators=room.has_spectators,
        is_mine=user_id is not None and any(seating.user_id == user_id for seating in seated.values()),
    )


def _label(seating: Seating | None, seat: Seat, *, is_playing: bool) -> SeatLabel:
    if seating is not None and seating.user is not None:
        return SeatLabel("person", seating.user.display_name)
    if seating is None and not is_playing:
        return SeatLabel("free", gettext("free"))
    # In a match the seat of a person who has left is a computer's.
    level = seating.level if seating is not None else Level.NORMAL
    return SeatLabel("computer", gettext("Computer: %(level)s") % {"level": Level(level).label})


def context_of(wanted: Filter, user_id: int | None) -> dict[str, object]:
    """Return what games/lobby/region.html is made from, in the active language."""
    found = rows(wanted, user_id)
    return {
        "rows": found,
        "is_cut": len(found) == LISTED,
        "is_filtered": bool(wanted.query),
        "invitations": invitations(user_id),
    }


def region(wanted: Filter, user_id: int | None) -> str:
    """Return the list as a message for a lobby's socket, in the active language."""
    return render_to_string("games/lobby/region.html", {**context_of(wanted, user_id), "oob": True})
