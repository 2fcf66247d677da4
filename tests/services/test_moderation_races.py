"""Staff who act while others do. Runs on SQLite and, by test_on_postgres, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts import sanctions
from accounts.audit import Refused
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import Ground, Kind
from games import selectors
from games.engine.seats import Occupant
from games.engine.view import table_view
from games.models import Match, MatchSeat, Room, Seating, StaffView
from games.services import matches, moderation, rooms, seating
from tests.services.given import EASY, four_people
from tests.services.rated import accounts, rated_match
from tests.services.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 3
WHY = "it had to be"


@pytest.fixture
def staff() -> list[User]:
    names = ("first", "second")
    return [User.objects.create_user(name, is_staff=True, is_superuser=True) for name in names]


def is_done(act: Callable[[], object]) -> bool:
    """Do it, and tell whether it was not refused."""
    try:
        act()
    except Refused:
        return False
    return True


def test_two_who_annul_a_match_at_once_annul_it_once(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given
        match = rated_match(accounts())
        # when
        done = at_once(*[lambda s=one, m=match: is_done(lambda: moderation.annul_match(s, m.pk, WHY)) for one in staff])  # type: ignore[misc]
        # then
        assert sorted(done) == [False, True]
        assert StaffAct.objects.filter(subject_id=str(match.pk)).count() == 1


def test_two_who_end_a_match_at_once_while_a_card_is_played_end_it_once(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given somebody on turn
        table = four_people()
        state = table.play_until(lambda now: now.turn is not None and now.acting(now.turn) is Occupant.PERSON)
        seat, match = state.turn, table.match
        assert seat is not None
        bid = EASY.choose(table_view(state, seat))
        # when
        _, *done = at_once(
            lambda m=match, s=seat, c=bid, v=state.version: bool(matches.submit(m.pk, s, c, v)),  # type: ignore[misc]
            *[lambda s=one, m=match: is_done(lambda: moderation.end_match(s, m.pk, WHY)) for one in staff],  # type: ignore[misc]
        )
        # then
        assert sorted(done) == [False, True]
        match.refresh_from_db()
        assert match.status == Match.Status.VOID
        assert match.events.filter(payload__type="match_ended").count() == 1


def test_who_leaves_while_staff_replace_them_is_gone_once(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given
        table = four_people()
        seat, match = table.people[1], table.match
        user = table.users[seat]

        def leave(m: Match = match, u: User = user) -> bool:
            try:
                return bool(seating.leave(m.pk, u))
            except selectors.MatchNotFound:
                return False

        # when
        done = at_once(leave, lambda m=match, s=seat: is_done(lambda: moderation.replace_seat(staff[0], m.pk, s, WHY)))  # type: ignore[misc]
        # then
        assert True in done
        assert match.events.filter(payload__type="seat_taken_over").count() == 1
        assert StaffAct.objects.filter(subject_id=str(match.pk)).count() == done[1]


def test_nobody_sits_in_a_room_that_staff_close_meanwhile(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given
        room = rooms.create(User.objects.create_guest(), Room(visibility=Room.Visibility.PUBLIC, clock=30))
        other = User.objects.create_guest()

        def sit(u: User = other, r: Room = room) -> bool:
            try:
                return bool(seating.sit(u, r.pk))
            except seating.NotNow:
                return False

        # when
        at_once(sit, lambda r=room: is_done(lambda: moderation.close_room(staff[0], r.pk, WHY)))  # type: ignore[misc]
        # then
        room.refresh_from_db()
        assert room.closed_at is not None
        assert not Seating.objects.filter(room=room).exists()


def test_who_looks_while_the_match_ends_is_not_barred_from_its_room_for_ever(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given
        match = four_people().match
        # when
        at_once(
            lambda m=match: matches.end(m.pk),  # type: ignore[misc]
            lambda m=match: is_done(lambda: moderation.open_match(staff[0], m.pk)),  # type: ignore[misc]
        )
        # then
        assert not StaffView.objects.exists()


def decided(staff: User, person: User, kind: Kind) -> bool:
    """Ban or suspend somebody for a day, and tell whether it was not refused."""
    scope = sanctions.SCOPES[kind][0]
    return is_done(
        lambda: sanctions.impose(staff, person, kind, scope, Ground.CHEATING, "", timedelta(days=1), WHY),
    )


@pytest.mark.parametrize("kind", [Kind.BAN, Kind.SUSPENSION])
def test_a_decision_holds_that_falls_while_the_match_starts(staff: list[User], kind: Kind) -> None:
    for number in range(ROUNDS):
        # given
        people = accounts()
        room = rooms.create(people[0], Room(visibility=Room.Visibility.PUBLIC, clock=30, is_rated=True))
        for other in people[1:]:
            seating.sit(other, room.pk)
        person = people[number % 4]

        def start(r: Room = room, host: User = people[0]) -> bool:
            try:
                return bool(rooms.start(host, r.pk))
            except (seating.NotNow, seating.NotTheHost, seating.Suspended):
                return False

        # when
        is_started, is_decided = at_once(start, lambda p=person: decided(staff[0], p, kind))  # type: ignore[misc]
        # then
        assert is_decided
        plays = MatchSeat.objects.filter(user=person, is_playing=True).exists()
        assert plays == (is_started and kind is Kind.SUSPENSION)
        assert Seating.objects.filter(user=person).exists() == plays
        assert Seating.objects.filter(room=room).count() == (4 if plays else 3)


def test_who_is_banned_while_they_sit_down_has_no_seat(staff: list[User]) -> None:
    for _ in range(ROUNDS):
        # given
        host, person = accounts(2)
        room = rooms.create(host, Room(visibility=Room.Visibility.PUBLIC, clock=30))

        def sit(p: User = person, r: Room = room) -> bool:
            try:
                return bool(seating.sit(p, r.pk))
            except sanctions.Banned:
                return False

        # when
        at_once(sit, lambda p=person: decided(staff[0], p, Kind.BAN))  # type: ignore[misc]
        # then
        assert Sanction.objects.filter(user=person).count() == 1
        assert not Seating.objects.filter(user=person).exists()


def test_of_two_who_ban_each_other_at_once_one_is_refused_and_of_two_who_ban_the_same_person(staff: list[User]) -> None:
    for number in range(ROUNDS):
        # given
        one, other = (User.objects.create_superuser(f"root {number} {name}") for name in ("one", "other"))
        person = User.objects.create_guest()
        # when
        mutual = at_once(lambda a=one, b=other: decided(a, b, Kind.BAN), lambda a=one, b=other: decided(b, a, Kind.BAN))  # type: ignore[misc]
        same = at_once(*[lambda s=s, p=person: decided(s, p, Kind.BAN) for s in staff])  # type: ignore[misc]
        # then
        assert sorted(mutual) == sorted(same) == [False, True]
        assert Sanction.objects.filter(user__in=[one, other]).count() == 1
        assert Sanction.objects.filter(user=person).count() == 1
