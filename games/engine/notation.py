"""Text for cards, hands, tricks and decks: ``JS 9H TD``, rank then suit, ``T`` for ten."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.cards import Card, Mask, Suit, cards_in, mask_of
from games.engine.dealing import Deck
from games.engine.play import Trick
from games.engine.seats import Seat

RANKS = "789TJQKA"
SUITS = "SHDC"
SEATS = "NESW"

CARD_NAMES = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def format_card(card: Card) -> str:
    """Return a card's two letters."""
    return CARD_NAMES[card]


def parse_card(text: str) -> Card:
    """Return the card written as two letters.

    Raises:
        ValueError: it is no card.
    """
    card = _CARDS.get(text)
    if card is None:
        raise ValueError(f"{text!r} is no card; write rank (7 8 9 T J Q K A) and suit (S H D C), as in JS")
    return card


def format_suit(suit: Suit) -> str:
    """Return a suit's letter."""
    return SUITS[suit]


def parse_suit(text: str) -> Suit:
    """Return the suit of a letter.

    Raises:
        ValueError: it is no suit.
    """
    if len(text) != 1 or text not in SUITS:
        raise ValueError(f"{text!r} is no suit; write one of S H D C")
    return Suit(SUITS.index(text))


def format_cards(cards: Iterable[Card]) -> str:
    """Return cards separated by spaces, in the order given."""
    return " ".join(CARD_NAMES[card] for card in cards)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text, in order.

    Raises:
        ValueError: a word is no card, or a card stands twice.
    """
    cards = tuple(parse_card(word) for word in text.split())
    if len(set(cards)) != len(cards):
        raise ValueError("a card stands twice")
    return cards


def parse_hand(text: str) -> Mask:
    """Return the mask of the cards of a text; errors as in `parse_cards`."""
    return mask_of(parse_cards(text))


def format_hand(hand: Mask) -> str:
    """Return the cards of a mask in index order."""
    return format_cards(cards_in(hand))


def parse_trick(text: str) -> Trick:
    """Return the trick written as leader, colon, cards: ``N: AD 9H``.

    Raises:
        ValueError: the leader is no seat, a word is no card, or there are more than four cards.
    """
    leader, colon, cards = text.partition(":")
    if not colon or len(leader) != 1 or leader not in SEATS:
        raise ValueError(f"{text!r} is no trick; write the leader (N E S W), a colon and the cards, as in 'N: AD 9H'")
    played = parse_cards(cards)
    if len(played) > 4:
        raise ValueError(f"a trick has at most four cards, not {len(played)}")
    return Trick(Seat(SEATS.index(leader)), played)


def format_trick(trick: Trick) -> str:
    """Return a trick as `parse_trick` reads it."""
    return f"{SEATS[trick.leader]}: {format_cards(trick.cards)}".rstrip()


def parse_deck(text: str) -> Deck:
    """Return a whole deck.

    Raises:
        ValueError: a word is no card, a card stands twice, or there are not 32.
    """
    deck = parse_cards(text)
    if len(deck) != 32:
        raise ValueError(f"a deck has 32 cards, not {len(deck)}")
    return deck
