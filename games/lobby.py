"""The read side of the lobby: the public rooms that wait, matches to watch, and who has invited somebody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext

from games import options, selectors, wording
from games.engine.rules import TARGETS
from games.engine.seats import Occupant, Seat, Team
from games.engine.view import TableView, table_view
from games.models import Admission, Clock, Level, Match, Presence, Room, Seating

LISTED = 60
MATCHES_LISTED = 24
"""A longer list is cut: nobody reads it, and every socket of the lobby is sent it."""

_SEATED = Seating.objects.select_related("user")


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
    """A listed room that waits; ``is_mine``: the reader has a seat there."""

    room_id: UUID
    title: str
    host: str
    seats: list[SeatLabel]
    free_seats: int
    target: int
    clock: str
    notes: list[str]
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match that is played: what it is called, who plays, and its points before the running deal.

    ``points`` are None where nobody may look on.
    """

    label: str
    players: list[SeatLabel]
    points: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A match that is played; ``is_open`` to spectators, and nothing of it is told otherwise. ``is_mine``: the reader
    has a seat there."""

    match_id: UUID
    room_id: UUID
    title: str
    sides: list[Side]
    deal: str
    target: int
    clock: str
    notes: list[str]
    watchers: int
    is_open: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Invitation:
    """A room into which somebody is invited."""

    room_id: UUID
    title: str
    inviter: str


def rows(wanted: Filter, user_id: int | None) -> list[Row]:
    """Return the public rooms that wait and fit, the fullest on top; at most `LISTED`.

    Rooms in which somebody sits whom the reader has blocked, or who has blocked the reader, are left out.
    """
    if wanted.status == "playing":
        return []
    is_playing = Match.objects.filter(room=OuterRef("pk"), status=Match.Status.RUNNING)
    found = Room.objects.filter(~Exists(is_playing), visibility=Room.Visibility.PUBLIC, closed_at__isnull=True)
    found = found.annotate(taken=Count("seatings")).filter(taken__gt=0, **_options_of(wanted))
    if user_id is not None:
        found = found.exclude(seatings__user_id__in=selectors.avoided_by(user_id))
    if wanted.has_free_seat:
        found = found.filter(taken__lt=len(Seat))
    listed = found.select_related("host").prefetch_related(Prefetch("seatings", _SEATED))
    return [_row(room, user_id) for room in listed.order_by("-taken", "-created_at")[:LISTED]]


def tables(wanted: Filter, user_id: int | None) -> list[Table]:
    """Return the matches of public rooms that fit, those on top that may be watched and have the most spectators; at
    most `MATCHES_LISTED`.

    Left out is what `rows` leaves out: a spectator whom somebody there has blocked would be refused.
    """
    if wanted.status == "waiting" or wanted.has_free_seat:
        return []
    watching = (
        Presence.objects.filter(match=OuterRef("pk"), seat__isnull=True, seen_until__gt=timezone.now())
        .order_by()
        .values("match")
        .annotate(n=Count("user", distinct=True) + Count("pk", filter=Q(user__isnull=True)))
        .values("n")
    )
    found = Match.objects.filter(
        status=Match.Status.RUNNING,
        room__visibility=Room.Visibility.PUBLIC,
        room__closed_at__isnull=True,
        **{f"room__{option}": value for option, value in _options_of(wanted).items()},
    )
    if user_id is not None:
        found = found.exclude(room__seatings__user_id__in=selectors.avoided_by(user_id))
    listed = (
        found.annotate(watchers=Coalesce(Subquery(watching), 0))
        .select_related("room__host")
        .prefetch_related(Prefetch("room__seatings", _SEATED))
        .order_by("-room__has_spectators", "-watchers", "-started_at")[:MATCHES_LISTED]
    )
    # What everybody may know of each, and nothing else of it.
    views = [table_view(selectors.state_at(match.pk, match.version), None) for match in listed]
    return [_table(match, view, user_id) for match, view in zip(listed, views, strict=True)]


def _options_of(wanted: Filter) -> dict[str, int]:
    options = {"clock": wanted.clock, "target": wanted.target}
    return {name: value for name, value in options.items() if value is not None}


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
    return Row(
        room_id=room.pk,
        title=options.title_of(room),
        host=room.host.display_name if room.host else "",
        seats=[_label(seated.get(seat), gettext("free")) for seat in Seat],
        free_seats=len(Seat) - len(seated),
        target=room.target,
        clock=options.clock_of(room),
        notes=options.unusual_of(room, is_rated=room.is_rated),
        is_mine=_is_among(seated.values(), user_id),
    )


def _table(match: Match, view: TableView, user_id: int | None) -> Table:
    room = match.room
    is_open = room.has_spectators
    seated = {seating.seat: seating for seating in room.seatings.all()}
    north_south, east_west = wording.sides(None)
    return Table(
        match_id=match.pk,
        room_id=room.pk,
        title=options.title_of(room),
        sides=[
            Side(
                label,
                [_label(seated.get(seat)) for seat in Seat if seat.team is team],
                view.totals[team] if is_open else None,
            )
            for team, label in ((Team.NORTH_SOUTH, north_south), (Team.EAST_WEST, east_west))
        ],
        deal=gettext("Deal %(number)d") % {"number": view.deal_number} if is_open else "",
        target=view.rules.target,
        clock=options.clock_of(room),
        notes=[
            *options.unusual_of(room, is_rated=match.is_rated),
            *([] if is_open else [gettext("Closed to spectators")]),
        ],
        watchers=match.watchers,
        is_open=is_open,
        is_mine=_is_among(seated.values(), user_id),
    )


def _is_among(seated: Iterable[Seating], user_id: int | None) -> bool:
    return user_id is not None and any(seating.user_id == user_id for seating in seated)


def _label(seating: Seating | None, free: str = "") -> SeatLabel:
    """Return who sits in a seat. In a match, where none is ``free``, that of a person who has left is a computer's."""
    if seating is not None and seating.user is not None:
        return SeatLabel("person", seating.user.display_name)
    if seating is None and free:
        return SeatLabel("free", free)
    level = seating.level if seating is not None else Level.NORMAL
    return SeatLabel("computer", wording.computer(Occupant(level)))


def context_of(wanted: Filter, user_id: int | None) -> dict[str, object]:
    """Return what games/lobby/region.html is made from, in the active language."""
    waiting, playing = rows(wanted, user_id), tables(wanted, user_id)
    return {
        "rows": waiting,
        "tables": playing,
        "to_watch": sum(table.is_open for table in playing),
        "shows_waiting": wanted.status != "playing",
        "shows_playing": wanted.status != "waiting" and not wanted.has_free_seat,
        "is_cut": len(waiting) == LISTED or len(playing) == MATCHES_LISTED,
        "is_filtered": bool(wanted.query),
        "invitations": invitations(user_id),
    }


def region(wanted: Filter, user_id: int | None) -> str:
    """Return the lists as a message for a lobby's socket, in the active language."""
    return render_to_string("games/lobby/region.html", {**context_of(wanted, user_id), "oob": True})
