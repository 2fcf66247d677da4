"""People who do something in a room at the same moment. Runs on SQLite and, by test_on_postgres, on PostgreSQL."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.engine.seats import Occupant, Seat
from games.models import Match, Room, Seating
from games.services import rooms, seating
from tests.services.given import four_people
from tests.services.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5


def guest() -> User:
    return User.objects.create_guest()


def public_room() -> Room:
    return rooms.create(guest(), Room(visibility=Room.Visibility.PUBLIC, clock=30))


def takes(user: User, room: Room, seat: Seat | None = None) -> bool:
    """Tell whether somebody got a seat."""
    try:
        seating.sit(user, room.pk, seat)
    except (seating.SeatTaken, seating.NotNow):
        return False
    return True


def test_the_last_seat_goes_to_one_of_two() -> None:
    for _ in range(ROUNDS):
        # given
        room, one, other = public_room(), guest(), guest()
        for seat in (Seat.EAST, Seat.WEST):
            rooms.fill(room.host, room.pk, Occupant.EASY, seat)
        # when
        got = at_once(lambda r=room, u=one: takes(u, r), lambda r=room, u=other: takes(u, r))  # type: ignore[misc]
        # then
        assert sorted(got) == [False, True]
        assert room.seatings.count() == 4
        assert Seating.objects.filter(user__in=[one, other]).count() == 1


def test_the_last_two_who_leave_at_once_close_the_room() -> None:
    for _ in range(ROUNDS):
        # given
        room, other = public_room(), guest()
        seating.sit(other, room.pk)
        host = room.host
        # when
        at_once(
            lambda r=room, u=host: seating.get_up(u, r.pk),  # type: ignore[misc]
            lambda r=room, u=other: seating.get_up(u, r.pk),  # type: ignore[misc]
        )
        # then
        room.refresh_from_db()
        assert room.closed_at is not None


def test_two_who_change_rooms_crosswise_both_arrive() -> None:
    for _ in range(ROUNDS):
        # given two rooms in which somebody stays
        first, second, one, other = public_room(), public_room(), guest(), guest()
        seating.sit(one, first.pk)
        seating.sit(other, second.pk)
        # when
        got = at_once(lambda r=second, u=one: takes(u, r), lambda r=first, u=other: takes(u, r))  # type: ignore[misc]
        # then
        assert got == [True, True]
        assert Seating.objects.get(user=one).room == second
        assert Seating.objects.get(user=other).room == first


def test_a_seat_and_the_start_at_once_make_one_match_of_four() -> None:
    for _ in range(ROUNDS):
        # given
        room, other = public_room(), guest()
        host = room.host

        def start(user: User = host, room: Room = room) -> bool:
            try:
                rooms.fill(user, room.pk, Occupant.EASY)
                rooms.start(user, room.pk)
            except seating.NotNow:
                return False
            return True

        # when
        started, seated = at_once(start, lambda r=room, u=other: takes(u, r))  # type: ignore[misc]
        # then
        assert started
        match = Match.objects.get(room=room)
        assert match.seats.filter(user=other).exists() == seated
        assert match.seats.count() == 4


def test_one_person_who_clicks_twice_has_one_seat() -> None:
    for _ in range(ROUNDS):
        first, second, user = public_room(), public_room(), guest()
        at_once(lambda r=first, u=user: takes(u, r), lambda r=second, u=user: takes(u, r))  # type: ignore[misc]
        assert Seating.objects.filter(user=user).count() == 1


def test_four_who_press_quick_match_at_once_sit_at_one_table_or_wait_in_rooms() -> None:
    for _ in range(ROUNDS):
        # given
        people = [guest() for _ in range(4)]
        # when
        at_once(*[lambda u=user: rooms.quick_match(u) for user in people])  # type: ignore[misc]
        # then nobody has two seats, and no seat has two people
        assert Seating.objects.filter(user__in=people).count() == 4
        Room.objects.update(closed_at="2026-01-01T00:00:00Z")


def test_people_who_all_leave_their_match_at_once_end_it() -> None:
    for _ in range(ROUNDS):
        # given
        table = four_people()
        # when
        at_once(*[lambda t=table, u=user: seating.leave(t.match.pk, u) for user in table.users.values()])  # type: ignore[misc]
        # then nothing goes on without anybody, and everybody is free
        table.match.refresh_from_db()
        assert table.match.status == Match.Status.VOID
        assert not table.match.seats.filter(is_playing=True).exists()
        table.match.room.refresh_from_db()
        assert table.match.room.closed_at is not None
