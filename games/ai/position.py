"""What all four seats know of the play of a deal: mutable and on masks, so that playouts can copy and advance it."""

from __future__ import annotations

from typing import Self

from games.engine.cards import ALL_CARDS, POINTS, STRENGTH, SUIT_CARDS, Card, Mask, Suit, mask_of
from games.engine.play import BELOTE_PAIRS
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat
from games.engine.view import TableView


class Position:
    """Public facts of the play.

    ``cards`` are those of the running trick, ``best`` the place of the winning one among them and ``points`` what they
    count. ``unplayed`` are the cards that nobody has played. ``may_hold[seat]`` are the cards that the seat has not
    shown to be without: suits that it failed to follow or to ruff (R4.2, R4.5), the turned card and the other half of
    a belote in another hand. Played cards are not taken out of it: meet it with ``unplayed``.
    """

    __slots__ = ("best", "cards", "leader", "may_hold", "must_undertrump", "points", "taker", "trump", "unplayed")

    def __init__(self, trump: Suit, taker: Seat, leader: Seat, turn_up: Card, rules: RuleSet) -> None:
        self.trump = trump
        self.taker = taker
        self.must_undertrump = rules.undertrump is Undertrump.MUST
        self.leader: int = leader
        self.cards: tuple[Card, ...] = ()
        self.best = 0
        self.points = 0
        self.unplayed: Mask = ALL_CARDS
        self.may_hold: list[Mask] = [ALL_CARDS & ~(1 << turn_up)] * 4
        self.may_hold[taker] = ALL_CARDS

    @classmethod
    def of(cls, view: TableView) -> Self:
        """Return the position that a view shows.

        Raises:
            ValueError: no suit has been taken.
        """
        if (
            view.trump is None
            or view.taker is None
            or view.trick is None
            or view.turn_up is None
            or view.dealer is None
        ):
            raise ValueError("no suit has been taken")
        position = cls(view.trump, view.taker, view.dealer.left, view.turn_up, view.rules)
        for won in view.tricks:
            for card in won.trick.cards:
                position.play(card)
        for card in view.trick.cards:
            position.play(card)
        if view.belote_seat is not None:
            pair = BELOTE_PAIRS[view.trump]
            for seat in Seat:
                if seat is not view.belote_seat:
                    position.may_hold[seat] &= ~pair
        return position

    def copy(self) -> Self:
        """Return a position that can be advanced without changing this one."""
        other = object.__new__(type(self))
        other.trump = self.trump
        other.taker = self.taker
        other.must_undertrump = self.must_undertrump
        other.leader = self.leader
        other.cards = self.cards
        other.best = self.best
        other.points = self.points
        other.unplayed = self.unplayed
        other.may_hold = self.may_hold[:]
        return other

    @property
    def turn(self) -> int:
        """The number of the seat that plays next."""
        return self.leader + len(self.cards) & 3

    def play(self, card: Card) -> None:
        """Advance by a card, which must be legal for the seat on turn; after the fourth the winner leads."""
        trump = self.trump
        cards = self.cards
        count = len(cards)
        self.unplayed &= ~(1 << card)
        if not count:
            self.cards = (card,)
            self.best = 0
            self.points = POINTS[trump][card]
            return
        lead = cards[0] >> 3
        suit = card >> 3
        best = self.best
        if suit != lead:
            seat = self.leader + count & 3
            missing = SUIT_CARDS[lead]
            ruffed = cards[best] >> 3 == trump
            if suit != trump and count - best & 1 and (self.must_undertrump or not ruffed):
                missing |= SUIT_CARDS[trump]
            self.may_hold[seat] &= ~missing
        strength = STRENGTH[trump][lead]
        if strength[card] > strength[cards[best]]:
            self.best = count
        if count == 3:
            self.leader = self.leader + self.best & 3
            self.cards = ()
            self.best = self.points = 0
        else:
            self.cards = (*cards, card)
            self.points += POINTS[trump][card]


def _beats(trump: Suit, lead: Suit) -> tuple[Mask, ...]:
    strength = STRENGTH[trump][lead]
    return tuple(mask_of(other for other in range(32) if strength[other] > strength[card]) for card in range(32))


BEATS: tuple[tuple[tuple[Mask, ...], ...], ...] = tuple(tuple(_beats(trump, lead) for lead in Suit) for trump in Suit)
"""``BEATS[trump][led suit][card]``: the cards that beat a card in a trick (R4.8)."""
