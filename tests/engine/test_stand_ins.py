"""A computer that plays for a person: one move whose time has run out, or every move until the person is back."""

from __future__ import annotations

import pytest

from games.engine.cards import Suit
from games.engine.commands import Command, EndMatch, GiveBack, Next, Pass, PlayCard, PlayFor, Take, TakeOver
from games.engine.decide import SERVER
from games.engine.errors import Reason, ReasonCode
from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    Cause,
    DealScored,
    DealThrownIn,
    Event,
    SeatGivenBack,
    SeatTakenOver,
    TimeRanOut,
)
from games.engine.evolve import fold
from games.engine.notation import parse_card
from games.engine.rules import BeloteCall, Phase, RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat
from games.engine.stand_ins import Incident
from games.engine.view import table_view
from tests.engine.given import NS, PEOPLE, Driven, E, N, S, W, at_last_card, at_play

TWO_PEOPLE = BySeat(Occupant.PERSON, Occupant.EASY, Occupant.PERSON, Occupant.HARD)
NOBODY = BySeat(None, None, None, None)
FOR_GOOD = [Cause.LEFT, Cause.REMOVED]


def incidents(driven: Driven) -> list[tuple[int, Event]]:
    return [(incident.at, incident.event) for incident in driven.now.incidents]


# One move


def test_given_a_person_on_turn_when_its_time_runs_out_then_the_computers_move_follows() -> None:
    driven = Driven().deal()

    assert driven.server(PlayFor(E, Take(Suit.DIAMONDS))) == (TimeRanOut(E), BidMade(E, Suit.DIAMONDS))
    assert driven.server(PlayFor(E, PlayCard(parse_card("KD")))) == (
        TimeRanOut(E),
        CardPlayed(E, parse_card("KD"), Announcement.BELOTE),
    )
    assert driven.turn is S


def test_given_the_manual_option_when_a_move_is_played_for_a_person_then_the_word_is_said_as_it_is_told() -> None:
    hands = BySeat("KH QH", "7C AC", "8C TC", "9C JC")

    for announce in (True, False):
        driven = at_play(hands, "H", "N:", RuleSet(belote=BeloteCall.MANUAL))
        _, played = driven.server(PlayFor(N, PlayCard(parse_card("KH"), announce)))
        assert isinstance(played, CardPlayed)
        assert (played.announcement is not None) == announce


def test_given_another_person_who_asks_when_a_move_is_played_for_a_person_then_the_log_says_who() -> None:
    driven = Driven().deal()

    assert driven.server(PlayFor(E, Pass(), asked_by=W)) == (TimeRanOut(E, W), BidMade(E, None))
    assert incidents(driven) == [(0, TimeRanOut(E, W))]
    assert driven.now.lapses[E] == 0


def test_given_the_last_card_or_pass_when_played_for_a_person_then_the_deal_ends_as_ever() -> None:
    last_card = at_last_card(Driven().deal().bid("D"), NS, ByTeam(90, 62), ByTeam(4, 4), NS)
    last_pass = Driven().deal().bid("- - - - - - -")

    played = last_card.server(PlayFor(last_card.turn, PlayCard(parse_card("8D"))))
    passed = last_pass.server(PlayFor(N, Pass()))

    assert [type(event) for event in played] == [TimeRanOut, CardPlayed, DealScored]
    assert [type(event) for event in passed] == [TimeRanOut, BidMade, DealThrownIn]
    assert last_pass.now.phase is Phase.SUMMARY


def test_given_an_illegal_move_when_played_for_a_person_then_refused_as_for_the_person() -> None:
    driven = Driven().deal().bid("D").play("KD")

    assert driven.refuses(SERVER, PlayFor(S, PlayCard(parse_card("TS")))) == Reason(
        ReasonCode.MUST_BEAT_TRUMP, "R4.3", Suit.DIAMONDS
    )
    assert driven.refuses(SERVER, PlayFor(S, Pass())).code is ReasonCode.NO_AUCTION


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (PlayFor(N, Pass()), Reason(ReasonCode.NOT_YOUR_TURN, "R2.1")),
        (PlayFor(E, Pass()), Reason(ReasonCode.NOT_A_PERSON)),
    ],
)
def test_given_a_seat_that_has_no_turn_of_its_own_when_played_for_then_refused(
    command: PlayFor, reason: Reason
) -> None:
    assert Driven(occupants=TWO_PEOPLE).deal().refuses(SERVER, command) == reason


def test_given_a_seat_that_is_stood_in_for_when_played_for_then_refused() -> None:
    driven = Driven().deal()
    driven.server(TakeOver(E, Cause.GONE))

    assert driven.refuses(SERVER, PlayFor(E, Pass())).code is ReasonCode.STOOD_IN


def test_given_nobody_else_who_plays_when_one_asks_then_refused() -> None:
    driven = Driven(occupants=TWO_PEOPLE).deal().bid("-")

    assert driven.refuses(SERVER, PlayFor(S, Pass(), asked_by=S)).code is ReasonCode.NOT_FOR_ONESELF
    assert driven.refuses(SERVER, PlayFor(S, Pass(), asked_by=E)).code is ReasonCode.NOT_A_PERSON
    driven.server(TakeOver(N, Cause.IDLE))
    assert driven.refuses(SERVER, PlayFor(S, Pass(), asked_by=N)).code is ReasonCode.NOT_A_PERSON


def test_given_no_turn_when_a_move_is_played_for_anyone_then_refused() -> None:
    driven = Driven().deal().bid("- - - - - - - -")

    for seat in Seat:
        assert driven.refuses(SERVER, PlayFor(seat, Pass())).code is ReasonCode.NOT_YOUR_TURN


# Turns in a row


def test_given_turns_that_run_out_when_the_seat_moves_itself_then_they_are_forgotten() -> None:
    driven = Driven().deal()

    driven.server(PlayFor(E, Pass()))
    assert driven.now.lapses == (0, 1, 0, 0)
    driven.bid("- - -")
    assert driven.now.lapses == (0, 1, 0, 0)
    driven.server(PlayFor(E, Pass()))
    assert driven.now.lapses == (0, 2, 0, 0)
    driven.bid("- - S").play("7S")

    assert driven.now.lapses == (0, 0, 0, 0)


def test_given_a_bid_of_its_own_when_a_turn_had_run_out_then_it_is_forgotten() -> None:
    driven = Driven().deal()
    driven.server(PlayFor(E, Pass()))
    driven.bid("- - - -")

    assert driven.now.lapses == (0, 0, 0, 0)


def test_given_two_turns_that_ran_out_when_the_computer_plays_on_then_they_stand_until_the_seat_is_given_back() -> None:
    driven = Driven().deal()
    driven.server(PlayFor(E, Pass()))
    driven.bid("- - -")
    driven.server(PlayFor(E, Pass()))
    driven.server(TakeOver(E, Cause.IDLE))
    driven.bid("- - S").play("7S")

    assert driven.now.lapses == (0, 2, 0, 0)
    driven.server(GiveBack(E))
    assert driven.now.lapses == (0, 0, 0, 0)


# The whole seat


@pytest.mark.parametrize("cause", Cause)
def test_given_a_person_when_taken_over_then_the_seat_stays_a_persons_and_a_computer_acts(cause: Cause) -> None:
    driven = Driven().deal()

    assert driven.server(TakeOver(S, cause)) == (SeatTakenOver(S, cause),)

    now = driven.now
    assert now.stand_ins == NOBODY.put(S, cause)
    assert now.occupants == PEOPLE
    assert [now.acting(seat) for seat in Seat] == [
        Occupant.PERSON,
        Occupant.PERSON,
        Occupant.NORMAL,
        Occupant.PERSON,
    ]
    assert now.turn is E


def test_given_a_seat_that_is_stood_in_for_when_it_is_on_turn_then_its_moves_are_ordinary_ones() -> None:
    driven = Driven().deal()
    driven.server(TakeOver(E, Cause.GONE))

    assert driven.do(E, Take(Suit.DIAMONDS)) == (BidMade(E, Suit.DIAMONDS),)
    assert table_view(driven.now, E).legal


def test_given_a_seat_that_is_stood_in_for_when_given_back_then_the_person_acts_again() -> None:
    driven = Driven().deal()
    driven.server(TakeOver(E, Cause.GONE))

    assert driven.server(GiveBack(E)) == (SeatGivenBack(E),)
    assert driven.now.stand_ins == NOBODY
    assert driven.now.acting(E) is Occupant.PERSON
    driven.server(TakeOver(E, Cause.IDLE))
    assert driven.now.stand_ins == NOBODY.put(E, Cause.IDLE)


@pytest.mark.parametrize("first", [Cause.GONE, Cause.IDLE])
@pytest.mark.parametrize("last", FOR_GOOD)
def test_given_a_seat_that_is_stood_in_for_when_taken_over_again_then_only_for_good(first: Cause, last: Cause) -> None:
    driven = Driven().deal()
    driven.server(TakeOver(S, first))

    for cause in (Cause.GONE, Cause.IDLE):
        assert driven.refuses(SERVER, TakeOver(S, cause)).code is ReasonCode.STOOD_IN
    driven.server(TakeOver(S, last))

    assert driven.now.stand_ins == NOBODY.put(S, last)


@pytest.mark.parametrize("last", FOR_GOOD)
def test_given_a_seat_that_is_taken_for_good_when_it_changes_hands_again_then_refused(last: Cause) -> None:
    driven = Driven().deal()
    driven.server(TakeOver(S, last))

    assert driven.refuses(SERVER, GiveBack(S)).code is ReasonCode.HAS_LEFT
    for cause in Cause:
        assert driven.refuses(SERVER, TakeOver(S, cause)).code is ReasonCode.STOOD_IN


def test_given_a_computers_seat_or_a_person_who_plays_when_changed_then_refused() -> None:
    driven = Driven(occupants=TWO_PEOPLE).deal()

    assert driven.refuses(SERVER, TakeOver(E, Cause.GONE)).code is ReasonCode.NOT_A_PERSON
    assert driven.refuses(SERVER, GiveBack(E)).code is ReasonCode.NOT_A_PERSON
    assert driven.refuses(SERVER, GiveBack(N)).code is ReasonCode.NOT_STOOD_IN
    assert driven.refuses(SERVER, TakeOver(W, Cause.LEFT)).code is ReasonCode.NOT_A_PERSON


@pytest.mark.parametrize("command", [PlayFor(E, Pass()), TakeOver(E, Cause.LEFT), GiveBack(N)])
def test_given_a_match_that_is_over_when_a_seat_changes_hands_then_refused(command: Command) -> None:
    driven = Driven().deal()
    driven.server(TakeOver(N, Cause.GONE))
    driven.server(EndMatch())

    assert driven.refuses(SERVER, command) == Reason(ReasonCode.MATCH_OVER, "R7.1")
    assert driven.now.stand_ins == NOBODY.put(N, Cause.GONE)


@pytest.mark.parametrize("command", [PlayFor(E, Pass()), TakeOver(E, Cause.LEFT), GiveBack(E)])
def test_given_any_match_when_a_seat_asks_for_a_stand_in_itself_then_refused(command: Command) -> None:
    assert Driven().deal().refuses(E, command).code is ReasonCode.SERVER_ONLY


def test_given_a_summary_when_a_computer_stands_in_then_the_seat_says_next_no_more() -> None:
    driven = Driven().deal().bid("- - - - - - - -")
    driven.server(TakeOver(S, Cause.IDLE))

    assert driven.refuses(S, Next(1)).code is ReasonCode.NOT_A_PERSON
    driven.server(GiveBack(S))
    driven.do(S, Next(1))

    assert driven.now.next_said == {S}


# What everybody sees of it


def test_given_incidents_when_the_deal_goes_on_then_each_keeps_its_place_until_the_next_deal() -> None:
    driven = Driven()
    driven.server(TakeOver(S, Cause.GONE))
    driven.deal().bid("-")
    driven.server(GiveBack(S))
    driven.bid("- D").play("AD")
    driven.server(PlayFor(S, PlayCard(parse_card("9C"))))
    driven.server(TakeOver(N, Cause.LEFT))

    assert incidents(driven) == [
        (0, SeatTakenOver(S, Cause.GONE)),
        (1, SeatGivenBack(S)),
        (4, TimeRanOut(S)),
        (5, SeatTakenOver(N, Cause.LEFT)),
    ]
    assert fold(driven.log) == driven.now


def test_given_a_take_over_during_a_summary_when_the_next_deal_starts_then_it_goes_with_the_deal_shown() -> None:
    driven = Driven().deal().bid("- - - - - - - -")

    driven.server(TakeOver(W, Cause.LEFT))
    shown = incidents(driven)
    driven.deal()

    assert shown == [(8, SeatTakenOver(W, Cause.LEFT))]
    assert incidents(driven) == []
    assert driven.now.stand_ins == NOBODY.put(W, Cause.LEFT)


def test_given_stand_ins_when_looked_at_then_everyone_sees_the_same_of_them() -> None:
    driven = Driven().deal()
    driven.server(PlayFor(E, Pass(), asked_by=N))
    driven.server(TakeOver(S, Cause.GONE))

    for viewer in (*Seat, None):
        view = table_view(driven.now, viewer)
        assert view.stand_ins == NOBODY.put(S, Cause.GONE)
        assert view.incidents == (Incident(0, TimeRanOut(E, N)), Incident(1, SeatTakenOver(S, Cause.GONE)))
        assert view.occupants == PEOPLE
