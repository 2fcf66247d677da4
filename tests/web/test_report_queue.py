"""The pages of staff about reports: the queue, the screen of one, and whoever is not to know of one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts import sanctions
from accounts.deletion import delete_account
from accounts.models import Sanction, StaffAct, User
from belote_site.staff_groups import ADMINISTRATOR, MODERATOR
from games.engine.seats import Occupant, Seat
from games.models import Match, Report, Room
from games.services import moderation, reports, rooms, seating
from games.services import talk as saying
from tests.services.past import finished_match
from tests.web.fragments import text

pytestmark = pytest.mark.django_db

QUEUE = "/admin/games/report/"
HOSTILE = "<img src=x onerror=alert(1)>"


def account(name: str) -> User:
    return User.objects.create_user(name)


def staff(name: str, group: str = MODERATOR) -> User:
    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


@pytest.fixture
def mari() -> User:
    """A moderator."""
    return staff("mari")


@pytest.fixture
def browser(client: Client, mari: User) -> Client:
    """Mari's."""
    client.force_login(mari)
    return client


def report_of(reporter: User, reported: User, *, hours_ago: int = 0, **more: object) -> Report:
    report = Report.objects.create(**{"reporter": reporter, "reported": reported, "ground": "insults", **more})
    Report.objects.filter(pk=report.pk).update(created_at=timezone.now() - timedelta(hours=hours_ago))
    return report


def match_with_words(*people: User) -> tuple[Match, Report]:
    """A running match at which the second has insulted the first, who reports it."""
    room = rooms.create(people[0], Room(visibility=Room.Visibility.PUBLIC, clock=30, name="Kolmas laud"))
    for person in people[1:]:
        seating.sit(person, room.pk)
    rooms.fill(people[0], room.pk, Occupant.EASY)
    match = rooms.start(people[0], room.pk)
    saying.say(people[0], room.pk, match.pk, phrase="good-luck")
    saying.say(people[1], room.pk, match.pk, text="go home, idiot")
    saying.report(people[0], people[1], "insults", f"He swears. {HOSTILE}", room.pk, match.pk)
    return match, Report.objects.get(match=match)


def address_of(report: Report, act: str = "") -> str:
    return f"{QUEUE}{report.pk}/act/{act}/" if act else f"{QUEUE}{report.pk}/change/"


def page(browser: Client, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def listed(browser: Client, query: str = "") -> list[int]:
    return [report.pk for report in browser.get(QUEUE + query).context["cl"].result_list]


# The queue


def test_the_queue_has_what_waits_open_ones_first_and_the_oldest_of_them_on_top(browser: Client, mari: User) -> None:
    # given
    luc, rude = account("luc"), account("rude")
    old, taken, new, done = (report_of(luc, rude, hours_ago=hours) for hours in (30, 90, 2, 50))
    reports.take_on(staff("jaan"), taken.pk)
    reports.resolve(mari, done.pk, "nothing", "a joke")
    # when, then
    assert listed(browser) == [old.pk, new.pk, taken.pk]
    assert [one.others for one in browser.get(QUEUE).context["cl"].result_list] == [2, 2, 2]
    assert listed(browser, "?state=resolved") == [done.pk]
    assert listed(browser, "?state=assigned") == [taken.pk]
    assert len(listed(browser, "?state=all")) == 4
    shown = text(page(browser, QUEUE))
    for words in (
        "2 Open",
        "1 Assigned",
        "0 Assigned to me",
        "1 Resolved",
        f"Report {old.pk}",
    ):
        assert words in shown, words


def test_it_is_narrowed_by_whose_and_what_and_searched_by_name(browser: Client, mari: User) -> None:
    # given
    luc, rude, slow = account("luc"), account("rude"), account("slow")
    mine, others, stalling = report_of(luc, rude), report_of(luc, rude), report_of(rude, slow, ground="stalling")
    reports.take_on(mari, mine.pk)
    # when, then
    assert listed(browser, "?whose=mine") == [mine.pk]
    assert listed(browser, "?whose=nobodys") == [others.pk, stalling.pk]
    assert listed(browser, "?ground__exact=stalling") == [stalling.pk]
    assert listed(browser, "?q=slow") == [stalling.pk]
    assert listed(browser, f"?reported={slow.pk}") == [stalling.pk]


# Who is not to know of one


def test_a_moderator_finds_no_trace_of_reports_by_or_about_themselves(browser: Client, mari: User) -> None:
    # given
    luc, rude = account("luc"), account("rude")
    about_mari = report_of(luc, mari, text="she lets her friends insult us")
    by_mari = report_of(mari, rude)
    anu = staff("anu", ADMINISTRATOR)
    reports.take_on(anu, about_mari.pk, "luc told me by telephone")
    reports.take_on(anu, by_mari.pk)
    # when, then: in the queue, in its counts, on their pages, by search
    assert listed(browser, "?state=all") == listed(browser, "?state=all&q=luc") == []
    assert "0 Open 0 Assigned 0 Assigned to me 0 Resolved" in text(page(browser, QUEUE))
    for own in (about_mari, by_mari):
        assert browser.get(address_of(own)).status_code == 302
        assert browser.get(f"{QUEUE}{own.pk}/history/").status_code == 404
        for act in ("take-on", "give-back", "resolve"):
            assert browser.post(address_of(own, act), {"why": "x", "resolution": "nothing"}).status_code == 404
    # and not on the pages of people either, nor in the record of what staff did
    for person, said in ((luc, "This person has reported nobody."), (rude, "Nobody has reported this person.")):
        assert said in text(page(browser, f"/admin/accounts/user/{person.pk}/change/"))
    acts = page(browser, "/admin/accounts/staffact/")
    assert "telephone" not in acts
    assert str(mari.public_id) not in acts
    # and an administrator, who is not concerned, sees them all
    browser.force_login(anu)
    assert set(listed(browser)) == {about_mari.pk, by_mari.pk}


def test_what_a_hidden_report_led_to_shows_on_no_page(browser: Client, mari: User) -> None:
    # given: Mari is reported at a table where she has reported another
    anna, rude, carl, anu = account("anna"), account("rude"), account("carl"), staff("anu", ADMINISTRATOR)
    jaan = staff("jaan")
    match, _ = match_with_words(anna, rude, mari)
    by_mari, about_jaan = report_of(mari, carl), report_of(carl, jaan)
    line = saying.say(mari, match.room_id, match.pk, text="bad words of mari")
    saying.report(rude, anna, "spam", "", match.room_id, match.pk)
    report = Report.objects.get(ground="spam")
    # when
    moderation.delete_line(anu, line.pk, "secret: about mari")
    moderation.replace_seat(anu, match.pk, Seat(match.seats.get(user=mari).seat), "secret: she left")
    kind, nothing, ground = Sanction.Kind.WARNING, Sanction.Scope.NOTHING, Sanction.Ground.INSULTS
    sanctions.impose(anu, carl, kind, nothing, ground, "", None, "secret: mari is right", by_mari.pk)
    reports.resolve(anu, by_mari.pk, "acted", "secret: warned")
    sanctions.impose(anu, jaan, kind, nothing, ground, "", None, "secret: he shouts", about_jaan.pk)
    reports.resolve(anu, about_jaan.pk, "nothing", "secret: nobody heard it")
    moderation.rename_room(anu, match.room_id, "Laud", "not a secret")
    # then
    for address in (
        address_of(report),
        f"/admin/games/match/{match.pk}/change/",
        "/admin/accounts/staffact/",
        *(f"/admin/accounts/user/{person.pk}/change/" for person in (mari, carl, jaan)),
    ):
        answer = browser.get(address)
        assert answer.status_code in (200, 403), address
        assert "secret:" not in answer.content.decode(), address
    assert "not a secret" in page(browser, address_of(report))
    # and whoever is not concerned reads it
    browser.force_login(anu)
    assert page(browser, "/admin/accounts/staffact/").count("secret:") == 6
    assert "secret: about mari" in page(browser, address_of(report))


# The screen of a report


def test_the_screen_has_the_report_the_lines_the_people_the_table_and_what_can_be_done(
    browser: Client, mari: User
) -> None:
    # given two people with a past
    luc, rude = account("luc"), account("rude")
    finished_match({Seat.SOUTH: luc, Seat.NORTH: rude})
    before = report_of(account("other"), rude, ground="spam", hours_ago=50)
    reports.resolve(mari, before.pk, "acted", "warned")
    sanction = Sanction.objects.create(
        user=rude, person=rude.public_id, kind="warning", scope="nothing", ground="spam", issued_by=mari.public_id
    )
    match, report = match_with_words(luc, rude)
    # when
    html = page(browser, address_of(report))
    shown = text(html)
    # then
    for words in (
        f"Report {report.pk}",
        "Insults or hate",
        f"He swears. {HOSTILE}",
        "Reported person rude",
        "Reported by luc",
        "Kolmas laud",
        "Running",
        "Good luck!",
        "go home, idiot",
        "Warning Advertising or spam",
        "not read yet",
        "Reports about this person How many 2 in all: 1 led to something, 1 not resolved yet",
        "This person has reported nobody.",
        "Reports by this person How many 1 in all",
    ):
        assert words in shown, words
    assert HOSTILE not in html
    # and leads on
    line = match.lines.get(author=rude)
    for link in (
        f"/admin/accounts/user/{rude.pk}/change/",
        f"/admin/accounts/user/{luc.pk}/change/",
        f"/admin/games/room/{match.room_id}/change/",
        f"/admin/games/match/{match.pk}/change/",
        f"/admin/games/match/{match.pk}/act/end/",
        f"/admin/games/chatline/{line.pk}/act/delete/",
        f"/admin/games/report/{before.pk}/change/",
        f"/admin/accounts/sanction/{sanction.pk}/change/",
        *(
            f"/admin/accounts/user/{rude.pk}/act/{act}/?ground=insults&amp;report={report.pk}"
            for act in ("warn", "mute", "suspend", "ban")
        ),
        address_of(report, "take-on"),
        address_of(report, "resolve"),
    ):
        assert f'href="{link}' in html, link
    assert address_of(report, "give-back") not in html
    assert f"/replay/{match.pk}/" not in html


def test_lines_say_who_said_them_and_what_became_of_them_since(browser: Client, mari: User) -> None:
    # given
    luc, rude = account("luc"), account("rude")
    match, report = match_with_words(luc, rude)
    line = match.lines.get(author=rude)
    assert page(browser, address_of(report)).count("said-by-reported") == 1
    # when
    moderation.delete_line(mari, line.pk, "an insult")
    # then the copy stays, and nothing is left to delete
    html = page(browser, address_of(report))
    assert "go home, idiot" in html
    assert "Staff have deleted this line." in text(html)
    assert f"/chatline/{line.pk}/act/delete/" not in html
    assert "Deleted a line · mari" in text(html)
    # and when the account is gone
    delete_account(rude)
    shown = text(page(browser, address_of(report)))
    assert "go home, idiot" in shown
    assert "An account that is deleted now" in shown
    assert "The account is deleted, and its history with it." in shown


def test_a_match_that_is_over_leads_to_its_replay(browser: Client) -> None:
    luc, rude = account("luc"), account("rude")
    match = finished_match({Seat.SOUTH: luc, Seat.NORTH: rude})
    report = report_of(luc, rude, match=match, room=match.room)
    assert f'href="/replay/{match.pk}/"' in page(browser, address_of(report))


# Acting on one


def test_a_moderator_takes_a_report_on_bans_comes_back_to_it_and_resolves_it(browser: Client, mari: User) -> None:
    # given
    luc, rude = account("luc"), account("rude")
    report = report_of(luc, rude)
    # when
    answer = browser.post(address_of(report, "take-on"), {"why": ""})
    assert answer.headers["Location"] == address_of(report)
    asked = page(browser, f"/admin/accounts/user/{rude.pk}/act/ban/?ground=insults&report={report.pk}")
    assert f'name="report" value="{report.pk}"' in asked
    answer = browser.post(
        f"/admin/accounts/user/{rude.pk}/act/ban/",
        {"ground": "insults", "text": "", "length": "1d", "why": "swears at everybody", "report": report.pk},
    )
    # then they are back, and see what they have done
    assert answer.headers["Location"] == address_of(report)
    shown = text(page(browser, address_of(report)))
    assert "Assigned · mari" in shown
    assert "Banned a person · mari" in shown
    assert "swears at everybody" in shown
    # and when
    answer = browser.post(address_of(report, "resolve"), {"resolution": "acted", "why": "banned for a day"})
    # then
    assert answer.headers["Location"] == QUEUE
    report.refresh_from_db()
    assert (report.status, report.resolution, report.assignee) == ("resolved", "acted", mari)
    html = page(browser, address_of(report))
    assert "Resolved: Something was done · mari" in text(html)
    assert address_of(report, "resolve") not in html


def test_what_is_not_to_be_done_is_refused_with_the_reason_and_changes_nothing(browser: Client) -> None:
    # given
    report = report_of(account("luc"), account("rude"))
    reports.take_on(staff("jaan"), report.pk)
    # when, then
    for act in ("take-on", "give-back", "resolve"):
        answer = browser.post(address_of(report, act), {"resolution": "nothing", "why": "mine now"})
        assert answer.status_code == 422
        assert "Somebody else has taken this report on." in text(answer.content.decode())
    for form in ({"resolution": "banned", "why": "x"}, {"resolution": "acted", "why": " "}, {}):
        assert browser.post(address_of(report, "resolve"), form).status_code == 422
    assert browser.post(address_of(report), {"status": "resolved"}).status_code == 403
    report.refresh_from_db()
    assert (report.status, report.assignee.username) == ("assigned", "jaan")
    assert StaffAct.objects.count() == 1


def test_who_has_no_right_to_reports_has_no_page_of_them(client: Client) -> None:
    report = report_of(account("luc"), account("rude"))
    for user in (account("curious"), User.objects.create_user("bare", is_staff=True)):
        client.force_login(user)
        for address in (QUEUE, address_of(report), address_of(report, "resolve")):
            assert client.get(address).status_code in (302, 403)


def test_the_names_that_were_complained_of_stay_with_the_report(browser: Client, mari: User) -> None:
    # given
    _, report = match_with_words(account("luc"), account("rude"))
    # when both are gone
    sanctions.take_name(mari, User.objects.get(username="rude"), "", "an insult")
    assert report.room is not None
    moderation.rename_room(mari, report.room.pk, "", "an insult")
    # then
    shown = text(page(browser, address_of(report)))
    assert "Their name then rude" in shown
    assert "The room’s name then Kolmas laud" in shown
