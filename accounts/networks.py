"""From which networks people were seen: as keyed hashes that can be compared with each other, never as addresses."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.addresses import client_address
from accounts.models import SeenNetwork, User
from accounts.signals import guest_joined

_REMEMBERED = 20_000

_written: set[tuple[int, str, date]] = set()
"""What this process has written and committed, `_REMEMBERED` rows at most: that is not written again."""


def mark_of(address: str) -> str:
    """Return the keyed hash of an address as `accounts.addresses` tells it, '' of one that is not known."""
    if address == "unknown":
        return ""
    return salted_hmac("accounts.networks", address, algorithm="sha256").hexdigest()


def saw(user: User, address: str) -> None:
    """Write down that a person was seen from an address today, once a day. Reads the database the first time only."""
    mark = mark_of(address)
    row = (user.pk, mark, timezone.now().date())
    if not mark or row in _written:
        return
    SeenNetwork.objects.bulk_create([SeenNetwork(user_id=user.pk, mark=mark, day=row[2])], ignore_conflicts=True)
    # What is rolled back is written the next time.
    transaction.on_commit(lambda: _remember(row))


def _remember(row: tuple[int, str, date]) -> None:
    if len(_written) >= _REMEMBERED:
        _written.clear()
    _written.add(row)


@receiver(user_logged_in)
def _saw_who_comes_in(*, request: HttpRequest, user: User, **_: object) -> None:
    saw(user, client_address(request))


@receiver(guest_joined)
def _move_to_the_account(*, guest: User, account: User, **_: object) -> None:
    for seen in SeenNetwork.objects.filter(user=guest):
        SeenNetwork.objects.get_or_create(user=account, mark=seen.mark, day=seen.day)
