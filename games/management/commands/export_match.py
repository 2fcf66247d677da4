"""``manage.py export_match ID...``: the records of matches that are over."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import archive, record
from games.management.progress import ProgressBar
from games.management.record_files import faults_told
from games.models import Match


class Command(BaseCommand):
    help = (
        "Prints the record of a match that is over, or writes it into a file: one record a line (JSON Lines). "
        "A record names seats, not people."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "ids", nargs="*", type=UUID, metavar="ID", help="the id of a match, as in the address of its table"
        )
        parser.add_argument("--all-finished", action="store_true", help="every match that is over, oldest first")
        parser.add_argument("--output", metavar="FILE", help="the file to write, in place of standard output")

    def handle(self, *args: Any, ids: list[UUID], all_finished: bool, output: str | None, **options: Any) -> None:
        if bool(ids) == all_finished:
            raise CommandError("Give the ids of matches, or --all-finished.")
        with faults_told("Broken off; what was written is not complete."):
            self._export(self._wanted(ids, all_finished=all_finished), output)

    def _wanted(self, ids: list[UUID], *, all_finished: bool) -> list[UUID]:
        over = Match.objects.exclude(status=Match.Status.RUNNING)
        if all_finished:
            return list(over.order_by("ended_at", "pk").values_list("pk", flat=True))
        there = set(over.filter(pk__in=ids).values_list("pk", flat=True))
        for match_id in ids:
            if match_id not in there:
                raise CommandError(f"There is no match {match_id} that is over. Nothing was written.")
        return ids

    def _export(self, ids: list[UUID], output: str | None) -> None:
        bar = ProgressBar(len(ids)) if output is not None and len(ids) > 1 else None
        with nullcontext(self.stdout) if output is None else Path(output).open("w", encoding="ascii") as stream:
            for number, match_id in enumerate(ids, start=1):
                stream.write(record.write(archive.record_of(match_id)))
                if bar is not None:
                    bar.show(number, "records")
