"""What a hand is worth as taker, and when to take.

The points were measured by playing deals out; they stand for the tricks that a hand wins as taker, not for card points.
"""

from __future__ import annotations

from games.engine.cards import SUIT_CARDS, Card, Mask, Rank, Suit, make_card, suit_of

JACK = 24
NINE = 15
LONE_NINE = 8
ACE = 9
TEN = 8
BELOTE_PAIR = 16
EACH_TRUMP = 5
SIDE_ACE = 12
ACE_WITH_TEN = 8
GUARDED_TEN = 4
VOID = 4

FIRST_ROUND = 48
SECOND_ROUND = 52
"""The least worth that is taken; in the second round the turned card is no trump of the taker."""


def worth(hand: Mask, trump: Suit) -> int:
    """Return what ``hand``, the turned card included, is worth with ``trump`` taken."""
    trumps = hand & SUIT_CARDS[trump]
    total = EACH_TRUMP * trumps.bit_count()
    total += JACK * _has(hand, trump, Rank.JACK) + ACE * _has(hand, trump, Rank.ACE) + TEN * _has(hand, trump, Rank.TEN)
    if _has(hand, trump, Rank.NINE):
        total += NINE if trumps.bit_count() > 1 else LONE_NINE
    if _has(hand, trump, Rank.KING) and _has(hand, trump, Rank.QUEEN):
        total += BELOTE_PAIR
    return total + sum(_side_worth(hand, suit) for suit in Suit if suit != trump)


def suit_to_take(hand: Mask, turn_up: Card, bidding_round: int) -> Suit | None:
    """Return the suit of most worth if that is enough, ties in suit order; None to pass.

    ``hand`` are the five cards of the auction; the taker gets the turned card in both rounds (R2.3).
    """
    turned = suit_of(turn_up)
    held = hand | 1 << turn_up
    suits = [turned] if bidding_round == 1 else [suit for suit in Suit if suit != turned]
    best = max(suits, key=lambda suit: worth(held, suit))
    return best if worth(held, best) >= (FIRST_ROUND if bidding_round == 1 else SECOND_ROUND) else None


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
