"""``manage.py tune_normal``: fit the weights of the normal player and write its data file."""

from __future__ import annotations

import itertools
import os
import random
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ai.easy import Easy
from games.ai.normal import Normal
from games.ai.weights import WEIGHTS_FILE, dump_weights, load_weights
from games.arena import boards, compare
from games.management.progress import ProgressBar
from games.management.tuning import Tuning, no_weights


class Command(BaseCommand):
    help = (
        "Fits the weights of the normal computer player: plays deals, plays every card of many decisions out to the "
        "end of the deal, and takes the weights that explain best what each card gained; then the next round starts "
        "from them. Writes the weights file and prints what they are worth against easy, before and after. The same "
        "start and arguments always give the same weights."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rounds", type=int, default=4, help="rounds of playing and fitting (default %(default)s)")
        parser.add_argument("--deals", type=int, default=3000, help="deals of a round (default %(default)s)")
        parser.add_argument("--check", type=int, default=2000, help="deals played against easy (default %(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of the deals (default %(default)s)")
        parser.add_argument("--from-zero", action="store_true", help="start without weights, not from the present ones")
        parser.add_argument("--output", type=Path, default=WEIGHTS_FILE, help="where to write (default: the present)")

    def handle(
        self,
        *args: Any,
        rounds: int,
        deals: int,
        check: int,
        seed: int,
        from_zero: bool,
        output: Path,
        **options: Any,
    ) -> None:
        if rounds < 1 or deals < 1 or check < 2:
            raise CommandError("Give at least one round, one deal a round and two deals to check.")
        # Hours of work must not end in a file that cannot be written.
        if not os.access(output if output.exists() else output.parent, os.W_OK) or output.is_dir():
            raise CommandError(f"{output} cannot be written; give another --output.")
        start = no_weights() if from_zero else load_weights()
        tuning = Tuning(start)
        rng = random.Random(seed)
        source = boards(seed)
        bar = ProgressBar(rounds * deals)
        try:
            for number in range(rounds):
                counts = tuning.round(list(itertools.islice(source, deals)), rng)
                for done, compared in enumerate(counts, 1):
                    bar.show(number * deals + done, f"{compared} cards compared in round {number + 1}")
        except KeyboardInterrupt as error:
            raise CommandError("Broken off; nothing was written.", returncode=130) from error
        try:
            output.write_text(dump_weights(tuning.weights), encoding="utf-8")
        except OSError as error:
            self.stdout.write(dump_weights(tuning.weights))
            raise CommandError(f"{output} cannot be written ({error.strerror}); the weights are above.") from error
        self.stdout.write(f"Rounds: {rounds}, of {deals} deals (seed {seed}); written to {output}")
        for name, weights in (("before", start), ("after", tuning.weights)):
            result = compare(Normal(weights), Easy(), check, seed + 1)
            self.stdout.write(f"{name}: normal - easy {result} points a deal ({check} deals, seed {seed + 1})")
