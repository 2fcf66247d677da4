"""What is past its time goes, by the table that the site shows; what is not stays."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

import accounts.purges
import games.purges
from accounts.deletion import delete_account
from accounts.models import TakenName, User
from belote_site import retention
from games.engine.seats import Seat
from games.models import Admission, ChatLine, Match, MatchSeat, Presence, Report, Room, Seating
from tests.services.past import finished_match, running_match

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=5)


def purge() -> None:
    accounts.purges.purge.call()
    games.purges.purge.call()


def guest_of(age: timedelta) -> User:
    return User.objects.create_user(
        f"guest-{User.objects.count()}", is_guest=True, guest_number=1234, date_joined=timezone.now() - age
    )


def test_expired_sessions_go() -> None:
    now = timezone.now()
    Session.objects.create(session_key="over", expire_date=now - SECOND)
    Session.objects.create(session_key="valid", expire_date=now + SECOND * 10)

    purge()

    assert [session.session_key for session in Session.objects.all()] == ["valid"]


@pytest.mark.parametrize("late", [False, True])
def test_a_name_can_be_taken_again_after_its_time(late: bool) -> None:
    delete_account(User.objects.create_user("marie"))
    past = retention.RESERVED_NAME + (SECOND if late else -SECOND)
    TakenName.objects.update(until=F("until") - past)

    purge()

    assert TakenName.objects.exists() is not late
    assert TakenName.objects.is_free("marie") is late


@pytest.mark.parametrize("late", [False, True])
def test_a_guest_goes_after_its_time_without_a_finished_match(late: bool) -> None:
    guest_of(retention.GUEST + (SECOND if late else -SECOND))

    purge()

    assert User.objects.exists() is not late


@pytest.mark.parametrize("late", [False, True])
def test_a_finished_match_keeps_a_guest_for_its_time(late: bool) -> None:
    guest = guest_of(retention.GUEST * 3)
    finished_match({Seat.SOUTH: guest}, ago=retention.GUEST + (SECOND if late else -SECOND))

    purge()

    assert User.objects.exists() is not late
    # and the match stays in any case
    assert MatchSeat.objects.filter(seat=Seat.SOUTH, person=guest.public_id).exists()


def test_a_match_that_ended_void_keeps_nobody() -> None:
    guest = guest_of(retention.GUEST * 3)
    match = finished_match({Seat.SOUTH: guest})
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)

    purge()

    assert not User.objects.exists()


def test_a_guest_in_a_running_match_or_a_room_stays_however_old() -> None:
    playing, waiting = guest_of(retention.GUEST * 9), guest_of(retention.GUEST * 9)
    running_match({Seat.SOUTH: playing})
    Seating.objects.create(room=Room.objects.create(host=waiting), seat=Seat.NORTH, user=waiting)

    purge()

    assert set(User.objects.all()) == {playing, waiting}


def test_an_account_stays_however_old() -> None:
    User.objects.create_user("marie", date_joined=timezone.now() - timedelta(days=9999))

    purge()

    assert User.objects.exists()


def test_many_guests_go_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    for _ in range(5):
        guest_of(retention.GUEST * 2)

    purge()

    assert not User.objects.exists()


def test_talk_presences_reports_admissions_and_empty_rooms_go_each_after_its_time() -> None:
    # given one of each just before its time, and one just after
    now = timezone.now()
    marie = User.objects.create_user("marie")
    room = Room.objects.create(host=marie)
    for shift in (-SECOND, SECOND):
        line = ChatLine.objects.create(room=room, author=marie, text="hello")
        ChatLine.objects.filter(pk=line.pk).update(created_at=now - retention.CHAT_LINE - shift)
        report = Report.objects.create(reporter=marie, ground="spam")
        Report.objects.filter(pk=report.pk).update(created_at=now - retention.REPORT - shift)
        Presence.objects.create(
            room=room, user=marie, channel=f"tab {shift}", seen_until=now - retention.PRESENCE - shift
        )
        closed = Room.objects.create(host=marie, closed_at=now - retention.CLOSED_ROOM - shift)
        Admission.objects.create(room=closed, user=marie)
    played = finished_match({Seat.SOUTH: marie}, ago=retention.CLOSED_ROOM * 2).room
    Admission.objects.create(room=played, user=marie)
    # when
    purge()
    # then
    for model in (ChatLine, Report, Presence, Admission):
        assert model.objects.count() == 1
    assert Room.objects.count() == 3
    assert Room.objects.filter(pk=played.pk).exists()


def test_a_second_run_finds_nothing_and_every_run_says_how_much_went(caplog: pytest.LogCaptureFixture) -> None:
    guest_of(retention.GUEST * 2)
    Session.objects.create(session_key="over", expire_date=timezone.now() - SECOND)

    with caplog.at_level(logging.INFO):
        purge()
        purge()

    lines = [record.getMessage() for record in caplog.records if record.name.endswith("purges")]
    counts = [line.removeprefix("purged ").split(", ") for line in lines]
    assert ["1 sessions" in counts[0], "1 guests" in counts[1]] == [True, True]
    assert ["0 sessions" in counts[2], "0 guests" in counts[3]] == [True, True]


def test_both_are_on_the_schedule(settings: Settings) -> None:
    recurring = settings.TASKS["default"]["OPTIONS"]["recurring"].values()

    assert {"accounts.purges.purge", "games.purges.purge"} <= {job["task_path"] for job in recurring}
