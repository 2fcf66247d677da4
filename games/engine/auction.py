"""The auction: who may bid what, and how it ends (R3)."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.cards import Card, Suit, suit_of
from games.engine.seats import Seat


class Bid(NamedTuple):
    """A seat takes a suit as trump, or passes (``suit`` is None)."""

    seat: Seat
    suit: Suit | None


def bidding_round(bids: tuple[Bid, ...]) -> int:
    """Return the round, 1 or 2, of the next bid."""
    return 1 if len(bids) < 4 else 2


def thrown_in(bids: tuple[Bid, ...]) -> bool:
    """Tell whether all have passed twice (R3.4)."""
    return len(bids) == 8 and bids[-1].suit is None


def legal_bids(bids: tuple[Bid, ...], turn_up: Card) -> tuple[Suit | None, ...]:
    """Return what the next seat may say, None (pass) first: the turned suit in the first round, another in the second.

    Empty once the auction is over (R3.3, R3.4).
    """
    if (bids and bids[-1].suit is not None) or len(bids) >= 8:
        return ()
    turned = suit_of(turn_up)
    if bidding_round(bids) == 1:
        return None, turned
    return None, *(suit for suit in Suit if suit != turned)
