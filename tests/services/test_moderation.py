"""What staff do at tables: through the doors of play, written down, and refused where it is not theirs to decide."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models.signals import pre_save

from accounts import sanctions
from accounts.audit import Refused
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import Ground, Kind
from accounts.signals import guest_joined, person_banned
from games import selectors, talk
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant
from games.models import Match, MatchSeat, Report, Result, Room, Seating, StaffView, Standing
from games.services import matches, moderation, ratings, rooms, seating
from games.services import talk as saying
from games.services.talk import BadLine
from tests.services.given import ME, four_people, new_table
from tests.services.rated import accounts, rated_match, stored

pytestmark = pytest.mark.django_db

WHY = "the room is a trap"


def moderator(name: str) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name="moderator"))
    return user


@pytest.fixture
def staff() -> User:
    return moderator("moderator")


@pytest.fixture
def administrator() -> User:
    return User.objects.create_user("administrator", is_staff=True, is_superuser=True)


def public_room(**options: object) -> Room:
    return rooms.create(User.objects.create_guest(), Room(visibility=Room.Visibility.PUBLIC, clock=30, **options))


def only_act() -> StaffAct:
    return StaffAct.objects.get()


def is_refused(act: Callable[[], object], part: str) -> None:
    """It is refused in words that have this part, and leaves no trace in the record."""
    known = StaffAct.objects.count()
    with pytest.raises(Refused) as refusal:
        act()
    assert part in str(refusal.value.sentence)
    assert StaffAct.objects.count() == known


def decide(staff: User, person: User, kind: Kind) -> Sanction:
    length = None if kind is Kind.WARNING else timedelta(days=1)
    return sanctions.impose(staff, person, kind, sanctions.SCOPES[kind][0], Ground.INSULTS, "", length, WHY)


# People


@pytest.mark.parametrize("kind", Kind)
def test_nobody_decides_about_people_of_their_own_table(staff: User, kind: Kind) -> None:
    # given a room that waits
    other = User.objects.create_user("other")
    room = rooms.create(other, Room(visibility=Room.Visibility.PUBLIC, clock=30))
    seating.sit(staff, room.pk)
    # when, then
    is_refused(lambda: decide(staff, other, kind), "own table")
    is_refused(lambda: sanctions.take_name(staff, other, "", WHY), "own table")
    # and a match, also for whoever has left it
    rooms.fill(other, room.pk, Occupant.EASY)
    match = rooms.start(other, room.pk)
    for leaver in (None, staff):
        if leaver is not None:
            seating.leave(match.pk, leaver)
        is_refused(lambda: decide(staff, other, kind), "own table")
    # and when it is over they may
    matches.end(match.pk)
    decide(staff, other, kind)


def test_nobody_lifts_what_holds_for_people_of_their_own_table(staff: User) -> None:
    other = User.objects.create_user("other")
    mute = decide(moderator("another"), other, Kind.MUTE)
    room = rooms.create(other, Room(visibility=Room.Visibility.PUBLIC, clock=30))
    seating.sit(staff, room.pk)
    is_refused(lambda: sanctions.lift(staff, mute, WHY), "own table")


# Rooms


def test_a_waiting_room_is_closed_its_seats_are_free_and_its_people_still_see_its_page(staff: User) -> None:
    # given a room by link, whose people have not come in by that
    room = public_room()
    other = User.objects.create_guest()
    seating.sit(other, room.pk)
    Room.objects.filter(pk=room.pk).update(visibility=Room.Visibility.LINK)
    # when
    moderation.close_room(staff, room.pk, WHY)
    # then
    room.refresh_from_db()
    assert room.closed_at is not None
    assert not room.seatings.exists()
    assert selectors.room_for(room.pk, other.pk) == room
    with pytest.raises(seating.NotNow):
        seating.sit(other, room.pk)
    # and the record tells of it
    act = only_act()
    assert (act.staff, act.act, act.subject, act.subject_id) == (staff.public_id, "close-room", "room", str(room.pk))
    assert (act.person, act.why) == (room.host and room.host.public_id, WHY)


def test_a_room_that_plays_or_is_closed_is_not_closed(staff: User) -> None:
    table = four_people()
    closed = public_room()
    moderation.close_room(staff, closed.pk, WHY)

    is_refused(lambda: moderation.close_room(staff, table.match.room_id, WHY), "End that first")
    is_refused(lambda: moderation.close_room(staff, closed.pk, WHY), "closed already")
    is_refused(lambda: moderation.close_room(staff, uuid4(), WHY), "no such room")

    table.match.room.refresh_from_db()
    assert table.match.room.closed_at is None


def test_a_room_is_renamed_as_its_host_could_and_the_record_repeats_no_name(staff: User) -> None:
    # given
    room = public_room(name="an insult")
    # when
    moderation.rename_room(staff, room.pk, "  Room\u202e of  the evening ", WHY)
    # then
    room.refresh_from_db()
    assert room.name == "Room of the evening"
    assert (only_act().act, only_act().detail) == ("rename-room", {})
    # and a name that nobody can see is none
    moderation.rename_room(staff, room.pk, "\u2800", WHY)
    room.refresh_from_db()
    assert room.name == ""
    # and the host does not give it the old one back, but changes all else
    assert room.host is not None
    with pytest.raises(BadLine, match="stays"):
        rooms.change(room.host, room.pk, {"name": "an insult", "target": 701})
    rooms.change(room.host, room.pk, {"name": "", "target": 701})
    room.refresh_from_db()
    assert (room.name, room.target) == ("", 701)


def test_a_name_that_is_too_long_or_the_same_is_refused(staff: User) -> None:
    room = public_room(name="Kolmas laud")

    is_refused(lambda: moderation.rename_room(staff, room.pk, "x" * 41, WHY), "40 characters")
    is_refused(lambda: moderation.rename_room(staff, room.pk, " Kolmas  laud", WHY), "already")

    room.refresh_from_db()
    assert room.name == "Kolmas laud"


# Matches


def test_a_running_match_is_ended_void_and_its_people_are_free(staff: User) -> None:
    # given
    table = four_people()
    # when
    moderation.end_match(staff, table.match.pk, WHY)
    # then
    table.match.refresh_from_db()
    assert table.match.status == Match.Status.VOID
    assert table.state.phase is Phase.OVER
    assert not MatchSeat.objects.filter(match=table.match, is_playing=True).exists()
    assert {row.outcome for row in MatchSeat.objects.filter(match=table.match)} == {"void"}
    assert (only_act().act, only_act().subject_id) == ("end-match", str(table.match.pk))
    # and not twice
    is_refused(lambda: moderation.end_match(staff, table.match.pk, WHY), "over already")
    is_refused(lambda: moderation.end_match(staff, uuid4(), WHY), "no such match")


def test_a_match_that_is_over_is_annulled_and_those_after_it_are_rated_anew(staff: User) -> None:
    # given
    people = accounts()
    first, second = rated_match(people), rated_match(people, minute=1)
    ratings.bring_up_to_date()
    before = stored()
    # when
    moderation.annul_match(staff, first.pk, WHY)
    ratings.bring_up_to_date()
    # then it is as if only the second had been played
    assert not Result.objects.filter(match=first).exists()
    assert set(Standing.objects.values_list("matches", flat=True)) == {1}
    after_second = {row.person: (row.mu, row.sigma) for row in Result.objects.filter(match=second)}
    assert after_second == {person: rating for (match_id, person), rating in before[0].items() if match_id == first.pk}
    assert only_act().act == "annul-match"
    # and not twice
    is_refused(lambda: moderation.annul_match(staff, first.pk, WHY), "annulled already")


def test_what_is_played_or_counts_nowhere_is_not_annulled(staff: User) -> None:
    table = four_people()
    brought = rated_match(accounts())
    Match.objects.filter(pk=brought.pk).update(is_imported=True)

    is_refused(lambda: moderation.annul_match(staff, table.match.pk, WHY), "still being played")
    is_refused(lambda: moderation.annul_match(staff, brought.pk, WHY), "as a record")

    brought.refresh_from_db()
    assert brought.annulled_at is None


# Seats


def test_a_seat_is_given_to_the_computer_for_good_and_the_others_play_on(staff: User) -> None:
    # given
    table = four_people()
    seat = table.people[1]
    person = table.users[seat]
    # when
    moderation.replace_seat(staff, table.match.pk, seat, WHY)
    # then
    assert table.state.stand_ins[seat] is Cause.REMOVED
    assert selectors.running_match(person.pk) is None
    assert not Seating.objects.filter(user=person).exists()
    assert table.row(seat).outcome == MatchSeat.Outcome.LEFT
    assert matches.give_back(table.match.pk, seat).status is matches.Status.REFUSED
    with pytest.raises(selectors.MatchNotFound):
        selectors.seat_of(table.match.pk, person.pk)
    act = only_act()
    assert (act.act, act.person, act.detail) == ("replace-seat", person.public_id, {"seat": int(seat)})
    # and the match goes on
    table.play_until(lambda state: state.phase is Phase.SUMMARY)


def test_of_a_match_nobody_is_left_for_it_is_the_end(staff: User) -> None:
    # given
    user, match = new_table()
    # when
    moderation.replace_seat(staff, match.pk, ME, WHY)
    # then
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert match.room.closed_at is not None
    assert selectors.running_match(user.pk) is None


def test_whose_seat_was_given_away_is_nobody_who_may_still_play(staff: User) -> None:
    # given two people, of whom one is removed
    table = four_people(computers=2)
    removed, leaver = table.people
    moderation.replace_seat(staff, table.match.pk, removed, WHY)
    # when the other leaves
    goes_on = seating.leave(table.match.pk, table.users[leaver])
    # then
    assert not goes_on
    table.match.refresh_from_db()
    assert table.match.status == Match.Status.VOID


def test_a_computers_seat_and_one_that_was_left_have_nobody_to_replace(staff: User) -> None:
    # given
    table = four_people(computers=1)
    (computer,) = table.computers
    leaver, removed, _ = table.people
    seating.leave(table.match.pk, table.users[leaver])
    moderation.replace_seat(staff, table.match.pk, removed, WHY)
    version = table.state.version
    # when / then
    for seat in (computer, leaver, removed):
        is_refused(lambda s=seat: moderation.replace_seat(staff, table.match.pk, s, WHY), "Nobody plays")  # type: ignore[misc]
    assert table.state.version == version
    matches.end(table.match.pk)
    is_refused(lambda: moderation.replace_seat(staff, table.match.pk, leaver, WHY), "over already")


# Lines


def test_a_deleted_line_says_so_to_everybody_and_its_copy_in_a_report_stays(staff: User) -> None:
    # given
    room, author, reader = public_room(), *accounts(2)
    line = saying.say(author, room.pk, None, text="an insult")
    saying.say(author, room.pk, None, text="and another line")
    saying.report(reader, author, "insults", "", room.pk)
    # when
    moderation.delete_line(staff, line.pk, WHY)
    # then
    line.refresh_from_db()
    assert (line.phrase, line.text, line.deleted_by) == ("", "", staff.public_id)
    for one in (reader, author, None):
        assert [read.text for read in talk.lines_for(room.pk, one)] == [
            "A moderator has deleted this line.",
            "and another line",
        ]
    assert [copy["text"] for copy in Report.objects.get().lines] == ["an insult", "and another line"]
    act = only_act()
    assert (act.act, act.subject, act.person, act.detail) == ("delete-line", "line", author.public_id, {})
    # and it goes with no report any more
    assert [kept.text for kept in talk.lines_to_attach(reader, room.pk, None)[1]] == ["and another line"]
    is_refused(lambda: moderation.delete_line(staff, line.pk, WHY), "deleted already")
    is_refused(lambda: moderation.delete_line(staff, line.pk + 9, WHY), "no such line")


def test_one_s_own_line_is_not_one_s_own_to_decide_about(staff: User) -> None:
    line = saying.say(staff, public_room().pk, None, text="an insult")

    is_refused(lambda: moderation.delete_line(staff, line.pk, WHY), "your own line")

    line.refresh_from_db()
    assert line.deleted_at is None


# One's own table, and other staff


def test_nobody_decides_about_the_table_they_sit_at(staff: User) -> None:
    # given somebody of staff who plays
    table = four_people(users=[User.objects.create_guest(), staff, *accounts(2)], visibility="public")
    match, other = table.match, next(seat for seat in table.people if table.users[seat] != staff)
    line = saying.say(table.users[other], match.room_id, match.pk, text="an insult")
    version = table.state.version
    own = (
        lambda: moderation.rename_room(staff, match.room_id, "Mine", WHY),
        lambda: moderation.close_room(staff, match.room_id, WHY),
        lambda: moderation.end_match(staff, match.pk, WHY),
        lambda: moderation.replace_seat(staff, match.pk, other, WHY),
        lambda: moderation.annul_match(staff, match.pk, WHY),
        lambda: moderation.delete_line(staff, line.pk, WHY),
    )
    # when / then
    for act in own:
        is_refused(act, "your own table")
    assert table.state.version == version
    # and not about the one that they have left, while it is played and after it
    seating.leave(match.pk, staff)
    for act in own[2:]:
        is_refused(act, "your own table")
    matches.end(match.pk)
    is_refused(own[4], "your own table")


def test_nobody_decides_about_the_room_they_wait_in_or_its_last_match(staff: User) -> None:
    # given
    table = four_people(visibility="public")
    match = table.match
    matches.end(match.pk)
    seating.leave(match.pk, table.users[table.people[0]])
    seating.sit(staff, match.room_id)
    # when / then
    is_refused(lambda: moderation.close_room(staff, match.room_id, WHY), "your own table")
    is_refused(lambda: moderation.rename_room(staff, match.room_id, "Mine", WHY), "your own table")
    is_refused(lambda: moderation.annul_match(staff, match.pk, WHY), "your own table")


def test_a_moderator_does_not_act_on_staff_and_an_administrator_does(staff: User, administrator: User) -> None:
    # given
    colleague = moderator("colleague")
    table = four_people(users=[User.objects.create_guest(), colleague, *accounts(2)])
    seat = next(seat for seat, user in table.users.items() if user == colleague)
    line = saying.say(colleague, table.match.room_id, table.match.pk, text="an insult")
    # when / then
    is_refused(lambda: moderation.replace_seat(staff, table.match.pk, seat, WHY), "Only an administrator")
    is_refused(lambda: moderation.delete_line(staff, line.pk, WHY), "Only an administrator")
    moderation.replace_seat(administrator, table.match.pk, seat, WHY)
    moderation.delete_line(administrator, line.pk, WHY)
    assert table.state.stand_ins[seat] is Cause.REMOVED


def test_without_the_right_to_it_nobody_acts_at_tables() -> None:
    # given staff who may do other things
    staff = User.objects.create_user("helper", is_staff=True)
    table, room = four_people(), public_room()
    line = saying.say(*accounts(1), room.pk, None, text="an insult")
    # when / then
    for act in (
        lambda: moderation.close_room(staff, room.pk, WHY),
        lambda: moderation.rename_room(staff, room.pk, "Mine", WHY),
        lambda: moderation.end_match(staff, table.match.pk, WHY),
        lambda: moderation.annul_match(staff, table.match.pk, WHY),
        lambda: moderation.replace_seat(staff, table.match.pk, table.people[0], WHY),
        lambda: moderation.delete_line(staff, line.pk, WHY),
    ):
        is_refused(act, "do not have the right")


def test_what_is_done_and_what_is_written_down_stand_or_fall_together(staff: User) -> None:
    # given a record that cannot be written
    table = four_people()
    version = table.state.version

    def stop(**_: object) -> None:
        raise RuntimeError("the power is cut")

    pre_save.connect(stop, sender=StaffAct, dispatch_uid="test")
    # when
    with pytest.raises(RuntimeError):
        moderation.end_match(staff, table.match.pk, WHY)
    pre_save.disconnect(sender=StaffAct, dispatch_uid="test")
    # then
    assert table.state.version == version
    table.match.refresh_from_db()
    assert table.match.status == Match.Status.RUNNING


# Who has looked at a running match


def test_staff_who_have_opened_a_running_match_cannot_sit_down_in_its_room(staff: User) -> None:
    # given
    table = four_people(visibility="public")
    moderation.open_match(staff, table.match.pk)
    moderation.open_match(staff, table.match.pk)
    # when / then
    with pytest.raises(seating.HasLookedIn):
        seating.sit(staff, table.match.room_id)
    assert seating.enter(staff, table.match.room.invite) == table.match.room
    assert not Seating.objects.filter(user=staff).exists()
    assert (only_act().act, only_act().subject_id) == ("look", str(table.match.pk))
    # and they may play elsewhere, and there when it is over
    elsewhere = public_room()
    seating.sit(staff, elsewhere.pk)
    seating.leave(table.match.pk, table.users[table.people[0]])
    matches.end(table.match.pk)
    assert not StaffView.objects.exists()
    seating.sit(staff, table.match.room_id)


def test_staff_who_play_do_not_open_the_page_of_their_match(staff: User) -> None:
    # given
    table = four_people(users=[User.objects.create_guest(), staff, *accounts(2)])
    # when / then
    is_refused(lambda: moderation.open_match(staff, table.match.pk), "You sit at this table")
    assert not StaffView.objects.exists()
    # and of one that is over nothing is noted
    matches.end(table.match.pk)
    moderation.open_match(staff, table.match.pk)
    assert not StaffView.objects.exists()
    assert not StaffAct.objects.exists()


def test_a_guest_who_joins_an_account_that_has_looked_at_their_match_leaves_it(staff: User) -> None:
    # given somebody who plays as a guest, and opens the match as staff elsewhere
    table = four_people()
    seat = table.people[0]
    moderation.open_match(staff, table.match.pk)
    # when
    with transaction.atomic():
        guest_joined.send(User, guest=table.users[seat], account=staff)
        User.objects.get(pk=table.users[seat].pk).delete()
    # then
    assert table.state.stand_ins[seat] is Cause.LEFT
    assert selectors.running_match(staff.pk) is None
    with pytest.raises(selectors.MatchNotFound):
        selectors.seat_of(table.match.pk, staff.pk)


# Who is banned


def test_who_is_banned_loses_the_seat_and_the_others_play_on_with_a_computer() -> None:
    # given
    table = four_people()
    seat = table.people[2]
    # when
    with transaction.atomic():
        person_banned.send(User, user=table.users[seat])
    # then
    assert table.state.stand_ins[seat] is Cause.REMOVED
    assert not Seating.objects.filter(user=table.users[seat]).exists()
    table.play_until(lambda state: state.phase is Phase.SUMMARY)


def test_a_waiting_seat_of_who_is_banned_is_free_and_the_host_s_role_passes_on() -> None:
    # given
    room, other = public_room(), User.objects.create_guest()
    seating.sit(other, room.pk)
    host = room.host
    assert host is not None
    # when
    with transaction.atomic():
        person_banned.send(User, user=host)
    # then
    room.refresh_from_db()
    assert room.host == other
    # and without anybody else the room closes
    with transaction.atomic():
        person_banned.send(User, user=other)
    room.refresh_from_db()
    assert room.closed_at is not None


def test_a_match_of_which_everybody_is_banned_ends_void() -> None:
    user, match = new_table()

    with transaction.atomic():
        person_banned.send(User, user=user)

    match.refresh_from_db()
    assert match.status == Match.Status.VOID
