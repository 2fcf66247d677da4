"""`open_view`: all cards of a match that is over, and of no other."""

from __future__ import annotations

import random

import pytest

from games.engine.commands import EndMatch
from games.engine.dealing import full_hands
from games.engine.events import CardPlayed, Event
from games.engine.notation import format_hand
from games.engine.play import Duty
from games.engine.rules import Phase, RuleSet, Undertrump
from games.engine.seats import Seat
from games.engine.state import MatchState
from games.engine.view import open_view, table_view
from tests.engine.given import Driven, E, N, S, W
from tests.properties.random_matches import random_match


def walked(seed: int, rules: RuleSet | None = None) -> list[tuple[Event, MatchState]]:
    return list(random_match(random.Random(seed), rules or RuleSet(), 3))


def test_given_a_match_that_is_played_when_its_cards_are_asked_for_then_they_are_refused() -> None:
    for _, state in walked(81):
        if state.phase is not Phase.OVER:
            with pytest.raises(ValueError, match="when a match is over"):
                open_view(state, state)


def test_given_the_end_of_one_match_when_another_one_is_asked_for_then_it_is_refused() -> None:
    final = walked(82)[-1][1]
    other = Driven().deal().bid("- - D")

    with pytest.raises(ValueError, match="no deal of this match"):
        open_view(final, other.now)


def test_given_a_moment_without_a_deal_when_asked_for_then_it_is_refused() -> None:
    log = walked(83)

    with pytest.raises(ValueError, match="no deal of this match"):
        open_view(log[-1][1], log[0][1])


@pytest.mark.parametrize("undertrump", Undertrump)
def test_given_a_match_that_is_over_when_opened_then_each_card_has_what_its_seat_might_have_played(
    undertrump: Undertrump,
) -> None:
    played = 0
    for seed in range(84, 90):
        log = walked(seed, RuleSet(undertrump=undertrump))
        final = log[-1][1]
        before: MatchState | None = None
        for event, state in log:
            if isinstance(event, CardPlayed):
                assert before is not None
                own = table_view(before, event.seat)
                opened = open_view(final, state)
                assert opened.plays[-1] == (event.seat, event.card, own.legal, own.duty)
                assert (open_view(final, before).legal, open_view(final, before).duty) == (own.legal, own.duty)
                played += 1
            before = state

    assert played > 300


def test_given_a_moment_when_opened_then_the_hands_are_what_each_seat_held() -> None:
    # given North took the jack of diamonds, and East has led
    driven = Driven().deal().bid("- - - D").play("7S")
    moment = driven.now
    driven.server(EndMatch())
    # when
    opened = open_view(driven.now, moment)
    # then
    assert driven.running.taker is N
    assert opened.hands[S] == full_hands(driven.running.deck, N, N)[S]
    assert opened.hands[E] == full_hands(driven.running.deck, N, N)[E] & ~1
    assert format_hand(opened.legal) == "TS JS QS"
    assert opened.duty is Duty.FOLLOW
    assert opened.table == table_view(moment, None)
    assert [play.seat for play in opened.plays] == [E]


def test_given_a_bid_that_is_waited_for_when_opened_then_it_has_the_choice_of_the_seat_on_turn() -> None:
    driven = Driven().deal().bid("- -")
    moment = driven.now
    driven.server(EndMatch())

    opened = open_view(driven.now, moment)

    assert opened.table.turn is W
    assert opened.legal_bids == table_view(moment, W).legal_bids
    assert opened.legal_bids
    assert (opened.legal, opened.duty, opened.plays) == (0, None, ())
    assert [hand.bit_count() for hand in opened.hands] == [5, 5, 5, 5]


def test_given_a_deal_that_was_broken_off_when_opened_then_it_is_one_of_the_match() -> None:
    driven = Driven().deal().bid("- - D").play("7S TS")
    driven.server(EndMatch())

    assert len(open_view(driven.now, driven.now).plays) == 2
    assert Seat.EAST is open_view(driven.now, driven.now).plays[0].seat
