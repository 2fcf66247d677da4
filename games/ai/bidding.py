"""What a hand is worth as taker, and when to take.

The numbers are points of the deal. They were fitted to tens of thousands of bids, each played out twice by the normal
player: with the suit taken, and passed.
"""

from __future__ import annotations

from games.engine.auction import suits_offered
from games.engine.cards import SUIT_CARDS, Card, Mask, Rank, Suit, make_card

EACH_TRUMP = 26
JACK = 67
NINE = 31
ACE = 9
TEN = 7
BELOTE_PAIR = 35
SIDE_ACE = 16
ACE_WITH_TEN = 7
GUARDED_TEN = 8
VOID = 3

ENOUGH = 125
"""With this worth taking and passing are equally good, in both rounds."""


def worth(hand: Mask, trump: Suit) -> int:
    """Return what ``hand``, the turned card included, is worth with ``trump`` taken."""
    return (
        EACH_TRUMP * (hand & SUIT_CARDS[trump]).bit_count()
        + JACK * _has(hand, trump, Rank.JACK)
        + NINE * _has(hand, trump, Rank.NINE)
        + ACE * _has(hand, trump, Rank.ACE)
        + TEN * _has(hand, trump, Rank.TEN)
        + BELOTE_PAIR * (_has(hand, trump, Rank.KING) and _has(hand, trump, Rank.QUEEN))
        + sum(_side_worth(hand, suit) for suit in Suit if suit != trump)
    )


def suit_to_take(hand: Mask, turn_up: Card, bidding_round: int) -> Suit | None:
    """Return the suit of most worth if that is enough, ties in suit order; None to pass.

    ``hand`` are the five cards of the auction; the taker gets the turned card in both rounds (R2.3).
    """
    held = hand | 1 << turn_up
    best = max(suits_offered(turn_up, bidding_round), key=lambda suit: worth(held, suit))
    return best if worth(held, best) >= ENOUGH else None


def _side_worth(hand: Mask, suit: Suit) -> int:
    length = (hand & SUIT_CARDS[suit]).bit_count()
    if not length:
        return VOID
    ten = _has(hand, suit, Rank.TEN)
    if _has(hand, suit, Rank.ACE):
        return SIDE_ACE + ACE_WITH_TEN * ten
    return GUARDED_TEN if ten and length > 1 else 0


def _has(hand: Mask, suit: Suit, rank: Rank) -> bool:
    return bool(hand >> make_card(suit, rank) & 1)
