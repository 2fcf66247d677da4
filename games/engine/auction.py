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
    return None, *suits_offered(turn_up, bidding_round(bids))


def suits_offered(turn_up: Card, bidding_round: int) -> tuple[Suit, ...]:
    """Return the suits that may be taken: the turned one in the first round (R3.1), the others in the second (R3.2)."""
    turned = suit_of(turn_up)
    return (turned,) if bidding_round == 1 else tuple(suit for suit in Suit if suit != turned)
