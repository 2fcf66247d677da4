"""How many random deals the rules engine plays, as a ratio to a fixed pure-Python loop timed in the same run.

The ratio, deals per loop-time, makes figures from different machines comparable. The decks are shuffled before the
clock starts; dealing and choosing the cards count. Run it with ``python benchmarks/engine.py``.
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

from games.engine.cards import POINTS, Card, Mask, Suit
from games.engine.commands import Command, CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.dealing import Deck, full_hands
from games.engine.decide import SERVER, Actor, decide
from games.engine.evolve import evolve
from games.engine.play import Trick, legal_cards, trick_winner
from games.engine.rules import Phase, RuleSet
from games.engine.scoring import score_deal
from games.engine.seats import BySeat, ByTeam, Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import table_view

LOOP_STEPS = 1_000_000
RULES = RuleSet()
COMPUTERS = BySeat(Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL)


def fixed_loop() -> int:
    """Run the loop that everything is measured against."""
    x = 1
    for _ in range(LOOP_STEPS):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return x


def any_card(legal: Mask, rng: random.Random) -> Card:
    """Return a random card of a mask."""
    for _ in range(int(rng.random() * legal.bit_count())):
        legal &= legal - 1
    return (legal & -legal).bit_length() - 1


def bare_deal(deck: Deck, rng: random.Random) -> None:
    """Deal, play eight random legal tricks and score them, with the bare rules."""
    trump, taker = Suit(deck[0] & 3), Seat(deck[1] & 3)
    hands = list(full_hands(deck, Seat.WEST, taker))
    row = POINTS[trump]
    points, won = [0, 0], [0, 0]
    leader = Seat.NORTH
    for _ in range(8):
        trick = Trick(leader)
        for seat in leader.order():
            card = any_card(legal_cards(hands[seat], trick, trump, seat, RULES), rng)
            hands[seat] ^= 1 << card
            trick = Trick(leader, (*trick.cards, card))
        leader = trick_winner(trick, trump)
        points[leader.team] += sum([row[card] for card in trick.cards])
        won[leader.team] += 1
    score_deal(taker.team, ByTeam(*points), ByTeam(*won), leader.team, None, 0, RULES)


def whole_deal(deck: Deck, rng: random.Random) -> None:
    """Play a random deal from its commitment to its score by commands; who is on turn sees only its view."""
    state: MatchState | None = None

    def do(actor: Actor, command: Command) -> MatchState:
        nonlocal state
        for event in decide(state, actor, command):
            state = evolve(state, event)
        if state is None:
            raise AssertionError("a command that is carried out leaves a state")
        return state

    do(SERVER, StartMatch(RULES, COMPUTERS))
    do(SERVER, CommitDeal(bytes(32)))
    now = do(SERVER, StartDeal(deck, Seat.WEST))
    takes = deck[1] & 3
    while now.phase is not Phase.SUMMARY:
        seat = now.turn
        view = table_view(now, seat)
        if seat is None:
            raise AssertionError("a deal that goes on has a seat on turn")
        if view.trump is not None:
            now = do(seat, PlayCard(any_card(view.legal, rng)))
        else:
            suit = view.legal_bids[1]
            now = do(seat, Take(suit) if suit is not None and len(view.bids) == takes else Pass())


def seconds(work: Callable[[], object]) -> float:
    """Return how much processor time some work took, whatever else the machine was doing."""
    start = process_time()
    work()
    return process_time() - start


type Playing = Callable[[Deck, random.Random], None]


def report(name: str, play: Playing, aim: int, rounds: int, decks: list[Deck], rng: random.Random) -> None:
    """Measure one kind of deal between two runs of the loop, several times, and print the figures."""
    ratios, speeds = [], []
    before = seconds(fixed_loop)
    for done in range(rounds):
        spent = seconds(lambda: [play(deck, rng) for deck in decks])  # type: ignore[func-returns-value]
        after = seconds(fixed_loop)
        speeds.append(len(decks) / spent)
        ratios.append(speeds[-1] * (before + after) / 2)
        before = after
        print(f"\r{name}: {done + 1}/{rounds}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{name:<22} {statistics.median(ratios):7,.0f} deals per loop-time "
        f"(from {min(ratios):,.0f} to {max(ratios):,.0f}; aim {aim:,})  {statistics.median(speeds):7,.0f} deals/s"
    )


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="measurements of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random deals (default: %(default)s)")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    rng = random.Random(options.seed)
    decks = [tuple(rng.sample(range(32), 32)) for _ in range(1000)]
    report("bare rules", bare_deal, 1500, options.rounds, decks, rng)
    report("decide, evolve, view", whole_deal, 200, options.rounds, decks[:150], rng)


if __name__ == "__main__":
    main()
