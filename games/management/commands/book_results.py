"""``manage.py book_results``: what the matches of the past were for their people."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.management.progress import ProgressBar
from games.services import ratings, results

BATCH = 100


class Command(BaseCommand):
    help = (
        "Books the results of all matches that ended before results were kept, and rates what is not rated yet. A "
        "background job does the same, some hundred matches a minute; this is for those who cannot wait. It may be cut "
        "off and run again, also while the site runs."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        total = results.missing() or 1
        bar = ProgressBar(total)
        done = 0
        while booked := results.book_missing(BATCH):
            done += booked
            bar.show(min(done, total))
        rated = ratings.bring_up_to_date()
        self.stdout.write(f"{done} matches booked, {rated} rated.")
