"""How far apart honest and informed players lie in the numbers of `games.hints`, and from how many deals on they part.

North and South play the same way, East and West are normal computers; each deal is analysed as the site does it, and
each of the two seats gives one sample. Four kinds of players: ``normal``; ``hard``, which thinks like the reference
but imagines other worlds, an honest player of the same strength; ``partner``, the same player who also knows the
partner's hand, as two who talk on the telephone do; ``open``, who sees all hands and plays a best card.
Run it with ``python benchmarks/hints.py``. The same arguments give the same figures, with any number of jobs.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

# A script sees its own folder only; the site is beside it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.ai.beliefs import Beliefs, Hands
from games.ai.hard import Hard
from games.ai.normal import Normal
from games.ai.player import PLAYERS
from games.ai.solver import Solver
from games.ai.weights import load_weights
from games.arena import NORMAL_95, Board, after, boards
from games.deal_analysis import Move, analyse
from games.engine.cards import POINTS
from games.engine.commands import CommitDeal, Pass, PlayCard, StartDeal, StartMatch, Take
from games.engine.decide import SERVER
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, Occupant, Seat, Team
from games.engine.state import MatchState
from games.engine.view import TableView, table_view
from games.hints import LEAST_ERRORS, Play, play, total
from games.side_by_side import side_by_side

KINDS = ("normal", "hard", "partner", "open")
SIZES = (20, 50, 100, 200, 400)
"""Deals of a player, drawn from all that were played."""
PEOPLE = 2000
_NORMAL = PLAYERS[Occupant.NORMAL]
_OCCUPANTS = BySeat(Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL, Occupant.NORMAL)


@dataclass(frozen=True, slots=True)
class OtherWorlds:
    """Beliefs of which other worlds are drawn than hard would draw."""

    beliefs: Beliefs

    def sample(self, rng: random.Random, count: int) -> list[Hands]:
        """Return as `Beliefs.sample`."""
        return self.beliefs.sample(random.Random(rng.random()), count)


def believing(hand_of_partner: int | None) -> Hard:
    """Return hard with other draws, who knows the partner's hand if it is given."""

    def believe(view: TableView) -> OtherWorlds:
        beliefs = Beliefs.of(view)
        if hand_of_partner is not None and view.viewer is not None:
            may_hold = [held & ~hand_of_partner for held in beliefs.may_hold]
            may_hold[view.viewer] = view.hand
            may_hold[view.viewer.partner] = hand_of_partner
            hands = (may_hold[0], may_hold[1], may_hold[2], may_hold[3])
            beliefs = Beliefs.where(view.viewer, hands, view.card_counts)
        return OtherWorlds(beliefs)

    return Hard(Normal(load_weights()), believe=believe)


def answer(kind: str, state: MatchState, seat: Seat, solver: Solver) -> Take | Pass | PlayCard:
    """Return what a player of a kind does; all bid like normal, so that card play alone is compared."""
    view = table_view(state, seat)
    if view.legal_bids or kind == "normal" or seat.team is not Team.NORTH_SOUTH or state.deal is None:
        return _NORMAL.choose(view)
    if kind == "open":
        values = solver.values(state.deal.hands, *state.deal.trick)
        worth = POINTS[state.deal.trump]
        return PlayCard(max(values, key=lambda card: (values[card], -worth[card])), announce=False)
    return believing(state.deal.hands[seat.partner] if kind == "partner" else None).choose(view)


def samples(work: tuple[str, Board]) -> list[Play]:
    """Play a deal, analyse it, and return what North and South show; nothing for one thrown in."""
    kind, board = work
    state = after(None, SERVER, StartMatch(RuleSet(), _OCCUPANTS))
    state = after(state, SERVER, CommitDeal(bytes(32)))
    state = after(state, SERVER, StartDeal(board.deck, board.dealer))
    moves, solver = [], None
    while (seat := state.turn) is not None:
        if solver is None and state.deal is not None and state.deal.trump is not None:
            solver = Solver(state.deal.trump, state.rules.undertrump)
        chosen = answer(kind, state, seat, solver)
        if isinstance(chosen, PlayCard):
            moves.append(Move(state, chosen.card))
        state = after(state, seat, chosen)
    if not moves:
        return []
    found = list(analyse(moves))
    return [play(found, seat) for seat in (Seat.NORTH, Seat.SOUTH)]


def report(kind: str, found: Sequence[Play], sizes: Sequence[int], rng: random.Random) -> None:
    """Print what players of a kind show, and for players of so many deals what a moderator would read of them."""
    whole = total(found)
    saved = [play.hards_cost - play.cost for play in found]
    error = statistics.stdev(saved) / math.sqrt(len(saved))
    print(
        f"{kind}: {whole.deals} deals of a seat, {whole.cards / whole.deals:.2f} cards that matter; "
        f"a card costs {whole.cost / whole.cards:.2f} points, hard's {whole.hards_cost / whole.cards:.2f}; "
        f"best {whole.best / whole.cards:.0%}; saved {statistics.fmean(saved):+.1f} ± {NORMAL_95 * error:.1f} a deal; "
        f"better {whole.better}, worse {whole.worse} ({whole.better_share or 0:.0%} better)"
    )
    for size in sizes:
        people = [total(rng.choices(found, k=size)) for _ in range(PEOPLE)]
        low, middle, high = (statistics.quantiles((p.errors for p in people), n=20)[at] for at in (0, 9, 18))
        shares = statistics.quantiles((p.better_share or 0 for p in people), n=20)
        above = sum(p.errors >= LEAST_ERRORS for p in people) / PEOPLE
        print(
            f"  {size:4} deals, {statistics.fmean(p.cards for p in people):4.0f} cards: better {shares[9]:.0%} "
            f"({shares[0]:.0%} to {shares[18]:.0%}), errors {middle:+.1f} ({low:+.1f} to {high:+.1f}), "
            f"{above:.2%} above {LEAST_ERRORS:g}"
        )


def main() -> None:
    """Parse the options, play, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=150, help="so many deals of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="which deals (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (default: %(default)s)")
    options = parser.parse_args()
    if options.deals < 2 or options.jobs < 1:
        parser.error("--deals must be at least 2 and --jobs at least 1")
    for kind in KINDS:
        found: list[Play] = []
        work = [(kind, board) for board in islice(boards(options.seed), options.deals)]
        for done, some in enumerate(side_by_side(samples, work, options.jobs), 1):
            found += some
            print(f"\r{kind}: {done}/{options.deals}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        report(kind, found, SIZES, random.Random(options.seed))


if __name__ == "__main__":
    main()
