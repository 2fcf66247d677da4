"""The normal computer player: a weighed sum of named features over its own hand and public facts (R9.3)."""

from __future__ import annotations

from typing import NamedTuple

from games.ai.bidding import choose_bid
from games.ai.position import BEATS, Position
from games.ai.restraint import weighed_cards
from games.ai.weights import Weights
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


class Normal:
    """R9.3: values the trick, saves strong trumps, ruffs when needed and supports its partner."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the normal player's answer to the view of the seat on turn.

        Raises:
            ValueError: it is not the viewer's turn to bid or to play.
        """
        if view.legal_bids:
            return choose_bid(view)
        if not view.legal:
            raise ValueError("the viewer has nothing to bid or to play")
        card = best_card(Position.of(view), view.hand, view.legal, self.weights)
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))


def best_card(position: Position, hand: Mask, legal: Mask, weights: Weights) -> Card:
    """Return the card of ``legal`` with the best sum, the first in suit and index order among equals.

    Raises:
        ValueError: ``legal`` is empty.
    """
    if not legal:
        raise ValueError("there is no legal card")
    if legal & legal - 1:
        legal = weighed_cards(position, hand, legal)
    if not legal & legal - 1:
        return legal.bit_length() - 1
    facts = _facts(position, hand)
    worth = _follow_worth if position.cards else _lead_worth
    best, most = -1, 0.0
    for card in cards_in(legal):
        total = worth(card, facts, weights) - _loss(card, facts, weights)
        if best < 0 or total > most:
            best, most = card, total
    return best


class _Facts(NamedTuple):
    """What all candidates share; ``left``, ``partner`` and ``right`` are the unseen cards that these seats may hold.

    ``shares[suit]`` is the number of those seats that may hold cards of the suit.
    """

    position: Position
    hand: Mask
    trump: Suit
    trumps: Mask
    unseen: Mask
    left: Mask
    partner: Mask
    right: Mask
    shares: tuple[int, int, int, int]
    late: float


def _facts(position: Position, hand: Mask) -> _Facts:
    unseen = position.unplayed & ~hand
    seat = position.turn
    may_hold = position.may_hold
    left, partner, right = may_hold[seat + 1 & 3] & unseen, may_hold[seat ^ 2] & unseen, may_hold[seat + 3 & 3] & unseen
    shares = (
        (left & 0xFF > 0) + (partner & 0xFF > 0) + (right & 0xFF > 0),
        (left & 0xFF00 > 0) + (partner & 0xFF00 > 0) + (right & 0xFF00 > 0),
        (left & 0xFF0000 > 0) + (partner & 0xFF0000 > 0) + (right & 0xFF0000 > 0),
        (left > 0xFFFFFF) + (partner > 0xFFFFFF) + (right > 0xFFFFFF),
    )
    trump = position.trump
    late = 1 / hand.bit_count()
    return _Facts(position, hand, trump, SUIT_CARDS[trump], unseen, left, partner, right, shares, late)


def _follow_worth(card: Card, facts: _Facts, w: Weights) -> float:
    """Return what the trick is worth with ``card`` on it."""
    position = facts.position
    trump = facts.trump
    cards = position.cards
    count = len(cards)
    lead = cards[0] >> 3
    beats = BEATS[trump][lead]
    best = cards[position.best]
    wins = beats[best] >> card & 1
    over = beats[card] if wins else beats[best]
    if count == 3:
        chance = 1.0 if wins or position.best == 1 else 0.0
    elif count == 2:
        chance = 1.0 - _beaten(over & facts.left, facts.left, lead, facts) if wins or not position.best else 0.0
    else:
        by_left = _beaten(over & facts.left, facts.left, lead, facts)
        by_partner = _beaten(over & facts.partner, facts.partner, lead, facts)
        chance = 1.0 - by_left + by_left * by_partner / 3 if wins else by_partner * (1.0 - by_left / 2)
    swing = 2 * chance - 1.0
    total = swing * (w.table_points * position.points + w.card_points * POINTS[trump][card])
    total += chance * (w.winning + w.winning_late * facts.late)
    if lead != trump and card >> 3 == trump:
        total += w.ruffing
    return total


def _lead_worth(card: Card, facts: _Facts, w: Weights) -> float:
    """Return what a lead of ``card`` is worth."""
    trump = facts.trump
    suit = card >> 3
    over = BEATS[trump][suit][card]
    left, partner, right = facts.left, facts.partner, facts.right
    by_left = _beaten(over & left, left, suit, facts)
    by_right = _beaten(over & right, right, suit, facts)
    chance = (1.0 - by_left) * (1.0 - by_right)
    if chance < 1.0:
        chance += (1.0 - chance) * _beaten(over & partner, partner, suit, facts) / 3
    total = (2 * chance - 1.0) * w.card_points * POINTS[trump][card]
    total += chance * (w.winning + w.winning_late * facts.late)
    if suit == trump:
        return total + _draw_worth(card, facts, w)
    return total + _plain_lead_worth(card, suit, facts, w)


def _draw_worth(card: Card, facts: _Facts, w: Weights) -> float:
    if not (facts.left | facts.right) & facts.trumps:
        return w.draw_nothing
    seat = facts.position.turn
    taker = facts.position.taker
    total = w.draw_as_taker if taker == seat else w.draw_as_partner if taker == seat ^ 2 else w.draw_in_defence
    return total if _HIGHER[facts.trump][card] & facts.unseen else total + w.draw_with_master


def _plain_lead_worth(card: Card, suit: int, facts: _Facts, w: Weights) -> float:
    total = 0.0
    whole = SUIT_CARDS[suit]
    trumps = facts.trumps
    rest = facts.hand & whole & ~(1 << card)
    if not _HIGHER[facts.trump][card] & facts.unseen & whole:
        total += w.lead_master
    if rest:
        total += w.lead_length * rest.bit_count()
        if rest & _ACES:
            total += w.lead_under_ace
        elif rest & _TENS and facts.unseen & whole & _ACES:
            total += w.lead_from_ten
    elif facts.hand & trumps:
        total += w.lead_singleton
    if not facts.partner & whole and facts.partner & trumps:
        total += w.lead_partner_ruffs
    if not facts.left & whole and facts.left & trumps:
        total += w.lead_opponent_ruffs
    if not facts.right & whole and facts.right & trumps:
        total += w.lead_opponent_ruffs
    return total + w.lead_unseen * (facts.unseen & whole).bit_count()


def _loss(card: Card, facts: _Facts, w: Weights) -> float:
    """Return what the hand loses with ``card``."""
    trump = facts.trump
    higher = _HIGHER[trump][card] & facts.unseen
    if card >> 3 == trump:
        total = w.trump + w.trump_strength * _PLACE[trump][card]
        return total if higher else total + w.trump_master
    total = w.strength * _PLACE[trump][card]
    whole = SUIT_CARDS[card >> 3]
    if not higher:
        total += w.master
        if (facts.left | facts.right) & facts.trumps:
            total += w.master_ruffable
    rest = facts.hand & whole & ~(1 << card)
    if not rest:
        if facts.hand & facts.trumps:
            total += w.last_of_suit
    elif not rest & rest - 1 and rest & _TENS and facts.unseen & whole & _ACES:
        total += w.ten_guard
    return total


def _beaten(over: Mask, may: Mask, lead: int, facts: _Facts) -> float:
    """Return the chance that a seat which may hold ``may`` has one of ``over`` and is free to play it.

    Each unseen card is taken to lie with each seat that may hold its suit alike and apart from the others: near enough
    to tell a sure trick from a risky one, and cheap.
    """
    if not over:
        return 0.0
    miss = _MISS[facts.shares[lead]]
    if lead == facts.trump:
        return 1.0 - miss[over.bit_count()]
    whole = SUIT_CARDS[lead]
    chance = 1.0 - miss[(over & whole).bit_count()]
    ruffs = over & facts.trumps
    if ruffs:
        chance += miss[(may & whole).bit_count()] * (1.0 - _MISS[facts.shares[facts.trump]][ruffs.bit_count()])
    return chance


_MISS = tuple(tuple((1 - 1 / max(shares, 1)) ** count for count in range(9)) for shares in range(4))
_HIGHER = tuple(
    tuple(BEATS[trump][suit_of(card)][card] & SUIT_CARDS[suit_of(card)] for card in range(32)) for trump in Suit
)
_PLACE = tuple(
    tuple((TRUMP_ORDER if suit_of(card) == trump else PLAIN_ORDER).index(rank_of(card)) / 7 for card in range(32))
    for trump in Suit
)
_ACES = sum(1 << make_card(suit, Rank.ACE) for suit in Suit)
_TENS = sum(1 << make_card(suit, Rank.TEN) for suit in Suit)
