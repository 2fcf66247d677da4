"""Fits the weights of the normal player to what cards turn out to gain.

A round plays deals with the present weights. At many decisions every card that the player weighs is played out to the
end of the deal, and the weights become those that explain best (least squares) what each card scored above the mean of
its decision. Few deals go a long way, since each of them gives dozens of comparisons under the same cards.
"""

from __future__ import annotations

import random  # noqa: TID251 - for deals that nobody plays
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.ai.bidding import suit_to_take
from games.ai.easy import lowest_card
from games.ai.features import FollowFeatures, Following, LeadFeatures, Leading
from games.ai.normal import Normal
from games.ai.playout import OpenDeal
from games.ai.position import Position
from games.ai.restraint import weighed_cards
from games.ai.weights import Weights
from games.arena import Board
from games.engine.cards import Card, Mask, cards_in
from games.engine.dealing import TURN_UP, first_hands, full_hands
from games.engine.play import BELOTE_PAIRS
from games.engine.rules import RuleSet
from games.engine.seats import Seat, Team

AGAINST_EASY = 0.5
"""The share of deals in which one side plays like easy."""
LOOKED_AT = 0.5
"""The share of decisions at which all cards are played out."""
STRAYING = 0.1
"""How often a card at random follows a decision, so that not only good positions are seen."""
INERTIA = 50.0
"""How strongly a weight stays where it was: as much as so many comparisons with a feature of one."""
MEMORY = 0.5
"""What the comparisons of a round still count in the next."""

RULES = RuleSet()


class Comparison(NamedTuple):
    """One card of a decision: its features and its points, both above the mean of the decision's cards."""

    group: str
    features: Sequence[float]
    gain: float


class Fit:
    """Least squares for one group of weights, kept as sums, so that rounds can be forgotten by degrees."""

    def __init__(self, size: int) -> None:
        self.square = [[0.0] * size for _ in range(size)]
        self.product = [0.0] * size

    def forget(self) -> None:
        """Let what was added count less."""
        self.square = [[value * MEMORY for value in row] for row in self.square]
        self.product = [value * MEMORY for value in self.product]

    def add(self, features: Sequence[float], gain: float) -> None:
        """Add one comparison."""
        for row, (feature, sums) in enumerate(zip(features, self.square, strict=True)):
            if feature:
                self.product[row] += feature * gain
                self.square[row] = [total + feature * other for total, other in zip(sums, features, strict=True)]

    def weights(self, present: Sequence[float]) -> list[float]:
        """Return the weights that explain the gains best, drawn a little towards the present ones."""
        size = len(self.product)
        rows = [[*self.square[i], self.product[i] + INERTIA * present[i]] for i in range(size)]
        for i in range(size):
            rows[i][i] += INERTIA
        for i in range(size):
            for j in range(i + 1, size):
                factor = rows[j][i] / rows[i][i]
                rows[j] = [below - factor * above for below, above in zip(rows[j], rows[i], strict=True)]
        solved = [0.0] * size
        for i in reversed(range(size)):
            known = sum(rows[i][j] * solved[j] for j in range(i + 1, size))
            solved[i] = (rows[i][size] - known) / rows[i][i]
        return solved


def no_weights() -> Weights:
    """Return weights that prefer no card to another."""
    lead, follow = (
        LeadFeatures(*[0.0] * len(LeadFeatures._fields)),
        FollowFeatures(*[0.0] * len(FollowFeatures._fields)),
    )
    return Weights(lead, lead, follow, follow)


def features_of(position: Position, hand: Mask, legal: Mask) -> dict[Card, list[float]]:
    """Return the features of each card of ``legal`` for the seat on turn: its value with one weight at a time."""
    judges = _FOLLOWING if position.cards else _LEADING
    columns = [judge.values(position, hand, legal) for judge in judges]
    return {card: [column[card] for column in columns] for card in cards_in(legal)}


def _units(size: int) -> list[list[float]]:
    return [[float(place == other) for other in range(size)] for place in range(size)]


_LEADING = tuple(Leading(LeadFeatures(*unit)) for unit in _units(len(LeadFeatures._fields)))
_FOLLOWING = tuple(Following(FollowFeatures(*unit)) for unit in _units(len(FollowFeatures._fields)))


class Tuning:
    """Rounds of playing and fitting; ``weights`` are those of the last round."""

    def __init__(self, start: Weights) -> None:
        self.weights = start
        self._fits = {group: Fit(len(values)) for group, values in start._asdict().items()}

    def round(self, deals: Sequence[Board], rng: random.Random) -> Iterator[int]:
        """Play and fit one round; yields the number of comparisons so far after each deal."""
        for fit in self._fits.values():
            fit.forget()
        count = 0
        normal = Normal(self.weights)
        for board in deals:
            for comparison in comparisons(board, normal, rng):
                self._fits[comparison.group].add(comparison.features, comparison.gain)
                count += 1
            yield count
        fitted = {
            group: [round(value, 2) for value in fit.weights(getattr(self.weights, group))]
            for group, fit in self._fits.items()
        }
        self.weights = Weights(
            LeadFeatures(*fitted["lead_taking"]),
            LeadFeatures(*fitted["lead_defending"]),
            FollowFeatures(*fitted["follow_taking"]),
            FollowFeatures(*fitted["follow_defending"]),
        )


def comparisons(board: Board, normal: Normal, rng: random.Random) -> Iterator[Comparison]:
    """Yield the comparisons of one deal, none when all pass; every seat bids like normal."""
    deal = dealt(board)
    if deal is None:
        return
    easy = rng.choice(list(Team)) if rng.random() < AGAINST_EASY else None
    while not deal.over:
        card = _chosen(deal, normal, easy)
        seat = Seat(deal.position.turn)
        if seat.team is not easy:
            legal = weighed_cards(deal.position, deal.hands[seat], deal.legal())
            if legal & legal - 1:
                if rng.random() < LOOKED_AT:
                    yield from _compared(deal, legal, normal, easy)
                if rng.random() < STRAYING:
                    card = rng.choice(list(cards_in(legal)))
        deal.play(card)


def _compared(deal: OpenDeal, legal: Mask, normal: Normal, easy: Team | None) -> Iterator[Comparison]:
    position = deal.position
    seat = Seat(position.turn)
    gains = []
    for card in cards_in(legal):
        trial = deal.copy()
        trial.play(card)
        while not trial.over:
            trial.play(_chosen(trial, normal, easy))
        gains.append(trial.lead_of(seat.team))
    features = features_of(position, deal.hands[seat], legal).values()
    count = len(gains)
    mean_gain = sum(gains) / count
    means = [sum(column) / count for column in zip(*features, strict=True)]
    side = "taking" if seat.team is position.taker.team else "defending"
    group = f"follow_{side}" if position.cards else f"lead_{side}"
    for row, gain in zip(features, gains, strict=True):
        yield Comparison(group, [value - mean for value, mean in zip(row, means, strict=True)], gain - mean_gain)


def _chosen(deal: OpenDeal, normal: Normal, easy: Team | None) -> Card:
    position = deal.position
    legal = deal.legal()
    if easy is not None and position.turn & 1 == easy:
        return lowest_card(legal, position.trump)
    return normal.best_card(position, deal.hands[position.turn], legal)


def dealt(board: Board) -> OpenDeal | None:
    """Return the deal before its first card when every seat bids like normal, None when all pass."""
    hands = first_hands(board.deck, board.dealer)
    turn_up = board.deck[TURN_UP]
    for bidding_round in (1, 2):
        for seat in board.dealer.left.order():
            trump = suit_to_take(hands[seat], turn_up, bidding_round)
            if trump is not None:
                full = full_hands(board.deck, board.dealer, seat)
                pair = BELOTE_PAIRS[trump]
                belote = next((holder.team for holder in Seat if full[holder] & pair == pair), None)
                return OpenDeal(Position(trump, seat, board.dealer.left, turn_up, RULES), list(full), belote, RULES)
    return None
