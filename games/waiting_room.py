"""The read side of a room's own page: what one person sees of a room and may do there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import segno
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games import options, selectors
from games.engine.seats import Seat
from games.models import Level, Match, Presence, Room, Seating

COMPUTERS_OFFERED_AFTER = timedelta(seconds=20)
"""Who is alone in a room of quick matches so long is offered computers."""

_PLACES = {Seat.NORTH: "top", Seat.EAST: "right", Seat.SOUTH: "bottom", Seat.WEST: "left"}


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """A seat as one person sees it. ``kind`` is 'free', 'person' or 'computer', ``role`` what it is to the reader;
    ``level`` is a computer's."""

    number: int
    place: str
    team: str
    kind: str
    name: str
    role: str
    level: str
    is_me: bool
    is_host: bool
    is_away: bool
    is_ready: bool


def context_of(room: Room, user: User | None, origin: str) -> dict[str, object]:
    """Return what games/room/region.html is made from, in the active language.

    ``origin`` is the site's address as the reader's browser knows it; an invitation begins with it.
    """
    now = timezone.now()
    seatings = {seating.seat: seating for seating in room.seatings.select_related("user")}
    mine = next((s for s in seatings.values() if user is not None and s.user_id == user.pk), None)
    here = Presence.objects.filter(room=room, seen_until__gt=now).select_related("user")
    people_here = {presence.user for presence in here if presence.user is not None}
    match = room.matches.filter(status=Match.Status.RUNNING).first()
    is_waiting = match is None and room.closed_at is None
    host = _host_name(room)
    is_host = mine is not None and room.host_id == mine.user_id
    seated = {s.user_id for s in seatings.values()}
    places = [_place(room, seat, seatings.get(seat), mine, people_here) for seat in Seat]
    free = len(Seat) - len(seatings)
    persons = [s for s in seatings.values() if not s.level]
    plays_elsewhere = selectors.running_match(user.pk) if user is not None else None
    if plays_elsewhere is not None and plays_elsewhere.room_id == room.pk:
        plays_elsewhere = None
    return {
        "room_id": room.pk,
        "title": options.title_of(room),
        "host": host,
        "is_host": is_host,
        "is_seated": mine is not None,
        "is_waiting": is_waiting,
        "is_closed": room.closed_at is not None,
        "seats": places,
        "free_seats": free,
        "status": _status(room, match, free, host, is_host=is_host),
        "rated_note": _rated_note(room, list(seatings.values()), match),
        "may_sit": is_waiting and plays_elsewhere is None,
        "levels": options.levels(),
        "start_refusal": _start_refusal(free),
        "starts_when_full": room.starts_when_full,
        "offers_computers": is_waiting
        and is_host
        and room.starts_when_full
        and len(persons) == 1
        and not _offer_due_in(room, persons),
        "match_address": _address_of(match, room, mine),
        "plays_elsewhere": plays_elsewhere and reverse("games:table", args=[plays_elsewhere.pk]),
        "asks_for_rematch": is_waiting and mine is not None and _wants_rematch(room, user, mine),
        "options": options.all_of(room),
        "invite": _invitation(room, origin) if mine is not None and is_waiting else None,
        "onlookers": sorted(person.display_name for person in people_here if person.pk not in seated),
        "visitors": sum(presence.user is None for presence in here),
    }


def region(room_id: UUID, user: User | None, origin: str) -> tuple[str, float | None]:
    """Return the live part of a room's page as a message for its socket, in the active language, and in how many
    seconds it looks different by itself, None when it does not.

    Raises:
        selectors.RoomNotFound: the room is not for this person to see, or not any more.
    """
    room = selectors.room_for(room_id, user.pk if user is not None else None)
    html = render_to_string("games/room/region.html", {**context_of(room, user, origin), "oob": True})
    due_in = _offer_due_in(room, list(room.seatings.filter(level="")))
    return html, due_in or None


def invited_to(invite: str, user: User | None) -> Room:
    """Return the room of an invite link.

    Raises:
        selectors.RoomNotFound: there is no such link, or somebody with a seat there has blocked the user.
    """
    room = Room.objects.filter(invite=invite).first()
    if room is None or selectors.is_blocked_by_the_seated(room.pk, user.pk if user is not None else None):
        raise selectors.RoomNotFound(invite)
    return room


def seat_waiting(user: User | None) -> Seating | None:
    """Return the seat that somebody has in a room that does not play."""
    if user is None:
        return None
    seating = Seating.objects.filter(user=user).exclude(room__matches__status=Match.Status.RUNNING)
    return seating.select_related("room__host").first()


def _host_name(room: Room) -> str:
    return room.host.display_name if room.host is not None else ""


def _place(room: Room, seat: Seat, seating: Seating | None, mine: Seating | None, people_here: set[User]) -> SeatPlace:
    person = seating.user if seating is not None else None
    is_me = seating is not None and seating == mine
    if seating is None:
        kind, name = "free", gettext("Free seat")
    elif person is not None:
        kind, name = "person", person.display_name
    else:
        kind, name = "computer", selectors.COMPUTER_NAMES[seat]
    return SeatPlace(
        number=int(seat),
        place=_PLACES[seat],
        team="us" if seat.team is (Seat.NORTH if mine is None else Seat(mine.seat)).team else "them",
        kind=kind,
        name=name,
        role=_role(seat, mine),
        level=str(Level(seating.level).label) if seating is not None and seating.level else "",
        is_me=is_me,
        is_host=person is not None and person.pk == room.host_id,
        is_away=person is not None and person not in people_here and not is_me,
        is_ready=seating is not None and seating.is_ready,
    )


def _role(seat: Seat, mine: Seating | None) -> str:
    if mine is None:
        return gettext("North and South") if seat.team is Seat.NORTH.team else gettext("East and West")
    if seat is Seat(mine.seat):
        return gettext("You")
    return gettext("Your partner") if seat is Seat(mine.seat).partner else gettext("Your opponent")


def _status(room: Room, match: Match | None, free: int, host: str, *, is_host: bool) -> str:
    if room.closed_at is not None:
        return gettext("This room is closed.")
    if match is not None:
        return gettext("A match is being played here.")
    if room.starts_when_full and free:
        return gettext("The match starts as soon as four people sit here.")
    if free:
        return ngettext("%(count)d seat is free.", "%(count)d seats are free.", free) % {"count": free}
    if is_host:
        return gettext("All seats are taken: you can start.")
    return gettext("All seats are taken: %(name)s can start the match.") % {"name": host}


def _rated_note(room: Room, seatings: list[Seating], match: Match | None) -> str:
    """Return whether the match is rated, or would be if it began now, and what is missing; '' in an unrated room."""
    if not room.is_rated or room.closed_at is not None:
        return ""
    if match is not None:
        return gettext("This match is rated.") if match.is_rated else gettext("This match is not rated.")
    if any(seating.user is None for seating in seatings):
        return gettext("Not rated with a computer at the table: it takes four people with an account.")
    if any(seating.user is not None and seating.user.is_guest for seating in seatings):
        return gettext("Not rated with a guest at the table: it takes four people with an account.")
    if len(seatings) < len(Seat):
        return gettext("Rated when four people with an account sit here at the start.")
    return gettext("Four people with an account sit here: the match will be rated.")


def _start_refusal(free: int) -> str:
    if not free:
        return ""
    return gettext("A match starts when all four seats are taken. Computers can fill the free ones.")


def _offer_due_in(room: Room, persons: list[Seating]) -> float:
    """Return in how many seconds computers are offered, 0 when they are already or never will be."""
    if len(persons) != 1 or not room.starts_when_full or room.closed_at is not None:
        return 0
    return max(0.0, (room.created_at + COMPUTERS_OFFERED_AFTER - timezone.now()).total_seconds())


def _address_of(match: Match | None, room: Room, mine: Seating | None) -> str:
    """Return where the running match is seen by somebody who may, '' otherwise."""
    if match is None or (mine is None and not room.has_spectators):
        return ""
    return reverse("games:table", args=[match.pk])


def _wants_rematch(room: Room, user: User | None, mine: Seating) -> bool:
    """Tell whether somebody who played the room's last match has yet to say that they want another."""
    last = room.matches.order_by("-started_at").first()
    return last is not None and not mine.is_ready and last.seats.filter(user=user).exists()


def _invitation(room: Room, origin: str) -> dict[str, str]:
    address = origin + reverse("games:join", args=[room.invite])
    return {"address": address, "picture": segno.make(address, error="m").svg_data_uri(border=3, light="#fff")}
