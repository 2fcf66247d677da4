"""What speaks for a card and against it: named numbers from the own hand and public facts (R9.3)."""

from __future__ import annotations

from typing import NamedTuple

from games.ai.position import BEATS, Position
from games.engine.cards import (
    PLAIN_ORDER,
    POINTS,
    SUIT_CARDS,
    TRUMP_ORDER,
    Card,
    Mask,
    Rank,
    Suit,
    make_card,
    mask_of,
    rank_of,
    suit_of,
)


class Facts(NamedTuple):
    """What all cards of a decision share.

    ``unseen`` are the cards that are neither played nor in ``hand``; ``left``, ``partner`` and ``right`` those of them
    that these seats may hold; ``shares[suit]`` is the number of those seats that may hold cards of the suit.
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

    @classmethod
    def of(cls, position: Position, hand: Mask) -> Facts:
        """Return the facts of the seat on turn, which holds ``hand``."""
        unseen = position.unplayed & ~hand
        seat = position.turn
        may_hold = position.may_hold
        left = may_hold[seat + 1 & 3] & unseen
        partner = may_hold[seat ^ 2] & unseen
        right = may_hold[seat + 3 & 3] & unseen
        shares = (
            (left & 0xFF > 0) + (partner & 0xFF > 0) + (right & 0xFF > 0),
            (left & 0xFF00 > 0) + (partner & 0xFF00 > 0) + (right & 0xFF00 > 0),
            (left & 0xFF0000 > 0) + (partner & 0xFF0000 > 0) + (right & 0xFF0000 > 0),
            (left > 0xFFFFFF) + (partner > 0xFFFFFF) + (right > 0xFFFFFF),
        )
        trump = position.trump
        return cls(position, hand, trump, SUIT_CARDS[trump], unseen, left, partner, right, shares)


class FollowFeatures(NamedTuple):
    """A card on a trick that another seat has led; *chance* is that of the own side winning it.

    - ``table_points``, ``card_points``: the points times chance of winning minus chance of losing;
    - ``sure_points``: the points of both when the trick is sure;
    - ``winning``: chance; ``winning_late``: chance, divided by the cards in hand;
    - ``lead_next``: the card wins the trick as it stands, times chance;
    - ``ruff``: it is a trump on a plain lead;
    - ``trump``: it is a trump; ``trump_strength``: its place in the trump order; ``trump_master``: no higher one is
      unseen;
    - ``master``: no higher card of its plain suit is unseen; ``master_ruffable``: the same while an opponent may hold
      trumps;
    - ``second``: one higher card of its plain suit is unseen;
    - ``strength``: its place in the plain order;
    - ``ten_guard``: it is the last guard of a ten whose ace is unseen;
    - ``last_of_suit``: the last of its plain suit while the hand keeps trumps; ``length``: cards left in its plain
      suit.
    """

    table_points: float
    card_points: float
    sure_points: float
    winning: float
    winning_late: float
    lead_next: float
    ruff: float
    trump: float
    trump_strength: float
    trump_master: float
    master: float
    master_ruffable: float
    second: float
    strength: float
    ten_guard: float
    last_of_suit: float
    length: float


class LeadFeatures(NamedTuple):
    """A card that leads; *chance* is that of the own side winning the trick, *draw* a trump lead.

    - ``card_points``, ``winning``, ``winning_late``, ``sure_points``: as in `FollowFeatures`;
    - ``draw``: a trump while an opponent may hold some; ``draw_for_partner``: besides, when the partner took;
      ``draw_with_master``: besides, with the highest one left; ``draw_many``: times the trumps unseen;
      ``draw_strength``: its place in the trump order; ``draw_length``: times the trumps left in hand;
      ``draw_nothing``: a trump while no opponent may hold one;
    - ``master``, ``master_ruffable``, ``second``, ``strength``, ``ten_guard``, ``length``: as in `FollowFeatures`;
    - ``under_ace``: a lower card from the ace of a plain suit; ``from_ten``: from a ten whose ace is unseen;
    - ``singleton``: the last of a plain suit while the hand has trumps;
    - ``partner_ruffs``: the partner is without the plain suit and may hold trumps; ``opponent_ruffs``: an opponent, for
      each;
    - ``unseen``: the unseen cards of the plain suit.
    """

    card_points: float
    sure_points: float
    winning: float
    winning_late: float
    draw: float
    draw_for_partner: float
    draw_with_master: float
    draw_many: float
    draw_strength: float
    draw_length: float
    draw_nothing: float
    master: float
    master_ruffable: float
    second: float
    strength: float
    ten_guard: float
    length: float
    under_ace: float
    from_ten: float
    singleton: float
    partner_ruffs: float
    opponent_ruffs: float
    unseen: float


def follow_features(card: Card, facts: Facts) -> FollowFeatures:
    """Return the features of a card on a trick that has been led."""
    position, hand, trump, trumps, unseen, left, partner, right, _ = facts
    cards = position.cards
    count = len(cards)
    lead = cards[0] >> 3
    suit = card >> 3
    beats = BEATS[trump][lead]
    best = cards[position.best]
    wins = beats[best] >> card & 1
    over = beats[card] if wins else beats[best]
    if count == 3:
        chance = 1.0 if wins or position.best == 1 else 0.0
    elif count == 2:
        chance = 1.0 - _beaten(over & left, left, lead, facts) if wins or position.best == 0 else 0.0
    else:
        by_left = _beaten(over & left, left, lead, facts)
        by_partner = _beaten(over & partner, partner, lead, facts)
        chance = 1.0 - by_left + by_left * by_partner / 3 if wins else by_partner * (1.0 - by_left / 2)
    table, own = position.points, POINTS[trump][card]
    swing = 2 * chance - 1.0
    higher = (_HIGHER[trump][card] & unseen).bit_count()
    plain = suit != trump
    whole = SUIT_CARDS[suit]
    rest = hand & whole & ~(1 << card)
    return FollowFeatures(
        table_points=swing * table,
        card_points=swing * own,
        sure_points=table + own if chance == 1.0 else 0,
        winning=chance,
        winning_late=chance / hand.bit_count(),
        lead_next=chance if wins else 0,
        ruff=not plain and lead != trump,
        trump=not plain,
        trump_strength=0 if plain else _PLACE[trump][card],
        trump_master=not (plain or higher),
        master=plain and not higher,
        master_ruffable=plain and not higher and (left | right) & trumps > 0,
        second=plain and higher == 1,
        strength=_PLACE[trump][card] if plain else 0,
        ten_guard=plain and _is_ten_guard(rest, unseen & whole),
        last_of_suit=plain and not rest and hand & trumps > 0,
        length=rest.bit_count() if plain else 0,
    )


def lead_features(card: Card, facts: Facts) -> LeadFeatures:
    """Return the features of a card that leads."""
    position, hand, trump, trumps, unseen, left, partner, right, _ = facts
    suit = card >> 3
    over = BEATS[trump][suit][card]
    by_left = _beaten(over & left, left, suit, facts)
    by_right = _beaten(over & right, right, suit, facts)
    chance = (1.0 - by_left) * (1.0 - by_right)
    if chance < 1.0:
        chance += (1.0 - chance) * _beaten(over & partner, partner, suit, facts) / 3
    own = POINTS[trump][card]
    whole = SUIT_CARDS[suit]
    rest = hand & whole & ~(1 << card)
    higher = (_HIGHER[trump][card] & unseen).bit_count()
    place = _PLACE[trump][card]
    plain = suit != trump
    their_trumps = (left | right) & trumps
    draw = not plain and their_trumps > 0
    return LeadFeatures(
        card_points=(2 * chance - 1.0) * own,
        sure_points=own if chance == 1.0 else 0,
        winning=chance,
        winning_late=chance / hand.bit_count(),
        draw=draw,
        draw_for_partner=draw and position.taker == position.turn ^ 2,
        draw_with_master=draw and not higher,
        draw_many=(unseen & trumps).bit_count() if draw else 0,
        draw_strength=0 if plain else place,
        draw_length=0 if plain else rest.bit_count(),
        draw_nothing=not (plain or draw),
        master=plain and not higher,
        master_ruffable=plain and not higher and their_trumps > 0,
        second=plain and higher == 1,
        strength=place if plain else 0,
        ten_guard=plain and _is_ten_guard(rest, unseen & whole),
        length=rest.bit_count() if plain else 0,
        under_ace=plain and rest & _ACES > 0,
        from_ten=plain and rest & _TENS > 0 and unseen & whole & _ACES > 0,
        singleton=plain and not rest and hand & trumps > 0,
        partner_ruffs=plain and not partner & whole and partner & trumps > 0,
        opponent_ruffs=0
        if not plain
        else (not left & whole and left & trumps > 0) + (not right & whole and right & trumps > 0),
        unseen=(unseen & whole).bit_count() if plain else 0,
    )


def _is_ten_guard(rest: Mask, unseen_of_suit: Mask) -> bool:
    return rest & _TENS == rest > 0 and unseen_of_suit & _ACES > 0


def _beaten(over: Mask, may: Mask, lead: int, facts: Facts) -> float:
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
_ACES = mask_of(make_card(suit, Rank.ACE) for suit in Suit)
_TENS = mask_of(make_card(suit, Rank.TEN) for suit in Suit)
