"""What becomes of seats, matches and lines when a guest joins an account, and when an account is deleted."""

from __future__ import annotations

import pytest
from django.db import transaction

from accounts import relations
from accounts.deletion import delete_account
from accounts.models import Relation, User
from accounts.signals import guest_joined
from games import selectors
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant
from games.models import ChatLine, Match, MatchSeat, Room, Seating
from games.services import rooms, seating
from tests.services.given import four_people, new_table, play_on

pytestmark = pytest.mark.django_db


def an_account(name: str = "Mari") -> User:
    return User.objects.create_user(name, password="a long enough password")


def join(guest: User, account: User) -> None:
    """As when the guest logs in to the account."""
    with transaction.atomic():
        guest_joined.send(User, guest=guest, account=account)
        User.objects.get(pk=guest.pk).delete()


def test_a_guest_who_logs_in_keeps_the_seat_and_the_match() -> None:
    # given
    guest, match = new_table()
    account = an_account()
    # when
    join(guest, account)
    # then
    assert selectors.running_match(account.pk) == match
    assert selectors.people_at(match.pk)[selectors.seat_of(match.pk, account.pk)].user == account
    assert selectors.anyone_present(match.pk)
    assert match.room.seatings.get(user=account).level == ""


def test_finished_matches_move_to_the_account() -> None:
    # given
    guest, match = new_table()
    play_on(match.pk, Phase.OVER)
    account = an_account()
    # when
    join(guest, account)
    # then
    row = MatchSeat.objects.get(match=match, user=account)
    assert row.outcome in {"won", "lost"}
    assert row.person == account.public_id


def test_an_account_in_the_middle_of_a_match_keeps_that_one() -> None:
    # given
    account = an_account()
    own = rooms.play_now(account, Occupant.EASY, 501)
    guest, other = new_table()
    # when
    join(guest, account)
    # then
    assert selectors.running_match(account.pk) == own
    other.refresh_from_db()
    assert other.status == Match.Status.VOID


def test_the_seat_in_a_waiting_room_moves_and_the_accounts_other_seat_is_given_up() -> None:
    # given
    account, guest = an_account(), User.objects.create_guest()
    left = rooms.create(account, Room())
    kept = rooms.create(guest, Room())
    # when
    join(guest, account)
    # then
    left.refresh_from_db()
    kept.refresh_from_db()
    assert left.closed_at is not None
    assert kept.host == account
    assert Seating.objects.get(user=account).room == kept


def test_what_a_guest_said_becomes_the_accounts() -> None:
    # given
    guest, account = User.objects.create_guest(), an_account()
    room = rooms.create(guest, Room())
    ChatLine.objects.create(room=room, author=guest, phrase="hello")
    # when
    join(guest, account)
    # then
    assert room.lines.get().author == account


def test_whom_a_guest_muted_the_account_has_muted() -> None:
    # given a guest who muted somebody, and somebody who blocked the guest
    guest, account, other = User.objects.create_guest(), an_account(), an_account("Jaan")
    relations.mute(guest, other)
    relations.block(other, guest)
    relations.block(other, account)
    # when
    join(guest, account)
    # then
    kept = set(Relation.objects.values_list("owner__username", "other__username", "kind"))
    assert kept == {("Mari", "Jaan", "mute"), ("Jaan", "Mari", "block")}


def test_deletion_during_a_match_leaves_the_seat_first() -> None:
    # given
    table = four_people()
    seat = table.people[0]
    # when
    delete_account(table.users[seat])
    # then
    assert table.state.stand_ins[seat] is Cause.LEFT
    row = table.row(seat)
    assert (row.user, row.outcome, row.is_playing) == (None, "left", False)
    # and the others play on, with a name that is nobody's
    assert selectors.people_at(table.match.pk)[seat].name(seat) == "Deleted account"
    table.play_until(lambda state: state.phase is Phase.SUMMARY)


def test_deletion_while_waiting_frees_the_seat() -> None:
    # given
    host, other = an_account(), an_account("Jaan")
    room = rooms.create(host, Room())
    seating.enter(other, room.invite)
    # when
    delete_account(host)
    # then
    room.refresh_from_db()
    assert room.host == other
    assert room.seatings.count() == 1
