"""A contest of two computer players: what it brings, and how long they think; cards and bids apart."""

from __future__ import annotations

import math
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from itertools import batched, islice
from typing import NamedTuple

from games.ai.player import ComputerPlayer
from games.arena import NORMAL_95, Board, Estimate, boards, duplicate, duplicate_match, estimate, player_named
from games.engine.commands import Pass, PlayCard, Take
from games.engine.rules import RuleSet
from games.engine.view import TableView
from games.reference_players import normal_bid
from games.side_by_side import side_by_side

_AT_ONCE = 5
"""Deals of one piece of work: few, so that processes end together and progress shows."""


class Contest(NamedTuple):
    """Who meets whom, and on what: deals and matches are each played twice, with the sides changed."""

    first: str
    second: str
    deals: int
    matches: int
    seed: int
    shared_bids: bool


class Share(NamedTuple):
    """A share of matches won and its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, wins: list[float]) -> Share:
        """Return the share of matches won, given that of each pair.

        The interval is Wilson's, so that it lies between 0 and 1 and has a width even where all are won. It takes the
        two matches of a pair as independent; since good cards help each side once, it is if anything too wide.

        Raises:
            ValueError: there are no matches.
        """
        if not wins:
            raise ValueError("a share needs at least one pair of matches")
        count = 2 * len(wins)
        mean = math.fsum(wins) / len(wins)
        spread = NORMAL_95**2 / count
        middle = (mean + spread / 2) / (1 + spread)
        half = math.sqrt(spread * (mean * (1 - mean) + spread / 4)) / (1 + spread)
        # Rounding must not push the ends past what is possible.
        return cls(mean, max(0.0, middle - half), min(1.0, middle + half))


class Thinking(NamedTuple):
    """How long decisions took, in milliseconds of processor time of the thread."""

    decisions: int
    median: float
    p95: float
    maximum: float

    @classmethod
    def of(cls, milliseconds: list[float]) -> Thinking | None:
        """Return the figures of some decisions, None of none."""
        if not milliseconds:
            return None
        ordered = sorted(milliseconds)
        last = len(ordered) - 1
        return cls(len(ordered), statistics.median(ordered), ordered[round(0.95 * last)], ordered[last])


class Contender:
    """A player whose decisions are timed, cards and bids apart; a single legal card is no decision."""

    def __init__(self, player: ComputerPlayer, *, shared_bids: bool = False) -> None:
        self.cards: list[float] = []
        self.bids: list[float] = []
        self._player = player
        self._shared_bids = shared_bids

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the player's answer; normal's bid where bids are shared."""
        if view.legal_bids and self._shared_bids:
            return normal_bid(view)
        start = time.thread_time()
        answer = self._player.choose(view)
        spent = 1000 * (time.thread_time() - start)
        if view.legal_bids:
            self.bids.append(spent)
        elif view.legal & view.legal - 1:
            self.cards.append(spent)
        return answer


class Result(NamedTuple):
    """What came of a contest.

    ``win_rate`` needs matches, a time needs decisions; times are those of the first and of the second. ``memory`` is
    the most that a process which played has held, in megabytes.
    """

    points: Estimate
    win_rate: Share | None
    cards: tuple[Thinking | None, Thinking | None]
    bids: tuple[Thinking | None, Thinking | None]
    memory: float


class _Part(NamedTuple):
    """What came of some deals and matches of a contest."""

    points: list[float]
    wins: list[float]
    cards: tuple[list[float], list[float]]
    bids: tuple[list[float], list[float]]
    memory: float


type _Work = tuple[tuple[Board, ...], tuple[int, ...]]
"""Deals, and numbers of matches."""


def hold(contest: Contest, jobs: int, progress: Callable[[int], None]) -> Result:
    """Hold a contest in so many processes; the result, times and memory apart, is the same for any number of them.

    Args:
        progress: told how many deals and matches are done.

    Raises:
        ValueError: there are fewer than two deals.
        BrokenProcessPool: something else has ended one of several processes.
    """
    # Matches first: a long piece of work at the end would leave the other processes idle.
    work: list[_Work] = [((), (number,)) for number in range(contest.matches)]
    work += [(some, ()) for some in batched(islice(boards(contest.seed), contest.deals), _AT_ONCE)]
    parts: list[_Part] = []
    done = 0
    with closing(side_by_side(partial(_play, contest), work, jobs)) as found:
        for part in found:
            parts.append(part)
            done += len(part.points) + len(part.wins)
            progress(done)
    wins = [won for part in parts for won in part.wins]
    return Result(
        estimate([points for part in parts for points in part.points]),
        Share.of(wins) if wins else None,
        (_thinking(part.cards[0] for part in parts), _thinking(part.cards[1] for part in parts)),
        (_thinking(part.bids[0] for part in parts), _thinking(part.bids[1] for part in parts)),
        max(part.memory for part in parts),
    )


def _play(contest: Contest, work: _Work) -> _Part:
    deals, matches = work
    rules = RuleSet()
    first = Contender(player_named(contest.first, contest.seed), shared_bids=contest.shared_bids)
    second = Contender(player_named(contest.second, contest.seed + 1), shared_bids=contest.shared_bids)
    points = [duplicate(board, first, second, rules) for board in deals]
    wins = [duplicate_match(f"{contest.seed} match {number}", first, second, rules) for number in matches]
    return _Part(points, wins, (first.cards, second.cards), (first.bids, second.bids), _memory())


def _memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts kilobytes, macOS bytes.
    return peak / (1_000_000 if sys.platform == "darwin" else 1_000)


def _thinking(milliseconds: Iterable[list[float]]) -> Thinking | None:
    return Thinking.of([spent for some in milliseconds for spent in some])
