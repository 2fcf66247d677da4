"""Clocks: one turn's time, the reserve of the match, the computer's one move, pauses and stops."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from games import tasks
from games.ai.player import PLAYERS
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.view import table_view
from games.models import Match, Presence
from games.services import matches, presence
from tests.services.given import EASY, Table, four_people

pytestmark = pytest.mark.django_db

A_SECOND = timedelta(seconds=1)


def row_of(table: Table) -> Match:
    return Match.objects.get(pk=table.match.pk)


def due_of(table: Table) -> datetime:
    due_at = row_of(table).due_at
    assert due_at is not None
    return due_at


def turn_began(table: Table, seconds_ago: float) -> None:
    """The turn has lasted so long already."""
    match = row_of(table)
    assert match.due_at is not None
    assert match.turn_since is not None
    back = timezone.now() - timedelta(seconds=seconds_ago) - match.turn_since
    Match.objects.filter(pk=match.pk).update(turn_since=match.turn_since + back, due_at=match.due_at + back)


@pytest.mark.parametrize("clock", [15, 30, 60])
def test_a_turn_ends_after_the_clock_and_the_reserve(clock: int) -> None:
    # when
    table = four_people(clock=clock)
    # then
    match = row_of(table)
    assert match.clock == clock
    assert match.reserves == [60, 60, 60, 60]
    assert abs(due_of(table) - timezone.now() - timedelta(seconds=clock + 60)) < 10 * A_SECOND


def test_a_turn_within_the_clock_costs_no_reserve() -> None:
    # given
    table = four_people(clock=30)
    seat = table.state.turn
    assert seat is not None
    turn_began(table, 29)
    # when
    table.act()
    # then
    assert row_of(table).reserves == [60, 60, 60, 60]


def test_what_a_turn_takes_beyond_the_clock_is_paid_from_the_reserve_of_that_seat_alone() -> None:
    # given
    table = four_people(clock=30)
    seat = table.state.turn
    assert seat is not None
    turn_began(table, 50)
    # when
    table.act()
    # then
    reserves = row_of(table).reserves
    assert reserves[seat] == pytest.approx(40, abs=5)
    assert [reserves[other] for other in Seat if other is not seat] == [60, 60, 60]
    # and the next turn of that seat has that much less
    table.play_until(lambda state: state.turn is seat)
    assert abs(due_of(table) - timezone.now() - timedelta(seconds=30 + reserves[seat])) < 10 * A_SECOND


def test_when_both_are_spent_the_normal_computer_makes_that_one_move() -> None:
    # given
    table = four_people()
    state = table.play_until(lambda state: state.phase is Phase.PLAY and state.turn is not None)
    seat = state.turn
    assert seat is not None
    expected = PLAYERS[Occupant.NORMAL].choose(table_view(state, seat))
    # when
    table.let_time_run_out()
    # then
    log = table.match.events.filter(sequence__gt=state.version).order_by("sequence")
    assert [event.payload["type"] for event in log[:2]] == ["time_ran_out", "card_played"]
    assert log[1].payload["seat"] == seat
    assert table.state.deal is not None
    assert table.state.deal.hands[seat] == state.deal.hands[seat] & ~(1 << expected.card)  # type: ignore[union-attr]
    assert row_of(table).reserves[seat] == 0
    assert table.state.stand_ins[seat] is None


def test_a_move_that_comes_in_time_is_not_played_again_by_the_clock() -> None:
    # given
    table = four_people()
    version = table.state.version
    # when the person moves, and the job of the deadline comes late
    table.act()
    after = table.state.version
    tasks.act_when_due.call(str(table.match.pk), version)
    # then
    assert table.state.version == after


def test_a_job_that_comes_before_the_deadline_does_nothing() -> None:
    # given a deadline that was moved after its job had been enqueued
    table = four_people()
    version = table.state.version
    # when
    tasks.act_when_due.call(str(table.match.pk), version)
    # then
    assert table.state.version == version


def test_after_two_turns_in_a_row_that_ran_out_the_computer_takes_the_seat() -> None:
    # given
    table = four_people()
    seat = table.state.turn
    assert seat is not None
    # when
    table.let_time_run_out()
    table.play_until(lambda state: state.turn is seat)
    assert table.state.stand_ins[seat] is None
    table.let_time_run_out()
    # then
    assert table.state.stand_ins[seat] is Cause.IDLE
    assert table.match.events.filter(payload__type="seat_taken_over", payload__cause="idle").count() == 1


def test_a_turn_of_ones_own_between_two_that_ran_out_keeps_the_seat() -> None:
    # given
    table = four_people()
    seat = table.state.turn
    assert seat is not None
    # when
    for _ in range(2):
        table.let_time_run_out()
        table.play_until(lambda state: state.turn is seat)
        table.act()
        table.play_until(lambda state: state.turn is seat)
    # then
    assert table.state.stand_ins[seat] is None


def test_somebody_elses_next_does_not_move_the_end_of_the_summary() -> None:
    # given
    table = four_people()
    table.play_until(lambda state: state.phase is Phase.SUMMARY)
    due_at = due_of(table)
    # when
    table.act()
    # then
    assert table.state.next_said
    assert due_of(table) == due_at


def test_the_next_deal_starts_after_the_summary_though_nobody_said_next() -> None:
    # given
    table = four_people()
    deal = table.play_until(lambda state: state.phase is Phase.SUMMARY).deal_number
    # when
    table.let_due_act()
    # then
    assert table.state.deal_number == deal + 1


def test_one_person_among_computers_has_no_clock() -> None:
    # when
    table = four_people(computers=3)
    # then
    assert row_of(table).clock is None


def test_without_a_clock_another_person_may_have_the_computer_play_after_three_minutes() -> None:
    # given
    table = four_people(clock=None)
    seat, version = table.state.turn, table.state.version
    assert seat is not None
    # when it is too early
    early = matches.play_for_absent(table.match.pk, seat.left, version)
    # then
    assert early.status is matches.Status.STALE
    assert table.state.version == version
    # when three minutes are over
    Match.objects.update(turn_since=timezone.now() - timedelta(minutes=3, seconds=1))
    late = matches.play_for_absent(table.match.pk, seat.left, version)
    # then
    assert late.status is matches.Status.ACCEPTED
    assert table.state.version == late.version > version
    asked = table.match.events.get(payload__type="time_ran_out").payload
    assert (asked["seat"], asked["asked_by"]) == (seat, seat.left)


def test_no_clock_runs_while_nobody_is_there_and_it_goes_on_where_it_was() -> None:
    # given a turn with 80 of 90 seconds left, when the last person goes
    table = four_people(clock=30)
    version = table.state.version
    turn_began(table, 10)
    for seat in table.people:
        table.depart(seat)
    # when ten minutes pass
    ten_minutes = timedelta(minutes=10)
    match = row_of(table)
    assert match.due_at is not None
    assert match.turn_since is not None
    Match.objects.update(
        due_at=match.due_at - ten_minutes,
        turn_since=match.turn_since - ten_minutes,
        last_seen_at=match.last_seen_at - ten_minutes,
    )
    tasks.act_when_due.call(str(table.match.pk), version)
    # then nobody has moved
    assert table.state.version == version
    # and when the first comes back, there are 80 seconds again, and the reserve is whole
    table.arrive(table.people[0])
    assert abs(due_of(table) - timezone.now() - timedelta(seconds=80)) < 10 * A_SECOND
    table.act()
    assert row_of(table).reserves == [60, 60, 60, 60]


def test_whoever_is_still_away_after_a_pause_has_a_whole_grace() -> None:
    # given
    table = four_people()
    for seat in table.people:
        table.depart(seat)
    first, second = table.people[:2]
    long_ago = timezone.now() - timedelta(minutes=10)
    Match.objects.update(last_seen_at=long_ago)
    table.match.seats.update(absent_since=long_ago)
    # when
    table.arrive(first)
    table.stay(first)
    # then
    assert table.state.stand_ins[second] is None
    absent_since = table.row(second).absent_since
    assert absent_since is not None
    assert timezone.now() - absent_since < 10 * A_SECOND


@pytest.mark.parametrize("embedded", [True, False], ids=["one process", "several processes"])
def test_after_a_stop_a_deadline_is_at_least_15_seconds_away_and_nobody_pays(embedded: bool) -> None:
    # given a turn that was about to end, or has ended, when the server was killed
    table = four_people(clock=30)
    seat = table.state.turn
    assert seat is not None
    turn_began(table, 95)
    # when
    if embedded:
        presence.begin_anew()
        table.arrive(seat, table.tabs[seat])
    else:
        presence.grant_time()
    # then
    assert timedelta(seconds=14) < due_of(table) - timezone.now() <= timedelta(seconds=16)
    # and it is not held against the person
    table.act()
    match = row_of(table)
    assert match.reserves[seat] > 0
    assert table.state.lapses[seat] == 0


def test_a_single_process_that_starts_knows_that_all_pages_are_gone() -> None:
    # given
    table = four_people()
    # when
    presence.begin_anew()
    # then
    assert not Presence.objects.exists()
    assert row_of(table).last_seen_at <= timezone.now()


def test_a_computers_turn_has_no_clock_of_a_person() -> None:
    # given
    table = four_people(computers=1)
    # when
    table.play_until(lambda state: state.turn is table.computers[0])
    # then
    assert due_of(table) < timezone.now() + 5 * A_SECOND
    assert EASY.choose(table_view(table.state, table.computers[0])) is not None


def test_a_clock_and_a_click_at_once_make_one_move() -> None:
    # given a deadline that has just passed
    table = four_people()
    state = table.state
    seat = state.turn
    assert seat is not None
    Match.objects.update(due_at=timezone.now())
    # when the click comes first, and the clock knows an older version
    command = EASY.choose(table_view(state, seat))
    clicked = matches.submit(table.match.pk, seat, command, state.version, uuid4())
    clock = matches.play_lapsed_turn(table.match.pk, state.version)
    # then
    assert clicked.status is matches.Status.ACCEPTED
    assert clock.status is matches.Status.STALE


def test_going_and_coming_back_in_ones_own_turn_gains_no_time() -> None:
    # given
    table = four_people(clock=60)
    late = table.state.turn
    assert late is not None
    other = next(seat for seat in table.people if seat is not late)
    turn_began(table, 70)
    # when the grace is over, the computer holds the seat, and its person comes back before the computer has moved
    matches.take_over(table.match.pk, late, Cause.GONE)
    table.arrive(late)
    # then the turn goes on where it was: 10 of the 60 seconds of the reserve are spent
    assert table.state.turn is late
    assert abs(row_of(table).reserves[late] - 50) < 1
    assert abs(due_of(table) - timezone.now() - 50 * A_SECOND) < 2 * A_SECOND
    # and moving now costs nothing twice
    table.act()
    assert abs(row_of(table).reserves[late] - 50) < 2
    assert row_of(table).reserves[other] == 60


def test_coming_back_does_not_begin_the_wait_at_a_table_without_a_clock_anew() -> None:
    # given
    table = four_people(clock=None)
    late = table.state.turn
    assert late is not None
    waiting = next(seat for seat in table.people if seat is not late)
    Match.objects.filter(pk=table.match.pk).update(turn_since=timezone.now() - timedelta(minutes=3))
    # when
    matches.take_over(table.match.pk, late, Cause.GONE)
    table.arrive(late)
    # then
    answer = matches.play_for_absent(table.match.pk, waiting, table.state.version)
    assert answer.status is matches.Status.ACCEPTED


def test_the_wait_at_a_table_without_a_clock_does_not_count_a_pause() -> None:
    # given
    table = four_people(clock=None)
    late = table.state.turn
    assert late is not None
    waiting = next(seat for seat in table.people if seat is not late)
    for seat in table.people:
        table.depart(seat)
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Match.objects.filter(pk=table.match.pk).update(last_seen_at=an_hour_ago, turn_since=an_hour_ago)
    # when
    table.arrive(waiting)
    # then
    answer = matches.play_for_absent(table.match.pk, waiting, table.state.version)
    assert answer.status is matches.Status.STALE
    assert table.state.turn is late
