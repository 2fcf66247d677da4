"""Following, muting and blocking other people: the only writer of `Relation`."""

from __future__ import annotations

from django.db import transaction
from django.dispatch import receiver

from accounts.models import Relation, User
from accounts.signals import guest_joined, relation_changed

MOST_OF_A_KIND = 500

Kind = Relation.Kind


class TooMany(Exception):
    """Somebody has as many relations of a kind as one can have; one of them has to go first."""


def follow(owner: User, other: User) -> None:
    """See from now on when somebody is at a table. Nothing happens while the owner blocks them.

    Raises:
        ValueError: they are the same person.
        TooMany: as it says.
    """
    if not Relation.objects.filter(owner=owner, other=other, kind=Kind.BLOCK).exists():
        _add(owner, other, Kind.FOLLOW)


def unfollow(owner: User, other: User) -> None:
    """Follow somebody no longer."""
    _remove(owner, other, Kind.FOLLOW)


def mute(owner: User, other: User) -> None:
    """Read nothing of somebody's any more; errors as in `follow`."""
    _add(owner, other, Kind.MUTE)


def unmute(owner: User, other: User) -> None:
    """Read somebody's lines again."""
    _remove(owner, other, Kind.MUTE)


def block(owner: User, other: User) -> None:
    """Never meet somebody: neither of the two follows the other any more. Errors as in `follow`."""
    with transaction.atomic():
        _add(owner, other, Kind.BLOCK)
        _remove(owner, other, Kind.FOLLOW)
        _remove(other, owner, Kind.FOLLOW)


def unblock(owner: User, other: User) -> None:
    """Take a block back."""
    _remove(owner, other, Kind.BLOCK)


def _add(owner: User, other: User, kind: Relation.Kind) -> None:
    if owner.pk == other.pk:
        raise ValueError("nobody follows, mutes or blocks themselves")
    with transaction.atomic():
        # Whoever does it many times at once waits here for themselves.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        if Relation.objects.filter(owner=owner, other=other, kind=kind).exists():
            return
        if Relation.objects.filter(owner=owner, kind=kind).count() >= MOST_OF_A_KIND:
            raise TooMany
        Relation.objects.create(owner=owner, other=other, kind=kind)
        relation_changed.send(Relation, owner=owner, other=other, kind=kind, holds=True)


def _remove(owner: User, other: User, kind: Relation.Kind) -> None:
    with transaction.atomic():
        if Relation.objects.filter(owner=owner, other=other, kind=kind).delete()[0]:
            relation_changed.send(Relation, owner=owner, other=other, kind=kind, holds=False)


@receiver(guest_joined)
def _become_the_accounts(*, guest: User, account: User, **_: object) -> None:
    """What a guest has decided, and what others have decided about it, holds for the account now."""
    for mine, theirs in (("owner", "other"), ("other", "owner")):
        for relation in Relation.objects.filter(**{mine: guest}).exclude(**{theirs: account}):
            known = Relation.objects.filter(**{mine: account, theirs: getattr(relation, theirs)}, kind=relation.kind)
            if not known.exists():
                Relation.objects.filter(pk=relation.pk).update(**{mine: account})
