"""The easy player, to the letter of R9.2."""

from __future__ import annotations

import pytest

from games.ai.easy import Easy, lowest_card
from games.engine.commands import Pass, PlayCard, Take
from games.engine.notation import format_card, parse_card, parse_hand, parse_suit
from games.engine.rules import BeloteCall, RuleSet
from tests.ai.given import bidding, playing

EASY = Easy()


@pytest.mark.parametrize(
    ("legal", "trump", "lowest"),
    [
        pytest.param("AH 7S", "D", "7S", id="fewest points"),
        pytest.param("JD QH KC", "S", "JD", id="the plain jack counts two"),
        pytest.param("JD QH KC", "D", "QH", id="the trump jack counts twenty"),
        pytest.param("9D 7S", "D", "7S", id="the trump nine counts fourteen"),
        pytest.param("7S 9H", "S", "9H", id="plain before trump, whatever the rank"),
        pytest.param("QS QC", "S", "QC", id="plain before trump with equal points"),
        pytest.param("9S 8H 7C", "D", "7C", id="weakest rank"),
        pytest.param("8D 7D", "D", "7D", id="weakest rank of trumps"),
        pytest.param("7C 7D 7H", "S", "7H", id="suit order"),
        pytest.param("AC TC", "S", "TC", id="ten below ace"),
    ],
)
def test_given_legal_cards_when_easy_chooses_then_the_lowest(legal: str, trump: str, lowest: str) -> None:
    assert format_card(lowest_card(parse_hand(legal), parse_suit(trump))) == lowest


def test_given_a_partner_who_is_winning_when_easy_plays_then_still_the_lowest() -> None:
    view = playing("TD 9D AH", "N: 7D AD 8D")

    assert EASY.choose(view) == PlayCard(parse_card("9D"))


@pytest.mark.parametrize(
    ("hand", "turn_up", "suit"),
    [
        pytest.param("9H 7H AS TS KC", "8H", "H", id="nine and two more with the turned card"),
        pytest.param("7H 8H AS TS KC", "JH", "H", id="the turned card is the jack"),
        pytest.param("JH AS TS KC QC", "8H", None, id="only two trumps"),
        pytest.param("AH TH KH QH AS", "8H", None, id="five trumps, neither jack nor nine"),
    ],
)
def test_given_the_first_round_when_easy_bids_then_it_counts_the_turned_card(
    hand: str, turn_up: str, suit: str | None
) -> None:
    answer = EASY.choose(bidding(hand, turn_up))

    assert answer == (Pass() if suit is None else Take(parse_suit(suit)))


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        pytest.param("JC 9C 7C AS TS", "C", id="three with the jack"),
        pytest.param("9D 8D 7D KS QS", "D", id="three with the nine"),
        pytest.param("JC 9C AS TS KS", None, id="two are not enough, three without jack and nine neither"),
        pytest.param("AS TS KS QS JD", None, id="four without jack and nine"),
        pytest.param("9S 7S 8S JH 7D", "S", id="the turned suit is out"),
    ],
)
def test_given_the_second_round_when_easy_bids_then_another_suit_it_holds_enough_of(
    hand: str, suit: str | None
) -> None:
    answer = EASY.choose(bidding(hand, "8H", passes=4))

    assert answer == (Pass() if suit is None else Take(parse_suit(suit)))


def test_given_two_suits_that_are_enough_when_easy_bids_then_the_longer_and_else_suit_order() -> None:
    # No hand of five holds two suits of three; these show the rule beyond what can be dealt.
    longer = bidding("9S 7S 8S JC 9C 8C 7C", "8H", passes=4)
    equal = bidding("JC 9C 8C 9D 8D 7D", "8H", passes=4)

    assert EASY.choose(longer) == Take(parse_suit("C"))
    assert EASY.choose(equal) == Take(parse_suit("D"))


@pytest.mark.parametrize(("belote", "says"), [(BeloteCall.MANUAL, True), (BeloteCall.AUTO, False)])
def test_given_the_belote_pair_when_easy_plays_one_then_it_announces_where_the_room_asks(
    belote: BeloteCall, says: bool
) -> None:
    view = playing("QS KS", "N: 7S", rules=RuleSet(belote=belote))

    assert EASY.choose(view) == PlayCard(parse_card("QS"), announce=says)


def test_given_a_view_of_another_seats_turn_when_easy_is_asked_then_it_says_so() -> None:
    view = playing("QS KS", "N: 7S")._replace(legal=0)

    with pytest.raises(ValueError, match="nothing to bid or to play"):
        EASY.choose(view)
