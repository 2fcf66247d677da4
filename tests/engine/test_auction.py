"""The auction (R3), driven by commands."""

from __future__ import annotations

import pytest

from games.engine.auction import Bid, legal_bids
from games.engine.cards import Suit
from games.engine.commands import Pass, PlayCard, Take
from games.engine.decide import SERVER
from games.engine.errors import Reason, ReasonCode
from games.engine.events import BidMade, DealThrownIn
from games.engine.notation import parse_card, parse_hand
from games.engine.rules import Phase
from games.engine.seats import Seat
from tests.engine.given import Driven, E, N, S, W


@pytest.mark.parametrize("dealer", Seat)
def test_given_a_dealer_when_all_pass_then_bids_go_round_clockwise_from_the_left(dealer: Seat) -> None:
    driven = Driven().deal(first_dealer=dealer)
    speakers = []

    for _ in range(8):
        speakers.append(driven.turn)
        driven.bid("-")

    assert speakers == [dealer.left, dealer.partner, dealer.right, dealer] * 2


def test_given_a_seat_on_turn_when_another_bids_then_refused_in_turn_order() -> None:
    driven = Driven().deal(first_dealer=N)

    for seat in (N, S, W):
        assert driven.refuses(seat, Pass()) == Reason(ReasonCode.NOT_YOUR_TURN, "R2.1")
        assert driven.refuses(seat, Take(Suit.DIAMONDS)) == Reason(ReasonCode.NOT_YOUR_TURN, "R2.1")


@pytest.mark.parametrize("suit", [Suit.SPADES, Suit.HEARTS, Suit.CLUBS])
def test_given_the_first_round_when_another_suit_is_taken_then_refused(suit: Suit) -> None:
    driven = Driven().deal()

    assert driven.refuses(E, Take(suit)) == Reason(ReasonCode.ONLY_TURNED_SUIT, "R3.1", suit)


def test_given_the_second_round_when_the_turned_suit_is_taken_then_refused() -> None:
    driven = Driven().deal().bid("- - - -")

    assert driven.refuses(E, Take(Suit.DIAMONDS)) == Reason(ReasonCode.NOT_TURNED_SUIT, "R3.2", Suit.DIAMONDS)


@pytest.mark.parametrize(
    ("bids", "taker", "trump"),
    [
        ("D", E, Suit.DIAMONDS),
        ("- - - D", N, Suit.DIAMONDS),
        ("- - - - C", E, Suit.CLUBS),
        ("- - - - - - - S", N, Suit.SPADES),
    ],
)
def test_given_bids_when_a_seat_takes_then_the_auction_is_over(bids: str, taker: Seat, trump: Suit) -> None:
    driven = Driven().deal().bid(bids)
    deal = driven.running

    assert driven.now.phase is Phase.PLAY
    assert (deal.taker, deal.trump) == (taker, trump)
    assert driven.turn is E
    assert legal_bids(deal.bids, deal.turn_up) == ()
    assert all(hand.bit_count() == 8 for hand in deal.hands)
    assert deal.hands[taker] & parse_hand("JD")
    assert driven.refuses(driven.turn, Take(Suit.CLUBS)) == Reason(ReasonCode.NO_AUCTION)
    assert driven.refuses(driven.turn, Pass()) == Reason(ReasonCode.NO_AUCTION)


def test_given_seven_passes_when_the_eighth_is_said_then_the_deal_is_thrown_in() -> None:
    driven = Driven().deal().bid("- - - - - - -")

    events = driven.do(N, Pass())

    assert events == (BidMade(N, None), DealThrownIn(1))
    assert driven.now.phase is Phase.SUMMARY
    assert driven.now.turn is None
    assert driven.now.totals == (0, 0)
    result = driven.now.results[-1]
    assert (result.number, result.taker, result.trump, result.score) == (1, None, None, None)
    assert driven.refuses(E, Pass()) == Reason(ReasonCode.NO_AUCTION)


def test_given_eight_passes_when_only_the_bids_are_known_then_nothing_more_may_be_said() -> None:
    bids = tuple(Bid(Seat(n % 4), None) for n in range(8))

    assert legal_bids(bids, parse_card("JD")) == ()


def test_given_the_auction_when_a_card_is_played_then_refused() -> None:
    driven = Driven().deal()

    assert driven.refuses(E, PlayCard(parse_card("7S"))) == Reason(ReasonCode.NO_PLAY)


def test_given_the_auction_when_the_server_bids_then_refused() -> None:
    driven = Driven().deal()

    assert driven.refuses(SERVER, Pass()) == Reason(ReasonCode.SEATS_ONLY)
    assert driven.refuses(SERVER, Take(Suit.DIAMONDS)) == Reason(ReasonCode.SEATS_ONLY)
