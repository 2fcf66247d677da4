"""What staff are shown of a person's past, on the person's page and beside a report."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.acts import acts_visible_to
from accounts.models import Sanction, StaffAct, User
from accounts.signals import history_requested


class Fact(NamedTuple):
    """One thing in the active language; ``address`` leads to its page, if it has one."""

    label: str
    value: str
    address: str = ""


class Chapter(NamedTuple):
    """Facts of one kind; without any, ``nothing`` says so."""

    heading: str
    facts: list[Fact]
    nothing: str


def history_of(person: User, reader: User) -> list[Chapter]:
    """Return what a member of staff may know of a person: decisions of staff, and what the rest of the site adds."""
    chapters = [_decisions(person, reader)]
    for _, more in history_requested.send(User, user=person, reader=reader):
        chapters += more
    return chapters


def moment(at: datetime) -> str:
    """Return a point in time in the active language."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")


def _decisions(person: User, reader: User) -> Chapter:
    dated = [
        (
            one.starts_at,
            Fact(
                one.get_kind_display(),
                f"{one.get_ground_display()} · {moment(one.starts_at)} · {_state(one)}",
                reverse("admin:accounts_sanction_change", args=[one.pk]),
            ),
        )
        for one in Sanction.objects.filter(person=person.public_id)
    ]
    renamed = acts_visible_to(reader).filter(person=person.public_id, act=StaffAct.Act.RENAME_PERSON)
    dated += [
        (one.at, Fact(gettext("Name"), gettext("Taken away on %(date)s.") % {"date": moment(one.at)}))
        for one in renamed
    ]
    facts = [fact for _, fact in sorted(dated, key=lambda one: one[0], reverse=True)]
    return Chapter(gettext("Decisions of staff"), facts, gettext("Nothing has been decided about this person."))


def _state(sanction: Sanction) -> str:
    if sanction.lifted_at is not None:
        return gettext("lifted on %(date)s") % {"date": moment(sanction.lifted_at)}
    if sanction.kind == Sanction.Kind.WARNING:
        if sanction.seen_at is None:
            return gettext("not read yet")
        return gettext("read on %(date)s") % {"date": moment(sanction.seen_at)}
    if sanction.until is None:
        return gettext("in force for good")
    if sanction.until > timezone.now():
        return gettext("in force until %(date)s") % {"date": moment(sanction.until)}
    return gettext("over since %(date)s") % {"date": moment(sanction.until)}
