"""What is striking about how somebody plays: folds of matches, analysed deals and reports to numbers. Hints, no proof.

docs/hints.md says what each number means, what it does not mean, and how the thresholds were measured.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import median
from typing import Final, NamedTuple
from uuid import UUID

from games.deal_analysis import AnalysedMove
from games.engine.events import DealStarted, Event
from games.engine.seats import Seat
from games.engine.stand_ins import SeatGivenBack, SeatTakenOver, TimeRanOut


class Signal(StrEnum):
    """What may be striking."""

    NEAR = "near"
    """In rated matches the partner is mostly in the same network."""
    FORESEEING = "foreseeing"
    """Where they play otherwise than hard they are right more often than luck and skill explain."""
    LEAVING = "leaving"
    """They leave matches for good."""
    REPORTED = "reported"
    """Several people have reported them."""
    STALLING = "stalling"
    """They let their time run out."""


LEAST_NEAR: Final = 5
NEAR_SHARE: Final = 0.5
LEAST_CARDS: Final = 100
"""Cards with a choice that mattered: about thirty deals. The number says nothing below."""
LEAST_ERRORS: Final = 4.0
"""So many standard errors above one half is clear: one honest player in thirty thousand."""
FEWEST_PEOPLE: Final = 20
"""With fewer people to compare with there is no distance from them."""
LEAST_DISTANCE: Final = 2.0
LEAST_LEFT: Final = 3
LEFT_SHARE: Final = 0.15
LEAST_REPORTERS: Final = 3
REPORTER_SHARE: Final = 0.05
LEAST_LATE: Final = 10
LATE_A_MATCH: Final = 1.0

_SPREAD_OF_MAD: Final = 1.4826
"""Times the median distance from the median: the standard deviation, of what is distributed normally."""


class PlayedMatch(NamedTuple):
    """What a match that is over was for somebody.

    ``partner`` is None for a computer. ``shares_network`` tells whether both were seen in the same network on a day of
    the match, None when that is not known of one of them.
    """

    is_rated: bool
    has_left: bool
    late: int
    partner: UUID | None
    shares_network: bool | None


class Table(NamedTuple):
    """Numbers of somebody's matches.

    ``partnered`` had a person as partner, ``closest`` the one they had most often. ``compared`` are the rated ones of
    which it is known whether the partner was in the same network, ``near`` those where they were, with
    ``near_partners`` different people. ``late`` counts turns that ran out.
    """

    matches: int
    rated: int
    partnered: int
    closest: int
    compared: int
    near: int
    near_partners: int
    left: int
    late: int


class Play(NamedTuple):
    """How the cards of one seat compare with perfect play, and with hard, which saw no more than the seat.

    ``cards`` are those with a choice that mattered, ``cost`` what they gave away and ``hards_cost`` what hard would
    have given away in their places, in points (`deal_analysis.AnalysedMove`); ``best`` gave nothing away. Where hard
    would have played a card of another value, theirs was ``better`` or ``worse``.
    """

    deals: int = 0
    cards: int = 0
    cost: int = 0
    hards_cost: int = 0
    best: int = 0
    better: int = 0
    worse: int = 0

    @property
    def better_share(self) -> float | None:
        """The share of cards better than hard's, of those that are of another value; None without any."""
        differing = self.better + self.worse
        return self.better / differing if differing else None

    @property
    def errors(self) -> float:
        """By how many standard errors that share is above one half (a sign test, with correction for continuity)."""
        ahead, differing = self.better - self.worse, self.better + self.worse
        return math.copysign(max(0, abs(ahead) - 1), ahead) / math.sqrt(differing) if differing else 0.0


class Population(NamedTuple):
    """What the share of better cards is among people: its median, and its spread as a standard deviation."""

    middle: float
    spread: float

    @classmethod
    def of(cls, shares: Sequence[float]) -> Population | None:
        """Return that of some people, None of too few or when they are all alike.

        Median and median distance: a few who cheat do not move what is taken for usual.
        """
        if len(shares) < FEWEST_PEOPLE:
            return None
        middle = median(shares)
        spread = _SPREAD_OF_MAD * median(abs(share - middle) for share in shares)
        return cls(middle, spread) if spread else None

    def distance(self, play: Play) -> float | None:
        """Return by how many spreads somebody lies above the middle; None for who has played too little."""
        share = play.better_share
        return None if share is None or play.cards < LEAST_CARDS else (share - self.middle) / self.spread


def table(played: Iterable[PlayedMatch]) -> Table:
    """Return the numbers of some matches."""
    matches = list(played)
    partners = Counter(match.partner for match in matches if match.partner is not None)
    compared = [match for match in matches if match.is_rated and match.shares_network is not None]
    near = [match.partner for match in compared if match.shares_network]
    return Table(
        matches=len(matches),
        rated=sum(match.is_rated for match in matches),
        partnered=partners.total(),
        closest=max(partners.values(), default=0),
        compared=len(compared),
        near=len(near),
        near_partners=len(set(near)),
        left=sum(match.has_left for match in matches),
        late=sum(match.late for match in matches),
    )


def play(moves: Iterable[AnalysedMove], seat: Seat) -> Play:
    """Return the comparison for one seat of an analysed deal."""
    cards = cost = hards_cost = best = better = worse = 0
    for move in moves:
        most = max(move.values.values())
        if move.seat is not seat or most == min(move.values.values()):
            continue
        gave, hard_gave = move.cost, most - move.values[move.hard]
        cards += 1
        cost += gave
        hards_cost += hard_gave
        best += not gave
        better += gave < hard_gave
        worse += gave > hard_gave
    return Play(1, cards, cost, hards_cost, best, better, worse)


def total(plays: Iterable[Play]) -> Play:
    """Return the sums of some deals."""
    return Play(*map(sum, zip(Play(), *plays, strict=True)))


def seats_with_computers(events: Iterable[Event]) -> dict[int, set[Seat]]:
    """Return by deal for which seats a computer made a move in a person's place, or may have, of the log of a match.

    Of the log only the starts of deals and what befell the seats are needed.
    """
    away: set[Seat] = set()
    found: dict[int, set[Seat]] = {}
    here: set[Seat] = set()
    for event in events:
        match event:
            case DealStarted(deal=deal):
                here = found[deal] = set(away)
            case SeatTakenOver(seat=seat):
                away.add(seat)
                here.add(seat)
            case SeatGivenBack(seat=seat):
                away.discard(seat)
            case TimeRanOut(seat=seat):
                here.add(seat)
    return found


def signals(of_matches: Table, of_cards: Play, distance: float | None, reporters: int) -> frozenset[Signal]:
    """Return which signals are above their threshold.

    Args:
        distance: that of `Population`; without one the comparison with hard counts alone.
        reporters: how many different people have reported them.
    """
    near, left, late = of_matches.near, of_matches.left, of_matches.late
    found = {
        Signal.NEAR: near >= LEAST_NEAR and near >= NEAR_SHARE * of_matches.compared,
        Signal.FORESEEING: of_cards.cards >= LEAST_CARDS
        and of_cards.errors >= LEAST_ERRORS
        and (distance is None or distance >= LEAST_DISTANCE),
        Signal.LEAVING: left >= LEAST_LEFT and left >= LEFT_SHARE * of_matches.matches,
        Signal.REPORTED: reporters >= LEAST_REPORTERS and reporters >= REPORTER_SHARE * of_matches.matches,
        Signal.STALLING: late >= LEAST_LATE and late >= LATE_A_MATCH * of_matches.matches,
    }
    return frozenset(signal for signal, is_above in found.items() if is_above)
