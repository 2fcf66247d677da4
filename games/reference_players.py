"""Plain players that the levels are measured against; nobody can seat them."""

from __future__ import annotations

import random

from games.ai.bidding import suit_to_take
from games.ai.easy import lowest_card
from games.ai.position import BEATS, Position
from games.ai.restraint import partner_is_safe
from games.engine.auction import bidding_round
from games.engine.cards import POINTS, SUIT_CARDS, Card, cards_in, mask_of, suit_of
from games.engine.commands import Pass, PlayCard, Take
from games.engine.view import TableView


class RandomPlayer:
    """Any legal bid or card, each as likely; the same one whenever it sees the same."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return a legal bid or card."""
        rng = random.Random(f"{self._seed} {view.hand} {view.turn_up} {view.bids} {view.tricks} {view.trick}")
        if view.legal_bids:
            suit = rng.choice(view.legal_bids)
            return Pass() if suit is None else Take(suit)
        return _play(view, rng.choice(list(cards_in(view.legal))))


class Lowest:
    """The lowest legal card, as easy plays (R9.2), and normal's bids."""

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return normal's bid or the lowest legal card."""
        if view.legal_bids:
            return normal_bid(view)
        if view.trump is None:
            raise ValueError("the viewer has nothing to bid or to play")
        return _play(view, lowest_card(view.legal, view.trump))


class Greedy:
    """Wins the trick as cheaply as it can, and normal's bids.

    On lead it plays the cheapest card of which no higher one of its suit is unseen. When an opponent is winning it
    plays the cheapest card that beats what is winning. When its partner is winning and nobody left can beat it, it
    plays the card with the most points of those that leave the trick to the partner. In all other cases it plays the
    lowest card. Cheap is low as in R9.2.
    """

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return normal's bid or the greedy card."""
        if view.legal_bids:
            return normal_bid(view)
        if view.trump is None:
            raise ValueError("the viewer has nothing to bid or to play")
        position = Position.of(view)
        trump, cards, legal = view.trump, position.cards, view.legal
        if not cards:
            unseen = position.unplayed & ~view.hand
            winning = mask_of(
                card
                for card in cards_in(legal)
                if not BEATS[trump][suit_of(card)][card] & unseen & SUIT_CARDS[suit_of(card)]
            )
            return _play(view, lowest_card(winning or legal, trump))
        winning = legal & BEATS[trump][suit_of(cards[0])][cards[position.best]]
        if partner_is_safe(position, view.hand) and (feeding := legal & ~winning):
            return _play(view, max(cards_in(feeding), key=POINTS[trump].__getitem__))
        if (len(cards) - position.best) % 2 and winning:
            return _play(view, lowest_card(winning, trump))
        return _play(view, lowest_card(legal, trump))


def normal_bid(view: TableView) -> Take | Pass:
    """Return what normal bids (R9.3) for the seat on turn.

    Raises:
        ValueError: no card is turned up.
    """
    if view.turn_up is None:
        raise ValueError("no card is turned up")
    suit = suit_to_take(view.hand, view.turn_up, bidding_round(view.bids))
    return Pass() if suit is None else Take(suit)


def _play(view: TableView, card: Card) -> PlayCard:
    return PlayCard(card, announce=bool(view.may_announce >> card & 1))
