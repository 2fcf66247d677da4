"""``manage.py verify_record FILE...``: whether records of matches are sound, and whether they are this site's."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import archive
from games.archive import Validity
from games.management.record_files import faults_told, records_in


class Command(BaseCommand):
    help = (
        "Verifies records of matches: makes every event anew by the rules, checks that every deck follows from its "
        "published seed, the chain of hashes, and compares with the match if it is known here. Prints a line for each "
        'record: "verified" (it is the match that was played here), "consistent, origin unproven" (legal throughout, '
        'but not known here), "not the match that is known here", or "faulty", with the first event at which it is so. '
        "The exit status is 1 if any record is one of the last two or cannot be read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            help="a file with one record, or with one record a line (JSON Lines); - is standard input",
        )
        parser.add_argument("--quiet", action="store_true", help="print only records that are faulty or differ")

    def handle(self, *args: Any, files: list[str], quiet: bool, **options: Any) -> None:
        counts: Counter[Validity] = Counter()
        with faults_told("Broken off; the records after these were not verified."):
            for found in records_in(files, with_bar=quiet or not self.stdout.isatty()):
                if found.record is None:
                    validity, detail, match = Validity.FAULTY, found.problem, ""
                else:
                    finding = archive.examine(found.record)
                    validity, detail, match = finding.validity, finding.detail, f"match {found.record.match}: "
                counts[validity] += 1
                if not quiet or validity in (Validity.FAULTY, Validity.DIFFERS):
                    self.stdout.write(f"{found.where}: {match}{validity}" + (f": {detail}" if detail else ""))
        bad = counts[Validity.FAULTY] + counts[Validity.DIFFERS]
        if bad:
            raise CommandError(f"{bad} of {counts.total()} records did not verify.")
