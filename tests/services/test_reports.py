"""What staff may do with reports, who may, and what the one who reported is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction

from accounts import rights, sanctions
from accounts.audit import Refused
from accounts.deletion import delete_account
from accounts.models import Sanction, StaffAct, User
from accounts.signals import guest_joined, rights_ended
from belote_site.staff_groups import ADMINISTRATOR, MODERATOR
from games.models import Report
from games.reports import ANSWERS_AT_ONCE, Answer, answers_for, own_reports, visible_to
from games.services import reports
from tests.services.test_races import at_once

Status = Report.Status


def account(name: str) -> User:
    return User.objects.create_user(name)


def staff(name: str, group: str = MODERATOR) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def report_of(reporter: User, reported: User, **more: object) -> Report:
    return Report.objects.create(reporter=reporter, reported=reported, ground="insults", **more)


@pytest.fixture
def mari(db: None) -> User:
    return staff("mari")


@pytest.fixture
def report(db: None) -> Report:
    return report_of(account("luc"), account("rude"))


def taken(report: Report) -> tuple[str, str | None]:
    report.refresh_from_db()
    return report.status, report.assignee and report.assignee.username


# Taking on, giving back, resolving


def test_a_report_goes_from_the_queue_to_a_moderator_and_back_and_is_resolved(mari: User, report: Report) -> None:
    # when, then
    reports.take_on(mari, report.pk)
    assert taken(report) == (Status.ASSIGNED, "mari")
    reports.give_back(mari, report.pk, "I know him")
    assert taken(report) == (Status.OPEN, None)
    reports.take_on(mari, report.pk, "nobody else is there")
    reports.resolve(mari, report.pk, "acted", "banned for a day")
    assert taken(report) == (Status.RESOLVED, "mari")
    assert report.resolution == "acted"
    assert report.resolved_at is not None
    # and each deed is written down, with whom it concerned and no name
    acts = list(StaffAct.objects.order_by("at").values_list("act", "why"))
    assert acts == [
        ("take-report", ""),
        ("return-report", "I know him"),
        ("take-report", "nobody else is there"),
        ("resolve-report", "banned for a day"),
    ]
    last = StaffAct.objects.order_by("at").last()
    assert (last.staff, last.person) == (mari.public_id, report.reported.public_id)
    assert (last.subject, last.subject_id) == ("report", str(report.pk))
    assert last.detail == {"ground": "insults", "resolution": "acted"}


def test_taking_on_what_is_ones_own_already_changes_and_records_nothing(mari: User, report: Report) -> None:
    reports.take_on(mari, report.pk)
    reports.take_on(mari, report.pk)
    assert StaffAct.objects.count() == 1


def test_what_nobody_has_taken_on_may_be_resolved_at_once_and_is_not_given_back(mari: User, report: Report) -> None:
    with pytest.raises(Refused, match="Nobody"):
        reports.give_back(mari, report.pk, "by mistake")
    reports.resolve(mari, report.pk, "nothing", "a joke among friends")
    assert taken(report) == (Status.RESOLVED, "mari")


DEEDS: dict[str, Callable[[User, int], None]] = {
    "take on": lambda user, pk: reports.take_on(user, pk, "why"),
    "give back": lambda user, pk: reports.give_back(user, pk, "why"),
    "resolve": lambda user, pk: reports.resolve(user, pk, "acted", "why"),
}
every_deed = pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS.keys())


@every_deed
def test_what_is_resolved_stays_so(mari: User, report: Report, deed: Callable[[User, int], None]) -> None:
    # given
    reports.resolve(mari, report.pk, "nothing", "no insult")
    # when, then
    with pytest.raises(Refused, match="resolved already"):
        deed(mari, report.pk)
    report.refresh_from_db()
    assert report.resolution == "nothing"
    assert StaffAct.objects.count() == 1


@every_deed
def test_what_a_moderator_has_taken_on_is_not_for_another(
    mari: User, report: Report, deed: Callable[[User, int], None]
) -> None:
    reports.take_on(mari, report.pk)
    with pytest.raises(Refused, match="Somebody else"):
        deed(staff("jaan"), report.pk)
    assert taken(report) == (Status.ASSIGNED, "mari")
    assert StaffAct.objects.count() == 1


def test_an_administrator_takes_it_over_and_the_record_says_from_whom(mari: User, report: Report) -> None:
    # given
    anu = staff("anu", ADMINISTRATOR)
    reports.take_on(mari, report.pk)
    # when
    reports.take_on(anu, report.pk, "mari is on holiday")
    # then
    assert taken(report) == (Status.ASSIGNED, "anu")
    assert StaffAct.objects.get(staff=anu.public_id).detail["taken_from"] == str(mari.public_id)
    with pytest.raises(Refused):
        reports.resolve(mari, report.pk, "acted", "too late")


@every_deed
def test_nobody_acts_on_a_report_by_or_about_themselves(mari: User, deed: Callable[[User, int], None]) -> None:
    rude = account("rude")
    for own in (report_of(mari, rude), report_of(rude, mari)):
        with pytest.raises(Refused, match="no such report"):
            deed(mari, own.pk)
        assert taken(own) == (Status.OPEN, None)
    assert not StaffAct.objects.exists()


@every_deed
def test_who_is_not_of_the_staff_does_nothing(report: Report, deed: Callable[[User, int], None]) -> None:
    with pytest.raises(Refused):
        deed(account("curious"), report.pk)
    with pytest.raises(Refused):
        deed(User.objects.create_user("bare", is_staff=True), report.pk)
    assert taken(report) == (Status.OPEN, None)


def test_an_outcome_that_is_not_offered_is_refused(mari: User, report: Report) -> None:
    for outcome in ("", "banned"):
        with pytest.raises(ValueError, match="outcomes"):
            reports.resolve(mari, report.pk, outcome, "why")
    assert taken(report) == (Status.OPEN, None)


def test_staff_see_neither_their_own_reports_nor_those_about_them_nor_a_colleagues(mari: User) -> None:
    # given
    anu, rude, luc = staff("anu", ADMINISTRATOR), account("rude"), account("luc")
    by_mari, about_mari = report_of(mari, rude), report_of(rude, mari)
    others = report_of(luc, rude)
    about_nobody = Report.objects.create(ground="spam")
    report_of(rude, anu)
    # when, then
    assert set(visible_to(mari)) == {others, about_nobody}
    assert set(visible_to(anu)) == {by_mari, about_mari, others, about_nobody}
    jaan = staff("jaan")
    assert set(visible_to(jaan)) == {by_mari, others, about_nobody}


def test_the_numbers_of_reports_do_not_tell_of_others(report: Report) -> None:
    numbers = [report_of(report.reporter, report.reported).pk for _ in range(20)]
    assert numbers != sorted(numbers)


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_at_once_one_has_it_and_the_other_is_told() -> None:
    mari, jaan = staff("mari"), staff("jaan")
    luc, rude = account("luc"), account("rude")

    def takes(user: User, report: Report) -> bool:
        try:
            reports.take_on(user, report.pk)
        except Refused:
            return False
        return True

    for _ in range(4):
        # given
        report = report_of(luc, rude)
        # when
        got = at_once(lambda r=report: takes(mari, r), lambda r=report: takes(jaan, r))  # type: ignore[misc]
        # then
        assert sorted(got) == [False, True]
        assert taken(report) == (Status.ASSIGNED, "mari" if got[0] else "jaan")
        assert StaffAct.objects.filter(subject_id=str(report.pk)).count() == 1


# Whoever had it goes


def test_a_report_waits_again_when_its_moderator_goes_or_is_not_of_the_staff_any_more(mari: User) -> None:
    # given
    luc, rude = account("luc"), account("rude")
    done, waiting = report_of(luc, rude), report_of(luc, rude)
    reports.resolve(mari, done.pk, "acted", "warned")
    for end in (lambda: rights_ended.send(User, user=mari), lambda: delete_account(mari)):
        reports.take_on(mari, waiting.pk)
        # when
        end()
        # then
        assert taken(waiting) == (Status.OPEN, None)
    assert taken(done) == (Status.RESOLVED, None)


def test_a_report_waits_again_when_its_moderator_is_banned(mari: User, report: Report) -> None:
    reports.take_on(mari, report.pk)
    kind, scope, ground = Sanction.Kind.BAN, Sanction.Scope.SITE, Sanction.Ground.SPAM

    sanctions.impose(staff("anu", ADMINISTRATOR), mari, kind, scope, ground, "", None, "why")

    assert taken(report) == (Status.OPEN, None)


def test_a_report_waits_again_when_it_is_not_for_its_moderator_any_more(mari: User) -> None:
    # given
    anu, luc, guest = staff("anu", ADMINISTRATOR), account("luc"), User.objects.create_guest()
    about_luc, by_guest, about_guest = report_of(guest, luc), report_of(guest, account("rude")), report_of(luc, guest)
    other = report_of(luc, account("slow"))
    for report in (about_luc, by_guest, other):
        reports.take_on(mari, report.pk)
    reports.take_on(anu, about_guest.pk)
    # when
    rights.make_moderator(anu, luc, "plays here since 1996")
    # then
    assert taken(about_luc) == (Status.OPEN, None)
    assert taken(by_guest) == taken(other) == (Status.ASSIGNED, "mari")
    # when
    guest_joined.send(User, guest=guest, account=mari)
    # then
    assert taken(by_guest) == (Status.OPEN, None)
    assert taken(other) == (Status.ASSIGNED, "mari")
    assert taken(about_guest) == (Status.ASSIGNED, "anu")
    # when
    rights.make_moderator(staff("reet", ADMINISTRATOR), anu, "has too much to do")
    # then
    assert taken(about_guest) == (Status.OPEN, None)


def test_the_database_knows_no_assigned_report_of_nobody(mari: User, report: Report) -> None:
    for wrong in ({"status": Status.ASSIGNED}, {"assignee": mari}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Report.objects.filter(pk=report.pk).update(**wrong)


# What the reporter is told


@pytest.mark.parametrize(("outcome", "was_acted_on"), [("acted", True), ("nothing", False)])
def test_the_reporter_is_told_once_that_it_was_looked_at(
    mari: User, report: Report, outcome: str, *, was_acted_on: bool
) -> None:
    # given
    luc = report.reporter
    assert answers_for(luc) == []
    # when
    reports.resolve(mari, report.pk, outcome, "a secret of staff")
    # then
    assert answers_for(luc) == [Answer(report.pk, "rude", was_acted_on=was_acted_on)]
    assert answers_for(report.reported) == answers_for(mari) == []
    # and until they have read it
    reports.read_answer(luc, report.pk)
    assert answers_for(luc) == []
    report.refresh_from_db()
    told_at = report.told_at
    reports.read_answer(luc, report.pk)
    report.refresh_from_db()
    assert report.told_at == told_at is not None


def test_only_the_reporter_says_that_an_answer_is_read_and_only_when_there_is_one(mari: User, report: Report) -> None:
    with pytest.raises(Report.DoesNotExist):
        reports.read_answer(report.reporter, report.pk)
    reports.resolve(mari, report.pk, "acted", "warned")
    for other in (report.reported, mari):
        with pytest.raises(Report.DoesNotExist):
            reports.read_answer(other, report.pk)
    report.refresh_from_db()
    assert report.told_at is None


def test_answers_come_a_few_at_a_time_and_the_list_has_all(mari: User) -> None:
    # given
    luc = account("luc")
    made = [report_of(luc, account(f"rude {number}")) for number in range(ANSWERS_AT_ONCE + 1)]
    for report in made:
        reports.resolve(mari, report.pk, "nothing", "none of them")
    # when, then
    assert [answer.number for answer in answers_for(luc)] == [report.pk for report in made[:-1]]
    report_of(luc, mari)
    states = [(own.name, own.state) for own in own_reports(luc)]
    assert states[0] == ("mari", "A moderator will look at it.")
    assert states[1:] == [(report.reported.username, "No rule was broken") for report in reversed(made)]
