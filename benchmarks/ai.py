"""How long the double-dummy solver takes for all cards of a seat, as a share of a fixed pure-Python loop.

The share makes figures from different machines comparable; the loop is timed before and after each row, in the same
run. Fresh: random positions, each with a solver of its own. Worlds: one solver for many deals of the cards that a seat
does not see, as a computer player asks. Run it with ``python benchmarks/ai.py``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

# A script sees its own folder only; the site is beside it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.engine import fixed_loop, seconds
from games.ai.solver import Solver
from games.engine.cards import Card, Mask, Suit, mask_of
from games.engine.rules import Undertrump
from games.engine.seats import Seat

WORLDS = 100


def hands_of(cards: list[Card]) -> list[Mask]:
    """Give a quarter of some cards to each seat."""
    count = len(cards) // 4
    return [mask_of(cards[seat * count : seat * count + count]) for seat in Seat]


def any_solver(rng: random.Random) -> Solver:
    """Return a new solver for a random trump and rule."""
    return Solver(rng.choice(list(Suit)), rng.choice(list(Undertrump)))


def fresh(count: int, rng: random.Random) -> list[float]:
    """Return the seconds for one random position of so many cards a seat."""
    hands, solver, leader = hands_of(rng.sample(range(32), 4 * count)), any_solver(rng), rng.choice(list(Seat))
    return [seconds(lambda: solver.values(hands, leader))]


def worlds(count: int, rng: random.Random) -> list[float]:
    """Return the seconds for each of the worlds that a seat with so many cards imagines, its solver being new."""
    cards, solver = rng.sample(range(32), 4 * count), any_solver(rng)
    own, unseen = cards[:count], cards[count:]
    spent = []
    for _ in range(WORLDS):
        rng.shuffle(unseen)
        hands = hands_of(own + unseen)
        start = process_time()
        solver.values(hands, Seat.NORTH)
        spent.append(process_time() - start)
    return spent


type Measure = Callable[[int, random.Random], list[float]]


def report(measure: Measure, count: int, rounds: int, rng: random.Random) -> None:
    """Measure so many times between two runs of the loop and print the figures."""
    name = f"{measure.__name__}, {count} cards"
    before = seconds(fixed_loop)
    spent = []
    for done in range(rounds):
        spent += measure(count, rng)
        print(f"\r{name}: {done + 1}/{rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    loop = (before + seconds(fixed_loop)) / 2
    median, late = statistics.median(spent), statistics.quantiles(spent, n=20)[-1]
    print(
        f"{name:<16} median {1000 * median:9.3f} ms  p95 {1000 * late:9.3f} ms  "
        f"of a loop-time {median / loop:8.5f}, {late / loop:8.5f}"
    )


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=1, help="so many times as many positions (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random positions (default: %(default)s)")
    options = parser.parse_args()
    if options.scale < 1:
        parser.error("--scale must be at least 1")
    rng = random.Random(options.seed)
    for count, positions in ((3, 1000), (4, 1000), (5, 300), (6, 100), (8, 20)):
        report(fresh, count, positions * options.scale, rng)
    for count in (3, 4):
        report(worlds, count, 20 * options.scale, rng)


if __name__ == "__main__":
    main()
