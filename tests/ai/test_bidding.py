"""What a hand is worth as taker, and when normal takes."""

from __future__ import annotations

import pytest

from games.ai.bidding import ENOUGH, worth
from games.engine.commands import Pass, Take
from games.engine.notation import parse_hand, parse_suit
from tests.ai.given import NORMAL, bidding


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        pytest.param("JS 7H 7D 7C", 67 + 26, id="jack"),
        pytest.param("JS 9S 7H 7D 7C", 67 + 31 + 52, id="jack and nine"),
        pytest.param("AS TS 7H 7D 7C", 9 + 7 + 52, id="ace and ten"),
        pytest.param("KS QS 7H 7D 7C", 35 + 52, id="belote"),
        pytest.param("KS 8S 7H 7D 7C", 52, id="half a belote"),
        pytest.param("7S AH 7D 7C", 26 + 16, id="side ace"),
        pytest.param("7S AH TH 7D 7C", 26 + 16 + 7, id="side ace and ten"),
        pytest.param("7S TH 8H 7D 7C", 26 + 8, id="guarded ten"),
        pytest.param("7S TH 7D 7C", 26, id="bare ten"),
        pytest.param("7S 7H 7D", 26 + 3, id="void"),
    ],
)
def test_given_a_hand_when_judged_for_spades_then_the_points_add_up(hand: str, points: int) -> None:
    assert worth(parse_hand(hand), parse_suit("S")) == points


def test_given_the_first_round_when_the_hand_is_worth_it_with_the_turned_card_then_normal_takes() -> None:
    good = "9S 7S AH 7D 7C"
    assert worth(parse_hand(good), parse_suit("S")) < ENOUGH

    assert NORMAL.choose(bidding(good, "JS")) == Take(parse_suit("S"))
    assert NORMAL.choose(bidding("8S 7S KH 7D 7C", "QS")) == Pass()


def test_given_the_second_round_when_two_suits_are_good_then_normal_takes_the_better() -> None:
    hand = "JC 9C AC AD TD"
    assert worth(parse_hand(hand + " 7H"), parse_suit("C")) >= ENOUGH

    assert NORMAL.choose(bidding(hand, "7H", passes=5)) == Take(parse_suit("C"))


def test_given_the_second_round_when_only_the_turned_suit_is_good_then_normal_passes() -> None:
    assert NORMAL.choose(bidding("JH 9H AH 7D 8C", "KH", passes=6)) == Pass()
