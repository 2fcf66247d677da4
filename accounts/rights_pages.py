"""What administrators may do on the page of a person to their rights of staff."""

from __future__ import annotations

from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.utils.translation import gettext, gettext_lazy

from accounts import rights
from accounts.models import User
from accounts.staff_pages import Act


def _make_moderator(staff: User, person: User, cleaned: dict[str, Any]) -> str:
    rights.make_moderator(staff, person, cleaned["why"])
    return gettext("%(name)s is a moderator now.") % {"name": person.display_name}


def _make_administrator(staff: User, person: User, cleaned: dict[str, Any]) -> str:
    rights.make_administrator(staff, person, cleaned["why"])
    return gettext("%(name)s is an administrator now.") % {"name": person.display_name}


def _end_rights(staff: User, person: User, cleaned: dict[str, Any]) -> str:
    rights.end_rights(staff, person, cleaned["why"])
    return gettext("%(name)s has no rights of staff any more.") % {"name": person.display_name}


def _reset_second_factor(staff: User, person: User, cleaned: dict[str, Any]) -> str:
    rights.reset_second_factor(staff, person, cleaned["why"])
    return gettext("The second factor of %(name)s is removed.") % {"name": person.display_name}


def _is_another(staff: User, person: User) -> bool:
    return not person.is_guest and staff.pk != person.pk and (staff.is_superuser or not person.is_superuser)


ACTS: Final = (
    Act(
        name="make-moderator",
        label=gettext_lazy("Make a moderator"),
        effect=gettext_lazy(
            "They may read what staff read, handle reports, impose and lift sanctions and act on tables. An "
            "administrator becomes a moderator by this and loses the rest."
        ),
        permission="accounts.manage_staff",
        do=_make_moderator,
        is_open=lambda staff, person: (
            _is_another(staff, person) and (not person.is_staff or rights.is_administrator(person))
        ),
    ),
    Act(
        name="make-administrator",
        label=gettext_lazy("Make an administrator"),
        effect=gettext_lazy("They may do what a moderator may, and give and take the rights of staff, yours as well."),
        permission="accounts.manage_staff",
        do=_make_administrator,
        is_open=lambda staff, person: _is_another(staff, person) and not rights.is_administrator(person),
    ),
    Act(
        name="end-rights",
        label=gettext_lazy("End the rights of staff"),
        effect=gettext_lazy(
            "They have no page of staff from the next click on. Reports that they have taken on go back to the queue. "
            "Their account stays."
        ),
        permission="accounts.manage_staff",
        do=_end_rights,
        is_open=lambda staff, person: _is_another(staff, person) and person.is_staff,
    ),
    Act(
        name="reset-second-factor",
        label=gettext_lazy("Remove the second factor"),
        effect=gettext_lazy(
            "For somebody who has lost their phone and their recovery codes. Their password alone opens the account "
            "then: make sure that it is really them who asks."
        ),
        permission="accounts.manage_staff",
        do=_reset_second_factor,
        is_open=lambda staff, person: _is_another(staff, person) and Authenticator.objects.filter(user=person).exists(),
    ),
)
