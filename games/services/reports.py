"""What staff do with reports: the only writer of how far one is. Each deed is written down (`accounts.audit`)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audit import Refused
from accounts.models import StaffAct, User
from accounts.signals import about_to_decide, account_closing, person_banned, rights_ended, rights_given
from games.models import Report
from games.reports import visible_to

Status = Report.Status

_NO_SUCH_REPORT = gettext_lazy("There is no such report for you.")


def take_on(staff: User, report_id: int, why: str = "") -> None:
    """Make a report one's own. An administrator may take it over from somebody else. Nothing changes the second time.

    Raises:
        Refused: it is not for them, resolved, or somebody else's already.
    """
    with transaction.atomic():
        report = _unresolved(staff, report_id)
        if report.assignee_id == staff.pk:
            return
        if not staff.has_perm("accounts.manage_staff"):
            _refuse_if_of_another(staff, report)
        before = report.assignee
        report.assignee, report.status = staff, Status.ASSIGNED
        report.save(update_fields=["assignee", "status"])
        taken_from = {} if before is None else {"taken_from": str(before.public_id)}
        _record(staff, StaffAct.Act.TAKE_REPORT, report, why, **taken_from)


def give_back(staff: User, report_id: int, why: str) -> None:
    """Give a report back to the queue.

    Raises:
        Refused: it is not for them, resolved, or not theirs.
    """
    with transaction.atomic():
        report = _unresolved(staff, report_id)
        if report.assignee_id is None:
            raise Refused(gettext_lazy("Nobody has taken this report on."))
        _refuse_if_of_another(staff, report)
        report.assignee, report.status = None, Status.OPEN
        report.save(update_fields=["assignee", "status"])
        _record(staff, StaffAct.Act.RETURN_REPORT, report, why)


def resolve(staff: User, report_id: int, resolution: str, why: str) -> None:
    """Say what came of a report, for good; its reporter is told so. One that nobody has taken on may be resolved too.

    Raises:
        ValueError: the resolution is none of `Report.Resolution`.
        Refused: it is not for them, resolved, or somebody else's.
    """
    if resolution not in Report.Resolution.values:
        raise ValueError("a report is resolved with one of the outcomes that are offered")
    with transaction.atomic():
        report = _unresolved(staff, report_id)
        _refuse_if_of_another(staff, report)
        report.assignee, report.status = staff, Status.RESOLVED
        report.resolution, report.resolved_at = resolution, timezone.now()
        report.save(update_fields=["assignee", "status", "resolution", "resolved_at"])
        _record(staff, StaffAct.Act.RESOLVE_REPORT, report, why, resolution=resolution)


def read_answer(user: User, report_id: int) -> None:
    """Whoever made a report has read what became of it. The second time nothing changes.

    Raises:
        Report.DoesNotExist: it is not theirs, or not resolved.
    """
    answered = Report.objects.filter(pk=report_id, reporter=user, status=Status.RESOLVED)
    if not answered.filter(told_at=None).update(told_at=timezone.now()) and not answered.exists():
        raise Report.DoesNotExist


@receiver(account_closing)
@receiver(person_banned)
@receiver(rights_ended)
def let_go_of_reports(*, user: User, **_: object) -> None:
    """What somebody had taken on who goes, is banned or is not of the staff any more, waits for others."""
    _return(Report.objects.filter(assignee=user))


@receiver(rights_given)
def let_go_of_what_is_hidden(*, user: User, **_: object) -> None:
    """What somebody has taken on waits for others once it is about a colleague, and not for their eyes any more."""
    _return_what_is_hidden(Report.objects.filter(Q(reported=user) | Q(assignee=user)))


def let_go_of_own(account: User) -> None:
    """What somebody has taken on waits for others when a guest in it turns out to be of the staff."""
    _return_what_is_hidden(Report.objects.filter(Q(reported=account) | Q(reporter=account)))


def _return_what_is_hidden(concerned: QuerySet[Report]) -> None:
    for report in concerned.filter(status=Status.ASSIGNED):
        # As stored: rights that were looked up before they changed are remembered with the row.
        assignee = User.objects.get(reports_assigned=report)
        if not visible_to(assignee).filter(pk=report.pk).exists():
            _return(Report.objects.filter(pk=report.pk))


def _return(taken: QuerySet[Report]) -> None:
    taken.filter(status=Status.ASSIGNED).update(assignee=None, status=Status.OPEN)


@receiver(about_to_decide)
def refuse_without_such_a_report(*, staff: User, person: User, report: int | None, **_: object) -> None:
    """The record names a report only when it is about that person, and one that whoever decides may know of."""
    if report is not None and not visible_to(staff).filter(pk=report, reported=person).exists():
        raise Refused(_NO_SUCH_REPORT)


def _unresolved(staff: User, report_id: int) -> Report:
    """Return the report, locked: who comes second sees what the first has done."""
    report = visible_to(staff).select_for_update(of=("self",)).filter(pk=report_id).first()
    if report is None or not staff.has_perm("games.handle_report"):
        raise Refused(_NO_SUCH_REPORT)
    if report.status == Status.RESOLVED:
        raise Refused(gettext_lazy("This report is resolved already."))
    return report


def _refuse_if_of_another(staff: User, report: Report) -> None:
    if report.assignee_id not in (None, staff.pk):
        raise Refused(gettext_lazy("Somebody else has taken this report on."))


def _record(staff: User, act: StaffAct.Act, report: Report, why: str, **detail: str) -> None:
    person = None if report.reported is None else report.reported.public_id
    audit.record(staff, act, StaffAct.Subject.REPORT, report.pk, why=why, person=person, ground=report.ground, **detail)
