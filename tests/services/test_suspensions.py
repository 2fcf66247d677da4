"""Whoever is suspended plays no rated match, and everything else; whoever is muted says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.sanctions import Ground, Kind, Scope
from accounts.signals import guest_joined
from games.engine.seats import Occupant, Seat
from games.models import ChatLine, Room, Seating
from games.services import matches, rooms, seating, talk
from games.services.seating import Suspended

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def decide(person: User, scope: Scope, length: timedelta | None = DAY) -> Sanction:
    kind = Kind.SUSPENSION if scope is Scope.RATED else Kind.MUTE
    return sanctions.impose(None, person, kind, scope, Ground.CHEATING, "", length, "for a test")


@pytest.fixture
def people() -> list[User]:
    return [User.objects.create_user(name) for name in ("anna", "bruno", "carla", "dieter")]


def rated_room(host: User, others: Sequence[User] = (), **options: object) -> Room:
    room = rooms.create(host, Room(**{"visibility": "public", "clock": 30, "is_rated": True} | options))
    for other in others:
        seating.sit(other, room.pk)
    return room


def seated(room: Room) -> set[User]:
    return {row.user for row in Seating.objects.filter(room=room, level="").select_related("user") if row.user}


def test_the_suspended_make_no_rated_room_and_sit_down_in_none(people: list[User]) -> None:
    # given
    anna, bruno, *_ = people
    suspension = decide(anna, Scope.RATED)
    room = rated_room(bruno)
    # when
    for attempt in (lambda: rated_room(anna), lambda: seating.sit(anna, room.pk, Seat.EAST)):
        with pytest.raises(Suspended) as refused:
            attempt()
        assert refused.value.sanction == suspension
    # then
    assert seated(room) == {bruno}
    # and by its link they look on
    assert seating.enter(anna, room.invite) == room
    assert seated(room) == {bruno}
    # and any other room is open to them, as this one is when the time is over
    rated_room(anna, is_rated=False)
    Sanction.objects.update(until=suspension.starts_at)
    seating.sit(anna, room.pk)
    assert seated(room) == {anna, bruno}


def test_who_is_suspended_loses_the_seat_in_a_rated_room_that_waits_and_no_other(people: list[User]) -> None:
    anna, bruno, carla, _ = people
    room, plain = rated_room(anna, [bruno]), rated_room(carla, is_rated=False)
    for person in (anna, carla):
        decide(person, Scope.RATED)
    assert seated(room) == {bruno}
    room.refresh_from_db()
    assert room.host == bruno
    assert seated(plain) == {carla}


def test_a_room_becomes_rated_without_the_suspended_and_not_by_one(people: list[User]) -> None:
    anna, bruno, *_ = people
    room = rated_room(anna, [bruno], is_rated=False)
    decide(bruno, Scope.RATED)
    rooms.change(anna, room.pk, {"is_rated": True})
    assert seated(room) == {anna}
    rooms.change(anna, room.pk, {"is_rated": False})
    decide(anna, Scope.RATED)
    with pytest.raises(Suspended):
        rooms.change(anna, room.pk, {"is_rated": True})
    room.refresh_from_db()
    assert not room.is_rated


def test_a_match_that_runs_goes_on_and_afterwards_the_seat_is_free(people: list[User]) -> None:
    # given
    anna, bruno, *_ = people
    room = rated_room(anna, people[1:])
    match = rooms.start(anna, room.pk)
    assert match.is_rated
    # when
    decide(bruno, Scope.RATED)
    # then
    match.refresh_from_db()
    assert match.status == "running"
    assert match.is_rated
    assert bruno in seated(room)
    # and when it is over
    matches.end(match.pk)
    assert seated(room) == {*people} - {bruno}
    with pytest.raises(Suspended):
        rooms.rematch(bruno, match.pk)
    assert rooms.rematch(anna, match.pk) is None


def test_no_rated_match_starts_with_somebody_suspended_however_they_got_there(people: list[User]) -> None:
    room = rated_room(people[0], people[1:])
    # a suspension that no receiver has heard of
    Sanction.objects.create(
        user=people[2], person=people[2].public_id, kind=Kind.SUSPENSION, scope=Scope.RATED, ground=Ground.SPAM
    )
    assert not rooms.start(people[0], room.pk).is_rated


@pytest.mark.parametrize(
    ("scope", "phrase", "text"), [(Scope.TEXT, "", "Hello"), (Scope.TALK, "", "Hello"), (Scope.TALK, "hello", "")]
)
def test_the_muted_say_nothing_that_the_mute_bars(people: list[User], scope: Scope, phrase: str, text: str) -> None:
    anna = people[0]
    room = rated_room(anna)
    mute = decide(anna, scope)
    with pytest.raises(talk.BadLine, match="You are muted until"):
        talk.say(anna, room.pk, None, phrase=phrase, text=text)
    assert not ChatLine.objects.exists()
    Sanction.objects.filter(pk=mute.pk).update(until=None)
    with pytest.raises(talk.BadLine, match="for good"):
        talk.say(anna, room.pk, None, phrase=phrase, text=text)
    sanctions.lift(None, mute, "")
    talk.say(anna, room.pk, None, phrase=phrase, text=text)


def test_a_mute_of_text_leaves_the_phrases_and_a_suspension_leaves_both(people: list[User]) -> None:
    anna, bruno, *_ = people
    room = rated_room(anna, [bruno], is_rated=False)
    decide(anna, Scope.TEXT)
    decide(bruno, Scope.RATED)
    talk.say(anna, room.pk, None, phrase="hello")
    talk.say(bruno, room.pk, None, text="Hello")
    assert ChatLine.objects.count() == 2


def test_the_banned_get_no_seat_by_any_way_and_no_match_starts_with_them(people: list[User]) -> None:
    # given a ban that no receiver has heard of
    anna, bruno, *_ = people
    room, own = rated_room(bruno, people[2:]), rated_room(anna)
    ended = rooms.play_now(anna, Occupant.EASY, 501)
    matches.end(ended.pk)
    seating.sit(anna, room.pk)
    Sanction.objects.create(user=anna, person=anna.public_id, kind=Kind.BAN, scope=Scope.SITE, ground=Ground.SPAM)
    # when
    for attempt in (
        lambda: rated_room(anna),
        lambda: rooms.play_now(anna, Occupant.EASY, 501),
        lambda: rooms.quick_match(anna),
        lambda: rooms.rematch(anna, ended.pk),
        lambda: seating.sit(anna, room.pk),
        lambda: seating.enter(anna, own.invite),
    ):
        with pytest.raises(sanctions.Banned):
            attempt()
    # then
    with pytest.raises(seating.NotNow):
        rooms.start(bruno, room.pk)
    assert not room.matches.exists()


@pytest.mark.parametrize("scope", [Scope.TEXT, Scope.TALK])
def test_the_muted_give_no_room_a_name_and_may_keep_or_drop_one(people: list[User], scope: Scope) -> None:
    # given
    anna = people[0]
    room = rated_room(anna, name="Kolmas laud")
    decide(anna, scope)
    # when, then
    with pytest.raises(talk.BadLine, match="You are muted until"):
        rooms.change(anna, room.pk, {"name": "Your mother"})
    with pytest.raises(talk.BadLine, match="You are muted until"):
        rated_room(anna, name="Your mother")
    assert {one.name for one in Room.objects.all()} == {"Kolmas laud"}
    for kept in ("Kolmas laud", ""):
        rooms.change(anna, room.pk, {"name": kept, "target": 501})
        room.refresh_from_db()
        assert room.name == kept
    rated_room(anna)


@pytest.mark.parametrize("plays", [False, True])
def test_a_guest_brings_no_seat_in_a_rated_room_to_a_suspended_account(people: list[User], plays: bool) -> None:
    # given
    anna, bruno, carla, _ = people
    guest = User.objects.create_guest()
    room = rated_room(anna, [bruno, carla, guest])
    if plays:
        rooms.start(anna, room.pk)
    account = User.objects.create_user("emma")
    decide(account, Scope.RATED)
    # when
    guest_joined.send(User, guest=guest, account=account)
    # then
    assert seated(room) == {anna, bruno, carla} | ({account} if plays else set())
