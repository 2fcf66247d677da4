"""The normal computer player: a weighed sum of named features over its own hand and public facts (R9.3)."""

from __future__ import annotations

from games.ai.bidding import suit_to_take
from games.ai.features import Following, Leading
from games.ai.position import Position
from games.ai.restraint import weighed_cards
from games.ai.weights import Weights
from games.engine.auction import bidding_round
from games.engine.cards import Card, Mask
from games.engine.commands import Pass, PlayCard, Take
from games.engine.view import TableView


class Normal:
    """R9.3: values the trick, saves strong trumps, ruffs when needed and supports its partner."""

    def __init__(self, weights: Weights) -> None:
        self._leading = Leading(weights.lead_defending), Leading(weights.lead_taking)
        self._following = Following(weights.follow_defending), Following(weights.follow_taking)

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
        card = self.best_card(Position.of(view), view.hand, view.legal)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))

    def best_card(self, position: Position, hand: Mask, legal: Mask) -> Card:
        """Return the card of ``legal`` of most value for the seat on turn, which holds ``hand``.

        Among equals the lowest number. ``legal`` must not be empty.
        """
        if legal & legal - 1:
            legal = weighed_cards(position, hand, legal)
        if not legal & legal - 1:
            return legal.bit_length() - 1
        values = self.values(position, hand, legal)
        return max(values, key=values.__getitem__)

    def values(self, position: Position, hand: Mask, legal: Mask) -> dict[Card, float]:
        """Return what each card of ``legal`` is worth to the seat on turn, in points of the deal."""
        is_taking = not (position.turn ^ position.taker) & 1
        judge = self._following[is_taking] if position.cards else self._leading[is_taking]
        return judge.values(position, hand, legal)
