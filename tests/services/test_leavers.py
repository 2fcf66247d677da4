"""Lost connections, take-overs, coming back, leaving on purpose, tabs: who plays, and whom a result counts for."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import selectors
from games.engine.cards import Rank, make_card, mask_of
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.models import Match, MatchSeat, Presence, Seating
from games.services import matches, presence, rooms, seating
from tests.services.given import Table, four_people

pytestmark = pytest.mark.django_db


def gone_for(table: Table, seat: Seat, seconds: int) -> None:
    """The person has lost the connection so long ago."""
    table.depart(seat)
    MatchSeat.objects.filter(match=table.match, seat=seat).update(
        absent_since=timezone.now() - timedelta(seconds=seconds)
    )


def test_a_lost_connection_shows_at_once_and_the_seat_is_kept_for_60_seconds() -> None:
    # given
    table = four_people()
    away, other = table.people[:2]
    # when
    gone_for(table, away, 55)
    table.stay(other)
    # then
    assert not selectors.people_at(table.match.pk)[away].connected
    assert table.state.stand_ins[away] is None


def test_story_07_after_the_grace_the_computer_takes_the_seat_and_play_goes_on() -> None:
    # given
    table = four_people()
    away, other = table.people[:2]
    # when
    gone_for(table, away, 61)
    table.stay(other)
    # then
    assert table.state.stand_ins[away] is Cause.GONE
    # and the others need not wait: the deal is played to its end
    table.play_until(lambda state: state.phase is Phase.SUMMARY)


def test_story_06_the_person_who_comes_back_has_the_seat_again() -> None:
    # given
    table = four_people()
    away, other = table.people[:2]
    gone_for(table, away, 61)
    table.stay(other)
    # when
    table.arrive(away)
    # then
    assert table.state.stand_ins[away] is None
    assert selectors.people_at(table.match.pk)[away].connected


def test_story_04_presence_clears_for_everyone() -> None:
    # given
    table = four_people()
    away = table.people[0]
    table.depart(away)
    # when
    table.arrive(away, table.tabs[away])
    # then
    assert all(person.connected for person in selectors.people_at(table.match.pk))
    assert table.row(away).absent_since is None


def test_a_killed_server_leaves_no_ghost_at_the_table() -> None:
    # given a person whose web process was killed, so that nobody told of the closed socket
    table = four_people()
    away, other = table.people[:2]
    Presence.objects.filter(seat=away).update(seen_until=timezone.now() - timedelta(seconds=31))
    # when another's heartbeat comes
    table.stay(other)
    # then it is as if the connection had been lost when it last was heard of, a minute ago
    assert table.state.stand_ins[away] is Cause.GONE


def test_an_open_page_counts_on_with_its_heartbeats() -> None:
    # given a page that was last heard of a while ago
    table = four_people()
    seat = table.people[0]
    Presence.objects.filter(seat=seat).update(seen_until=timezone.now() + timedelta(seconds=4))
    # when
    table.stay(seat)
    # then
    assert Presence.objects.get(seat=seat).seen_until > timezone.now() + timedelta(seconds=20)


def test_what_is_overdue_is_prompted_though_a_computer_holds_an_absent_seat() -> None:
    # given
    table = four_people()
    away, other = table.people[:2]
    gone_for(table, away, 61)
    table.stay(other)
    table.play_until(lambda state: state.turn is away)
    Match.objects.update(due_at=timezone.now() - timedelta(seconds=3))
    prompts: list[int] = []
    matches.match_changed.connect(lambda version, **_: prompts.append(version), weak=False, dispatch_uid="test")
    # when
    table.stay(other)
    matches.match_changed.disconnect(dispatch_uid="test")
    # then
    assert prompts == [table.state.version]


def test_an_idle_seat_is_not_given_back_by_a_page_that_only_reconnects() -> None:
    # given
    table = four_people()
    idle = table.people[0]
    matches.take_over(table.match.pk, idle, Cause.IDLE)
    # when
    table.depart(idle)
    table.arrive(idle, table.tabs[idle])
    # then
    assert table.state.stand_ins[idle] is Cause.IDLE
    # but by one that is opened
    table.arrive(idle)
    assert table.state.stand_ins[idle] is None


def test_in_an_idle_tab_i_am_back_gives_the_seat_back() -> None:
    # given
    table = four_people()
    idle = table.people[0]
    matches.take_over(table.match.pk, idle, Cause.IDLE)
    # when
    matches.give_back(table.match.pk, idle)
    # then
    assert table.state.stand_ins[idle] is None


def test_leaving_on_purpose_gives_the_seat_to_the_computer_at_once_and_frees_the_person() -> None:
    # given
    table = four_people()
    leaver = table.people[0]
    user = table.users[leaver]
    # when
    goes_on = seating.leave(table.match.pk, user)
    # then
    assert goes_on
    assert table.state.stand_ins[leaver] is Cause.LEFT
    assert selectors.running_match(user.pk) is None
    # and it is final: the seat does not come back, only the view of a spectator
    with pytest.raises(selectors.MatchNotFound):
        selectors.seat_of(table.match.pk, user.pk)


def test_story_02_whoever_has_left_can_play_elsewhere_at_once() -> None:
    # given
    table = four_people()
    user = table.users[table.people[0]]
    # when
    seating.leave(table.match.pk, user)
    other = rooms.play_now(user, Occupant.EASY, 501)
    # then
    assert selectors.running_match(user.pk) == other


def test_leaving_twice_is_leaving_once() -> None:
    # given
    table = four_people()
    user = table.users[table.people[0]]
    seating.leave(table.match.pk, user)
    # when / then
    with pytest.raises(selectors.MatchNotFound):
        seating.leave(table.match.pk, user)
    assert table.match.events.filter(payload__type="seat_taken_over").count() == 1


def test_the_page_of_an_old_match_does_not_take_a_seat_at_another_table_away() -> None:
    # given somebody whose match is over, and who plays in another room by now
    table = four_people()
    user = table.users[table.people[0]]
    matches.end(table.match.pk)
    other = rooms.play_now(user, Occupant.EASY, 501)
    # when
    answer = seating.leave(table.match.pk, user)
    # then
    assert answer is None
    assert Seating.objects.get(user=user).room == other.room
    other.room.refresh_from_db()
    assert other.room.closed_at is None


def test_leaving_after_the_end_gives_up_the_seat_for_another_match_in_that_room() -> None:
    # given
    table = four_people()
    user = table.users[table.people[0]]
    matches.end(table.match.pk)
    # when
    answer = seating.leave(table.match.pk, user)
    # then
    assert answer is None
    assert not Seating.objects.filter(user=user).exists()
    assert table.match.room.seatings.count() == 3


def test_leaving_happens_as_a_whole_or_not_at_all() -> None:
    # given somebody whose seat cannot be freed, because the server stops in between
    table = four_people()
    leaver = table.people[0]

    def stop(**_: object) -> None:
        raise RuntimeError("the power is cut")

    presence.people_changed.connect(stop, dispatch_uid="test")
    # when
    with pytest.raises(RuntimeError):
        seating.leave(table.match.pk, table.users[leaver])
    presence.people_changed.disconnect(dispatch_uid="test")
    # then
    assert table.state.stand_ins[leaver] is None
    assert table.row(leaver).is_playing
    # and it can be done again
    seating.leave(table.match.pk, table.users[leaver])
    assert table.state.stand_ins[leaver] is Cause.LEFT


def test_the_match_counts_as_lost_for_leavers_and_absent_people_alone() -> None:
    # given one who left, one whose seat a computer holds, two who play on
    table = four_people()
    leaver, absent, *others = table.people
    seating.leave(table.match.pk, table.users[leaver])
    gone_for(table, absent, 61)
    table.stay(others[0])
    # when
    state = table.play_until(lambda state: state.phase is Phase.OVER)
    # then
    outcomes = {Seat(row.seat): row.outcome for row in MatchSeat.objects.filter(match=table.match)}
    assert outcomes[leaver] == outcomes[absent] == MatchSeat.Outcome.LEFT
    for seat in others:
        won = seat.team is state.winner
        assert outcomes[seat] == (MatchSeat.Outcome.WON if won else MatchSeat.Outcome.LOST)
    assert not MatchSeat.objects.filter(match=table.match, is_playing=True).exists()


def test_whoever_came_back_before_the_end_has_played_to_the_end() -> None:
    # given
    table = four_people()
    away, other = table.people[:2]
    gone_for(table, away, 61)
    table.stay(other)
    table.arrive(away)
    # when
    state = table.play_until(lambda state: state.phase is Phase.OVER)
    # then
    assert table.row(away).outcome == ("won" if away.team is state.winner else "lost")


def test_when_the_last_person_leaves_the_match_ends_void_and_who_left_before_has_left() -> None:
    # given
    table = four_people(computers=2)
    first, last = table.people
    seating.leave(table.match.pk, table.users[first])
    # when
    goes_on = seating.leave(table.match.pk, table.users[last])
    # then
    assert not goes_on
    table.match.refresh_from_db()
    assert table.match.status == Match.Status.VOID
    assert table.row(first).outcome == MatchSeat.Outcome.LEFT
    assert table.row(last).outcome == MatchSeat.Outcome.VOID


def test_the_hosts_role_passes_on_when_the_host_leaves_in_mid_match() -> None:
    # given
    table = four_people()
    host = table.match.room.host
    assert host is not None
    # when
    seating.leave(table.match.pk, host)
    # then
    table.match.room.refresh_from_db()
    assert table.match.room.host_id in {user.pk for user in table.users.values()} - {host.pk}
    assert not Seating.objects.filter(user=host).exists()


def test_story_09_the_newest_tab_plays_and_the_older_one_is_retired() -> None:
    # given
    table = four_people()
    seat = table.people[0]
    older = table.tabs[seat]
    retired: list[tuple[int, int]] = []
    presence.tab_opened.connect(lambda seat, tab, **_: retired.append((seat, tab)), weak=False, dispatch_uid="test")
    # when
    table.arrive(seat)
    presence.tab_opened.disconnect(dispatch_uid="test")
    # then
    assert retired == [(seat, older + 1)]
    assert not presence.is_newest(table.match.pk, seat, older)
    assert Presence.objects.filter(match=table.match, seat=seat).count() == 1
    # and the older one cannot come back by itself
    with pytest.raises(presence.Retired):
        presence.arrive(table.match.pk, seat, "the older one", older)
    with pytest.raises(presence.Retired):
        presence.stay(table.match.pk, seat, "the older one", older)


def test_the_late_close_of_a_retired_tab_does_not_make_its_person_absent() -> None:
    # given
    table = four_people()
    seat = table.people[0]
    older = Presence.objects.get(match=table.match, seat=seat).channel
    presence.arrive(table.match.pk, seat, "the newer one")
    # when
    presence.depart(table.match.pk, seat, older)
    # then
    assert table.row(seat).absent_since is None


def test_a_number_that_was_never_given_to_a_tab_is_that_of_a_new_one() -> None:
    # given
    table = four_people()
    seat = table.people[0]
    # when
    table.arrive(seat, 4711)
    # then
    assert table.tabs[seat] == 2


def test_a_seat_of_a_computer_cannot_be_opened() -> None:
    # given
    table = four_people(computers=1)
    # when / then
    with pytest.raises(selectors.MatchNotFound):
        table.arrive(table.computers[0])


def test_the_summary_does_not_wait_for_a_seat_that_the_computer_holds() -> None:
    # given
    table = four_people()
    leaver = table.people[0]
    deal = table.play_until(lambda state: state.phase is Phase.SUMMARY).deal_number
    # when
    seating.leave(table.match.pk, table.users[leaver])
    for _ in range(3):
        table.act()
    # then
    assert table.state.deal_number == deal + 1


def test_in_manual_the_stand_in_announces() -> None:
    # given tables at which belote is said by hand, until a person holds king and queen of trump
    for _ in range(100):
        table = four_people(belote="manual")
        state = table.play_until(lambda state: state.phase in (Phase.PLAY, Phase.SUMMARY))
        if state.deal is None or state.deal.trump is None:
            continue
        pair = mask_of(make_card(state.deal.trump, rank) for rank in (Rank.KING, Rank.QUEEN))
        holders = [seat for seat in Seat if state.deal.hands[seat] & pair == pair]
        if holders:
            break
    # when the computer holds that seat
    matches.take_over(table.match.pk, holders[0], Cause.GONE)
    table.play_until(lambda state: state.phase is not Phase.PLAY)
    # then
    said = table.match.events.filter(payload__has_key="announcement").order_by("sequence")
    words = [(event.payload["seat"], event.payload["announcement"]) for event in said]
    assert words == [(holders[0], "belote"), (holders[0], "rebelote")]
