"""What a position remembers: the running trick, and what no seat has shown to be without."""

from __future__ import annotations

import random

import pytest

from games.ai.position import Position
from games.engine.cards import SUIT_CARDS, Suit
from games.engine.notation import parse_card, parse_cards, parse_hand
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat
from games.engine.view import table_view
from tests.ai.given import E, N, S, W, playing
from tests.properties.random_matches import random_match

SPADES, HEARTS, DIAMONDS, CLUBS = Suit


def after(cards: str, trump: Suit = SPADES, rules: RuleSet | None = None) -> Position:
    """Return the position after some cards, North to lead, West the taker of the ace of clubs."""
    position = Position(trump, W, N, parse_card("AC"), rules or RuleSet())
    for card in parse_cards(cards):
        position.play(card)
    return position


def lacks(position: Position, seat: Seat, suit: Suit) -> bool:
    return not position.may_hold[seat] & SUIT_CARDS[suit]


def test_given_cards_of_a_trick_when_played_then_best_and_points_follow() -> None:
    position = after("KD AD 7S")

    assert (position.best, position.points, position.turn) == (2, 15, W)
    assert not position.unplayed & parse_hand("KD AD 7S")


def test_given_a_full_trick_when_played_then_its_winner_leads_the_next() -> None:
    position = after("KD AD 7S 8D")

    assert (position.leader, position.cards, position.points) == (S, (), 0)


def test_given_a_seat_that_does_not_follow_when_it_plays_then_it_lacks_the_suit() -> None:
    position = after("KD 7S")

    assert lacks(position, E, DIAMONDS)
    assert not lacks(position, E, SPADES)
    assert not lacks(position, S, DIAMONDS)


@pytest.mark.parametrize(
    ("cards", "undertrump", "shown"),
    [
        pytest.param("KD 7H", Undertrump.MUST, True, id="an opponent wins: it would have had to ruff"),
        pytest.param("KD 7H", Undertrump.MAY, True, id="whatever the room says of undertrumps"),
        pytest.param("AD 7D 7H", Undertrump.MUST, False, id="the partner wins: it was free"),
        pytest.param("7D 8S 7H", Undertrump.MUST, True, id="an opponent ruffed: it would have had to undertrump"),
        pytest.param("7D 8S 7H", Undertrump.MAY, False, id="but not where the room frees it"),
        pytest.param("8S 7H", Undertrump.MAY, True, id="trumps were led"),
    ],
)
def test_given_a_discard_when_a_trump_was_owed_then_the_seat_lacks_trumps(
    cards: str, undertrump: Undertrump, shown: bool
) -> None:
    position = after(cards, rules=RuleSet(undertrump=undertrump))
    discarder = Seat(position.turn).right

    assert lacks(position, discarder, SPADES) is shown


def test_given_the_turned_card_when_nobody_has_played_it_then_only_the_taker_may_hold_it() -> None:
    position = after("")

    assert [bool(held & parse_hand("AC")) for held in position.may_hold] == [False, False, False, True]


def test_given_a_belote_when_it_was_said_then_nobody_else_may_hold_the_other_half() -> None:
    view = playing("7S 8S", "N: KS")._replace(belote_seat=N, belote_cards=(parse_card("KS"),))

    position = Position.of(view)

    assert [bool(held & parse_hand("QS")) for held in position.may_hold] == [True, False, False, False]


def test_given_a_copy_when_it_is_played_on_then_the_first_stays_as_it_was() -> None:
    position = after("KD")

    position.copy().play(parse_card("7H"))

    assert position.cards == parse_cards("KD")
    assert not lacks(position, E, DIAMONDS)


@pytest.mark.parametrize("undertrump", Undertrump)
def test_given_random_matches_when_a_position_is_read_then_every_seat_may_hold_what_it_holds(
    undertrump: Undertrump,
) -> None:
    read = 0
    for seed in range(15):
        for _, state in random_match(random.Random(seed), RuleSet(undertrump=undertrump), deals=2):
            deal = state.deal
            if deal is None or deal.turn is None or deal.trump is None:
                continue
            position = Position.of(table_view(state, deal.turn))
            assert all(not held & ~may for held, may in zip(deal.hands, position.may_hold, strict=True))
            assert position.turn == deal.turn
            assert position.unplayed == deal.hands[0] | deal.hands[1] | deal.hands[2] | deal.hands[3]
            read += 1
    assert read > 500
