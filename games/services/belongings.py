"""What becomes of somebody's seats, matches and lines when a guest joins an account, and when an account goes."""

from __future__ import annotations

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_closing, guest_joined
from games import selectors
from games.models import Admission, ChatLine, Hint, Match, MatchSeat, Presence, Report, Result, Room, Seating
from games.services import presence, reports, seating


@receiver(guest_joined)
def move_to_the_account(*, guest: User, account: User, **_: object) -> None:
    """The account takes over the guest's seat and everything that the guest has played and said.

    An account that is in the middle of a match keeps that one; the guest's is left then. So is one whose page the
    account has opened as staff.
    """
    playing = selectors.running_match(guest.pk)
    has_looked_in = account.matches_viewed.filter(match=playing).exists()
    if playing is not None and (has_looked_in or selectors.running_match(account.pk) is not None):
        seating.leave(playing.pk, guest)
    elif playing is not None or selectors.running_match(account.pk) is None:
        if Seating.objects.filter(user=guest).exists():
            seating.free_seat_of(account)
            Seating.objects.filter(user=guest).update(user=account)
    else:
        seating.free_seat_of(guest)
    Room.objects.filter(host=guest).update(host=account)
    MatchSeat.objects.filter(user=guest).update(user=account, person=account.public_id)
    Result.objects.filter(person=guest.public_id).update(person=account.public_id)
    # What was measured of either is not true of both: they are measured together the next time.
    Hint.objects.filter(user__in=[guest, account]).delete()
    ChatLine.objects.filter(author=guest).update(author=account)
    Report.objects.filter(reporter=guest).update(reporter=account)
    Report.objects.filter(reported=guest).update(reported=account)
    reports.let_go_of_own(account)
    Admission.objects.filter(inviter=guest).update(inviter=account)
    known = Admission.objects.filter(user=account).values("room_id")
    Admission.objects.filter(user=guest).exclude(room_id__in=known).update(user=account)
    tables = set(Presence.objects.filter(user=guest).values_list("match_id", "room_id"))
    Presence.objects.filter(user=guest).update(user=account)
    if playing is not None:
        tables.add((playing.pk, playing.room_id))
    # What was decided about either holds for the account in the seat that it has now.
    seating.free_seat_in_a_rated_room(user=account)
    for match_id, room_id in tables:
        presence.people_changed.send(Match, match_id=match_id, room_id=room_id)


@receiver(account_closing)
def leave_everything(*, user: User, **_: object) -> None:
    """Whoever goes leaves their table first, as on purpose, and the room they wait in."""
    playing = selectors.running_match(user.pk)
    if playing is not None:
        seating.leave(playing.pk, user)
    seating.free_seat_of(user)
