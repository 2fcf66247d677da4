"""What whoever reported somebody is told, and the pages of staff about reports."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.deletion import delete_account
from accounts.models import User
from belote_site.staff_groups import MODERATOR
from games.models import Report
from games.services import reports
from tests.web.fragments import text

pytestmark = pytest.mark.django_db

HOSTILE = "<img src=x onerror=alert(1)>"


def account(name: str) -> User:
    return User.objects.create_user(name)


@pytest.fixture
def mari() -> User:
    """A moderator."""
    user = User.objects.create_user("mari", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATOR))
    return user


@pytest.fixture
def report() -> Report:
    return Report.objects.create(reporter=account("luc"), reported=account("rude"), ground="insults", text="He swore.")


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def page(browser: Client, path: str = "/lobby/") -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


# The answer


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        ("acted", "Thank you for your report about rude. Something was done."),
        ("nothing", "Your report about rude was looked at. No rule was found broken."),
    ],
)
def test_who_reported_is_told_on_the_next_page_until_they_close_it(
    mari: User, report: Report, outcome: str, sentence: str
) -> None:
    # given
    luc = browser_of(report.reporter)
    assert "your report about" not in text(page(luc)).lower()
    # when
    reports.resolve(mari, report.pk, outcome, "banned for a day")
    # then on whatever page, and nothing of what was done
    for path in ("/lobby/", "/people/", "/rules/"):
        html = page(luc, path)
        assert sentence in text(html)
        assert "banned" not in html
    # and when they close it they are back where they were, and it is gone
    answer = luc.post("/people/answers/", {"report": report.pk, "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert sentence not in text(page(luc))


def test_the_one_reported_and_everybody_else_learn_nothing(mari: User, report: Report) -> None:
    reports.resolve(mari, report.pk, "acted", "warned")
    for other in (report.reported, account("curious"), mari):
        browser = browser_of(other)
        assert "report about" not in text(page(browser))
        assert "Your reports" not in text(page(browser, "/people/"))
        assert browser.post("/people/answers/", {"report": report.pk}).status_code == 404
    assert Client().post("/people/answers/", {"report": report.pk}).status_code == 302
    report.refresh_from_db()
    assert report.told_at is None


@pytest.mark.parametrize("number", ["", "one", "0", "9" * 40])
def test_an_answer_that_is_not_there_is_not_closed(report: Report, number: str) -> None:
    assert browser_of(report.reporter).post("/people/answers/", {"report": number}).status_code == 404


def test_it_is_told_in_the_readers_language_also_of_an_account_that_is_gone(mari: User, report: Report) -> None:
    # given
    luc = report.reporter
    luc.language = "et"
    luc.save()
    reports.resolve(mari, report.pk, "acted", "warned")
    # when, then
    assert "kaebuse eest mängija rude kohta" in text(page(browser_of(luc)))
    delete_account(report.reported)
    assert "konto kohta, mis on nüüdseks kustutatud" in text(page(browser_of(luc)))


def test_a_name_in_an_answer_is_shown_as_it_is_written(mari: User, report: Report) -> None:
    User.objects.filter(pk=report.reported_id).update(username=HOSTILE)
    reports.resolve(mari, report.pk, "nothing", "an odd name")
    for path in ("/lobby/", "/people/"):
        html = page(browser_of(report.reporter), path)
        assert "<img" not in html
        assert HOSTILE in text(html)


def test_ones_own_reports_are_listed_with_how_far_they_are(mari: User, report: Report) -> None:
    luc = browser_of(report.reporter)
    assert "rude Insults or hate" in text(page(luc, "/people/"))
    assert "A moderator will look at it." in text(page(luc, "/people/"))
    reports.resolve(mari, report.pk, "nothing", "no insult")
    assert "No rule was broken" in text(page(luc, "/people/"))
