"""``manage.py arena A B``: which of two computer players is better, and by how much."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ai.player import PLAYERS, ComputerPlayer
from games.arena import Clock, RandomPlayer, compare
from games.management.progress import ProgressBar


class Command(BaseCommand):
    help = (
        "Lets two computer players play duplicate deals (every deal twice, with the sides changed, bidding included) "
        "and prints by how many points a deal A beats B, with the 95 % interval, and the time of a decision."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = [*map(str, PLAYERS), "random"]
        parser.add_argument("a", choices=names, help="the first player")
        parser.add_argument("b", choices=names, help="the second player")
        parser.add_argument("--deals", type=int, default=2000, help="how many deals, at least 2 (default %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="which deals (default %(default)s)")

    def handle(self, *args: Any, a: str, b: str, deals: int, seed: int, **options: Any) -> None:
        if deals < 2:
            raise CommandError("An interval needs at least two deals: give --deals 2 or more.")
        first, second = Clock(_player(a, seed)), Clock(_player(b, seed + 1))
        bar = ProgressBar(deals)
        result = compare(first, second, deals, seed, progress=bar.show)
        self.stdout.write(f"{a} - {b}: {result} points a deal (95 % interval, {deals} deals, seed {seed})")
        self.stdout.write(f"{a}: {first.milliseconds:.3f} ms a decision; {b}: {second.milliseconds:.3f} ms a decision")


def _player(name: str, seed: int) -> ComputerPlayer:
    levels = {str(level): player for level, player in PLAYERS.items()}
    return levels[name] if name in levels else RandomPlayer(random.Random(seed))
