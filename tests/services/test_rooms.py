"""Rooms: who may do what, the host's role, closing, quick match, rematch, seats that nobody came back to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Relation, User
from games import lobby, selectors, tasks
from games.engine.seats import Occupant, Seat
from games.models import Admission, Match, Room, Seating
from games.services import matches, presence, rooms, seating

pytestmark = pytest.mark.django_db


def guest() -> User:
    return User.objects.create_guest()


def public_room(host: User, **options: object) -> Room:
    return rooms.create(host, Room(visibility=Room.Visibility.PUBLIC, clock=30, **options))


def seated_in(room: Room) -> dict[Seat, User | None]:
    return {Seat(one.seat): one.user for one in room.seatings.select_related("user").order_by("seat")}


def block(owner: User, other: User) -> None:
    Relation.objects.create(owner=owner, other=other, kind=Relation.Kind.BLOCK)


HOSTS_ACTS: dict[str, Callable[[User, Room], object]] = {
    "fill": lambda user, room: rooms.fill(user, room.pk, Occupant.EASY),
    "clear": lambda user, room: rooms.clear(user, room.pk, Seat.NORTH),
    "change": lambda user, room: rooms.change(user, room.pk, {"target": 501}),
    "start": lambda user, room: rooms.start(user, room.pk),
}


@pytest.mark.parametrize("act", HOSTS_ACTS)
@pytest.mark.parametrize("who", ["member", "admitted", "stranger"])
def test_only_the_host_arranges_a_room(act: str, who: str) -> None:
    # given a full room, so that nothing else stands in the way
    host, member, other = guest(), guest(), guest()
    room = public_room(host)
    seating.sit(member, room.pk)
    rooms.fill(host, room.pk, Occupant.EASY)
    if who == "admitted":
        seating.enter(other, room.invite)
    # when / then
    with pytest.raises(seating.NotTheHost):
        HOSTS_ACTS[act](member if who == "member" else other, room)
    room.refresh_from_db()
    assert (room.target, room.seatings.count(), room.matches.count()) == (1000, 4, 0)


@pytest.mark.parametrize("act", HOSTS_ACTS)
def test_nothing_of_a_room_can_be_arranged_while_it_plays(act: str) -> None:
    host = guest()
    room = public_room(host)
    rooms.fill(host, room.pk, Occupant.EASY)
    rooms.start(host, room.pk)
    with pytest.raises(seating.NotNow):
        HOSTS_ACTS[act](host, room)


@pytest.mark.parametrize("level", [Occupant.EASY, Occupant.NORMAL, Occupant.HARD])
def test_a_match_starts_only_with_four(level: Occupant) -> None:
    host = guest()
    room = public_room(host)
    seating.sit(guest(), room.pk)
    with pytest.raises(seating.NotNow):
        rooms.start(host, room.pk)
    rooms.fill(host, room.pk, level)
    match = rooms.start(host, room.pk)
    assert match.clock == 30
    assert sorted(match.seats.values_list("level", flat=True)) == ["", "", level, level]


def test_the_options_of_the_room_bind_the_match() -> None:
    # given
    host = guest()
    room = public_room(host)
    rooms.change(host, room.pk, {"target": 501, "undertrump": "may", "belote": "manual", "litige": "fail"})
    rooms.fill(host, room.pk, Occupant.EASY)
    # when
    match = rooms.start(host, room.pk)
    # then
    rules = selectors.current_state(match.pk).rules
    assert (rules.target, rules.undertrump, rules.belote, rules.litige) == (501, "may", "manual", "fail")


def test_people_choose_and_change_free_seats_and_no_others() -> None:
    # given
    host, luc = guest(), guest()
    room = public_room(host)
    seating.sit(luc, room.pk, Seat.EAST)
    # when he moves
    seating.sit(luc, room.pk, Seat.WEST)
    # then
    assert seated_in(room) == {Seat.SOUTH: host, Seat.WEST: luc}
    with pytest.raises(seating.SeatTaken):
        seating.sit(luc, room.pk, Seat.SOUTH)
    rooms.fill(host, room.pk, Occupant.EASY, Seat.NORTH)
    with pytest.raises(seating.SeatTaken):
        seating.sit(luc, room.pk, Seat.NORTH)
    with pytest.raises(seating.SeatTaken):
        rooms.fill(host, room.pk, Occupant.EASY, Seat.WEST)
    rooms.clear(host, room.pk, Seat.NORTH)
    seating.sit(luc, room.pk, Seat.NORTH)
    assert seated_in(room) == {Seat.NORTH: luc, Seat.SOUTH: host}


def test_sitting_down_elsewhere_leaves_the_first_room() -> None:
    host, luc = guest(), guest()
    first, second = public_room(host), public_room(luc)
    seating.sit(host, second.pk)
    first.refresh_from_db()
    assert first.closed_at is not None
    assert Seating.objects.get(user=host).room == second


def test_nobody_sits_down_or_makes_a_room_in_the_middle_of_a_match() -> None:
    player, host = guest(), guest()
    room = public_room(host)
    rooms.play_now(player, Occupant.EASY, 501)
    for attempt in (
        lambda: seating.sit(player, room.pk),
        lambda: public_room(player),
        lambda: rooms.quick_match(player),
    ):
        with pytest.raises(matches.AlreadyPlaying):
            attempt()
    # but the link lets them look on
    assert seating.enter(player, room.invite) == room
    assert seated_in(room) == {Seat.SOUTH: host}


def test_the_link_seats_four_and_lets_the_fifth_look_on() -> None:
    # given
    host = guest()
    room = rooms.create(host, Room())
    # when
    people = [guest() for _ in range(4)]
    for person in people:
        seating.enter(person, room.invite)
    # then
    assert set(seated_in(room).values()) == {host, *people[:3]}
    assert selectors.room_for(room.pk, people[3].pk) == room


def test_a_room_by_link_is_hidden_from_everybody_else() -> None:
    # given
    host, stranger = guest(), guest()
    room = rooms.create(host, Room())
    # when / then
    for user_id in (None, stranger.pk):
        with pytest.raises(selectors.RoomNotFound):
            selectors.room_for(room.pk, user_id)
    with pytest.raises(selectors.RoomNotFound):
        seating.sit(stranger, room.pk)
    with pytest.raises(selectors.RoomNotFound):
        seating.enter(stranger, "AAAAAAAAAAAAAAAA")
    assert lobby.rows(lobby.Filter(), stranger.pk) == []


def test_story_3_people_come_back_to_a_private_room_without_the_link() -> None:
    # given a host and a member who have both lost their seats to the sweep, while a third stays
    host, luc, mari = guest(), guest(), guest()
    room = rooms.create(host, Room())
    for person in (luc, mari):
        seating.enter(person, room.invite)
    for person in (host, luc):
        seating.get_up(person, room.pk)
    # when / then
    for person in (host, luc):
        assert seating.sit(person, room.pk) == room
    assert set(seated_in(room).values()) == {host, luc, mari}


def test_story_27_the_role_of_the_host_passes_on_and_an_empty_room_closes() -> None:
    # given
    host, second, third = guest(), guest(), guest()
    room = public_room(host)
    seating.sit(second, room.pk)
    seating.sit(third, room.pk)
    rooms.fill(host, room.pk, Occupant.EASY)
    # when
    seating.get_up(host, room.pk)
    # then whoever has been there longest is the host
    room.refresh_from_db()
    assert room.host == second
    rooms.fill(second, room.pk, Occupant.NORMAL)
    with pytest.raises(seating.NotTheHost):
        rooms.change(host, room.pk, {"target": 501})
    # and without people it closes, computers or not
    seating.get_up(second, room.pk)
    seating.get_up(third, room.pk)
    room.refresh_from_db()
    assert room.closed_at is not None
    assert lobby.rows(lobby.Filter(), None) == []
    with pytest.raises(seating.NotNow):
        seating.sit(host, room.pk)


def test_seats_that_nobody_came_back_to_are_freed_after_a_minute() -> None:
    # given a host who is there, and a member whose page is closed
    host, luc = guest(), guest()
    room = public_room(host)
    seating.sit(luc, room.pk)
    presence.look_in(room.pk, host, "hosts-tab")
    presence.look_in(room.pk, luc, "lucs-tab")
    presence.look_away(room.pk, "lucs-tab")
    # when less than a minute has passed
    tasks.sweep_rooms.call()
    assert luc in seated_in(room).values()
    # when more has
    Seating.objects.filter(user=luc).update(absent_since=timezone.now() - timedelta(seconds=61))
    tasks.sweep_rooms.call()
    # then
    assert seated_in(room) == {Seat.SOUTH: host}


def test_a_room_by_link_waits_longer_for_whoever_sends_the_link() -> None:
    # given a host whose phone put the page to sleep
    host = guest()
    room = rooms.create(host, Room())
    Seating.objects.filter(user=host).update(absent_since=timezone.now() - timedelta(minutes=14))
    # when / then
    assert rooms.sweep() == 0
    Seating.objects.filter(user=host).update(absent_since=timezone.now() - timedelta(minutes=16))
    assert rooms.sweep() == 1
    room.refresh_from_db()
    assert room.closed_at is not None


def test_coming_back_in_time_keeps_the_seat() -> None:
    host = guest()
    room = public_room(host)
    Seating.objects.filter(user=host).update(absent_since=timezone.now() - timedelta(seconds=61))
    presence.look_in(room.pk, host, "hosts-tab")
    assert rooms.sweep() == 0
    assert seated_in(room) == {Seat.SOUTH: host}


def test_the_sweep_leaves_those_who_play_alone() -> None:
    player = guest()
    match = rooms.play_now(player, Occupant.EASY, 501)
    Seating.objects.filter(user=player).update(absent_since=timezone.now() - timedelta(hours=1))
    assert rooms.sweep() == 0
    assert seated_in(match.room)[Seat.SOUTH] == player


# Quick match


def test_quick_match_takes_the_fullest_room_that_waits() -> None:
    # given
    one, three, playing, computers = (public_room(guest()) for _ in range(4))
    for _ in range(2):
        seating.sit(guest(), three.pk)
    rooms.fill(computers.host, computers.pk, Occupant.EASY)
    rooms.fill(playing.host, playing.pk, Occupant.EASY)
    rooms.start(playing.host, playing.pk)
    private = rooms.create(guest(), Room())
    for _ in range(2):
        seating.enter(guest(), private.invite)
    # when / then
    assert rooms.quick_match(guest()) == three
    assert rooms.quick_match(guest()) == one


def test_quick_match_makes_a_room_when_there_is_none_and_starts_with_the_fourth() -> None:
    # given
    people = [guest() for _ in range(4)]
    # when
    found = [rooms.quick_match(person) for person in people]
    # then they wait for each other's pages
    assert len({room.pk for room in found}) == 1
    for person in people:
        assert not Match.objects.exists()
        presence.look_in(found[0].pk, person, f"page of {person.pk}")
    # and play once all four are open
    match = Match.objects.get()
    assert set(match.seats.values_list("user", flat=True)) == {person.pk for person in people}
    assert all(selectors.running_match(person.pk) == match for person in people)


def test_quick_match_pressed_twice_is_one_room() -> None:
    user = guest()
    assert rooms.quick_match(user) == rooms.quick_match(user)
    assert Room.objects.count() == 1


@pytest.mark.parametrize("direction", ["blocks", "is blocked"])
def test_quick_match_never_meets_somebody_blocked(direction: str) -> None:
    # given
    me, other = guest(), guest()
    theirs = public_room(other)
    seating.sit(guest(), theirs.pk)
    block(*((me, other) if direction == "blocks" else (other, me)))
    # when / then
    assert rooms.quick_match(me) != theirs


# Blocking (story 17)


def test_story_17_who_is_blocked_finds_neither_room_nor_seat() -> None:
    # given
    host, luc, staller = guest(), guest(), guest()
    room = public_room(host)
    seating.sit(luc, room.pk)
    block(luc, staller)
    # when / then
    assert lobby.rows(lobby.Filter(), staller.pk) == []
    assert len(lobby.rows(lobby.Filter(), None)) == 1
    with pytest.raises(selectors.RoomNotFound):
        selectors.room_for(room.pk, staller.pk)
    with pytest.raises(selectors.RoomNotFound):
        seating.sit(staller, room.pk)
    with pytest.raises(selectors.RoomNotFound):
        seating.enter(staller, room.invite)


def test_an_invitation_reaches_only_whom_one_may_meet() -> None:
    # given
    host, luc, foe = guest(), guest(), guest()
    room = rooms.create(host, Room())
    block(foe, host)
    # when
    seating.invite(host, luc, room.pk)
    seating.invite(host, foe, room.pk)
    # then
    assert [one.room_id for one in lobby.invitations(luc.pk)] == [room.pk]
    assert lobby.invitations(foe.pk) == []
    assert not Admission.objects.filter(user=foe).exists()
    # and an answer takes it off the list
    seating.answer_invitation(luc, room.pk)
    assert lobby.invitations(luc.pk) == []
    # and who has no seat invites nobody
    with pytest.raises(selectors.RoomNotFound):
        seating.invite(luc, guest(), room.pk)


# After the match


def ended_match_of_two() -> tuple[User, User, Match]:
    host, luc = guest(), guest()
    room = public_room(host)
    seating.sit(luc, room.pk)
    rooms.fill(host, room.pk, Occupant.EASY)
    match = rooms.start(host, room.pk)
    matches.end(match.pk)
    return host, luc, match


def test_a_rematch_starts_when_everybody_wants_it_in_the_same_seats() -> None:
    # given
    host, luc, match = ended_match_of_two()
    before = seated_in(match.room)
    # when
    assert rooms.rematch(host, match.pk) is None
    again = rooms.rematch(luc, match.pk)
    # then
    assert again is not None
    assert again.room_id == match.room_id
    assert seated_in(match.room) == before
    # and a late click leads to the same table
    assert rooms.rematch(host, match.pk) == again


def test_a_rematch_is_for_those_who_played_and_still_sit_there() -> None:
    host, luc, match = ended_match_of_two()
    with pytest.raises(selectors.MatchNotFound):
        rooms.rematch(guest(), match.pk)
    seating.get_up(luc, match.room_id)
    with pytest.raises(seating.SeatTaken):
        rooms.rematch(luc, match.pk)
    # and the one who stays waits for somebody new
    assert rooms.rematch(host, match.pk) is None


# The lobby's list


def test_the_lobby_shows_what_is_asked_for_with_a_fixed_number_of_queries(
    django_assert_num_queries: Callable[..., object],
) -> None:
    # given
    waiting = public_room(guest(), target=501)
    full = rooms.create(guest(), Room(visibility=Room.Visibility.PUBLIC, clock=60))
    rooms.fill(full.host, full.pk, Occupant.EASY)
    playing = public_room(guest())
    rooms.fill(playing.host, playing.pk, Occupant.EASY)
    match = rooms.start(playing.host, playing.pk)
    watcher = guest().pk
    presence.watch(playing.pk, match.pk, {"a-visitor": None, "one-tab": watcher, "another-tab": watcher})

    def found(**query: str) -> tuple[list[object], list[object]]:
        wanted = lobby.Filter.from_query(query)
        waits, plays = lobby.rows(wanted, None), lobby.tables(wanted, None)
        return [row.room_id for row in waits], [table.match_id for table in plays]

    # when / then
    with django_assert_num_queries(2):
        rows = lobby.rows(lobby.Filter(), None)
    selectors.current_state(match.pk)
    with django_assert_num_queries(2):
        tables = lobby.tables(lobby.Filter(), None)
    assert [row.room_id for row in rows] == [full.pk, waiting.pk]
    assert [(table.match_id, table.watchers) for table in tables] == [(match.pk, 2)]
    everything = ([full.pk, waiting.pk], [match.pk])
    assert found() == everything
    assert found(status="waiting") == (everything[0], [])
    assert found(status="playing") == ([], everything[1])
    assert found(free="1") == ([waiting.pk], [])
    assert found(clock="60") == ([full.pk], [])
    assert found(target="501") == ([waiting.pk], [])
    assert found(target="1000") == ([full.pk], [match.pk])
    assert found(status="'; DROP", clock="abc", target="9" * 5000) == everything


def test_the_lobby_lists_a_match_that_is_closed_to_spectators_and_tells_nothing_of_it() -> None:
    # given
    host = guest()
    room = public_room(host, has_spectators=False)
    rooms.fill(host, room.pk, Occupant.EASY)
    match = rooms.start(host, room.pk)
    # when
    (table,) = lobby.tables(lobby.Filter(), None)
    # then
    assert (table.match_id, table.is_open, table.deal) == (match.pk, False, "")
    assert [side.points for side in table.sides] == [None, None]
    assert "Closed to spectators" in table.notes
