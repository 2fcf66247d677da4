"""The hard computer player: what it knows of the other hands, and what each card and bid brings over many ways they may
lie (R9.4).

Worlds are drawn from what is proved (`Beliefs`), every legal card is played out on the same worlds with the normal
player in every seat, and the card with the best mean score is played. Bids are compared in the same way.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from time import monotonic
from typing import NamedTuple

from games.ai.beliefs import Beliefs, Hands
from games.ai.bidding import suit_to_take
from games.ai.normal import Normal
from games.ai.playout import OpenDeal
from games.ai.position import BEATS, Position
from games.engine.cards import ALL_CARDS, POINTS, Card, Mask, Rank, Suit, cards_in, make_card, mask_of
from games.engine.commands import Pass, PlayCard, Take
from games.engine.seats import Seat, Team
from games.engine.view import TableView

MOST_WORLDS = 200
CARD_PLAYS = 20_000
BID_PLAYS = 7_000
"""How many cards a decision may play in playouts: they bound the time without a clock, so that answers repeat."""
FEWEST_WORLDS = 20
"""So many are looked at even when the time is over."""


class Hard:
    """R9.4. The same view always gets the same answer, unless a ceiling cuts the thinking short.

    Args:
        normal: plays the cards in the playouts.
        ceiling: seconds of wall-clock time after which the worlds looked at have to do; None for no limit.
    """

    def __init__(self, normal: Normal, ceiling: float | None = None) -> None:
        self._normal = normal
        self._ceiling = ceiling

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
        cards = self.card_values(view)
        card = max(cards, key=cards.__getitem__)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))

    def card_values(self, view: TableView) -> dict[Card, float]:
        """Return for each legal card by how much the own side is expected to outscore the other in this deal.

        The cheaper card comes first, so that it wins a tie.

        Raises:
            ValueError: the viewer has no card to play.
        """
        if view.viewer is None or view.trump is None or not view.legal:
            raise ValueError("the viewer has no card to play")
        trump, team = view.trump, view.viewer.team
        cards = sorted(cards_in(view.legal), key=POINTS[trump].__getitem__)
        if len(cards) == 1:
            return {cards[0]: 0.0}
        beliefs = Beliefs.of(view)
        position = Position.of(view)
        tried = _different(cards, trump, position.unplayed & ~view.hand | mask_of(position.cards))
        left = sum(view.card_counts)
        count = min(MOST_WORLDS, max(FEWEST_WORLDS, CARD_PLAYS // (len(tried) * left)))
        start = _Start(view, position)
        totals = dict.fromkeys(tried, 0)
        seen = 0
        for hands in self._in_time(beliefs.sample(_rng(view), count)):
            deal = start.deal(hands)
            for card in tried:
                trial = deal.copy()
                trial.play(card)
                trial.play_out(self._normal)
                totals[card] += trial.lead_of(team)
            seen += 1
        return {card: total / seen for card, total in totals.items()}

    def bid_values(self, view: TableView) -> dict[Suit | None, float]:
        """Return the same for each legal bid, None for passing, which comes first.

        Raises:
            ValueError: the viewer has nothing to bid.
        """
        auction = _Auction(view)
        team = auction.seat.team
        rng = _rng(view)
        count = min(MOST_WORLDS, BID_PLAYS // (len(view.legal_bids) * 32))
        totals = dict.fromkeys(view.legal_bids, 0)
        seen = 0
        for world in self._in_time(auction.world(rng) for _ in range(count)):
            for bid in view.legal_bids:
                deal = auction.deal(world, bid)
                if deal is not None:
                    deal.play_out(self._normal)
                    totals[bid] += deal.lead_of(team)
            seen += 1
        return {bid: total / seen for bid, total in totals.items()}

    def _in_time[T](self, worlds: Iterable[T]) -> Iterable[T]:
        if self._ceiling is None:
            yield from worlds
            return
        end = monotonic() + self._ceiling
        for number, world in enumerate(worlds):
            if number >= FEWEST_WORLDS and monotonic() > end:
                return
            yield world


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
    pair = _PAIRS[trump]
    return next((Seat(seat).team for seat, hand in enumerate(hands) if hand & pair == pair), None)


def _rng(view: TableView) -> random.Random:
    """Return the randomness of a decision: a function of what the seat has seen in this deal, and of nothing else."""
    cards = [won.trick.cards for won in view.tricks]
    return random.Random(f"{view.hand} {view.turn_up} {view.bids} {cards} {view.trick}")


_PAIRS = tuple(mask_of((make_card(suit, Rank.QUEEN), make_card(suit, Rank.KING))) for suit in Suit)
