"""``manage.py maintenance "2026-12-01 20:00"``: announce on every page that the site will be away."""

from argparse import ArgumentParser
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from belote_site.models import Maintenance


class Command(BaseCommand):
    help = "Announces planned maintenance on every page, in the reader's language, or takes the announcement back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("start", nargs="?", help='when it begins, in UTC: "2026-12-01 20:00"')
        parser.add_argument("--minutes", type=int, default=30, help="how long it takes (default %(default)s)")
        parser.add_argument("--off", action="store_true", help="take the announcement back")

    def handle(self, *args: Any, start: str | None, minutes: int, off: bool, **options: Any) -> None:
        if off == (start is not None):
            raise CommandError('Give either a time, such as "2026-12-01 20:00", or --off.')
        if start is None:
            Maintenance.objects.all().delete()
            self.stdout.write("No maintenance is announced.")
            return
        starts_at = _parsed(start)
        if minutes < 1:
            raise CommandError("Maintenance takes at least one minute: give --minutes 1 or more.")
        ends_at = starts_at + timedelta(minutes=minutes)
        if ends_at <= timezone.now():
            raise CommandError(f"{starts_at:%Y-%m-%d %H:%M} UTC is over already: give a time to come.")
        with transaction.atomic():
            Maintenance.objects.all().delete()
            Maintenance.objects.create(starts_at=starts_at, ends_at=ends_at)
        self.stdout.write(f"Announced: {starts_at:%Y-%m-%d %H:%M} to {ends_at:%Y-%m-%d %H:%M} UTC.")


def _parsed(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f'{text!r} is not a time: write it as "2026-12-01 20:00", in UTC.') from error
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
