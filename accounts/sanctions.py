"""Warnings, mutes, suspensions and bans: imposing and lifting them, and who is held back by one now.

They end by themselves: what is in force is asked of the clock each time, and nothing has to run when one is over.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts import audit, barriers
from accounts.audit import Refused
from accounts.models import NameTaken, Sanction, StaffAct, TakenName, User
from accounts.sessions import check_sockets, group_of_user
from accounts.signals import about_to_decide, guest_joined, person_banned, person_renamed, person_suspended
from belote_site.groups import tell_after_commit

Kind, Scope, Ground = Sanction.Kind, Sanction.Scope, Sanction.Ground

SCOPES = {
    Kind.WARNING: (Scope.NOTHING,),
    Kind.MUTE: (Scope.TEXT, Scope.TALK),
    Kind.SUSPENSION: (Scope.RATED,),
    Kind.BAN: (Scope.SITE,),
}
"""What each kind may bar, the usual first."""

_NO_RIGHT = gettext_lazy("You do not have the right to do this.")

_ACTS = {
    Kind.WARNING: StaffAct.Act.WARN,
    Kind.MUTE: StaffAct.Act.MUTE,
    Kind.SUSPENSION: StaffAct.Act.SUSPEND,
    Kind.BAN: StaffAct.Act.BAN,
}


class Banned(Exception):
    """Moderators have banned this person from the site; ``sanction`` says until when."""

    def __init__(self, sanction: Sanction) -> None:
        super().__init__(sanction.pk)
        self.sanction = sanction


def impose(
    staff: User | None,
    person: User,
    kind: Sanction.Kind,
    scope: Sanction.Scope,
    ground: Sanction.Ground,
    text: str,
    length: timedelta | None,
    why: str,
    report: int | None = None,
) -> Sanction:
    """Warn, mute, suspend or ban a person from now on; a ``length`` of None is for good.

    ``staff`` is None for a command on the server. ``text`` is what the person is told besides the ground, ``why`` goes
    into the record, and so does ``report``, the number of the report that led to it.

    Raises:
        Refused: staff may not do this to that person, or the kind, scope, ground, text and length do not go together.
    """
    kind, scope, ground = Kind(kind), Scope(scope), Ground(ground)
    if scope not in SCOPES[kind]:
        raise Refused(gettext_lazy("This does not bar what you have chosen. Choose another scope."))
    if kind is Kind.WARNING and length is not None:
        raise Refused(gettext_lazy("A warning has no length: it bars nothing."))
    if length is not None and length <= timedelta():
        raise Refused(gettext_lazy("The length must be more than nothing."))
    if ground is Ground.OTHER and not text.strip():
        raise Refused(gettext_lazy("Tell the person in words what it was about, when the reason is something else."))
    text = text.strip()
    with transaction.atomic():
        staff, found = _decider_and_person(staff, person, report)
        _refuse_the_same_again(found, kind, scope, ground, text)
        now = timezone.now()
        sanction = Sanction.objects.create(
            user=found,
            person=found.public_id,
            kind=kind,
            scope=scope,
            ground=ground,
            text=text,
            issued_by=None if staff is None else staff.public_id,
            starts_at=now,
            until=None if length is None else now + length,
        )
        audit.record(
            staff,
            _ACTS[kind],
            StaffAct.Subject.SANCTION,
            sanction.pk,
            why=why,
            person=found.public_id,
            scope=scope,
            ground=ground,
            until=None if sanction.until is None else sanction.until.isoformat(),
            report=report,
        )
        if kind is Kind.BAN:
            # Before the receivers tell the tables: the sockets of the banned hear this first, and say why they close.
            check_sockets(found.pk)
            barriers.put_up(sanction, found)
            person_banned.send(Sanction, user=found)
        elif kind is Kind.SUSPENSION:
            person_suspended.send(Sanction, user=found)
        _tell(found.pk)
    return sanction


def take_name(staff: User | None, person: User, text: str, why: str, report: int | None = None) -> Sanction:
    """Give an account a neutral name in the place of an offensive one, and warn its person, in the words of ``text``.

    Return the warning, which tells them the new name. They log in with it, or with the old one, which nobody gets.

    Raises:
        Refused: staff may not do this to that person, or a guest, who has chosen no name.
    """
    with transaction.atomic():
        staff, found = _decider_and_person(staff, person, report)
        if found.is_guest:
            raise Refused(gettext_lazy("A guest has chosen no name that could be taken away."))
        TakenName.objects.take_away(found)
        _rename(found)
        person_renamed.send(User, user=found)
        audit.record(
            staff,
            StaffAct.Act.RENAME_PERSON,
            StaffAct.Subject.PERSON,
            found.public_id,
            why=why,
            person=found.public_id,
            report=report,
        )
        return impose(staff, found, Kind.WARNING, Scope.NOTHING, Ground.NAME, text, None, why, report)


def _rename(person: User) -> None:
    while True:
        person.username = f"Player-{1000 + secrets.randbelow(9_000_000)}"
        try:
            person.save(update_fields=["username"])
        except NameTaken:
            continue
        return


def lift(staff: User | None, sanction: Sanction, why: str) -> None:
    """End a sanction that is in force before its time.

    Raises:
        Refused: staff may not do this for that person, or nothing is in force any more.
    """
    with transaction.atomic():
        person = User.objects.filter(sanctions=sanction.pk).first()
        if person is not None:
            staff, person = _decider_and_person(staff, person)
        else:
            staff, _ = hold(staff, None)
            _refuse_without_right(staff)
        held = Sanction.objects.in_force().select_for_update().filter(pk=sanction.pk, user=person).first()
        if held is None:
            raise Refused(gettext_lazy("This is not in force any more: there is nothing to lift."))
        Sanction.objects.filter(pk=held.pk).update(lifted_at=timezone.now())
        barriers.take_down(held)
        audit.record(
            staff,
            StaffAct.Act.LIFT,
            StaffAct.Subject.SANCTION,
            held.pk,
            why=why,
            person=held.person,
            kind=held.kind,
            until=None if held.until is None else held.until.isoformat(),
        )
        if person is not None:
            _tell(person.pk)


def barred(user_id: int, *scopes: Sanction.Scope) -> Sanction | None:
    """Return what bars a person from any of these now: of several the one that ends last."""
    held = Sanction.objects.in_force().filter(user_id=user_id, scope__in=scopes)
    return held.order_by(F("until").desc(nulls_first=True)).first()


def refuse_the_banned(user: User) -> None:
    """Raise `Banned` for somebody who is. Who holds the lock of the user knows that no ban comes in between."""
    ban = barred(user.pk, Scope.SITE)
    if ban is not None:
        raise Banned(ban)


def hold(staff: User | None, person: User | None) -> tuple[User | None, User | None]:
    """Return both as they are stored now, with their rights of now; nobody else changes or bans them before the end of
    the transaction. A person who is gone is None.

    Raises:
        Refused: the member of staff is none any more, or is banned.
    """
    keys = [one.pk for one in (staff, person) if one is not None]
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
    held = {user.pk: user for user in rows}
    found = None if person is None else held.get(person.pk)
    if staff is None:
        return None, found
    decider = held.get(staff.pk)
    if decider is None or not (decider.is_active and decider.is_staff) or barred(decider.pk, Scope.SITE) is not None:
        raise Refused(_NO_RIGHT)
    return decider, found


def refuse_unless_may_act_on(staff: User | None, person: User) -> None:
    """Raise `Refused` unless a member of staff may decide about a person.

    Nobody does about themselves; about staff, whoever gives and takes their rights; about a superuser, another one.
    """
    _refuse_without_right(staff)
    if staff is None:
        return
    if staff.pk == person.pk:
        raise Refused(gettext_lazy("Nobody decides about themselves: ask somebody else of the staff."))
    if (person.is_staff or person.is_superuser) and not staff.has_perm("accounts.manage_staff"):
        raise Refused(gettext_lazy("Only an administrator decides about staff."))
    if person.is_superuser and not staff.is_superuser:
        raise Refused(gettext_lazy("This account has all rights: only another one with all rights decides about it."))


def _decider_and_person(staff: User | None, person: User, report: int | None = None) -> tuple[User | None, User]:
    """Return both, held, when the one may decide about the other. Raises Refused."""
    staff, found = hold(staff, person)
    if found is None:
        raise Refused(gettext_lazy("This person is not here any more."))
    refuse_unless_may_act_on(staff, found)
    if staff is not None:
        about_to_decide.send(Sanction, staff=staff, person=found, report=report)
    return staff, found


def _refuse_without_right(staff: User | None) -> None:
    if staff is not None and not staff.has_perm("accounts.impose_sanction"):
        raise Refused(_NO_RIGHT)


def _refuse_the_same_again(person: User, kind: Sanction.Kind, scope: str, ground: str, text: str) -> None:
    """Of two clicks, or of two members of staff who decide the same at once, the second is told."""
    if Sanction.objects.in_force().filter(user=person, kind=kind, scope=scope).exists():
        raise Refused(gettext_lazy("The same is in force for this person already: lift it first."))
    warnings = Sanction.objects.filter(user=person, kind=Kind.WARNING, seen_at=None)
    if kind is Kind.WARNING and warnings.filter(ground=ground, text=text).exists():
        raise Refused(gettext_lazy("This person has not read the same warning yet."))


def _tell(user_id: int) -> None:
    """Have the open pages of a person show what has been decided about them."""
    tell_after_commit(group_of_user(user_id), {"type": "decisions.anew"})


@receiver(guest_joined)
def _move_to_the_account(*, guest: User, account: User, **_: object) -> None:
    """Nobody washes a decision off by logging in."""
    Sanction.objects.filter(user=guest).update(user=account, person=account.public_id)
