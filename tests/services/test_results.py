"""Results are booked when a match ends, from its log: what they count, for whom, and what becomes of them."""

from __future__ import annotations

import json
from dataclasses import astuple
from io import StringIO

import pytest
from dj_queue.models import Job
from django.core.management import call_command
from django.db import transaction

from accounts.deletion import delete_account
from accounts.models import User
from accounts.signals import guest_joined
from games import codec, tasks
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.models import Match, Result, Room, Standing
from games.results import Opposite, Partner, partners_of, statistics_of
from games.services import results, rooms, seating
from games.tallies import SeatTally, tallies_of
from tests.services.given import four_people
from tests.services.past import TOTALS, finished_match
from tests.site_process import ROOT

pytestmark = pytest.mark.django_db

COUNTED_BY_HAND = {
    # deals, points, taken, made, failed, capots made, capots suffered, belotes, late: North, East, South, West
    "default_rules": [
        (10, 1149, 2, 2, 0, 1, 0, 1, 0),
        (10, 661, 3, 2, 1, 0, 1, 2, 0),
        (10, 1149, 3, 2, 0, 1, 0, 1, 0),
        (10, 661, 2, 2, 0, 0, 1, 1, 0),
    ],
    # belote without rebelote in the sixth deal, which was a capot
    "other_options": [
        (8, 690, 2, 2, 0, 0, 1, 0, 0),
        (8, 736, 3, 1, 1, 1, 0, 2, 0),
        (8, 690, 1, 1, 0, 0, 1, 0, 0),
        (8, 736, 2, 1, 1, 1, 0, 0, 0),
    ],
    # a computer ended the second deal for North, and all but the second for South
    "stand_ins": [
        (4, 505, 2, 1, 1, 0, 0, 1, 2),
        (5, 385, 2, 0, 2, 0, 0, 0, 0),
        (1, 0, 1, 0, 1, 0, 0, 0, 2),
        (5, 385, 0, 0, 0, 0, 0, 1, 0),
    ],
}


@pytest.mark.parametrize("log", COUNTED_BY_HAND)
def test_the_deals_of_a_match_are_what_a_person_counts(log: str) -> None:
    stored = json.loads((ROOT / "tests" / "golden" / f"{log}.json").read_text())

    tallies = tallies_of(codec.decode(event, stored["schema"]) for event in stored["events"])

    assert [astuple(tally) for tally in tallies] == COUNTED_BY_HAND[log]


def test_a_match_that_is_won_is_booked_for_its_people_as_it_ends_and_a_job_rates_it() -> None:
    # given
    people = people_with(0)
    table = four_people(users=people, visibility=Room.Visibility.PUBLIC, is_rated=True)
    # when
    state = table.play_until(lambda state: state.phase is Phase.OVER)
    # then
    match = Match.objects.get(pk=table.match.pk)
    assert match.is_booked
    for row in Result.objects.filter(match=match, is_rated=True, mu=None):
        seat = table.row(Seat(row.seat))
        assert (row.person, row.outcome, row.ended_at) == (seat.person, seat.outcome, match.ended_at)
        assert row.partner == table.row(Seat(row.seat).partner)
        team = Seat(row.seat).team
        assert (row.ours, row.theirs, row.points) == (state.totals[team], state.totals[team.other], row.ours)
    assert Result.objects.count() == 4
    assert Job.objects.filter(task_path="games.tasks.rate").count() == 1
    # when
    tasks.rate.call()
    # then
    assert {row.user: row.matches for row in Standing.objects.all()} == dict.fromkeys(people, 1)


def test_a_void_match_is_nothing_to_anybody_and_a_running_one_has_no_result() -> None:
    # given a table that one of four has left
    table = four_people()
    seating.leave(table.match.pk, table.users[Seat.EAST])
    assert not Result.objects.exists()
    # when the others leave as well
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.WEST):
        seating.leave(table.match.pk, table.users[seat])
    # then it was lost for whoever had left it while it was played
    assert {(row.seat, row.outcome, row.ours) for row in Result.objects.all()} == {
        (seat, "left", None) for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH)
    }
    assert not Result.objects.filter(is_rated=True).exists()
    assert statistics_of(table.users[Seat.WEST]).played == 0


def unbooked() -> list[Match]:
    """Matches that ended before results were kept."""
    user = User.objects.create_user("mari")
    found = [finished_match({Seat.SOUTH: user}) for _ in range(3)]
    Result.objects.all().delete()
    Match.objects.update(is_booked=False)
    return found


def test_the_sweep_books_what_ended_before_results_were_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = unbooked()
    monkeypatch.setattr(tasks, "BOOKED_IN_ONE_RUN", 2)

    tasks.sweep_results.call()
    assert results.missing() == 1
    tasks.sweep_results.call()
    tasks.sweep_results.call()

    assert set(Result.objects.values_list("match_id", flat=True)) == {match.pk for match in found}


def test_the_command_books_all_of_it_and_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    unbooked()
    told = StringIO()

    call_command("book_results", stdout=told)
    call_command("book_results", stdout=told)

    assert told.getvalue() == "3 matches booked, 0 rated.\n0 matches booked, 0 rated.\n"
    assert capsys.readouterr().err == "3/3\n"
    assert Result.objects.count() == 3


def test_what_was_annulled_before_it_was_booked_is_not_booked() -> None:
    match, *_ = unbooked()
    Match.objects.filter(pk=match.pk).update(annulled_at=match.ended_at)

    call_command("book_results", stdout=StringIO())

    assert not match.results.exists()


def test_results_go_with_a_guest_into_the_account_and_stay_when_that_goes() -> None:
    # given
    guest, account = User.objects.create_guest(), User.objects.create_user("mari")
    jaan = User.objects.create_user("jaan")
    finished_match({Seat.SOUTH: guest, Seat.NORTH: jaan})
    finished_match({Seat.EAST: account, Seat.WEST: jaan})
    # when
    with transaction.atomic():
        guest_joined.send(User, guest=guest, account=account)
        User.objects.get(pk=guest.pk).delete()
    # then
    assert statistics_of(account).played == 2
    assert partners_of(account) == [Partner(Opposite("jaan", jaan.public_id), 2, 1)]
    assert partners_of(jaan) == [Partner(Opposite("mari", account.public_id), 2, 1)]
    # when
    surrogate = account.public_id
    delete_account(account)
    # then
    assert Result.objects.filter(person=surrogate).count() == 2
    assert partners_of(jaan) == [Partner(Opposite("Deleted accounts", None), 2, 1)]


def test_statistics_are_the_sums_of_all_matches() -> None:
    # given the same log as South and as East
    mari = User.objects.create_user("mari")
    finished_match({Seat.SOUTH: mari})
    finished_match({Seat.EAST: mari})
    # when
    found = statistics_of(mari)
    # then
    south, east = (SeatTally(*COUNTED_BY_HAND["default_rules"][seat]) for seat in (Seat.SOUTH, Seat.EAST))
    assert (found.won, found.lost, found.left) == (1, 1, 0)
    assert (found.deals, found.points) == (20, sum(TOTALS))
    assert (found.taken, found.made, found.failed) == (south.taken + east.taken, 4, 1)
    assert (found.capots_made, found.capots_suffered, found.belotes) == (1, 1, 3)
    assert (found.deal_average, found.match_average) == (sum(TOTALS) / 20, sum(TOTALS) / 2)
    assert (found.win_rate, found.taken_rate, found.made_rate, found.failed_rate) == ("50%", "30%", "67%", "17%")


# Which matches are rated


def rated_room(people: list[User], **options: object) -> Room:
    room = rooms.create(
        people[0], Room(**{"visibility": Room.Visibility.PUBLIC, "clock": 30, "is_rated": True, **options})
    )
    for person in people[1:]:
        seating.sit(person, room.pk)
    return room


def people_with(guests: int) -> list[User]:
    accounts = [User.objects.create_user(f"mari-{number}") for number in range(4 - guests)]
    return [*accounts, *(User.objects.create_guest() for _ in range(guests))]


@pytest.mark.parametrize(
    ("guests", "is_rated", "expected"), [(0, True, True), (1, True, False), (0, False, False), (4, True, False)]
)
def test_a_match_is_rated_when_four_accounts_sit_in_a_rated_room_at_its_start(
    guests: int, is_rated: bool, expected: bool
) -> None:
    people = people_with(guests)

    match = rooms.start(people[0], rated_room(people, is_rated=is_rated).pk)

    assert match.is_rated is expected


def test_a_match_with_a_computer_is_not_rated() -> None:
    people = people_with(0)[:3]
    room = rated_room(people)
    rooms.fill(people[0], room.pk, Occupant.HARD)

    assert not rooms.start(people[0], room.pk).is_rated


def test_nobody_gets_into_a_rated_room_by_quick_match() -> None:
    host, other = people_with(0)[:2]
    room = rated_room([host])

    found = rooms.quick_match(other)

    assert found != room
    assert not found.is_rated
