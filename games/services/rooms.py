"""Rooms: making one, finding one, computers, options, start, rematch, and seats that nobody came back to."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.models import StaffAct, User
from accounts.sanctions import refuse_the_banned
from belote_site import rates
from games import selectors
from games.engine.seats import Occupant, Seat
from games.models import Admission, Clock, Match, MatchSeat, Presence, Room, Seating
from games.services import matches, seating, talk

ABSENT_FROM_A_PUBLIC_ROOM = timedelta(seconds=60)
ABSENT_FROM_A_ROOM_BY_LINK = timedelta(minutes=15)
"""Longer: a phone puts the page to sleep while its owner sends the link."""

OPTIONS = ("name", "target", "undertrump", "belote", "litige", "clock", "visibility", "has_spectators", "is_rated")
"""What a room is made with."""


def play_now(user: User, level: Occupant, target: int) -> Match:
    """Seat a person South among three computers of a level and start a match; the running one when there is one.

    Raises:
        ValueError: the target is not one of R7.3, or the level is no computer player's.
        accounts.sanctions.Banned: as it says.
        rates.TooOften: they make rooms all the time.
    """
    if level is Occupant.PERSON:
        raise ValueError("a computer player has a level")
    with transaction.atomic():
        running = seating.running_match_locked(user)
        if running is not None:
            return running
        refuse_the_banned(user)
        rates.count("room", user.pk, settings.ROOM_LIMIT)
        seating.free_seat_of(user)
        room = Room(host=user, target=target)
        room.rules  # noqa: B018 (a target that is none of R7.3 is refused before anything is stored)
        room.save()
        Seating.objects.bulk_create(
            Seating(room=room, seat=seat, user=user)
            if seat is Seat.SOUTH
            else Seating(room=room, seat=seat, level=level)
            for seat in Seat
        )
        return seating.start_in(room)


def create(user: User, room: Room) -> Room:
    """Store a room of these options and seat its host South.

    Raises:
        AlreadyPlaying: the host is in the middle of a match.
        Suspended: the room is rated, and they may play no rated matches.
        talk.BadLine: the room has a name, and they are muted.
        accounts.sanctions.Banned: as it says.
        rates.TooOften: they make rooms all the time.
    """
    with transaction.atomic():
        seating.refuse_players(user)
        seating.refuse_the_suspended(user, room)
        _refuse_a_name_of_the_muted(user, room.name)
        rates.count("room", user.pk, settings.ROOM_LIMIT)
        seating.free_seat_of(user)
        room.host = user
        room.save()
        Seating.objects.create(room=room, seat=Seat.SOUTH, user=user)
        # Whoever has lost the seat finds the way back without the link.
        Admission.objects.create(room=room, user=user)
        seating.tell_of(room)
    return room


def quick_match(user: User) -> Room:
    """Seat somebody in the fullest public room that waits, with nobody whom they have blocked or who has blocked them;
    else in a new one. Nobody gets into a rated match unasked.

    Raises:
        AlreadyPlaying: they are in the middle of a match.
        accounts.sanctions.Banned: as it says.
    """
    with transaction.atomic():
        seating.refuse_players(user)
        avoided = selectors.avoided_by(user.pk)
        waiting = (
            Room.objects.filter(visibility=Room.Visibility.PUBLIC, is_rated=False, closed_at__isnull=True)
            .exclude(matches__status=Match.Status.RUNNING)
            .exclude(seatings__user_id__in=avoided)
            .annotate(
                people=Count("seatings", filter=Q(seatings__level="")),
                taken=Count("seatings"),
            )
            .filter(people__gt=0, taken__lt=len(Seat))
            .order_by("-people", "-taken", "created_at")
        )
        for room in waiting[:5]:
            if room.seatings.filter(user=user).exists():
                return room
            try:
                with transaction.atomic():
                    return seating.take_seat(user, room)
            except (seating.SeatTaken, seating.NotNow):
                continue
        return create(user, Room(visibility=Room.Visibility.PUBLIC, clock=Clock.USUAL, starts_when_full=True))


def fill(user: User, room_id: UUID, level: Occupant, seat: Seat | None = None) -> None:
    """Put computers of a level into a seat, or all the free ones. For the host.

    Raises:
        NotTheHost, NotNow, SeatTaken: as they say; SeatTaken when a person sits there.
    """
    with transaction.atomic():
        room = _hosted(user, room_id)
        taken = dict(room.seatings.values_list("seat", "level"))
        if seat is not None and taken.get(seat) == "":
            raise seating.SeatTaken
        wanted = [s for s in Seat if s not in taken] if seat is None else [seat]
        room.seatings.filter(seat__in=wanted).delete()
        Seating.objects.bulk_create(Seating(room=room, seat=s, level=level.value) for s in wanted)
        seating.tell_of(room)


def clear(user: User, room_id: UUID, seat: Seat) -> None:
    """Take a computer out of a seat, so that a person may sit there. For the host.

    Raises:
        NotTheHost, NotNow: as they say.
    """
    with transaction.atomic():
        room = _hosted(user, room_id)
        room.seatings.filter(seat=seat, user__isnull=True).delete()
        seating.tell_of(room)


def change(user: User, room_id: UUID, options: dict[str, object]) -> None:
    """Change the options of a room, which lock when a match starts. For the host. Whoever sits in a room that becomes
    rated and may play no rated matches loses the seat.

    Raises:
        NotTheHost, NotNow: as they say.
        Suspended: the host may play no rated matches.
        talk.BadLine: the room gets another name, and the host is muted or the name is one that staff gave it.
    """
    with transaction.atomic():
        room = _hosted(user, room_id)
        if options.get("name", room.name) != room.name:
            _refuse_a_name_of_the_muted(user, str(options["name"]))
            _refuse_when_staff_named(room)
        if not room.is_public and options.get("visibility") == Room.Visibility.PUBLIC:
            # What was said behind a link was not meant for everybody.
            room.lines.all().delete()
        for name, value in options.items():
            setattr(room, name, value)
        seating.refuse_the_suspended(user, room)
        room.save(update_fields=list(options))
        seating.free_the_suspended(room)
        seating.tell_of(room)


def _refuse_a_name_of_the_muted(user: User, name: str) -> None:
    """A name is read by everybody, as a line is; a room without one is called after its host."""
    if name:
        talk.refuse_the_muted(user, is_phrase=False)


def _refuse_when_staff_named(room: Room) -> None:
    """What a moderator has taken away does not come back."""
    named = StaffAct.objects.filter(act=StaffAct.Act.RENAME_ROOM, subject_id=str(room.pk))
    if named.exists():
        raise talk.BadLine(gettext_lazy("A moderator has given this room its name: it stays."))


def tidy_name(name: str) -> str:
    """Return a room's name as it is stored: what the lobby can show on one line; one that nobody can see is none."""
    try:
        return talk.tidy(name)
    except talk.BadLine:
        return ""


def start(user: User, room_id: UUID) -> Match:
    """Start a match in a room whose four seats are filled. For the host.

    Raises:
        NotTheHost, NotNow, AlreadyPlaying, Suspended: as they say.
    """
    with transaction.atomic():
        room = _hosted(user, room_id)
        seating.refuse_the_suspended(user, room)
        if room.seatings.count() != len(Seat):
            raise seating.NotNow
        return seating.start_in(room)


def rematch(user: User, match_id: UUID) -> Match | None:
    """Somebody wants another match at the table of an ended one; it starts when every person with a seat there does.

    Return the match that runs then, None while it waits for others. Whoever played computers only gets a room like that
    one when it has closed meanwhile.

    Raises:
        selectors.MatchNotFound: the user had no seat in that match.
        SeatTaken: they have no seat in the room any more.
        AlreadyPlaying: they are in the middle of another match.
        Suspended: the room is rated, and they may play no rated matches.
        accounts.sanctions.Banned: as it says.
        rates.TooOften: they make rooms all the time.
    """
    selectors.seat_of(match_id, user.pk)
    with transaction.atomic():
        running = seating.running_match_locked(user)
        room = Room.objects.select_for_update().get(matches=match_id)
        if running is not None:
            if running.room_id == room.pk:
                return running
            raise matches.AlreadyPlaying
        refuse_the_banned(user)
        seating.refuse_the_suspended(user, room)
        if not room.seatings.filter(user=user).update(is_ready=True):
            return _again_alone(user, match_id, room)
        persons = room.seatings.filter(level="")
        if room.seatings.count() == len(Seat) and not persons.filter(is_ready=False).exists():
            return seating.start_in(room)
        seating.tell_of(room)
        return None


def _again_alone(user: User, match_id: UUID, room: Room) -> Match:
    played = MatchSeat.objects.filter(match_id=match_id)
    if played.filter(level="").count() != 1:
        raise seating.SeatTaken
    rates.count("room", user.pk, settings.ROOM_LIMIT)
    seating.free_seat_of(user)
    options = {name: getattr(room, name) for name in OPTIONS}
    another = Room.objects.create(host=user, **options)
    Seating.objects.bulk_create(
        Seating(room=another, seat=row.seat, level=row.level, user=None if row.level else user) for row in played
    )
    return seating.start_in(another)


def sweep() -> int:
    """Free the seats of people who have been away from a waiting room for too long; return how many.

    Rooms without people close.
    """
    Presence.objects.filter(match__isnull=True, seen_until__lt=timezone.now()).delete()
    here = Presence.objects.filter(user__isnull=False, seen_until__gt=timezone.now())
    freed = 0
    waiting = Seating.objects.filter(level="").exclude(room__matches__status=Match.Status.RUNNING)
    for row in waiting.select_related("user", "room"):
        if row.user is None or here.filter(room_id=row.room_id, user=row.user).exists():
            continue
        with transaction.atomic():
            if row.absent_since is None:
                Seating.objects.filter(pk=row.pk, absent_since=None).update(absent_since=timezone.now())
            elif waiting.filter(pk=row.pk, absent_since__lt=timezone.now() - _patience(row.room)).exists():
                # Read again: meanwhile they may have come back, sat down elsewhere, or begun to play.
                seating.free_seat_of(row.user)
                freed += 1
    return freed


def _patience(room: Room) -> timedelta:
    return ABSENT_FROM_A_PUBLIC_ROOM if room.is_public else ABSENT_FROM_A_ROOM_BY_LINK


def _hosted(user: User, room_id: UUID) -> Room:
    room = Room.objects.select_for_update().filter(pk=room_id).first()
    if room is None or room.host_id != user.pk or not room.seatings.filter(user=user).exists():
        raise seating.NotTheHost
    seating.refuse_unless_waiting(room)
    return room
