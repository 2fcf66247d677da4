"""Reports as they are read: those that a member of staff may see, and what somebody is told of their own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import StaffAct, User
from accounts.signals import acts_read
from games.models import ChatLine, Report
from games.phrases import PHRASES

ANSWERS_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """That a report was looked at, and whether something was done; never what. ``name`` as in `OwnReport`."""

    number: int
    name: str
    was_acted_on: bool


@dataclass(frozen=True, slots=True)
class OwnReport:
    """A report in the list of whoever made it; ``name`` is empty when the account it was about is gone."""

    name: str
    ground: str
    made_at: datetime
    state: str


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A line that goes with a report, in the active language; ``name`` is empty when its author's account is gone.

    ``number`` is that of the line itself while it is stored, also ``is_deleted``, else None.
    """

    said_at: datetime
    name: str
    text: str
    is_of_the_reported: bool
    is_deleted: bool
    number: int | None


def visible_to(staff: User) -> QuerySet[Report]:
    """Return the reports that a member of staff may know of.

    None that they made or that is about them: so nobody judges their own cause, and who reported them stays unknown to
    them. Reports about staff are for those who decide about staff.
    """
    visible = Report.objects.exclude(reporter=staff).exclude(reported=staff)
    if not staff.has_perm("accounts.manage_staff"):
        visible = visible.exclude(reported__is_staff=True)
    return visible


@receiver(acts_read)
def acts_on_hidden_reports(*, reader: User, **_: object) -> Q:
    """Return which acts a report led to that a member of staff may not know of, and what was done to it."""
    hidden = list(Report.objects.exclude(pk__in=visible_to(reader).values("pk")).values_list("pk", flat=True))
    to_them = Q(subject=StaffAct.Subject.REPORT, subject_id__in=[str(number) for number in hidden])
    return to_them | Q(detail__report__in=hidden)


def answers_for(user: User) -> list[Answer]:
    """Return what somebody has not read yet of what became of their reports, the oldest first, a few at a time."""
    resolved = Report.objects.filter(reporter=user, status=Report.Status.RESOLVED, told_at=None)
    newest = resolved.select_related("reported").order_by("resolved_at", "pk")[:ANSWERS_AT_ONCE]
    return [
        Answer(report.pk, _name(report), was_acted_on=report.resolution == Report.Resolution.ACTED) for report in newest
    ]


def own_reports(user: User) -> list[OwnReport]:
    """Return what somebody has reported and how far it is, the newest first."""
    return [
        OwnReport(
            name=_name(report),
            ground=report.get_ground_display(),
            made_at=report.created_at,
            state=report.get_resolution_display() or gettext("A moderator will look at it."),
        )
        for report in Report.objects.filter(reporter=user).select_related("reported").order_by("-created_at", "-pk")
    ]


def lines_of(report: Report) -> list[ReportedLine]:
    """Return the lines that were copied for a report, with what has become of them since."""
    copies = [(datetime.fromisoformat(copy["at"]), copy) for copy in report.lines]
    # A copy has no key: a line is known by its room and its microsecond, also when its guest has become an account.
    stored = ChatLine.objects.filter(room__reports=report, created_at__in=[at for at, _ in copies])
    still = {line.created_at: line for line in stored.select_related("author")}
    people = {user.public_id: user for user in User.objects.filter(public_id__in=[c["author"] for _, c in copies])}
    lines = []
    for at, copy in copies:
        line = still.get(at)
        author = people.get(UUID(copy["author"])) if line is None else line.author
        lines.append(
            ReportedLine(
                said_at=at,
                name="" if author is None else author.display_name,
                text=str(PHRASES.get(copy["phrase"], copy["phrase"])) if copy["phrase"] else copy["text"],
                is_of_the_reported=author is not None and author.pk == report.reported_id,
                is_deleted=line is not None and line.deleted_at is not None,
                number=None if line is None else line.pk,
            )
        )
    return lines


def age_of(report: Report) -> str:
    """Return how long ago a report was made, in the active language."""
    passed = timezone.now() - report.created_at
    if passed >= timedelta(days=1):
        return ngettext("%(days)d day", "%(days)d days", passed.days) % {"days": passed.days}
    hours = passed // timedelta(hours=1)
    if hours:
        return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
    return gettext("less than an hour")


def _name(report: Report) -> str:
    return "" if report.reported is None else report.reported.display_name
