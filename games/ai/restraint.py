"""The words of R9.3 that always hold: which legal cards the normal player weighs at all."""

from __future__ import annotations

from games.ai.position import BEATS, Position
from games.engine.cards import (
    ALL_CARDS,
    POINTS,
    SUIT_CARDS,
    TRUMPS_OVER,
    Mask,
    Rank,
    Suit,
    cards_in,
    make_card,
    mask_of,
)


def partner_is_safe(position: Position, hand: Mask) -> bool:
    """Tell whether the partner of the seat on turn, which holds ``hand``, is winning and nobody left can beat it."""
    cards = position.cards
    count = len(cards)
    if count < 2 or count - position.best & 1:
        return False
    if count == 3:
        return True
    over = BEATS[position.trump][cards[0] >> 3][cards[position.best]]
    return not over & position.may_hold[position.turn + 1 & 3] & position.unplayed & ~hand


def weighed_cards(position: Position, hand: Mask, legal: Mask) -> Mask:
    """Return the cards of ``legal`` that R9.3 leaves to the seat on turn; never empty when ``legal`` is not.

    No ruff over a safe partner, no jack, nine or ace of trump where a lower card does the same, and points, if it has
    any, on a partner's safe trick.
    """
    trump = position.trump
    trumps = SUIT_CARDS[trump]
    safe = partner_is_safe(position, hand)
    if safe and position.cards[0] >> 3 != trump:
        legal = legal & ~trumps or legal
    if legal & _HONOURS[trump]:
        legal = _without_needless_honours(position, hand, legal)
    if safe:
        legal = legal & _POINTED[trump] or legal
    return legal


def _without_needless_honours(position: Position, hand: Mask, legal: Mask) -> Mask:
    """Drop the honours that do the same as a lower card of ``legal``.

    Two cards do the same when the same side is winning after either, and the same cards of the seats still to play
    would beat what is winning.
    """
    trump = position.trump
    cards = position.cards
    count = len(cards)
    seat = position.turn
    may_hold = position.may_hold
    later = 0
    for step in range(1, 4 - count):
        later |= may_hold[seat + step & 3]
    later &= position.unplayed & ~hand
    trumps = legal & SUIT_CARDS[trump]
    over_best, is_partners, over_idle = ALL_CARDS, False, 0
    if count:
        over_best = BEATS[trump][cards[0] >> 3][cards[position.best]]
        is_partners = not count - position.best & 1
        over_idle = over_best & later
    for honour in cards_in(trumps & _HONOURS[trump]):
        higher = TRUMPS_OVER[trump][honour]
        lower = legal & ~higher & ~(1 << honour)
        idle = lower & ~over_best
        if not over_best >> honour & 1:
            if idle:
                legal ^= 1 << honour
            continue
        over = higher & later
        if idle and is_partners and over == over_idle:
            legal ^= 1 << honour
            continue
        for card in cards_in(lower & over_best):
            if over == BEATS[trump][card >> 3 if not count else cards[0] >> 3][card] & later:
                legal ^= 1 << honour
                break
    return legal


_HONOURS = tuple(mask_of(make_card(suit, rank) for rank in (Rank.JACK, Rank.NINE, Rank.ACE)) for suit in Suit)
_POINTED = tuple(mask_of(card for card in range(32) if POINTS[suit][card]) for suit in Suit)
