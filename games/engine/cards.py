"""Cards as ints, sets of cards as 32-bit masks, and the two orders of rank.

A card is ``suit * 8 + rank``, 0 (seven of spades) to 31 (ace of clubs); a set of cards is an ``int`` whose bit *c*
is set when card *c* belongs to it. One representation serves the rules, the computer players and their playouts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

type Card = int
type Mask = int


class Suit(IntEnum):
    """The four suits, in the order that breaks ties (R9.2)."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3


class Rank(IntEnum):
    """The eight ranks in index order; who beats whom is `TRUMP_ORDER` or `PLAIN_ORDER`."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    TEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7


ALL_CARDS: Mask = 0xFFFFFFFF
SUIT_CARDS: tuple[Mask, ...] = tuple(0xFF << 8 * suit for suit in Suit)

TRUMP_ORDER = (Rank.SEVEN, Rank.EIGHT, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE, Rank.NINE, Rank.JACK)
"""R1.3, weakest first."""
PLAIN_ORDER = (Rank.SEVEN, Rank.EIGHT, Rank.NINE, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE)
"""R1.4, weakest first."""

_TRUMP_POINTS = {Rank.JACK: 20, Rank.NINE: 14, Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3}
_PLAIN_POINTS = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}


def make_card(suit: Suit, rank: Rank) -> Card:
    """Return the card of that suit and rank."""
    return suit * 8 + rank


def suit_of(card: Card) -> Suit:
    """Return the suit of a card."""
    return _SUITS[card >> 3]


def rank_of(card: Card) -> Rank:
    """Return the rank of a card."""
    return _RANKS[card & 7]


def mask_of(cards: Iterable[Card]) -> Mask:
    """Return the mask of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: Mask) -> Iterator[Card]:
    """Yield the cards of a mask, lowest number first."""
    while mask:
        bit = mask & -mask
        yield bit.bit_length() - 1
        mask ^= bit


class CardSet(int):
    """A mask that reads as a set of cards: ``in``, ``len``, iteration, and text such as ``{JS 9H}``.

    It is an ``int`` and goes wherever a mask goes; operators give plain masks back.
    """

    __slots__ = ()

    def __contains__(self, card: Card) -> bool:
        return bool(self >> card & 1)

    def __iter__(self) -> Iterator[Card]:
        return cards_in(self)

    def __len__(self) -> int:
        return self.bit_count()

    def __repr__(self) -> str:
        return "{" + " ".join("789TJQKA"[c & 7] + "SHDC"[c >> 3] for c in self) + "}"

    __str__ = __repr__


_SUITS = tuple(Suit)
_RANKS = tuple(Rank)
_TRUMP_STRENGTH = tuple(TRUMP_ORDER.index(rank) for rank in Rank)
_PLAIN_STRENGTH = tuple(PLAIN_ORDER.index(rank) for rank in Rank)


def _points(trump: Suit) -> tuple[int, ...]:
    return tuple((_TRUMP_POINTS if suit_of(c) == trump else _PLAIN_POINTS).get(rank_of(c), 0) for c in range(32))


def _strength(trump: Suit, lead: Suit) -> tuple[int, ...]:
    def of(card: Card) -> int:
        if suit_of(card) == trump:
            return 8 + _TRUMP_STRENGTH[card & 7]
        return _PLAIN_STRENGTH[card & 7] if suit_of(card) == lead else -1

    return tuple(of(card) for card in range(32))


def _trumps_over(trump: Suit) -> tuple[Mask, ...]:
    def over(card: Card) -> Mask:
        if suit_of(card) != trump:
            return SUIT_CARDS[trump]
        return mask_of(make_card(trump, r) for r in Rank if _TRUMP_STRENGTH[r] > _TRUMP_STRENGTH[card & 7])

    return tuple(over(card) for card in range(32))


POINTS: tuple[tuple[int, ...], ...] = tuple(_points(trump) for trump in Suit)
"""``POINTS[trump][card]``: card points (R1.3, R1.4); they sum to 152 (R1.5)."""

STRENGTH: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(_strength(trump, lead) for lead in Suit) for trump in Suit
)
"""``STRENGTH[trump][led suit][card]``: the highest wins the trick (R4.8); -1 cannot win."""

TRUMPS_OVER: tuple[tuple[Mask, ...], ...] = tuple(_trumps_over(trump) for trump in Suit)
"""``TRUMPS_OVER[trump][card]``: the trumps that beat a card, every trump when it is a plain card."""
