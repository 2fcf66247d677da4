"""What a fragment of the table depends on: a view, the people's names, and how its reader likes the cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any, Literal, NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.engine.cards import PLAIN_ORDER, SUIT_CARDS, TRUMP_ORDER, Card, Mask, Rank, Suit, make_card
from games.engine.notation import CARD_NAMES
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Seat, Team
from games.engine.view import TableView
from games.wording import card_names, own_name

type Position = Literal["me", "left", "top", "right"]
type Context = dict[str, Any]
"""What a template names."""
type Parts = tuple[Any, ...]
"""What a region is made from; equal parts are an equal fragment for the same reader."""
type Side = Literal["us", "them"]

POSITIONS: tuple[Position, ...] = ("me", "left", "top", "right")
"""In order of play: the next to play sits on one's left."""

SUIT_CLASSES = ("spades", "hearts", "diamonds", "clubs")
"""The names of the suits in templates and styles."""


class Sitter(NamedTuple):
    """Who sits in a seat, for the eyes of the others."""

    name: str
    connected: bool


class SeatClock(NamedTuple):
    """The clock of a person's seat.

    ``turn_ends_at`` is when the turn's own time ends, in POSIX seconds, None when the seat is not on turn; ``reserve``
    are the seconds that come after it, as they were when the turn began.
    """

    turn_ends_at: float | None
    reserve: float


class Reading(NamedTuple):
    """How somebody reads cards: the letters of jack, queen, king and ace, and the order within a suit."""

    letters: str
    weakest_first: bool


class Reader(NamedTuple):
    """Whose eyes a fragment is for; the same for the whole match, as a rule."""

    viewer: Seat | None
    rules: RuleSet
    names: BySeat[str]
    reading: Reading

    @property
    def bottom(self) -> Seat:
        """The seat shown at the bottom: one's own, South for a spectator."""
        return Seat.SOUTH if self.viewer is None else self.viewer

    @property
    def us(self) -> Team:
        """The team of the seat at the bottom."""
        return self.bottom.team

    def name_alone(self, seat: Seat) -> str:
        """What a seat is called where its name is no part of a sentence: 'You' for one's own."""
        return own_name() if seat is self.viewer else self.names[seat]

    def position(self, seat: Seat) -> Position:
        """Where a seat is shown."""
        return POSITIONS[self.bottom.order().index(seat)]

    def side(self, team: Team) -> Side:
        """Whether a team is that of the seat at the bottom."""
        return "us" if team is self.us else "them"

    def both[T](self, by_team: ByTeam[T]) -> tuple[T, T]:
        """The values of us and of them."""
        return by_team[self.us], by_team[self.us.other]

    def faces(self) -> tuple[Face, ...]:
        """The 32 cards as this reader sees them, indexed by card."""
        return card_faces(self.reading.letters)


class Frame(NamedTuple):
    """Everything that the fragments for one reader are made from, apart from the active language and the time.

    A seat of a computer, or at a table without clocks, has no clock. ``may_ask_for`` is the seat that this reader may
    have a computer play for, because its turn has lasted too long. ``watchers`` are the names of some who look on,
    ``watchers_more`` how many more have a name, ``visitors`` how many have none.
    """

    view: TableView
    sitters: BySeat[Sitter]
    reading: Reading
    clocks: BySeat[SeatClock | None] = BySeat(None, None, None, None)
    may_ask_for: Seat | None = None
    watchers: tuple[str, ...] = ()
    watchers_more: int = 0
    visitors: int = 0

    @property
    def reader(self) -> Reader:
        """Whose eyes it is for."""
        names = BySeat(*[sitter.name for sitter in self.sitters])
        return Reader(self.view.viewer, self.view.rules, names, self.reading)


@dataclass(frozen=True, slots=True)
class Face:
    """One card for the templates, as `games/partials/card.html` names it; ``html`` is that partial, rendered."""

    code: str
    suit: str
    rank_class: str
    index: str
    name: str
    is_court: bool
    html: str


def card_faces(letters: str) -> tuple[Face, ...]:
    """Return the 32 cards, indexed by card, in the active language with these index letters."""
    return _faces(get_language(), letters)


@lru_cache(maxsize=64)
def _faces(language: str | None, letters: str) -> tuple[Face, ...]:
    # The language is the active one; it is an argument because the cache has to know.
    indices = ("7", "8", "9", "10", *letters)
    classes = ("7", "8", "9", "10", "J", "Q", "K", "A")
    names = card_names()
    faces = []
    for suit in Suit:
        for rank in Rank:
            card = make_card(suit, rank)
            face = Face(
                code=CARD_NAMES[card],
                suit=SUIT_CLASSES[suit],
                rank_class=f"rank-{classes[rank]}",
                index=indices[rank],
                name=names[card],
                is_court=rank in (Rank.JACK, Rank.QUEEN, Rank.KING),
                html="",
            )
            faces.append(replace(face, html=render_to_string("games/partials/card.html", {"card": face})))
    return tuple(faces)


def in_hand_order(hand: Mask, trump: Suit | None, *, weakest_first: bool) -> list[Card]:
    """Return a hand as people hold it: trump first, the colours alternating where they can, each suit by strength."""
    held = [suit for suit in _COLOURS_ALTERNATE if hand & SUIT_CARDS[suit]]
    cards = []
    for suit in _suit_order(tuple(held), trump):
        strongest_first = (_TRUMPS if suit is trump else _PLAIN)[suit]
        cards += [card for card in strongest_first[:: -1 if weakest_first else 1] if hand >> card & 1]
    return cards


_COLOURS_ALTERNATE = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
_RED = (Suit.HEARTS, Suit.DIAMONDS)
_TRUMPS = tuple(tuple(make_card(suit, rank) for rank in reversed(TRUMP_ORDER)) for suit in Suit)
_PLAIN = tuple(tuple(make_card(suit, rank) for rank in reversed(PLAIN_ORDER)) for suit in Suit)


@lru_cache(maxsize=80)
def _suit_order(held: tuple[Suit, ...], trump: Suit | None) -> tuple[Suit, ...]:
    first = tuple(suit for suit in held if suit is trump)
    others = [suit for suit in held if suit is not trump]
    return min(((*first, *order) for order in permutations(others)), key=_neighbours_of_one_colour)


def _neighbours_of_one_colour(suits: Iterable[Suit]) -> int:
    return sum((one in _RED) == (other in _RED) for one, other in pairwise(suits))
