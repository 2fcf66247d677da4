"""Taking a seat, moving, getting up, inviting.

A person has one seat on the whole site: sitting down leaves a waiting room, and is refused in the middle of a match.
"""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.dispatch import Signal, receiver
from django.utils import timezone

from accounts.models import Relation, Sanction, User
from accounts.sanctions import Scope, barred, refuse_the_banned
from accounts.signals import person_renamed, person_suspended, relation_changed
from games import selectors
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.models import Admission, Match, MatchSeat, Presence, Room, Seating
from games.services import matches, presence
from games.services.matches import AlreadyPlaying

room_changed = Signal()
"""Sent inside the transaction of every change of a room, with ``room_id``."""

match_started = Signal()
"""Sent inside the transaction that starts a match, with ``room_id`` and ``match_id``."""

invited = Signal()
"""Sent inside the transaction in which somebody is invited, with ``user_id``."""


class SeatTaken(Exception):
    """Somebody else was faster, or there is no free seat."""


class NotNow(Exception):
    """The room plays, or is closed, or not all of its seats are filled."""


class HasLookedIn(NotNow):
    """A match is played there whose page among those of staff they have opened."""


class Suspended(Exception):
    """Moderators have suspended this person from rated matches; ``sanction`` says until when."""

    def __init__(self, sanction: Sanction) -> None:
        super().__init__(sanction.pk)
        self.sanction = sanction


class NotTheHost(Exception):
    """Only the host of a room may do this."""


def enter(user: User, invite: str) -> Room:
    """Come into a room by its link: into a free seat while the room waits, else to look on.

    Raises:
        selectors.RoomNotFound: there is no such link, or somebody with a seat there has blocked the user.
    """
    with transaction.atomic():
        room = Room.objects.filter(invite=invite).first()
        if room is None or selectors.is_blocked_by_the_seated(room.pk, user.pk):
            raise selectors.RoomNotFound(invite)
        Admission.objects.update_or_create(room=room, user=user, defaults={"is_answered": True})
        try:
            with transaction.atomic():
                return take_seat(user, room)
        except (SeatTaken, NotNow, AlreadyPlaying, Suspended):
            return room


def sit(user: User, room_id: UUID, seat: Seat | None = None) -> Room:
    """Take a free seat, or move to one; any free one without ``seat``.

    Raises:
        selectors.RoomNotFound: the room is not for this person to see.
        AlreadyPlaying, NotNow, SeatTaken, Suspended, accounts.sanctions.Banned: as they say.
    """
    with transaction.atomic():
        return take_seat(user, selectors.room_for(room_id, user.pk), seat)


def get_up(user: User, room_id: UUID) -> None:
    """Leave a room that waits. The host's role passes on; a room without people closes."""
    with transaction.atomic():
        if Seating.objects.filter(room_id=room_id, user=user).exists():
            refuse_unless_waiting(Room.objects.get(pk=room_id))
            free_seat_of(user)


def leave(match_id: UUID, user: User, cause: Cause = Cause.LEFT) -> bool | None:
    """Get up from a table on purpose, or be removed from it, for good: the computer plays on. Return whether the match
    goes on without them; it counts as lost for them, whatever the cause.

    It ends void when nobody else is left to play it. One that is over already stays as it is, and None is returned;
    who has their seat for another match in its room still gives it up.

    Raises:
        selectors.MatchNotFound: the user has no seat there, or not any more.
    """
    with transaction.atomic():
        seat = selectors.seat_of(match_id, user.pk)
        was_over = selectors.load_state(match_id).phase is Phase.OVER
        goes_on = _has_others(match_id, seat)
        if not was_over:
            if goes_on:
                matches.take_over(match_id, seat, cause)
                # Of several who leave at once each may have taken the others for people who stay.
                goes_on = _has_others(match_id, seat)
            if not goes_on:
                matches.end(match_id, by_moderator=cause is Cause.REMOVED)
        room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
        rows = MatchSeat.objects.filter(match_id=match_id, seat=seat)
        rows.update(is_playing=False)
        rows.filter(outcome="").update(outcome=MatchSeat.Outcome.LEFT)
        # The page of an old match does not take away the seat that they have at another table.
        is_here = Seating.objects.filter(user=user, room_id=room_id).exists()
        if is_here and selectors.running_match(user.pk) is None:
            free_seat_of(user)
        Presence.objects.filter(match_id=match_id, seat=seat).update(seat=None)
        presence.people_changed.send(Match, match_id=match_id, room_id=room_id)
    return None if was_over else goes_on


def _has_others(match_id: UUID, seat: Seat) -> bool:
    """Tell whether a person other than the one of a seat may still play a match."""
    state = selectors.load_state(match_id)
    others = [other for other in Seat if other is not seat and state.occupants[other] is Occupant.PERSON]
    stand_ins = [state.stand_ins[other] for other in others]
    return any(stand_in is None or not stand_in.is_final for stand_in in stand_ins)


def invite(user: User, other: User, room_id: UUID) -> None:
    """Invite a person whom one knows into the room that one sits in; they may look into it from now on.

    Nothing happens when one has blocked the other: nobody learns of that.

    Raises:
        selectors.RoomNotFound: the user has no seat there.
    """
    with transaction.atomic():
        room = selectors.room_for(room_id, user.pk)
        if not room.seatings.filter(user=user).exists():
            raise selectors.RoomNotFound(room_id)
        if other.pk in selectors.avoided_by(user.pk):
            return
        Admission.objects.update_or_create(
            room=room, user=other, defaults={"inviter": user, "is_answered": False, "created_at": timezone.now()}
        )
        invited.send(Room, user_id=other.pk)


def answer_invitation(user: User, room_id: UUID) -> None:
    """Take an invitation off one's list."""
    Admission.objects.filter(user=user, room_id=room_id).update(is_answered=True)
    invited.send(Room, user_id=user.pk)


def start_in(room: Room) -> Match:
    """Start a match in a room whose seats are filled; errors as in `matches.start`, and `NotNow` when somebody with a
    seat there is banned. Inside a transaction."""
    if Sanction.objects.in_force().filter(scope=Scope.SITE, user__seating__room=room).exists():
        raise NotNow
    match = matches.start(room)
    room.seatings.update(is_ready=False)
    match_started.send(Match, room_id=room.pk, match_id=match.pk)
    tell_of(room)
    return match


def take_seat(user: User, room: Room, seat: Seat | None = None) -> Room:
    """Seat somebody in a room; errors as in `sit`. Inside a transaction."""
    refuse_players(user)
    # One at a time: two people who want the last seat, and the start of a match, wait for each other here. Of two rooms
    # the one with the lower id comes first, so that two people who change places do not wait for each other for ever.
    left = Seating.objects.filter(user=user).values("room_id")
    locked = Room.objects.select_for_update().filter(Q(pk=room.pk) | Q(pk__in=left)).order_by("pk")
    room = next(one for one in locked if one.pk == room.pk)
    if user.matches_viewed.filter(match__room=room, match__status=Match.Status.RUNNING).exists():
        raise HasLookedIn
    refuse_unless_waiting(room)
    refuse_the_suspended(user, room)
    taken = set(room.seatings.values_list("seat", flat=True))
    mine = room.seatings.filter(user=user).first()
    if mine is not None and seat is None:
        return room
    free = [s for s in (Seat.SOUTH, Seat.NORTH, Seat.EAST, Seat.WEST) if s not in taken]
    if not free or (seat is not None and seat not in free):
        raise SeatTaken
    if mine is not None:
        mine.seat = seat if seat is not None else free[0]
        mine.save(update_fields=["seat"])
    else:
        free_seat_of(user)
        try:
            with transaction.atomic():
                Seating.objects.create(room=room, seat=free[0] if seat is None else seat, user=user)
        except IntegrityError as error:
            raise SeatTaken from error
        if room.host_id is None or not room.seatings.filter(user_id=room.host_id).exists():
            room.host = user
            room.save(update_fields=["host"])
    tell_of(room)
    return room


def free_seat_of(user: User) -> None:
    """Free the seat that somebody has in a waiting room, wherever that is."""
    room_id = Seating.objects.filter(user=user).values_list("room_id", flat=True).first()
    if room_id is None:
        return
    # The last two who leave at once must not each take the other for the heir.
    room = Room.objects.select_for_update().get(pk=room_id)
    room.seatings.filter(user=user).delete()
    heir = room.seatings.filter(level="").order_by("pk").first()
    if heir is None:
        close(room)
    elif room.host_id == user.pk:
        room.host = heir.user
        room.save(update_fields=["host"])
    tell_of(room)


def close(room: Room) -> None:
    """Let nobody into a room any more."""
    room.seatings.all().delete()
    room.closed_at = timezone.now()
    room.save(update_fields=["closed_at"])


def refuse_unless_waiting(room: Room) -> None:
    """Raise `NotNow` for a room that plays or is closed."""
    if room.closed_at is not None or room.matches.filter(status=Match.Status.RUNNING).exists():
        raise NotNow


def refuse_the_suspended(user: User, room: Room) -> None:
    """Raise `Suspended` in a rated room for whoever may play no rated matches."""
    suspension = barred(user.pk, Scope.RATED) if room.is_rated else None
    if suspension is not None:
        raise Suspended(suspension)


def refuse_players(user: User) -> None:
    """Raise `AlreadyPlaying` for whoever is in the middle of a match, `Banned` for the banned. Locks the user."""
    if running_match_locked(user) is not None:
        raise AlreadyPlaying
    refuse_the_banned(user)


def running_match_locked(user: User) -> Match | None:
    """Return the match that a user is in the middle of, if any; the user stays locked to the end of the transaction."""
    # Whoever sits down twice at once waits here for themselves. First the person, then a match, then its room, so that
    # nobody waits in a ring. Without the key: whoever starts their match holds the room, and only refers to them.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    return selectors.running_match(user.pk)


def tell_of(room: Room) -> None:
    """Announce that a room has changed."""
    room_changed.send(Room, room_id=room.pk)


@receiver(matches.match_ended)
def _open_the_room_again(*, room_id: UUID, **_: object) -> None:
    """After a match the room waits again; the computers stay, whoever left has no seat any more."""
    room = Room.objects.get(pk=room_id)
    free_the_suspended(room)
    room.refresh_from_db()
    if room.closed_at is None and not room.seatings.filter(level="").exists():
        close(room)
    tell_of(room)


def free_the_suspended(room: Room) -> None:
    """Free, in a rated room that waits, the seats of people who may play no rated matches. Inside a transaction."""
    if not room.is_rated:
        return
    for row in room.seatings.filter(level="").select_related("user"):
        if row.user is not None and barred(row.user.pk, Scope.RATED):
            free_seat_of(row.user)


@receiver(person_suspended)
def free_seat_in_a_rated_room(*, user: User, **_: object) -> None:
    """Free the seat that somebody has in a rated room, when they may play no rated matches. A match that runs goes on;
    afterwards the seat is free. Inside a transaction."""
    # Locked before it is asked whether it plays: a match that starts meanwhile goes on with all its seats.
    room = Room.objects.select_for_update(of=("self",)).filter(seatings__user=user, is_rated=True).first()
    if room is not None and not room.matches.filter(status=Match.Status.RUNNING).exists():
        free_the_suspended(room)


@receiver(person_renamed)
def _show_the_new_name(*, user: User, **_: object) -> None:
    """At once where they sit, look on or are the host."""
    plays = Q(matches__seats__user=user, matches__seats__is_playing=True)
    rooms = Room.objects.filter(Q(seatings__user=user) | Q(presences__user=user) | Q(host=user, closed_at=None) | plays)
    room_ids = list(rooms.values_list("pk", flat=True).distinct())
    for room_id in room_ids:
        room_changed.send(Room, room_id=room_id)
    tables = Match.objects.filter(room__in=room_ids, presences__seen_until__gt=timezone.now())
    for match_id, room_id in tables.values_list("pk", "room_id").distinct():
        presence.people_changed.send(Match, match_id=match_id, room_id=room_id)


@receiver(presence.people_changed)
def _tell_of_people(*, match_id: UUID | None, room_id: UUID, **_: object) -> None:
    if match_id is None:
        _start_when_all_are_here(room_id)
    room_changed.send(Room, room_id=room_id)


def _start_when_all_are_here(room_id: UUID) -> None:
    """Start the match of a quick room once its four people have its page open: nobody plays with ghosts."""
    room = Room.objects.select_for_update().get(pk=room_id)
    here = Presence.objects.filter(room=room, user__isnull=False, seen_until__gt=timezone.now()).values("user_id")
    if not room.starts_when_full or room.seatings.filter(user_id__in=here).count() != len(Seat):
        return
    if room.closed_at is None and not room.matches.exists():
        with suppress(NotNow):
            start_in(room)


@receiver(relation_changed)
def _withdraw_invitations(*, owner: User, other: User, kind: Relation.Kind, holds: bool, **_: object) -> None:
    """Two of whom one blocks the other have not invited each other any more."""
    if kind != Relation.Kind.BLOCK or not holds:
        return
    for inviter, guest in ((owner, other), (other, owner)):
        if Admission.objects.filter(inviter=inviter, user=guest, is_answered=False).delete()[0]:
            invited.send(Room, user_id=guest.pk)
