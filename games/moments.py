"""The moments of a match that is over, in order: their names in addresses, and the steps from one to another.

A moment is the number of a deal and a step: how many bids have been made and cards played in it (`DealState.moves`).
Step 0 is right after the first cards were dealt; the last step of a deal is when it is over. The name of a moment
stands behind the # of an address:

    deal-3                    dealt
    deal-3-bid-2              two bids have been made
    deal-3-trick-5            the fifth trick is complete
    deal-3-trick-5-card-2     two cards of it lie on the table
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import NamedTuple


class Moment(NamedTuple):
    """A place in a match; moments are ordered as they were played."""

    deal: int
    step: int


class Length(NamedTuple):
    """How many bids and cards a deal had."""

    bids: int
    cards: int


class Course:
    """All moments of a match."""

    def __init__(self, lengths: Mapping[int, Length]) -> None:
        """Take the length of each deal that was dealt by its number, in order; at least one."""
        self.lengths = lengths
        self._moments: list[Moment] = []
        self._stops: list[Moment] = []
        self._starts = [Moment(deal, 0) for deal in lengths]
        self._names: dict[str, Moment] = {}
        for deal, (bids, cards) in lengths.items():
            self._moments += [Moment(deal, step) for step in range(bids + cards + 1)]
            steps = {0, *range(bids, bids + cards, 4), bids + cards}
            self._stops += [Moment(deal, step) for step in sorted(steps)]
            # A trick that was broken off is complete with what it had.
            for trick in range(1, (cards + 3) // 4 + 1):
                end = Moment(deal, bids + min(4 * trick, cards))
                self._names[f"deal-{deal}-trick-{trick}"] = end
                if cards >= 4 * trick:
                    self._names[f"deal-{deal}-trick-{trick}-card-4"] = end
        self._names |= {self.name(moment): moment for moment in self._moments}

    @property
    def first(self) -> Moment:
        """The start of the first deal."""
        return self._moments[0]

    @property
    def last(self) -> Moment:
        """The end of the last deal."""
        return self._moments[-1]

    def find(self, name: str) -> Moment:
        """Return the moment of a name; what names no moment leads to the first one."""
        return self._names.get(name, self.first)

    def at(self, deal: str, step: str) -> Moment:
        """Return the moment of these two numbers; what is no moment leads to the first one."""
        known = deal.isdecimal() and step.isdecimal() and len(deal + step) < 9
        moment = Moment(int(deal), int(step)) if known else self.first
        return moment if moment.deal in self.lengths and moment.step <= sum(self.lengths[moment.deal]) else self.first

    def name(self, moment: Moment) -> str:
        """Return the name of a moment."""
        deal, step = moment
        bids = self.lengths[deal].bids
        if step == 0:
            return f"deal-{deal}"
        if step <= bids:
            return f"deal-{deal}-bid-{step}"
        trick, card = divmod(step - bids - 1, 4)
        return f"deal-{deal}-trick-{trick + 1}" + ("" if card == 3 else f"-card-{card + 1}")

    def card_on(self, moment: Moment) -> Moment:
        """Return the moment after one more bid or card, at the end of a deal the start of the next."""
        return _after(self._moments, moment)

    def card_back(self, moment: Moment) -> Moment:
        return _before(self._moments, moment)

    def trick_on(self, moment: Moment) -> Moment:
        """Return the end of the auction, or of the trick that runs or comes next."""
        return _after(self._stops, moment)

    def trick_back(self, moment: Moment) -> Moment:
        return _before(self._stops, moment)

    def deal_on(self, moment: Moment) -> Moment:
        """Return the start of the next deal, in the last deal its end."""
        return _after([*self._starts, self.last], moment)

    def deal_back(self, moment: Moment) -> Moment:
        """Return the start of the deal, at the start that of the deal before."""
        return _before(self._starts, moment)


def _after(moments: list[Moment], moment: Moment) -> Moment:
    return moments[min(bisect_right(moments, moment), len(moments) - 1)]


def _before(moments: list[Moment], moment: Moment) -> Moment:
    return moments[max(bisect_left(moments, moment) - 1, 0)]
