"""The normal computer player: a weighed sum of named features over its own hand and public facts (R9.3)."""

from __future__ import annotations

from math import sumprod

from games.ai.bidding import suit_to_take
from games.ai.features import Facts, follow_features, lead_features
from games.ai.position import Position
from games.ai.restraint import weighed_cards
from games.ai.weights import Weights
from games.engine.auction import bidding_round
from games.engine.cards import Card, Mask, cards_in
from games.engine.commands import Pass, PlayCard, Take
from games.engine.view import TableView


class Normal:
    """R9.3: values the trick, saves strong trumps, ruffs when needed and supports its partner."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the normal player's answer to the view of the seat on turn.

        Raises:
            ValueError: it is not the viewer's turn to bid or to play.
        """
        if view.legal_bids and view.turn_up is not None:
            suit = suit_to_take(view.hand, view.turn_up, bidding_round(view.bids))
            return Pass() if suit is None else Take(suit)
        if not view.legal:
            raise ValueError("the viewer has nothing to bid or to play")
        card = best_card(Position.of(view), view.hand, view.legal, self.weights)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))


def best_card(position: Position, hand: Mask, legal: Mask, weights: Weights) -> Card:
    """Return the card of ``legal``, which must not be empty, with the best sum; among equals the lowest number."""
    if legal & legal - 1:
        legal = weighed_cards(position, hand, legal)
    if not legal & legal - 1:
        return legal.bit_length() - 1
    facts = Facts.of(position, hand)
    taking = not (position.turn ^ position.taker) & 1
    best, most = -1, 0.0
    if position.cards:
        follow = weights.follow_taking if taking else weights.follow_defending
        for card in cards_in(legal):
            total = sumprod(follow, follow_features(card, facts))
            if best < 0 or total > most:
                best, most = card, total
    else:
        lead = weights.lead_taking if taking else weights.lead_defending
        for card in cards_in(legal):
            total = sumprod(lead, lead_features(card, facts))
            if best < 0 or total > most:
                best, most = card, total
    return best
