"""``manage.py tune_normal``: climb to better weights of the normal player and write its data file."""

from __future__ import annotations

import itertools
import math
import random
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ai.easy import Easy
from games.ai.normal import Normal
from games.ai.weights import WEIGHTS_FILE, Weights, dump_weights, load_weights
from games.arena import Board, boards, compare, duplicate
from games.engine.rules import RuleSet
from games.management.progress import ProgressBar

BLOCK = 100
"""A trial is given up after any block of deals in which it is clearly behind."""
BEHIND = -0.5
AHEAD = 1.0
"""In standard errors of the difference: given up below the one, kept at the end above the other."""
STEPS_ON_SAME_DEALS = 25
FIRST_REACH = 0.5
LARGER, SMALLER = 1.3, 0.95
CHECK_DEALS = 2000


class Command(BaseCommand):
    help = (
        "Tunes the weights of the normal computer player by hill climbing: each step changes a few weights and keeps the "
        "change when it scores better on the same deals, against the easy player and against the weights it started "
        "from. The same arguments always give the same weights."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--steps", type=int, default=400, help="how many changes to try (default %(default)s)")
        parser.add_argument("--deals", type=int, default=800, help="deals of a full trial (default %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of deals and changes (default %(default)s)")
        parser.add_argument(
            "--output", type=Path, default=WEIGHTS_FILE, help="the file to write (default: the product's)"
        )

    def handle(self, *args: Any, steps: int, deals: int, seed: int, output: Path, **options: Any) -> None:
        if steps < 1 or deals < BLOCK:
            raise CommandError(f"Give at least one step and {BLOCK} deals.")
        start = load_weights()
        bar = ProgressBar(steps)
        climb = Climb(start, deals, seed)
        for step in range(1, steps + 1):
            gain = climb.step()
            if gain is not None:
                self.stdout.write(f"step {step}: {gain:+.2f}, {_difference(climb.before, climb.best)}")
            bar.show(step, f"{climb.kept} kept")
        output.write_text(dump_weights(climb.best), encoding="utf-8")
        for name, weights in (("before", start), ("after", climb.best)):
            result = compare(Normal(weights), Easy(), CHECK_DEALS, seed + 1)
            self.stdout.write(f"{name}: normal - easy {result} points a deal ({CHECK_DEALS} deals, seed {seed + 1})")
        self.stdout.write(f"{climb.kept} of {steps} changes kept, written to {output.name}")


class Climb:
    """Hill climbing with common random numbers.

    ``best`` are the weights that won so far and ``before`` those that they replaced; ``kept`` counts the changes.
    """

    def __init__(self, start: Weights, deals: int, seed: int) -> None:
        self.best = self.before = start
        self.kept = 0
        self._rng = random.Random(seed)
        self._seed = seed
        self._opponents = (Easy(), Normal(start))
        self._deals = deals
        self._reach = FIRST_REACH
        self._steps = 0
        self._again = False
        self._boards: list[Board] = []
        self._scores: list[float] = []

    def step(self) -> float | None:
        """Try one change; return its gain in points a deal when it was kept, else None."""
        if self._steps % STEPS_ON_SAME_DEALS == 0:
            draw = boards(self._seed * 1_000_000 + self._steps)
            self._boards = list(itertools.islice(draw, self._deals))
            self._scores = []
        self._steps += 1
        trial = _onwards(self.before, self.best) if self._again else self._changed()
        scores = self._trial_scores(trial)
        if scores is None:
            self._reach *= SMALLER
            self._again = False
            return None
        gain = (math.fsum(scores) - math.fsum(self._scores)) / len(scores)
        self.before, self.best = self.best, trial
        self._scores = scores
        self._reach *= LARGER
        self._again = True
        self.kept += 1
        return gain

    def _changed(self) -> Weights:
        names = self._rng.sample(Weights._fields, self._rng.choice((1, 1, 2, 3)))
        changes = {}
        for name in names:
            value = getattr(self.best, name)
            changes[name] = round(value + self._rng.gauss(0, self._reach * (abs(value) + 2)), 2)
        return self.best._replace(**changes)

    def _trial_scores(self, trial: Weights) -> list[float] | None:
        """Return the trial's score on each deal, None when it is not ahead of the best."""
        scores: list[float] = []
        for first in range(0, self._deals, BLOCK):
            last = min(first + BLOCK, self._deals)
            for weights, known in ((self.best, self._scores), (trial, scores)):
                known += [self._score(weights, board) for board in self._boards[len(known) : last]]
            lead = _standard_errors([new - old for new, old in zip(scores, self._scores, strict=False)])
            if lead < BEHIND or lead == 0:
                return None
        return scores if lead > AHEAD else None

    def _score(self, weights: Weights, board: Board) -> float:
        player = Normal(weights)
        return sum(duplicate(board, player, opponent, RuleSet()) for opponent in self._opponents) / len(self._opponents)


def _standard_errors(differences: list[float]) -> float:
    count = len(differences)
    mean = math.fsum(differences) / count
    variance = math.fsum((value - mean) ** 2 for value in differences) / (count - 1)
    return mean / math.sqrt(variance / count) if variance else 0.0


def _onwards(before: Weights, after: Weights) -> Weights:
    """Return the weights as far again in the direction that has just paid."""
    return Weights(*(round(2 * new - old, 2) for old, new in zip(before, after, strict=True)))


def _difference(before: Weights, after: Weights) -> str:
    return ", ".join(
        f"{name} {old:g} → {new:g}" for name, old, new in zip(Weights._fields, before, after, strict=True) if old != new
    )
