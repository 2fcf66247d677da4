"""``manage.py import_record FILE``: matches from elsewhere, to be replayed here; they count nowhere."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.archive import Validity
from games.management.record_files import Found, faults_told, records_in
from games.services import records


class Command(BaseCommand):
    help = (
        "Verifies the records of a file and stores those that are sound as matches that are marked as imported: they "
        "can be replayed and count nowhere. A record that is here already is left as it is, so an import that was "
        "broken off can be repeated. A record that is faulty, or differs from the match that is known here, is "
        "refused; the others are imported all the same, and the exit status is 1."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE",
            help="a file with one record, or with one record a line (JSON Lines); - is standard input",
        )
        parser.add_argument("--quiet", action="store_true", help="print only records that are refused")

    def handle(self, *args: Any, file: str, quiet: bool, **options: Any) -> None:
        counts: Counter[str] = Counter()
        with faults_told("Broken off. What was imported stays; repeat it for the rest."):
            for found in records_in([file], with_bar=quiet or not self.stdout.isatty()):
                outcome, line = _import(found)
                counts[outcome] += 1
                if not quiet or outcome == "refused":
                    self.stdout.write(f"{found.where}: {line}")
        if not quiet:
            self.stdout.write(f"{counts['imported']} imported, {counts['known']} here already.")
        if counts["refused"]:
            raise CommandError(f"{counts['refused']} of {counts.total()} records were refused.")


def _import(found: Found) -> tuple[str, str]:
    """Return what became of a record, in a word and in a line."""
    if found.record is None:
        return "refused", f"refused: {found.problem}"
    match = found.record.match
    finding = records.take_in(found.record)
    if finding.validity in (Validity.FAULTY, Validity.DIFFERS):
        return "refused", f"match {match}: refused: {finding.validity}: {finding.detail}"
    if finding.is_known:
        return "known", f"match {match}: here already"
    return "imported", f"match {match}: imported, /replay/{match}/"
