"""From a deck to hands: the packets and the turned card (R2.2, R2.3)."""

from __future__ import annotations

from games.engine.cards import Card, Mask, mask_of
from games.engine.seats import BySeat, Seat

type Deck = tuple[Card, ...]
"""All 32 cards, the top one first."""

TURN_UP = 20
"""Where the turned card lies in the deck, after four times five cards."""


def first_hands(deck: Deck, dealer: Seat) -> BySeat[Mask]:
    """Return the hands of five: packets of 3 then 2 from the dealer's left (R2.2)."""
    hands = [0, 0, 0, 0]
    for place, seat in enumerate(dealer.left.order()):
        hands[seat] = mask_of(deck[3 * place : 3 * place + 3]) | mask_of(deck[12 + 2 * place : 14 + 2 * place])
    return BySeat(*hands)


def full_hands(deck: Deck, dealer: Seat, taker: Seat) -> BySeat[Mask]:
    """Return the hands of eight: 3 more each, for the taker the turned card and 2 (R2.3)."""
    hands = list(first_hands(deck, dealer))
    at = TURN_UP + 1
    for seat in dealer.left.order():
        packet = 2 if seat is taker else 3
        hands[seat] |= mask_of(deck[at : at + packet])
        at += packet
    hands[taker] |= 1 << deck[TURN_UP]
    return BySeat(*hands)
