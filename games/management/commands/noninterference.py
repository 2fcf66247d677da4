"""``manage.py noninterference LEVEL``: whether a level plays by what its seat can see, and by nothing else."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ai.player import PLAYERS
from games.engine.seats import Occupant
from games.management.progress import ProgressBar
from games.noninterference import examine


class Command(BaseCommand):
    help = (
        "Asks a level in positions of deals with all options of the rules, and again after the cards that its seat "
        "cannot see have been dealt anew. Ends with status 1 and shows the position when an answer is another one. "
        "The same arguments give the same positions, with any number of jobs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("level", choices=[str(level) for level in PLAYERS], help="the computer player")
        parser.add_argument(
            "--positions", type=_positions, default=1000, help="in how many positions (default %(default)s)"
        )
        parser.add_argument("--seed", type=int, default=1, help="which positions (default %(default)s)")
        parser.add_argument(
            "--jobs", type=_jobs, default=1, help="processes that think side by side (default %(default)s)"
        )

    def handle(self, *args: Any, level: str, positions: int, seed: int, jobs: int, **options: Any) -> None:
        bar = ProgressBar(positions)
        try:
            result = examine(Occupant(level), positions, seed, jobs, bar.show)
        except BrokenProcessPool as error:
            raise CommandError(
                "A process that thought was ended from outside. Try again, with fewer jobs.", returncode=2
            ) from error
        except KeyboardInterrupt as error:
            raise CommandError("Broken off; nothing was found until then.", returncode=130) from error
        asked = f"{result.bids + result.cards} positions ({result.bids} bids and {result.cards} cards), seed {seed}"
        if result.difference is not None:
            raise CommandError(f"{level} depends on cards that its seat cannot see; {asked}:\n{result.difference}")
        self.stdout.write(f"{level} plays by what its seat can see: the same answers after a redeal in {asked}")


def _positions(text: str) -> int:
    return _number(text, 1_000_000)


def _jobs(text: str) -> int:
    return _number(text, 4 * (os.cpu_count() or 1))


def _number(text: str, most: int) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise ArgumentTypeError(f"give a number between 1 and {most}")
    return int(text)
