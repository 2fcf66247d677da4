"""``manage.py arena A B``: which of two computer players is better, and by how much."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.arena import NAMES
from games.contest import Contest, Result, Thinking, hold
from games.management.progress import ProgressBar

MOST = 1_000_000
"""Deals or matches; more would take weeks."""


class Command(BaseCommand):
    help = (
        "Lets two computer players play duplicate deals (every deal twice, with the sides changed) and matches of "
        "1000 points, and prints by how many points a deal A beats B, how many matches it wins, each with the 95 % "
        "interval, and the processor time of a decision. The same arguments give the same result, times apart, with "
        "any number of jobs. random, lowest and greedy are plain players for reference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("a", choices=NAMES, help="the first player")
        parser.add_argument("b", choices=NAMES, help="the second player")
        parser.add_argument("--deals", type=int, default=2000, help="how many deals, at least 2 (default %(default)s)")
        parser.add_argument(
            "--matches",
            type=int,
            help="how many matches, each played twice, 0 for none (default: one for each 20 deals, at least 2)",
        )
        parser.add_argument("--seed", type=int, default=1, help="which deals (default %(default)s)")
        parser.add_argument(
            "--bids",
            choices=("own", "shared"),
            default="own",
            help="own: each bids for itself; shared: both bid like normal, so that card play alone is compared",
        )
        parser.add_argument(
            "--jobs", type=int, default=1, help="processes that play side by side (default %(default)s)"
        )
        parser.add_argument(
            "--json",
            action="store_true",
            help="print one object; figures without _b are A's, ci95 is [low, high], "
            "ms_median, ms_p95 and ms_max are of cards or bids, whichever are slower; win_rate is null without matches",
        )

    def handle(
        self,
        *args: Any,
        a: str,
        b: str,
        deals: int,
        matches: int | None,
        seed: int,
        bids: str,
        jobs: int,
        **options: Any,
    ) -> None:
        if not 2 <= deals <= MOST:
            raise CommandError(f"An interval needs at least two deals: give --deals between 2 and {MOST}.")
        if matches is None:
            matches = max(2, deals // 20)
        if not 0 <= matches <= MOST:
            raise CommandError(f"Give --matches 1 or more, or 0 for none, and at most {MOST}.")
        most = 4 * (os.cpu_count() or 1)
        if not 1 <= jobs <= most:
            raise CommandError(f"Give --jobs between 1 and {most}.")
        contest = Contest(a, b, deals, matches, seed, bids == "shared")
        bar = ProgressBar(deals + matches)
        try:
            result = hold(contest, jobs, bar.show)
        except BrokenProcessPool as error:
            raise CommandError("A process that played was ended from outside. Try again, with fewer jobs.") from error
        except KeyboardInterrupt as error:
            raise CommandError("Broken off; nothing was measured.", returncode=130) from error
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(contest, result)))
        else:
            self._print(contest, result)

    def _print(self, contest: Contest, result: Result) -> None:
        a, b = contest.first, contest.second
        bids = "shared bids" if contest.shared_bids else "own bids"
        self.stdout.write(
            f"{a} - {b}: {result.points} points a deal (95 % interval, {contest.deals} duplicate deals, {bids}, "
            f"seed {contest.seed})"
        )
        if result.win_rate is not None:
            won, low, high = (100 * share for share in result.win_rate)
            self.stdout.write(
                f"{a} wins {won:.1f} % of {2 * contest.matches} matches of 1000 points "
                f"(95 % interval {low:.1f} to {high:.1f} %)"
            )
        for place, name in enumerate((a, b) if a != b else (f"{a} (first)", f"{b} (second)")):
            for kind, found in (("cards", result.cards[place]), ("bids", result.bids[place])):
                if found is not None:
                    self.stdout.write(
                        f"{name}, {kind}: median {found.median:.3f} ms, p95 {found.p95:.3f} ms, "
                        f"max {found.maximum:.3f} ms of processor time ({found.decisions} decisions)"
                    )
        self.stdout.write(f"Most memory that a process has held: {result.memory:.0f} MB")


def _as_json(contest: Contest, result: Result) -> dict[str, Any]:
    """Return the result as one object; ``ci95`` and ``win_rate_ci95`` are the two ends of the intervals.

    ``ms_median``, ``ms_p95`` and ``ms_max`` are A's, of bids and cards whichever are slower.
    """
    first = [found for found in (result.cards[0], result.bids[0]) if found is not None]
    return {
        "a": contest.first,
        "b": contest.second,
        "deals": contest.deals,
        "matches": contest.matches,
        "seed": contest.seed,
        "bids": "shared" if contest.shared_bids else "own",
        "points_per_deal": result.points.mean,
        "ci95": list(result.points.interval),
        "win_rate": None if result.win_rate is None else result.win_rate.mean,
        "win_rate_ci95": None if result.win_rate is None else [result.win_rate.low, result.win_rate.high],
        "ms_median": max((found.median for found in first), default=None),
        "ms_p95": max((found.p95 for found in first), default=None),
        "ms_max": max((found.maximum for found in first), default=None),
        "ms_cards": _times(result.cards[0]),
        "ms_bids": _times(result.bids[0]),
        "ms_cards_b": _times(result.cards[1]),
        "ms_bids_b": _times(result.bids[1]),
        "peak_memory_mb": result.memory,
    }


def _times(found: Thinking | None) -> dict[str, float] | None:
    return None if found is None else found._asdict()
