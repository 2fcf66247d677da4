"""Acts of staff as they are read: which ones a member of staff may know of, and those about one person."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet
from django.dispatch import receiver

from accounts.models import FormerId, StaffAct, User
from accounts.signals import acts_read, guest_joined


def acts_visible_to(reader: User) -> QuerySet[StaffAct]:
    """Return the acts that a member of staff may know of.

    None that was about them, also as a guest: the reasons are for others, and who reported them would show through.
    Those about other staff are for administrators and for whoever did them. Receivers of `acts_read` hide more.
    """
    hidden = Q(person__in=ids_of([reader.public_id]))
    if not reader.has_perm("accounts.manage_staff"):
        hidden |= _about_staff() & ~Q(staff=reader.public_id)
    hidden = Q(hidden, *(more for _, more in acts_read.send(User, reader=reader)), _connector=Q.OR)
    # Asked for as rows that are hidden: what is unknown of an act, such as whom it concerned, hides it from nobody.
    return StaffAct.objects.exclude(pk__in=StaffAct.objects.filter(hidden).values("pk"))


def ids_of(public_ids: Iterable[UUID]) -> set[UUID]:
    """Return these ids of people with all others that the same people have or had as guests."""
    asked = set(public_ids)
    known = User.objects.filter(Q(public_id__in=asked) | Q(former_ids__public_id__in=asked))
    found = known.values_list("public_id", "former_ids__public_id")
    return asked.union(*found) - {None}


def people_by_id(public_ids: Iterable[UUID]) -> dict[UUID, User]:
    """Return who has, or had as a guest, each of these ids; those of deleted people are left out."""
    asked = set(public_ids)
    former = FormerId.objects.filter(public_id__in=asked).select_related("user")
    return {
        **{user.public_id: user for user in User.objects.filter(public_id__in=asked)},
        **{one.public_id: one.user for one in former},
    }


def _about_staff() -> Q:
    colleagues = User.objects.filter(is_staff=True)
    former = FormerId.objects.filter(user__is_staff=True)
    return Q(person__in=colleagues.values("public_id")) | Q(person__in=former.values("public_id"))


@receiver(guest_joined)
def _keep_the_id(*, guest: User, account: User, **_: object) -> None:
    """What staff did about the guest is about the account from now on, and is never rewritten."""
    FormerId.objects.create(user=account, public_id=guest.public_id)
