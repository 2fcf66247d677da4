"""Who is of the staff: giving the rights of a moderator or administrator, taking them, and letting people in again who
have lost their second factor.

Rights are read with every request, so whoever loses them has no page of staff from then on.
"""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils.translation import gettext

from accounts import sessions
from accounts.audit import Refused, record
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import hold
from accounts.signals import rights_ended, rights_given
from belote_site.staff_groups import ADMINISTRATOR, MODERATOR


def is_administrator(person: User) -> bool:
    """Whether somebody may give and take the rights of staff."""
    return person.is_staff and person.has_perm("accounts.manage_staff")


@transaction.atomic
def make_moderator(staff: User | None, person: User, why: str) -> None:
    """Give somebody the rights of a moderator, instead of any that they have. ``staff`` is None for a command on the
    server. Raises Refused."""
    person = _checked(staff, person)
    _check_trust(person)
    if person.is_staff and not is_administrator(person):
        raise Refused(gettext("%(name)s is a moderator already.") % {"name": person.display_name})
    _give(person, MODERATOR)
    _record(staff, person, StaffAct.Act.MAKE_MODERATOR, why)


@transaction.atomic
def make_administrator(staff: User | None, person: User, why: str) -> None:
    """Give somebody the rights of an administrator. ``staff`` is None for a command on the server. Raises Refused."""
    person = _checked(staff, person)
    _check_trust(person)
    if is_administrator(person):
        raise Refused(gettext("%(name)s is an administrator already.") % {"name": person.display_name})
    _give(person, ADMINISTRATOR)
    _record(staff, person, StaffAct.Act.MAKE_ADMINISTRATOR, why)


@transaction.atomic
def end_rights(staff: User | None, person: User, why: str) -> None:
    """Take all rights of staff from somebody. Raises Refused.

    One administrator always stays: nobody takes their own, and of two who take each other's the second has none left.
    """
    person = _checked(staff, person)
    if not person.is_staff:
        raise Refused(gettext("%(name)s has no rights of staff.") % {"name": person.display_name})
    _give(person, None)
    _record(staff, person, StaffAct.Act.END_RIGHTS, why)


@transaction.atomic
def reset_second_factor(staff: User | None, person: User, why: str) -> None:
    """Remove the second factor of somebody who has lost it, so that the password alone lets them in. Raises Refused.

    Their sessions end: with the phone they may have lost a browser that is signed in.
    """
    person = _checked(staff, person)
    removed, _ = Authenticator.objects.filter(user=person).delete()
    if not removed:
        raise Refused(gettext("%(name)s has no second factor.") % {"name": person.display_name})
    sessions.end_all(person)
    _record(staff, person, StaffAct.Act.RESET_SECOND_FACTOR, why)


def _checked(staff: User | None, person: User) -> User:
    """Return the person as stored, held until the end of the transaction, with the member of staff who acts."""
    staff, found = hold(staff, person)
    if found is None or found.is_guest:
        raise Refused(gettext("Only accounts can have rights of staff or a second factor."))
    if staff is None:
        return found
    if not is_administrator(staff):
        raise Refused(gettext("Only administrators may do this."))
    if staff.pk == found.pk:
        raise Refused(gettext("You cannot do this to yourself. Ask another administrator."))
    if found.is_superuser and not staff.is_superuser:
        raise Refused(gettext("This account was given all rights on the server, and only there can they be changed."))
    return found


def _check_trust(person: User) -> None:
    """Raise Refused for somebody who may not even use the site."""
    if not person.is_active or Sanction.objects.in_force().filter(user=person, kind=Sanction.Kind.BAN).exists():
        raise Refused(gettext("%(name)s is banned or switched off.") % {"name": person.display_name})


def _give(person: User, group: str | None) -> None:
    """Make this group, or none, all the rights that somebody has."""
    person.is_staff, person.is_superuser = group is not None, False
    person.save(update_fields=["is_staff", "is_superuser"])
    person.user_permissions.clear()
    person.groups.set(Group.objects.filter(name=group))
    (rights_ended if group is None else rights_given).send(User, user=person)


def _record(staff: User | None, person: User, act: StaffAct.Act, why: str) -> None:
    record(staff, act, StaffAct.Subject.PERSON, person.public_id, why=why, person=person.public_id)
