"""Deals and matches between computer players, played from both sides."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from games.ai.player import PLAYERS, ComputerPlayer
from games.engine.commands import CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.dealing import Deck
from games.engine.decide import SERVER, Actor, decide
from games.engine.evolve import fold
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.state import MatchState
from games.engine.view import table_view
from games.reference_players import Greedy, Lowest, RandomPlayer

_COMMITMENT = bytes(32)
NORMAL_95 = 1.96
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
    return Estimate(count, mean, NORMAL_95 * math.sqrt(variance / count))


def after(
    state: MatchState | None, actor: Actor, command: StartMatch | CommitDeal | StartDeal | Take | Pass | PlayCard
) -> MatchState:
    """Return the state of a match after a command; None is that before the first.

    Raises:
        IllegalCommand: the rules do not allow it.
        ValueError: nothing came of it.
    """
    reached = fold(decide(state, actor, command), state)
    if reached is None:
        raise ValueError(f"nothing came of {command}")
    return reached


def play_deal(board: Board, players: ByTeam[ComputerPlayer], rules: RuleSet) -> ByTeam[int]:
    """Play one deal, bidding included, and return what each side scores; nothing for a deal thrown in (R3.4)."""
    state = after(None, SERVER, StartMatch(rules, _COMPUTERS))
    return _deal_played(state, board, players).totals


def play_match(deals: Iterable[Board], players: ByTeam[ComputerPlayer], rules: RuleSet) -> Team:
    """Play deals until a side has won the match (R7) and return it.

    Raises:
        ValueError: the deals end before the match.
    """
    state = after(None, SERVER, StartMatch(rules, _COMPUTERS))
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


def _sides(team: Team, first: ComputerPlayer, second: ComputerPlayer) -> ByTeam[ComputerPlayer]:
    return ByTeam(first, second) if team is Team.NORTH_SOUTH else ByTeam(second, first)


def _deal_played(state: MatchState, board: Board, players: ByTeam[ComputerPlayer]) -> MatchState:
    state = after(state, SERVER, CommitDeal(_COMMITMENT))
    state = after(state, SERVER, StartDeal(board.deck, board.dealer if state.next_dealer is None else None))
    while (seat := state.turn) is not None:
        state = after(state, seat, players[seat.team].choose(table_view(state, seat)))
    return state
