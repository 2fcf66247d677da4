"""The easy computer player: the lowest legal card, and a suit of which it holds enough (R9.2)."""

from __future__ import annotations

from games.engine.auction import bidding_round, suits_offered
from games.engine.cards import (
    PLAIN_ORDER,
    POINTS,
    SUIT_CARDS,
    TRUMP_ORDER,
    Card,
    Mask,
    Rank,
    Suit,
    cards_in,
    make_card,
    rank_of,
    suit_of,
)
from games.engine.commands import Pass, PlayCard, Take
from games.engine.view import TableView


def lowest_card(legal: Mask, trump: Suit) -> Card:
    """Return the lowest card of ``legal`` (R9.2).

    Fewest points, then a plain suit before trump, then the weakest rank, then suit order.

    Raises:
        ValueError: ``legal`` is empty.
    """
    return min(cards_in(legal), key=_HEIGHT[trump].__getitem__)


class Easy:
    """R9.2, to the letter."""

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the easy player's answer to the view of the seat on turn.

        Raises:
            ValueError: it is not the viewer's turn to bid or to play.
        """
        if view.legal_bids and view.turn_up is not None:
            suit = suit_to_take(view.hand, view.turn_up, bidding_round(view.bids))
            return Pass() if suit is None else Take(suit)
        if view.trump is None or not view.legal:
            raise ValueError("the viewer has nothing to bid or to play")
        card = lowest_card(view.legal, view.trump)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))


def suit_to_take(hand: Mask, turn_up: Card, bidding_round: int) -> Suit | None:
    """Return the suit that the easy player takes, None to pass (R9.2).

    The taker gets the turned card in both rounds (R2.3); in the second it is of a suit that nobody may name.
    """
    held = hand | 1 << turn_up
    good = [
        suit
        for suit in suits_offered(turn_up, bidding_round)
        if (held & SUIT_CARDS[suit]).bit_count() >= 3
        and held & (1 << make_card(suit, Rank.JACK) | 1 << make_card(suit, Rank.NINE))
    ]
    return max(good, key=lambda suit: (held & SUIT_CARDS[suit]).bit_count(), default=None)


def _height(trump: Suit) -> tuple[tuple[int, bool, int, int], ...]:
    def of(card: Card) -> tuple[int, bool, int, int]:
        suit = suit_of(card)
        order = TRUMP_ORDER if suit == trump else PLAIN_ORDER
        return POINTS[trump][card], suit == trump, order.index(rank_of(card)), suit

    return tuple(of(card) for card in range(32))


_HEIGHT = tuple(_height(trump) for trump in Suit)
