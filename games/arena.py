"""Matches between computer players: duplicate deals, points per deal with their 95 % interval, time per move."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from games.ai.player import ComputerPlayer
from games.engine.cards import cards_in
from games.engine.commands import CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.dealing import Deck
from games.engine.decide import SERVER, Actor, decide
from games.engine.evolve import evolve
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.state import MatchState
from games.engine.view import TableView, table_view

_COMMITMENT = bytes(32)
_NORMAL_95 = 1.96


class RandomPlayer:
    """Any legal bid or card, each as likely; the reference that every level must beat."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return a legal bid or card."""
        if view.legal_bids:
            suit = self._rng.choice(view.legal_bids)
            return Pass() if suit is None else Take(suit)
        card = self._rng.choice(list(cards_in(view.legal)))
        return PlayCard(card, announce=bool(view.may_announce >> card & 1))


class Clock:
    """The time that a player has thought, and over how many decisions."""

    def __init__(self, player: ComputerPlayer) -> None:
        self.player = player
        self.seconds = 0.0
        self.moves = 0

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return the player's answer and count its time."""
        start = time.perf_counter()
        answer = self.player.choose(view)
        self.seconds += time.perf_counter() - start
        self.moves += 1
        return answer

    @property
    def milliseconds(self) -> float:
        """Mean time of a decision."""
        return 1000 * self.seconds / self.moves if self.moves else 0.0


class Board(NamedTuple):
    """A deal to be played: the deck and who dealt it."""

    deck: Deck
    dealer: Seat


class Estimate(NamedTuple):
    """A mean of independent values and the half width of its 95 % interval."""

    deals: int
    mean: float
    half_width: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f}"


def boards(seed: int) -> Iterator[Board]:
    """Yield deals without end, the same ones for the same seed; the dealer turns (R2.5)."""
    rng = random.Random(seed)
    dealer = Seat.NORTH
    while True:
        deck = list(range(32))
        rng.shuffle(deck)
        yield Board(tuple(deck), dealer)
        dealer = dealer.left


def play_deal(board: Board, players: ByTeam[ComputerPlayer], rules: RuleSet) -> ByTeam[int]:
    """Play one deal, bidding included, and return what each side scores; nothing for a deal thrown in (R3.4)."""
    state: MatchState | None = None
    occupants = BySeat(Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL)
    start = (StartMatch(rules, occupants), CommitDeal(_COMMITMENT), StartDeal(board.deck, board.dealer))
    for command in start:
        state = _after(state, SERVER, command)
    if state is None:
        raise ValueError("the match has not started")
    while (seat := state.turn) is not None:
        state = _after(state, seat, players[seat.team].choose(table_view(state, seat)))
    return state.totals


def duplicate(board: Board, first: ComputerPlayer, second: ComputerPlayer, rules: RuleSet) -> float:
    """Return by how many points a deal ``first`` beats ``second`` when both play the deal from both sides."""
    ahead = 0
    for team in Team:
        pair = ByTeam(first, second) if team is Team.NORTH_SOUTH else ByTeam(second, first)
        scores = play_deal(board, pair, rules)
        ahead += scores[team] - scores[team.other]
    return ahead / 2


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
    for board in boards(seed):
        values.append(duplicate(board, first, second, rules or RuleSet()))
        if progress is not None:
            progress(len(values))
        if len(values) >= deals:
            break
    return estimate(values)


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


def _after(
    state: MatchState | None, actor: Actor, command: StartMatch | CommitDeal | StartDeal | Take | Pass | PlayCard
) -> MatchState:
    events = decide(state, actor, command)
    for event in events:
        state = evolve(state, event)
    if state is None:
        raise ValueError(f"nothing came of {command}")
    return state
