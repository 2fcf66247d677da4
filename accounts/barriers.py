"""What a ban keeps out besides the account: networks from which no new guest comes, addresses that no
other account can confirm."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import networks
from accounts.models import Barrier, Sanction, SeenNetwork, User
from belote_site.retention import BARRED_NETWORK, SEEN_NETWORK

Kind = Barrier.Kind


class Barred(Exception):
    """From this network nobody can play as a guest now."""


def put_up(ban: Sanction, person: User) -> None:
    """Keep out the networks from which a person was seen lately, and their addresses, which nobody else has proved to
    be theirs: one that was never confirmed may be a stranger's. Inside the transaction of the ban."""
    now = timezone.now()
    seen = SeenNetwork.objects.filter(user=person, day__gt=(now - SEEN_NETWORK).date())
    emails = EmailAddress.objects.filter(user=person, verified=True)
    kept_out = [
        *((Kind.NETWORK, mark, now + BARRED_NETWORK) for mark in sorted(set(seen.values_list("mark", flat=True)))),
        *((Kind.EMAIL, mark, ban.until) for mark in sorted({_mark_of_email(one.email) for one in emails})),
    ]
    Barrier.objects.bulk_create(
        Barrier(sanction=ban, kind=kind, mark=mark, until=until) for kind, mark, until in kept_out
    )


def take_down(ban: Sanction) -> None:
    """Let in again what a ban has kept out."""
    Barrier.objects.filter(sanction=ban).delete()


def refuse_guests_from(address: str) -> None:
    """Raise `Barred` when nobody can become a guest from an address, as `accounts.addresses` tells it."""
    mark = networks.mark_of(address)
    if mark and _stands(Kind.NETWORK, mark):
        raise Barred


def is_email_barred(email: str) -> bool:
    """Tell whether an e-mail address belongs to somebody who is banned."""
    return _stands(Kind.EMAIL, _mark_of_email(email))


def _stands(kind: Barrier.Kind, mark: str) -> bool:
    held = Q(until=None) | Q(until__gt=timezone.now())
    return Barrier.objects.filter(held, kind=kind, mark=mark).exists()


def _mark_of_email(email: str) -> str:
    return salted_hmac("accounts.barriers.email", email.strip().casefold(), algorithm="sha256").hexdigest()
