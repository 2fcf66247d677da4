"""Matches between computer players: duplicate deals, whole matches, and the time of a decision."""

from __future__ import annotations

import math
import multiprocessing
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from itertools import islice
from typing import NamedTuple

from games.ai.player import PLAYERS, ComputerPlayer
from games.engine.commands import CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.dealing import Deck
from games.engine.decide import SERVER, Actor, decide
from games.engine.evolve import evolve
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.state import MatchState
from games.engine.view import TableView, table_view
from games.reference_players import Greedy, Lowest, RandomPlayer, normal_bid

_COMMITMENT = bytes(32)
_NORMAL_95 = 1.96
_COMPUTERS = BySeat(Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL)

NAMES = ("random", "lowest", "greedy", *map(str, PLAYERS))
"""Who can play in the arena: the plain players and the levels."""


def player_named(name: str, seed: int) -> ComputerPlayer:
    """Return a player; ``seed`` is that of the random one.

    Raises:
        KeyError: nobody has this name.
    """
    references: Mapping[str, ComputerPlayer] = {"random": RandomPlayer(seed), "lowest": Lowest(), "greedy": Greedy()}
    return references[name] if name in references else PLAYERS[Occupant(name)]


class Board(NamedTuple):
    """A deal to be played: the deck and who dealt it."""

    deck: Deck
    dealer: Seat


def boards(seed: int | str) -> Iterator[Board]:
    """Yield deals without end, the same ones for the same seed; the dealer turns (R2.5)."""
    rng = random.Random(seed)
    dealer = Seat.NORTH
    while True:
        deck = list(range(32))
        rng.shuffle(deck)
        yield Board(tuple(deck), dealer)
        dealer = dealer.left


class Estimate(NamedTuple):
    """A mean of independent values and the half width of its 95 % interval."""

    size: int
    mean: float
    half_width: float

    @property
    def interval(self) -> tuple[float, float]:
        """The two ends of the interval."""
        return self.mean - self.half_width, self.mean + self.half_width

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f}"


def estimate(values: list[float]) -> Estimate:
    """Return the mean of values and its 95 % interval.

    Raises:
        ValueError: there are fewer than two.
    """
    count = len(values)
    if count < 2:
        raise ValueError("an interval needs at least two deals")
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(count, mean, _NORMAL_95 * math.sqrt(variance / count))


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


def play_deal(board: Board, players: ByTeam[ComputerPlayer], rules: RuleSet) -> ByTeam[int]:
    """Play one deal, bidding included, and return what each side scores; nothing for a deal thrown in (R3.4)."""
    state = _after(None, SERVER, StartMatch(rules, _COMPUTERS))
    return _deal_played(state, board, players).totals


def play_match(deals: Iterable[Board], players: ByTeam[ComputerPlayer], rules: RuleSet) -> Team:
    """Play deals until a side has won the match (R7) and return it.

    Raises:
        ValueError: the deals end before the match.
    """
    state = _after(None, SERVER, StartMatch(rules, _COMPUTERS))
    for board in deals:
        state = _deal_played(state, board, players)
        if state.winner is not None:
            return state.winner
    raise ValueError("the deals have ended before the match")


def duplicate(board: Board, first: ComputerPlayer, second: ComputerPlayer, rules: RuleSet) -> float:
    """Return by how many points a deal ``first`` beats ``second`` when both play the deal from both sides."""
    ahead = 0
    for team in Team:
        scores = play_deal(board, _sides(team, first, second), rules)
        ahead += scores[team] - scores[team.other]
    return ahead / 2


def duplicate_match(seed: str, first: ComputerPlayer, second: ComputerPlayer, rules: RuleSet) -> float:
    """Return which part of two matches ``first`` wins: the same deals, from both sides."""
    won = sum(play_match(boards(seed), _sides(team, first, second), rules) is team for team in Team)
    return won / 2


def compare(
    first: ComputerPlayer,
    second: ComputerPlayer,
    deals: int,
    seed: int,
    rules: RuleSet | None = None,
    progress: Callable[[int], None] | None = None,
) -> Estimate:
    """Return by how many points a deal ``first`` beats ``second`` over duplicate deals.

    Args:
        deals: how many deals; each is played twice, with the sides changed.
        seed: of the deals.
        rules: the default rules unless given.
        progress: told the number of deals played, after each.

    Raises:
        ValueError: there are fewer than two deals.
    """
    values = []
    for board in islice(boards(seed), deals):
        values.append(duplicate(board, first, second, rules or RuleSet()))
        if progress is not None:
            progress(len(values))
    return estimate(values)


class Contest(NamedTuple):
    """Who meets whom, and on what: deals and matches are each played twice, with the sides changed."""

    first: str
    second: str
    deals: int
    matches: int
    seed: int
    shared_bids: bool


class Result(NamedTuple):
    """What came of a contest, times of the first and of the second; a win rate needs matches, a time decisions."""

    points: Estimate
    win_rate: Estimate | None
    cards: tuple[Thinking | None, Thinking | None]
    bids: tuple[Thinking | None, Thinking | None]


class _Part(NamedTuple):
    """Some deals and matches of a contest, by number, and what came of them."""

    deals: range
    matches: range
    points: list[float]
    wins: list[float]
    cards: tuple[list[float], list[float]]
    bids: tuple[list[float], list[float]]


def hold(contest: Contest, jobs: int, progress: Callable[[int], None]) -> Result:
    """Hold a contest in so many processes; the result, times apart, is the same for any number of them.

    Args:
        progress: told how many deals and matches are done.

    Raises:
        ValueError: there are fewer than two deals.
    """
    numbers = [(range(at, min(at + _AT_ONCE, contest.deals)), range(0)) for at in range(0, contest.deals, _AT_ONCE)]
    numbers += [(range(0), range(at, at + 1)) for at in range(contest.matches)]
    parts: list[_Part] = []
    done = 0
    if jobs == 1:
        found: Iterable[_Part] = (_play(contest, *some) for some in numbers)
    else:
        found = _in_processes(contest, numbers, jobs)
    for part in found:
        parts.append(part)
        done += len(part.points) + len(part.wins)
        progress(done)
    parts.sort(key=lambda part: (part.deals.start, part.matches.start))
    wins = [won for part in parts for won in part.wins]
    return Result(
        estimate([points for part in parts for points in part.points]),
        estimate(wins) if len(wins) > 1 else None,
        (_thinking(part.cards[0] for part in parts), _thinking(part.cards[1] for part in parts)),
        (_thinking(part.bids[0] for part in parts), _thinking(part.bids[1] for part in parts)),
    )


def _in_processes(contest: Contest, numbers: list[tuple[range, range]], jobs: int) -> Iterator[_Part]:
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        futures: list[Future[_Part]] = [pool.submit(_play, contest, *some) for some in numbers]
        for future in as_completed(futures):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _play(contest: Contest, deals: range, matches: range) -> _Part:
    rules = RuleSet()
    first = Contender(player_named(contest.first, contest.seed), shared_bids=contest.shared_bids)
    second = Contender(player_named(contest.second, contest.seed + 1), shared_bids=contest.shared_bids)
    points = [duplicate(board, first, second, rules) for board in islice(boards(contest.seed), deals.start, deals.stop)]
    wins = [duplicate_match(f"{contest.seed} match {number}", first, second, rules) for number in matches]
    return _Part(deals, matches, points, wins, (first.cards, second.cards), (first.bids, second.bids))


def _thinking(milliseconds: Iterable[list[float]]) -> Thinking | None:
    return Thinking.of([spent for some in milliseconds for spent in some])


def _sides(team: Team, first: ComputerPlayer, second: ComputerPlayer) -> ByTeam[ComputerPlayer]:
    return ByTeam(first, second) if team is Team.NORTH_SOUTH else ByTeam(second, first)


def _deal_played(state: MatchState, board: Board, players: ByTeam[ComputerPlayer]) -> MatchState:
    state = _after(state, SERVER, CommitDeal(_COMMITMENT))
    state = _after(state, SERVER, StartDeal(board.deck, board.dealer if state.next_dealer is None else None))
    while (seat := state.turn) is not None:
        state = _after(state, seat, players[seat.team].choose(table_view(state, seat)))
    return state


def _after(
    state: MatchState | None, actor: Actor, command: StartMatch | CommitDeal | StartDeal | Take | Pass | PlayCard
) -> MatchState:
    events = decide(state, actor, command)
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError(f"nothing came of {command}")
    return state


_AT_ONCE = 5
"""Deals of one piece of work: few, so that processes end together and progress shows."""
