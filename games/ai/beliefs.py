"""What a seat can know of the cards that it does not see (R9.4): who may hold them, how likely, every way they may lie.

What is proved has the form "this seat does not hold this card", so unseen cards that the same seats may hold are
interchangeable. Ways are counted over these groups, of which four are shared, with whole numbers: nothing is estimated.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import NamedTuple, Self

from games.engine.cards import (
    ALL_CARDS,
    STRENGTH,
    SUIT_CARDS,
    TRUMPS_OVER,
    Card,
    Mask,
    Suit,
    cards_in,
)
from games.engine.play import BELOTE_PAIRS, Trick
from games.engine.rules import BeloteCall, Undertrump
from games.engine.seats import BySeat, Seat
from games.engine.view import TableView

type Hands = tuple[Mask, Mask, Mask, Mask]
"""What each seat holds, or may hold, indexed by `Seat`."""


class Way(NamedTuple):
    """How many shared cards go where: of those that two seats may hold, to the first of the two; of the free ones."""

    pair: int
    outer: int
    far: int
    left: int
    across: int


class Splits(NamedTuple):
    """The ways to give each seat its number of the shared cards.

    ``ends[i]`` counts the worlds of the ways up to the i-th; without any there is no world.
    """

    sizes: tuple[int, int, int, int]
    ways: tuple[Way, ...]
    ends: tuple[int, ...]

    def held(self) -> tuple[tuple[int, int], ...]:
        """Return for each group how many of its cards the left and the partner hold, all worlds taken together."""
        worlds = self.ends[-1]
        weights = [end - start for start, end in zip((0, *self.ends), self.ends, strict=False)]
        pair, outer, far, left, across = (
            sum(weight * cards for weight, cards in zip(weights, column, strict=True))
            for column in zip(*self.ways, strict=True)
        )
        return (pair, self.sizes[0] * worlds - pair), (outer, 0), (0, far), (left, across)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What ``seat`` can know of the other hands.

    ``may_hold`` are the unseen cards that each of the others may hold, and the seat's own hand; ``wanted`` is how many
    cards each seat holds. ``certain`` are the cards that lie in one hand for sure, and ``shared`` those that may lie
    with the left or the partner, the left or the right, the partner or the right, and with all three.
    """

    seat: Seat
    may_hold: Hands
    wanted: tuple[int, int, int, int]
    certain: Hands
    shared: tuple[Mask, Mask, Mask, Mask]
    splits: Splits

    @classmethod
    def of(cls, view: TableView) -> Self:
        """Return what the viewer can know.

        Raises:
            ValueError: nobody views, no suit has been taken, or no deal of the unseen cards fits the view.
        """
        seat = view.viewer
        if seat is None:
            raise ValueError("only a seat has beliefs: ask for the view of one of the four")
        if view.trump is None or view.taker is None or view.trick is None or view.turn_up is None:
            raise ValueError("no suit has been taken, so nothing is known of the hands: ask once the auction is over")
        tricks = [won.trick for won in view.tricks]
        tricks.append(view.trick)
        lacks, played = _shown(tricks, view.trump, view.rules.undertrump is Undertrump.MUST)
        pair = BELOTE_PAIRS[view.trump]
        for other in range(4):
            if view.belote_seat is not None:
                # Who said belote held both (R5.5).
                if other != view.belote_seat:
                    lacks[other] |= pair
            elif played[other] & pair and view.rules.belote is BeloteCall.AUTO:
                # The word would have been said for a seat that held both (R5.2).
                lacks[other] |= pair
            if other != view.taker:
                lacks[other] |= 1 << view.turn_up
        unseen = ALL_CARDS & ~(view.hand | played[0] | played[1] | played[2] | played[3])
        may_hold = [unseen & ~lack for lack in lacks]
        may_hold[seat] = view.hand
        return cls.where(seat, (may_hold[0], may_hold[1], may_hold[2], may_hold[3]), view.card_counts)

    @classmethod
    def where(cls, seat: Seat, may_hold: Hands, wanted: tuple[int, int, int, int]) -> Self:
        """Return what ``seat`` can know when the others may hold these cards, and hold so many.

        Raises:
            ValueError: no deal of these cards gives each seat its number.
        """
        left, across, right = seat + 1 & 3, seat + 2 & 3, seat + 3 & 3
        a, b, c = may_hold[left], may_hold[across], may_hold[right]
        certain = [0, 0, 0, 0]
        certain[seat] = may_hold[seat]
        certain[left] = a & ~(b | c)
        certain[across] = b & ~(a | c)
        certain[right] = c & ~(a | b)
        shared = (a & b & ~c, a & c & ~b, b & c & ~a, a & b & c)
        splits = _splits(
            shared[0].bit_count(),
            shared[1].bit_count(),
            shared[2].bit_count(),
            shared[3].bit_count(),
            wanted[left] - certain[left].bit_count(),
            wanted[across] - certain[across].bit_count(),
            wanted[right] - certain[right].bit_count(),
        )
        if not splits.ends:
            raise ValueError(f"what is shown contradicts itself: no deal gives the four seats {wanted} cards")
        return cls(seat, may_hold, wanted, (certain[0], certain[1], certain[2], certain[3]), shared, splits)

    @property
    def worlds(self) -> int:
        """In how many ways the unseen cards may lie, all of them equally likely; at least one."""
        return self.splits.ends[-1]

    def probabilities(self) -> dict[Card, BySeat[float]]:
        """Return for each unseen card how likely each seat holds it; the own seat never does."""
        chances: dict[Card, BySeat[float]] = {}
        for holder in self.seat.order()[1:]:
            sure = BySeat(0.0, 0.0, 0.0, 0.0).put(holder, 1.0)
            chances.update((card, sure) for card in cards_in(self.certain[holder]))
        worlds = self.worlds
        for group, (left, across) in zip(self.shared, self.splits.held(), strict=True):
            total = group.bit_count() * worlds
            by_distance = (0, left, across, total - left - across)
            for card in cards_in(group):
                chances[card] = BySeat(*[by_distance[holder - self.seat & 3] / total for holder in range(4)])
        return chances

    def world(self, number: int) -> Hands:
        """Return the four hands of one way; each number from 0 up to ``worlds`` gives another one.

        Raises:
            ValueError: there is no way of that number.
        """
        if not 0 <= number < self.worlds:
            raise ValueError(f"world {number} is none of the {self.worlds}, which are counted from 0")
        seat = self.seat
        pair, outer, far, free = self.shared
        ends, ways = self.splits.ends, self.splits.ways
        place = bisect_right(ends, number)
        if place:
            number -= ends[place - 1]
        way = ways[place]
        hands = list(self.certain)
        left = right = 0
        if pair:
            number, rank = divmod(number, _CHOOSE[pair.bit_count()][way.pair])
            left = _subset(pair, way.pair, rank)
            hands[seat + 2 & 3] |= pair ^ left
        if outer:
            number, rank = divmod(number, _CHOOSE[outer.bit_count()][way.outer])
            taken = _subset(outer, way.outer, rank)
            left |= taken
            right = outer ^ taken
        if far:
            number, rank = divmod(number, _CHOOSE[far.bit_count()][way.far])
            taken = _subset(far, way.far, rank)
            hands[seat + 2 & 3] |= taken
            right |= far ^ taken
        if free:
            number, rank = divmod(number, _CHOOSE[free.bit_count()][way.left])
            taken = _subset(free, way.left, rank)
            left |= taken
            free ^= taken
            taken = _subset(free, way.across, number)
            hands[seat + 2 & 3] |= taken
            right |= free ^ taken
        hands[seat + 1 & 3] |= left
        hands[seat + 3 & 3] |= right
        return hands[0], hands[1], hands[2], hands[3]

    def sample(self, rng: random.Random, count: int) -> list[Hands]:
        """Return so many different worlds, each as likely as any other; if there are no more, all of them in order."""
        numbers = range(self.worlds)
        return [self.world(number) for number in (numbers if len(numbers) <= count else rng.sample(numbers, count))]


@lru_cache(maxsize=1024)
def _splits(pair: int, outer: int, far: int, free: int, left: int, across: int, right: int) -> Splits:
    """Return the ways to give the others so many cards each, of groups of these sizes."""
    ways: list[Way] = []
    weights: list[int] = []
    if left + across + right == pair + outer + far + free:
        for of_pair in range(min(pair, left) + 1):
            for of_outer in range(max(0, left - of_pair - free), min(outer, left - of_pair) + 1):
                to_left = left - of_pair - of_outer
                needed = across - (pair - of_pair)
                for of_far in range(max(0, needed - (free - to_left)), min(far, needed) + 1):
                    ways.append(Way(of_pair, of_outer, of_far, to_left, needed - of_far))
                    weights.append(
                        _CHOOSE[pair][of_pair]
                        * _CHOOSE[outer][of_outer]
                        * _CHOOSE[far][of_far]
                        * _CHOOSE[free][to_left]
                        * _CHOOSE[free - to_left][needed - of_far]
                    )
    return Splits((pair, outer, far, free), tuple(ways), tuple(accumulate(weights)))


_CHOOSE = tuple(tuple(comb(cards, count) for count in range(33)) for cards in range(33))


def _subset(cards: Mask, count: int, number: int) -> Mask:
    """Return the subset of so many cards with that number, those with the lowest card first."""
    chosen = 0
    rest = cards.bit_count() - 1
    while count:
        card = cards & -cards
        cards ^= card
        with_it = _CHOOSE[rest][count - 1]
        if number < with_it:
            chosen |= card
            count -= 1
        else:
            number -= with_it
        rest -= 1
    return chosen


def _shown(tricks: list[Trick], trump: Suit, must_undertrump: bool) -> tuple[list[Mask], list[Mask]]:
    """Return what each seat has shown to lack by how it followed (R4.2, R4.3, R4.5, R4.6), and what it has played."""
    lacks, played = [0, 0, 0, 0], [0, 0, 0, 0]
    trumps, over_row = SUIT_CARDS[trump], TRUMPS_OVER[trump]
    for leader, cards in tricks:
        if not cards:
            continue
        highest = cards[0]
        lead = highest >> 3
        strength = STRENGTH[trump][lead]
        best = 0
        played[leader] |= 1 << highest
        for place in range(1, len(cards)):
            card = cards[place]
            seat = leader + place & 3
            played[seat] |= 1 << card
            follows = card >> 3 == lead
            if not follows:
                lacks[seat] |= SUIT_CARDS[lead]
            # A plain card that follows owes no more, nor does one played while the partner is winning (R4.4).
            if lead == trump or (not follows and place - best & 1):
                over = over_row[highest]
                if not over >> card & 1:
                    lacks[seat] |= trumps if must_undertrump and card >> 3 != trump else over
            if strength[card] > strength[highest]:
                highest, best = card, place
    return lacks, played
