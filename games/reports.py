"""Reports as they are read: those that a member of staff may see, and what somebody is told of their own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games.models import Report

ANSWERS_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody is told once of a report of theirs; ``sentence`` says nothing of what was done."""

    number: int
    sentence: str


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report in the list of whoever made it; ``name`` is empty when the account it was about is gone."""

    name: str
    ground: str
    made_at: datetime
    state: str


def visible_to(staff: User) -> QuerySet[Report]:
    """Return the reports that a member of staff may know of.

    None that they made or that is about them: so nobody judges their own cause, and who reported them stays unknown to
    them. Reports about staff are for those who decide about staff.
    """
    visible = Report.objects.exclude(reporter=staff).exclude(reported=staff)
    if not staff.has_perm("accounts.manage_staff"):
        visible = visible.exclude(reported__is_staff=True)
    return visible


def answers_for(user: User) -> list[Answer]:
    """Return what somebody has not read yet of what became of their reports, the oldest first, a few at a time."""
    resolved = Report.objects.filter(reporter=user, status=Report.Status.RESOLVED, told_at=None)
    newest = resolved.select_related("reported").order_by("resolved_at", "pk")[:ANSWERS_AT_ONCE]
    return [Answer(report.pk, _sentence(report)) for report in newest]


def own_reports(user: User) -> list[OwnReport]:
    """Return what somebody has reported and how far it is, the newest first."""
    return [
        OwnReport(
            name=report.reported.display_name if report.reported else "",
            ground=report.get_ground_display(),
            made_at=report.created_at,
            state=report.get_resolution_display() or gettext("A moderator will look at it."),
        )
        for report in Report.objects.filter(reporter=user).select_related("reported").order_by("-created_at", "-pk")
    ]


def _sentence(report: Report) -> str:
    was_acted_on = report.resolution == Report.Resolution.ACTED
    if report.reported is None:
        if was_acted_on:
            return gettext("Thank you for your report about an account that is deleted now. Something was done.")
        return gettext("Your report about an account that is deleted now was looked at. No rule was found broken.")
    if was_acted_on:
        sentence = gettext("Thank you for your report about %(name)s. Something was done.")
    else:
        sentence = gettext("Your report about %(name)s was looked at. No rule was found broken.")
    return sentence % {"name": report.reported.display_name}
