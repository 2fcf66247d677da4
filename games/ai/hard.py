"""The hard computer player: what it knows of the other hands, and what each card and bid brings over many ways they may
lie (R9.4).

Worlds are drawn from what is proved (`Beliefs`), every legal card is played out on the same worlds with the normal
player in every seat, the last tricks solved, and the card with the best mean score is played. Bids are compared in the
same way. What the worlds say is weighed with what normal holds each card or hand to be worth: the worlds know these
cards, the worths thousands of deals as they are bid and played, and their errors have nothing to do with each other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import sumprod
from operator import sub
from statistics import fmean
from time import monotonic
from typing import NamedTuple

from games.ai.beliefs import Beliefs, Hands
from games.ai.bidding import ENOUGH, suit_to_take, worth
from games.ai.normal import Normal
from games.ai.playout import OpenDeal
from games.ai.position import BEATS, Position
from games.ai.solver import Solver
from games.engine.cards import ALL_CARDS, POINTS, Card, Mask, Suit, cards_in, mask_of
from games.engine.commands import Pass, PlayCard, Take
from games.engine.play import BELOTE_PAIRS
from games.engine.seats import Seat, Team
from games.engine.view import TableView

MOST_WORLDS = 200
FEWEST_WORLDS = 10
"""So many are looked at for every option, also when the time is over."""
CARD_PLAYS = 9_000
"""How many cards a decision may play in playouts: that bounds the time without a clock, so that answers repeat."""
BID_PLAYS = 6_000
"""The same for a bid."""
SOLVED = 3
"""So many last tricks are solved exactly."""
SOLVED_PLAYS = 12
"""Solving them takes as long as playing so many cards."""
BOTH = 5
"""With so many cards or fewer they are played out as well, and the mean of both counts."""
WORTH = 0.6
"""What the worth of a card, as normal judges it, counts beside what the worlds say, before the last tricks."""
FAR = 15.0
"""A card that normal holds to be worth so much less than the best must be ahead early to be looked at for long."""
SIMULATED = 0.3
"""The share of the worlds in the value of a bid; the rest is the worth of the hand."""
LAP = 10
"""After so many more worlds it is looked which options are clearly behind."""
SURE = 3.0
"""Behind by so many standard errors is clearly behind."""


class Hard:
    """R9.4. The same view always gets the same answer, unless a ceiling cuts the thinking short.

    Args:
        normal: plays the cards in the playouts.
        ceiling: seconds of wall-clock time after which the worlds looked at have to do; None for no limit.
        believe: what it takes the view of a seat that plays cards to prove.
    """

    def __init__(
        self,
        normal: Normal,
        ceiling: float | None = None,
        believe: Callable[[TableView], Beliefs] = Beliefs.of,
    ) -> None:
        self._normal = normal
        self._ceiling = ceiling
        self._believe = believe

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the hard player's answer to the view of the seat on turn.

        Raises:
            ValueError: it is not the viewer's turn to bid or to play.
        """
        if view.legal_bids:
            bids = self.bid_values(view)
            suit = max(bids, key=bids.__getitem__)
            return Pass() if suit is None else Take(suit)
        if not view.legal:
            raise ValueError("the viewer has nothing to bid or to play")
        card = view.legal.bit_length() - 1
        if view.legal & view.legal - 1:
            cards = self.card_values(view)
            card = max(cards, key=cards.__getitem__)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))

    def card_values(self, view: TableView) -> dict[Card, float]:
        """Return for each legal card by how much the own side is expected to outscore the other in this deal.

        Before the last tricks only differences between cards mean anything, since their worth is in them. The cheaper
        card comes first, so that it wins a tie; of cards that do the same only the first is there. They rest on what
        `Beliefs` of the view holds probable, and on what normal holds the cards to be worth.

        Raises:
            ValueError: the viewer has no card to play.
        """
        if view.viewer is None or view.trump is None or not view.legal:
            raise ValueError("the viewer has no card to play")
        trump, team = view.trump, view.viewer.team
        cards = sorted(cards_in(view.legal), key=POINTS[trump].__getitem__)
        position = Position.of(view)
        tried = _different(cards, trump, position.unplayed & ~view.hand | mask_of(position.cards))
        start = _Start(view, position)
        solver = Solver(trump, view.rules.undertrump)
        held = max(view.card_counts)
        worths = dict.fromkeys(tried, 0.0)
        if held > SOLVED:
            values = self._normal.values(position, view.hand, view.legal)
            worths = {card: WORTH * values[card] for card in tried}
        doubtful: set[Card] = set()
        if held > BOTH:  # With fewer cards left the worlds know better.
            least = max(worths.values()) - WORTH * FAR
            doubtful = {card for card in tried if worths[card] < least}

        def outcome(deal: OpenDeal, card: Card) -> float:
            trial = deal.copy()
            trial.play(card)
            trial.play_out(self._normal, SOLVED)
            if trial.over:
                return trial.lead_of(team) + worths[card]
            solved = trial.copy()
            solved.settle(solver.value(trial.hands, trial.position.leader, trial.position.cards))
            lead: float = solved.lead_of(team)
            if held <= BOTH:
                trial.play_out(self._normal)
                lead = (lead + trial.lead_of(team)) / 2
            return lead + worths[card]

        worlds = self._believe(view).sample(_rng(view), MOST_WORLDS)
        plays = sum(view.card_counts) + SOLVED_PLAYS - (0 if held <= BOTH else 4 * SOLVED)
        return self._compare(map(start.deal, worlds), tried, outcome, CARD_PLAYS // plays, doubtful)

    def bid_values(self, view: TableView) -> dict[Suit | None, float]:
        """Return the same for each legal bid, None for passing, which comes first.

        What taking gains over passing is weighed from what the worlds say and what the hand is worth (`bidding`).

        Raises:
            ValueError: the viewer has nothing to bid.
        """
        auction = _Auction(view)
        team = auction.seat.team
        rng = _rng(view)

        def outcome(world: _World, bid: Suit | None) -> int:
            deal = auction.deal(world, bid)
            if deal is None:
                return 0
            deal.play_out(self._normal)
            return deal.lead_of(team)

        worlds = (auction.world(rng) for _ in range(MOST_WORLDS))
        values = self._compare(worlds, view.legal_bids, outcome, BID_PLAYS // 32)
        passed = values[None]
        gains = {
            bid: SIMULATED * (values[bid] - passed) + (1 - SIMULATED) * auction.gain(bid)
            for bid in view.legal_bids
            if bid is not None
        }
        return {None: passed, **{bid: passed + gain for bid, gain in gains.items()}}

    def _compare[World, Option](
        self,
        worlds: Iterable[World],
        options: Sequence[Option],
        outcome: Callable[[World, Option], float],
        most: int,
        doubtful: Container[Option] = (),
    ) -> dict[Option, float]:
        """Return the mean outcome of each option over the same worlds, in the order of the options.

        An option that is clearly behind the best, or behind it at all if it is doubtful, is not tried on more worlds;
        its value is then that of the best, less what it was behind. ``most`` bounds the number of outcomes.
        """
        outcomes: dict[Option, list[float]] = {option: [] for option in options}
        behind: dict[Option, float] = {}
        racing = list(options)
        end = None if self._ceiling is None else monotonic() + self._ceiling
        for seen, world in enumerate(worlds, 1):
            for option in racing:
                outcomes[option].append(outcome(world, option))
            most -= len(racing)
            if most < len(racing) and seen >= FEWEST_WORLDS:
                break
            if not seen % LAP and seen >= FEWEST_WORLDS:
                best = outcomes[_best(outcomes, racing)]
                for option in racing[:]:
                    less = list(map(sub, best, outcomes[option]))
                    if _is_clear(less) or (option in doubtful and fmean(less) > 0):
                        racing.remove(option)
                        behind[option] = fmean(less)
                if len(racing) == 1 or (end is not None and monotonic() > end):
                    break
        mean = fmean(outcomes[_best(outcomes, racing)])
        return {
            option: mean - behind[option] if option in behind else fmean(found) for option, found in outcomes.items()
        }


def _best[Option](outcomes: Mapping[Option, Sequence[float]], racing: Sequence[Option]) -> Option:
    return max(racing, key=lambda option: fmean(outcomes[option]))


def _is_clear(less: Sequence[float]) -> bool:
    """Tell whether an option that scored so much less than the best, world by world, is behind by more than chance."""
    total = sum(less)
    return total * total > SURE * SURE * (sumprod(less, less) - total * total / len(less))


class _World(NamedTuple):
    """The hands of five, and the cards that are dealt after the auction, whoever takes."""

    hands: tuple[Mask, ...]
    stock: list[Card]


class _Auction:
    """An auction as the seat on turn sees it: five cards of its own, the turned one, and nothing proved of the rest."""

    def __init__(self, view: TableView) -> None:
        if view.viewer is None or view.turn_up is None or view.dealer is None or not view.legal_bids:
            raise ValueError("the viewer has nothing to bid")
        self.seat = view.viewer
        self._hand = view.hand
        self._turn_up = view.turn_up
        self._leader = view.dealer.left
        self._bids = view.bids
        self._rules = view.rules
        self._unseen = list(cards_in(ALL_CARDS & ~view.hand & ~(1 << view.turn_up)))

    def gain(self, trump: Suit) -> float:
        """Return what taking is thought to gain over passing, by the worth of the hand."""
        return worth(self._hand | 1 << self._turn_up, trump) - ENOUGH

    def world(self, rng: random.Random) -> _World:
        """Draw the hands of the others and the stock."""
        cards = rng.sample(self._unseen, len(self._unseen))
        hands = [mask_of(cards[at : at + 5]) for at in (0, 5, 10)]
        hands.insert(self.seat, self._hand)
        return _World(tuple(hands), cards[15:])

    def deal(self, world: _World, bid: Suit | None) -> OpenDeal | None:
        """Return the deal that a bid leads to when everybody bids like normal from then on; None if all pass."""
        taken = self._taken_after_passing(world) if bid is None else (self.seat, bid)
        if taken is None:
            return None
        taker, trump = taken
        hands = list(world.hands)
        at = 0
        for seat in Seat:
            packet = 2 if seat is taker else 3
            hands[seat] |= mask_of(world.stock[at : at + packet])
            at += packet
        hands[taker] |= 1 << self._turn_up
        position = Position(trump, taker, self._leader, self._turn_up, self._rules)
        return OpenDeal(position, hands, _belote(hands, trump), self._rules)

    def _taken_after_passing(self, world: _World) -> tuple[Seat, Suit] | None:
        said = len(self._bids)
        for number in range(said + 1, 8):
            seat = self.seat.after(number - said)
            suit = suit_to_take(world.hands[seat], self._turn_up, 1 if number < 4 else 2)
            if suit is not None:
                return seat, suit
        return None


class _Start:
    """What every world of a decision shares."""

    def __init__(self, view: TableView, position: Position) -> None:
        self._view = view
        self._position = position
        self._played = [0, 0, 0, 0]
        self._tricks = [0, 0]
        for won in view.tricks:
            self._tricks[won.winner.team] += 1
        tricks = [won.trick for won in view.tricks]
        for trick in tricks if view.trick is None else [*tricks, view.trick]:
            for place, card in enumerate(trick.cards):
                self._played[trick.leader + place & 3] |= 1 << card

    def deal(self, hands: Hands) -> OpenDeal:
        position = self._position
        belote = _belote([held | played for held, played in zip(hands, self._played, strict=True)], position.trump)
        deal = OpenDeal(position, list(hands), belote, self._view.rules)
        deal.points = list(self._view.card_points)
        deal.tricks = self._tricks
        return deal


def _different(cards: list[Card], trump: Suit, others: Mask) -> list[Card]:
    """Return the cards without those that do the same as one before: as many points, and nothing between them."""
    kept: list[Card] = []
    for card in cards:
        suit = card >> 3
        over = BEATS[trump][suit][card] & others
        points = POINTS[trump][card]
        like = (other for other in kept if other >> 3 == suit and POINTS[trump][other] == points)
        if all(BEATS[trump][suit][other] & others != over for other in like):
            kept.append(card)
    return kept


def _belote(hands: Iterable[Mask], trump: Suit) -> Team | None:
    pair = BELOTE_PAIRS[trump]
    return next((Seat(seat).team for seat, hand in enumerate(hands) if hand & pair == pair), None)


def _rng(view: TableView) -> random.Random:
    """Return the randomness of a decision: a function of what the seat has seen in this deal, and of nothing else."""
    cards = [won.trick.cards for won in view.tricks]
    return random.Random(f"{view.hand} {view.turn_up} {view.bids} {cards} {view.trick}")
