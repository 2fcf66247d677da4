"""What staff do at tables: through the same doors as play, checked again here, and written down with it.

Each raises `accounts.audit.Refused` when it is not to be done, and changes nothing then.
"""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audit import Refused
from accounts.models import StaffAct, User
from accounts.signals import about_to_decide, person_banned
from games import selectors
from games.engine.events import Cause
from games.engine.seats import Seat
from games.models import Admission, ChatLine, Match, MatchSeat, Room, StaffView
from games.services import matches, ratings, rooms, seating, talk

Act, Subject = StaffAct.Act, StaffAct.Subject

LONGEST_NAME = 40

_OWN_TABLE = gettext_lazy("This is your own table: another member of staff has to decide.")
_OVER = gettext_lazy("This match is over already.")
_NOBODY_THERE = gettext_lazy("Nobody plays that seat: a computer has it for good.")


def close_room(staff: User, room_id: UUID, why: str) -> None:
    """Close a room that waits, and free its seats."""
    with transaction.atomic():
        room = _room(staff, room_id)
        if room.closed_at is not None:
            raise Refused(gettext_lazy("This room is closed already."))
        if room.matches.filter(status=Match.Status.RUNNING).exists():
            raise Refused(gettext_lazy("A match is being played in this room. End that first."))
        # Who sat there still may look at the page, which tells that the room is closed.
        seated = room.seatings.filter(level="").values_list("user_id", flat=True)
        Admission.objects.bulk_create((Admission(room=room, user_id=pk) for pk in seated), ignore_conflicts=True)
        seating.close(room)
        seating.tell_of(room)
        audit.record(staff, Act.CLOSE_ROOM, Subject.ROOM, room.pk, why=why, person=_host(room))


def rename_room(staff: User, room_id: UUID, name: str, why: str) -> None:
    """Give a room another name, as its host could; '' for none."""
    with transaction.atomic():
        room = _room(staff, room_id)
        tidied = rooms.tidy_name(name)
        if max(len(name), len(tidied)) > LONGEST_NAME:
            raise Refused(gettext_lazy("That name is too long: 40 characters are the most."))
        if tidied == room.name:
            raise Refused(gettext_lazy("The room has that name already."))
        room.name = tidied
        room.save(update_fields=["name"])
        seating.tell_of(room)
        audit.record(staff, Act.RENAME_ROOM, Subject.ROOM, room.pk, why=why, person=_host(room))


def end_match(staff: User, match_id: UUID, why: str) -> None:
    """End a running match; it is void."""
    with transaction.atomic():
        match = _match(staff, match_id)
        if not matches.end(match.pk, by_moderator=True):
            raise Refused(_OVER)
        audit.record(staff, Act.END_MATCH, Subject.MATCH, match.pk, why=why)


def annul_match(staff: User, match_id: UUID, why: str) -> None:
    """Let a match that is over count nowhere; the matches after it are rated anew."""
    with transaction.atomic():
        match = _match(staff, match_id)
        if match.is_imported:
            raise Refused(gettext_lazy("This match was brought as a record: it counts nowhere."))
        if match.ended_at is None:
            raise Refused(gettext_lazy("This match is still being played. End it instead."))
        if not ratings.annul(match.pk):
            raise Refused(gettext_lazy("This match has been annulled already."))
        audit.record(staff, Act.ANNUL_MATCH, Subject.MATCH, match.pk, why=why)


def replace_seat(staff: User, match_id: UUID, seat: Seat, why: str) -> None:
    """Give the seat of a person in a running match to the computer, for good; the match counts as lost for them.

    It ends void when nobody else is left to play it, as when they leave.
    """
    with transaction.atomic():
        match = _match(staff, match_id)
        if match.status != Match.Status.RUNNING:
            raise Refused(_OVER)
        row = MatchSeat.objects.select_related("user").get(match=match, seat=seat)
        if row.user is None or not row.is_playing:
            raise Refused(_NOBODY_THERE)
        _refuse_about_staff(staff, row.user)
        try:
            goes_on = seating.leave(match.pk, row.user, Cause.REMOVED)
        except selectors.MatchNotFound as error:
            raise Refused(_NOBODY_THERE) from error
        if goes_on is None:
            raise Refused(_OVER)
        audit.record(
            staff, Act.REPLACE_SEAT, Subject.MATCH, match.pk, why=why, person=row.user.public_id, seat=int(seat)
        )


def delete_line(staff: User, line_id: int, why: str) -> None:
    """Let nobody read a line any more. Its place stays, and so do the copies of it in reports."""
    with transaction.atomic():
        _refuse_without_right(staff)
        line = ChatLine.objects.select_for_update().filter(pk=line_id).first()
        if line is None:
            raise Refused(gettext_lazy("There is no such line any more."))
        if line.deleted_at is not None:
            raise Refused(gettext_lazy("This line has been deleted already."))
        if line.author_id == staff.pk:
            raise Refused(gettext_lazy("This is your own line: another member of staff has to decide."))
        _refuse_own_table(
            staff, Room.objects.filter(pk=line.room_id), Q(matches__lines=line, matches__seats__user=staff)
        )
        _refuse_about_staff(staff, line.author)
        talk.delete(line, staff)
        audit.record(staff, Act.DELETE_LINE, Subject.LINE, line.pk, why=why, person=line.author.public_id)


def open_match(staff: User, match_id: UUID) -> None:
    """A member of staff opens the page of a match. While it runs, that is written down, once, and they cannot sit down
    in it any more (`seating.take_seat`, `belongings`)."""
    with transaction.atomic():
        # Locks the user: who sits down and looks at once does one after the other.
        own = seating.running_match_locked(staff)
        match = Match.objects.select_for_update().filter(pk=match_id).first()
        if match is None or match.status != Match.Status.RUNNING:
            return
        if match == own:
            raise Refused(gettext_lazy("You sit at this table: you can open this page when the match is over."))
        if StaffView.objects.get_or_create(match=match, user=staff)[1]:
            audit.record(staff, Act.LOOK, Subject.MATCH, match.pk, why="")


@receiver(matches.match_ended)
def forget_who_looked(*, match_id: UUID, **_: object) -> None:
    """Whoever has looked at a match may sit down there again once it is over; the record of acts still tells of it."""
    StaffView.objects.filter(match_id=match_id).delete()


@receiver(about_to_decide)
def refuse_about_their_own_table(*, staff: User, person: User, **_: object) -> None:
    """Nobody decides about people with whom they wait in a room, or have a match that runs, also one they have left."""
    is_of_their_room = Room.objects.filter(seatings__user=staff).filter(seatings__user=person).exists()
    running = Match.objects.filter(status=Match.Status.RUNNING)
    if is_of_their_room or running.filter(seats__user=staff).filter(seats__user=person).exists():
        raise Refused(_OWN_TABLE)


@receiver(person_banned)
def remove_from_tables(*, user: User, **_: object) -> None:
    """Who is banned loses their seats: a computer plays on for them, and the room they wait in goes on without them."""
    playing = seating.running_match_locked(user)
    if playing is not None:
        seating.leave(playing.pk, user, Cause.REMOVED)
    # Waits for a match that is being started in the room, and then takes them out of that one. It is so young that
    # nobody who ends it waits for the room.
    seating.free_seat_of(user)
    started = selectors.running_match(user.pk)
    if started is not None:
        seating.leave(started.pk, user, Cause.REMOVED)


def _room(staff: User, room_id: UUID) -> Room:
    """Return a room, locked, that a member of staff has nothing to do with. Raises Refused."""
    _refuse_without_right(staff)
    room = Room.objects.select_for_update().filter(pk=room_id).first()
    if room is None:
        raise Refused(gettext_lazy("There is no such room any more."))
    is_played_by_them = Q(matches__status=Match.Status.RUNNING, matches__seats__user=staff)
    _refuse_own_table(staff, Room.objects.filter(pk=room.pk), Q(host=staff) | is_played_by_them)
    return room


def _match(staff: User, match_id: UUID) -> Match:
    """Return a match that a member of staff has nothing to do with. Raises Refused.

    It is not locked: whoever plays a card meanwhile and whoever ends the match would each hold what the other needs.
    """
    _refuse_without_right(staff)
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise Refused(gettext_lazy("There is no such match."))
    _refuse_own_table(staff, Room.objects.filter(pk=match.room_id), Q(matches=match, matches__seats__user=staff))
    return match


def _refuse_own_table(staff: User, room: QuerySet[Room], is_theirs: Q) -> None:
    if room.filter(Q(seatings__user=staff) | is_theirs).exists():
        raise Refused(_OWN_TABLE)


def _refuse_about_staff(staff: User, person: User) -> None:
    if (person.is_staff or person.is_superuser) and not staff.has_perm("accounts.manage_staff"):
        raise Refused(gettext_lazy("Only an administrator decides about staff."))


def _refuse_without_right(staff: User) -> None:
    if not staff.has_perm("games.moderate_tables"):
        raise Refused(gettext_lazy("You do not have the right to do this."))


def _host(room: Room) -> UUID | None:
    return None if room.host is None else room.host.public_id
