"""What somebody meets who has been warned, muted, suspended or banned, and how staff decide it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import sanctions
from accounts.decisions import OPEN_TO_THE_BANNED, DecisionsMiddleware, line_html
from accounts.deletion import delete_account
from accounts.models import Sanction, StaffAct, User
from accounts.sanctions import Ground, Kind, Scope, lift
from belote_site.staff_groups import MODERATOR
from games.models import Report, Room
from games.services import rooms
from tests.web.roles import NOT_THERE, address_of, routes

pytestmark = pytest.mark.django_db

PASSWORD = "kolm-punast-kassi"
TEXT = "You called Marie names on Tuesday."
DAY = timedelta(days=1)
NUMBERS = NOT_THERE | {"level": "easy", "deal": "1", "public_id": NOT_THERE["room_id"], "object_id": "1"}
NUMBERS |= {"app_label": "accounts", "content_type_id": "1", "uidb36": "1", "key": "no-such-key", "act": "ban"}


@pytest.fixture(autouse=True)
def _with_an_address(settings: Settings) -> None:
    settings.CONTACT = "appeals@belote.example"


@pytest.fixture
def person() -> User:
    return User.objects.create_user("Pahalane", password=PASSWORD)


@pytest.fixture
def browser(person: User) -> Client:
    """The person's, signed in."""
    browser = Client()
    browser.force_login(person)
    return browser


@pytest.fixture
def moderator() -> User:
    user = User.objects.create_user("mari", is_staff=True)
    user.groups.add(Group.objects.get(name=MODERATOR))
    return user


@pytest.fixture
def desk(moderator: User) -> Client:
    """The moderator's browser."""
    desk = Client()
    desk.force_login(moderator)
    return desk


def decide(person: User, kind: Kind = Kind.BAN, length: timedelta | None = DAY, **changed: Any) -> Sanction:
    scope = changed.pop("scope", sanctions.SCOPES[kind][0])
    return sanctions.impose(
        None, person, kind, scope, Ground.INSULTS, TEXT, None if kind is Kind.WARNING else length, "for a test"
    )


def page(browser: Client, address: str = "/", status: int = 200) -> str:
    answer = browser.get(address)
    assert answer.status_code == status, answer.content.decode()
    return answer.content.decode()


def log_in(browser: Client, password: str) -> Any:
    return browser.post("/account/login/", {"login": "pahalane", "password": password})


# A ban


def test_the_banned_get_the_reason_in_the_place_of_every_page_but_a_few(person: User, browser: Client) -> None:
    # given
    decide(person)
    is_open = {reverse(name) for name in OPEN_TO_THE_BANNED}
    # when
    answers = {route: browser.get(address_of(route, NUMBERS | {"url": "x"})) for route in routes()}
    # then
    for route, answer in answers.items():
        is_told = answer.status_code == 403 and TEXT in answer.content.decode()
        assert is_told != (route in is_open), route
    assert is_open <= answers.keys()
    # and nothing is done for them either
    assert browser.post("/play/", {"level": "easy", "target": "501"}).status_code == 403
    assert not Room.objects.exists()


def test_the_reason_says_why_until_when_and_whom_to_write_to(person: User, browser: Client) -> None:
    ban = decide(person)
    told = page(browser, "/lobby/", 403)
    assert "Insults or hate" in told
    assert f'datetime="{ban.until:%Y-%m-%dT%H:%M:%S}' in told
    assert "mailto:appeals@belote.example" in told
    assert "For good" not in told


def test_a_ban_for_good_says_so_and_a_site_without_an_address_that_it_has_none(
    person: User, browser: Client, settings: Settings
) -> None:
    settings.CONTACT = ""
    decide(person, length=None)
    told = page(browser, "/", 403)
    assert "For good" in told
    assert "no address to write to" in told
    assert "mailto:" not in told


@pytest.mark.parametrize(("language", "word"), [("fr", "exclu"), ("et", "keelatud"), ("th", "ถูกแบน")])
def test_the_banned_read_it_in_their_language(person: User, browser: Client, language: str, word: str) -> None:
    decide(person)
    answer = browser.post("/account/language/", {"language": language, "next": "/"})
    assert answer.status_code == 302
    assert word in page(browser, "/", 403)


def test_the_banned_take_their_data_along_and_delete_their_account(person: User, browser: Client) -> None:
    decide(person)
    assert TEXT in page(browser, "/account/data/")
    answer = browser.post("/account/delete/", {"password": PASSWORD})
    assert answer.status_code == 302
    assert not User.objects.filter(pk=person.pk).exists()


def test_a_ban_that_is_over_or_lifted_bars_nothing(person: User, browser: Client) -> None:
    ban = decide(person)
    sanctions.lift(None, ban, "")
    page(browser, "/lobby/")
    decide(person)
    Sanction.objects.update(until=timezone.now())
    page(browser, "/lobby/")


def test_who_is_banned_while_their_click_is_on_its_way_sees_why(person: User, rf: RequestFactory) -> None:
    # given a request that has got past the middleware
    request = rf.post(reverse("games:new_room"))
    request.user = person
    decide(person)
    # when the service refuses it
    with pytest.raises(sanctions.Banned) as refused:
        rooms.create(person, Room())
    # then
    answer = DecisionsMiddleware(lambda _: HttpResponse()).process_exception(request, refused.value)
    assert answer is not None
    assert answer.status_code == 403
    assert "You are banned" in answer.content.decode()


def test_staff_who_are_banned_lose_the_admin(moderator: User, desk: Client) -> None:
    page(desk, "/admin/accounts/user/")
    decide(moderator)
    assert TEXT in page(desk, "/admin/accounts/user/", 403)


def test_the_right_password_of_a_banned_account_shows_why_and_makes_no_session(person: User) -> None:
    # given
    decide(person)
    browser = Client()
    # when
    answer = log_in(browser, PASSWORD)
    # then
    assert answer.status_code == 403
    assert TEXT in answer.content.decode()
    assert "_auth_user_id" not in browser.session
    assert "/account/data/" not in answer.content.decode()
    # and a wrong one tells nothing
    wrong = log_in(browser, PASSWORD + "x")
    assert wrong.status_code == 200
    assert TEXT not in wrong.content.decode()


def test_a_guest_does_not_join_a_banned_account(person: User) -> None:
    # given
    decide(person)
    guest = User.objects.create_guest()
    browser = Client()
    browser.force_login(guest)
    # when
    answer = log_in(browser, PASSWORD)
    # then
    assert answer.status_code == 403
    assert User.objects.filter(pk=guest.pk).exists()
    assert browser.session["_auth_user_id"] == str(guest.pk)


def test_nobody_washes_a_ban_off_a_guest_by_signing_up(person: User) -> None:
    guest = User.objects.create_guest()
    browser = Client()
    browser.force_login(guest)
    decide(guest)
    form = {"username": "Kalle", "password1": PASSWORD, "password2": PASSWORD}
    assert browser.post("/account/signup/", form).status_code == 403
    assert log_in(browser, PASSWORD).status_code == 403
    assert User.objects.filter(pk=guest.pk, is_guest=True).exists()


# Networks and addresses


def test_from_the_network_of_the_banned_no_guest_comes_but_accounts_do(person: User, settings: Settings) -> None:
    # given
    settings.TRUSTED_PROXIES = 1
    home = {"X-Forwarded-For": "203.0.113.7"}
    seen = Client(headers=home)
    assert log_in(seen, PASSWORD).status_code == 302
    decide(person)
    visitor = Client(headers=home)
    form = {"level": "easy", "target": "501"}
    # when
    answer = visitor.post("/play/", form)
    # then
    assert answer.status_code == 403
    assert "nobody can play as a guest" in answer.content.decode()
    assert not User.objects.filter(is_guest=True).exists()
    # and a page's script is led to the same words
    led = visitor.post("/play/", form, headers={"HX-Request": "true"})
    assert "nobody can play as a guest" in page(visitor, led.headers["HX-Redirect"], 403)
    # and others come
    assert Client(headers={"X-Forwarded-For": "203.0.113.8"}).post("/play/", form).status_code == 302
    User.objects.create_user("neighbour", password=PASSWORD)
    assert visitor.post("/account/login/", {"login": "neighbour", "password": PASSWORD}).status_code == 302
    assert visitor.post("/play/", form).status_code == 302


@pytest.mark.parametrize("is_gone", [False, True])
def test_the_address_of_the_banned_is_confirmed_for_no_other_account_and_nobody_is_told_why(
    person: User, settings: Settings, is_gone: bool
) -> None:
    # given
    EmailAddress.objects.create(user=person, email="pahalane@example.org", verified=True)
    ban = decide(person)
    if is_gone:
        delete_account(person)
    # when an account signs up with it, and another takes it on later
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
    form = {"email": "Pahalane@example.org", "password1": PASSWORD, "password2": PASSWORD}
    signing_up, later = Client(), Client()
    answer = signing_up.post("/account/signup/", form | {"username": "Kalle"})
    cache.clear()  # One link in three minutes goes to an address.
    later.force_login(User.objects.create_user("Nadia"))
    added = later.post("/account/email/", {"email": "pahalane@example.org", "action_add": ""})
    # then both are answered like anybody
    other = Client().post("/account/signup/", form | {"username": "Jaan", "email": "jaan@example.org"})
    assert (answer.status_code, answer.headers["Location"]) == (other.status_code, other.headers["Location"])
    assert (added.status_code, added.headers["Location"]) == (302, "/account/email/")
    assert [message.to for message in mail.outbox] == [["pahalane@example.org"]] * 2 + [["jaan@example.org"]]
    # but the links in their mails are out of date
    links = [re.search(r"http://testserver(/\S+)", message.body)[1] for message in mail.outbox]
    for browser, link in zip((signing_up, later), links, strict=False):
        for shown in (browser.get(link), browser.post(link)):
            assert "This link no longer works" in shown.content.decode()
    others = EmailAddress.objects.filter(email="pahalane@example.org").exclude(user=person.pk)
    assert list(others.values_list("verified", flat=True)) == [False, False]
    # and a forgotten password of theirs is not set anew by it
    mail.outbox.clear()
    asked = Client().post("/account/password/reset/", {"email": "pahalane@example.org"})
    assert asked.headers["Location"] == "/account/password/reset/done/"
    assert "Kalle" not in "".join(message.body for message in mail.outbox)
    # until the ban is lifted
    if is_gone:
        lift(None, ban, "")
        signing_up.post(links[0])
        assert EmailAddress.objects.get(verified=True).user.username == "Kalle"


# Notices


@pytest.mark.parametrize("kind", [Kind.WARNING, Kind.MUTE, Kind.SUSPENSION])
def test_every_page_shows_what_one_has_not_read_yet(person: User, browser: Client, kind: Kind) -> None:
    # given
    sanction = decide(person, kind)
    other = decide(User.objects.create_user("other"), kind)
    for address in ("/", "/lobby/", "/rules/"):
        told = page(browser, address)
        assert TEXT in told
        assert told.count("I have read this") == 1
        assert "mailto:appeals@belote.example" in told
    # when
    for number in (sanction.pk, other.pk):
        answer = browser.post("/account/decisions/", {"decision": number, "next": "/rules/"})
        assert answer.headers["Location"] == "/rules/"
    # then
    sanction.refresh_from_db()
    other.refresh_from_db()
    assert sanction.seen_at is not None
    assert TEXT not in page(browser)
    # and it stays on their own page
    assert TEXT in page(browser, "/account/decisions/")
    # and nobody reads in somebody else's name
    assert other.seen_at is None


def test_of_many_that_are_not_read_yet_three_show_and_how_many_more_there_are(person: User, browser: Client) -> None:
    # given
    warning = (None, person, Kind.WARNING, Scope.NOTHING, Ground.OTHER)
    oldest, next_one, *_ = [sanctions.impose(*warning, f"{time}.", None, "for a test").pk for time in range(5)]
    # when, then
    shown = page(browser)
    assert shown.count("I have read this") == 3
    assert f'id="decision-{oldest}"' in shown
    assert '<a href="/account/decisions/">Read 2 more decisions about you</a>' in shown
    assert "And 2 more." in line_html(person)
    # when
    Sanction.objects.filter(pk__in=[oldest, next_one]).update(seen_at=timezone.now())
    # then
    assert page(browser).count("I have read this") == 3
    assert " more" not in line_html(person)


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "²"])
def test_a_forged_number_or_way_on_does_nothing(person: User, browser: Client, number: str) -> None:
    decide(person, Kind.WARNING)
    answer = browser.post("/account/decisions/", {"decision": number, "next": "https://evil.example/"})
    assert answer.headers["Location"] == "/account/decisions/"
    assert Sanction.objects.get().seen_at is None


def test_ones_own_page_tells_of_each_decision_whether_it_holds(person: User, browser: Client) -> None:
    decide(person, Kind.MUTE, scope=Scope.TALK)
    lifted = decide(person, Kind.SUSPENSION)
    sanctions.lift(None, lifted, "")
    over = decide(person, Kind.MUTE)
    Sanction.objects.filter(pk=over.pk).update(until=timezone.now())
    told = page(browser, "/account/decisions/")
    states = ("In force", "Lifted", "Over")
    assert [told.count(f'"decision-state">{state}<') for state in states] == [1, 1, 1]
    assert "neither in rooms nor at tables" in told


def test_what_a_moderator_writes_is_text_and_nothing_else(person: User, browser: Client) -> None:
    evil = "<img src=x onerror=alert(1)>"
    sanctions.impose(None, person, Kind.WARNING, Scope.NOTHING, Ground.OTHER, evil, None, "")
    assert evil not in page(browser)
    assert "&lt;img src=x" in page(browser)


# Rated play


def test_the_suspended_are_told_until_when_they_make_no_rated_room(person: User, browser: Client) -> None:
    # given
    decide(person, Kind.SUSPENSION)
    others = rooms.create(User.objects.create_user("host"), Room(visibility="public", clock=30, is_rated=True))
    form = {"target": "701", "visibility": "public", "clock": "60", "undertrump": "may", "litige": "fail"}
    # when
    answer = browser.post("/rooms/new/", form | {"is_rated": "on", "belote": "manual"})
    # then
    assert answer.status_code == 422
    assert "You are suspended from rated matches until" in answer.content.decode()
    # and the same in somebody else's
    answer = browser.post(f"/room/{others.pk}/sit/", {"seat": "1"}, follow=True)
    assert "You are suspended from rated matches until" in answer.content.decode()
    assert not others.seatings.filter(user=person).exists()


def test_the_muted_are_told_so_where_they_name_a_room(person: User, browser: Client) -> None:
    # given
    decide(person, Kind.MUTE)
    form = {"name": "Your mother", "target": "701", "visibility": "public", "clock": "60"}
    form |= {"undertrump": "may", "litige": "fail", "belote": "manual"}
    # when
    answer = browser.post("/rooms/new/", form)
    # then
    assert answer.status_code == 422
    assert "You are muted until" in answer.content.decode()
    # and the same for one that they have made
    browser.post("/rooms/new/", form | {"name": ""})
    room = Room.objects.get()
    answer = browser.post(f"/room/{room.pk}/options/", form, follow=True)
    assert "You are muted until" in answer.content.decode()
    room.refresh_from_db()
    assert room.name == ""


# The desk of staff


def act(desk: Client, person: User, name: str, **changed: str) -> Any:
    form = {"ground": "insults", "text": TEXT, "why": "see the report", **changed}
    return desk.post(f"/admin/accounts/user/{person.pk}/act/{name}/", form)


@pytest.mark.parametrize(
    ("name", "form", "kind", "scope", "length"),
    [
        ("warn", {}, "warning", "nothing", None),
        ("mute", {"scope": "text", "length": "1h"}, "mute", "text", timedelta(hours=1)),
        ("mute", {"scope": "talk", "length": "3d"}, "mute", "talk", 3 * DAY),
        ("suspend", {"length": "90d"}, "suspend", "rated", 90 * DAY),
        ("ban", {"length": "365d"}, "ban", "site", 365 * DAY),
        ("ban", {"length": "for-good"}, "ban", "site", None),
    ],
)
def test_staff_decide_on_a_persons_page(
    desk: Client,
    moderator: User,
    person: User,
    name: str,
    form: dict[str, str],
    kind: str,
    scope: str,
    length: timedelta | None,
) -> None:
    # given
    report = Report.objects.create(reported=person, ground="insults")
    # when
    answer = act(desk, person, name, report=str(report.pk), **form)
    # then
    assert answer.status_code == 302, answer.content.decode()
    made = Sanction.objects.get()
    assert (made.user, made.kind, made.scope, made.ground, made.text) == (person, kind, scope, "insults", TEXT)
    assert (None if made.until is None else made.until - made.starts_at) == length
    written = StaffAct.objects.get()
    assert (written.staff, written.why, written.detail["report"]) == (moderator.public_id, "see the report", report.pk)
    # and its page leads to the person and to the record
    sheet = page(desk, f"/admin/accounts/sanction/{made.pk}/change/")
    assert f"/admin/accounts/user/{person.pk}/change/" in sheet
    assert "?subject=sanction&amp;subject_id=" in sheet
    assert f"/admin/accounts/sanction/?user={person.pk}" in page(desk, "/admin/accounts/user/")


def test_a_form_comes_filled_in_from_a_report(desk: Client, person: User) -> None:
    asked = page(desk, f"/admin/accounts/user/{person.pk}/act/ban/?ground=cheating&report=17")
    assert '<option value="cheating" selected' in asked
    assert 'name="report" value="17"' in asked


@pytest.mark.parametrize("name", ["why", "text", "length"])
def test_no_address_fills_in_what_staff_write_and_for_how_long(desk: Client, person: User, name: str) -> None:
    html = page(desk, f"/admin/accounts/user/{person.pk}/act/ban/?{name}=for-good")
    asked = html.partition('<form class="act"')[2].partition("</form>")[0]
    assert asked.count("for-good") == 1  # as the last of the lengths that are offered
    assert '<option value="1d" selected' in asked


@pytest.mark.parametrize(
    "changed",
    [
        {"length": "2d"},
        {"ground": "mood"},
        {"why": ""},
        {"report": "x"},
        {"report": str(2**63)},
        {"report": "17"},
        {"ground": "other", "text": ""},
    ],
)
def test_a_form_that_makes_no_sense_decides_nothing(desk: Client, person: User, changed: dict[str, str]) -> None:
    answer = act(desk, person, "ban", **{"length": "1d", **changed})
    assert answer.status_code == 422
    assert not Sanction.objects.exists()


def test_who_has_no_right_to_it_decides_nothing(person: User) -> None:
    helper = User.objects.create_user("helper", is_staff=True)
    desk = Client()
    desk.force_login(helper)
    assert act(desk, person, "ban", length="1d").status_code == 403
    assert not Sanction.objects.exists()


def test_a_moderator_is_offered_nothing_about_staff_and_a_forged_form_is_refused(desk: Client, moderator: User) -> None:
    other = User.objects.create_user("mati", is_staff=True)
    for somebody in (moderator, other):
        assert "/act/" not in page(desk, f"/admin/accounts/user/{somebody.pk}/change/")
        answer = act(desk, somebody, "ban", length="1d")
        assert answer.status_code == 422
    assert not Sanction.objects.exists()


def test_a_name_is_taken_away_and_its_person_told_the_new_one_and_let_in_with_both(desk: Client, person: User) -> None:
    # when
    answer = act(desk, person, "take-name")
    # then
    assert answer.status_code == 302
    person.refresh_from_db()
    new = person.username
    assert new.startswith("Player-")
    assert {row.act for row in StaffAct.objects.all()} == {"rename-person", "warn"}
    for name in ("pahalane", "PAHALANE", new):
        browser = Client()
        wrong = browser.post("/account/login/", {"login": name, "password": PASSWORD + "x"})
        assert wrong.status_code == 200
        assert browser.post("/account/login/", {"login": name, "password": PASSWORD}).status_code == 302
        told = page(browser, "/rules/")
        assert "Your name was taken away." in told
        assert f"<strong><bdi>{new}</bdi></strong>" in told
    # and nobody takes the old one, neither now nor soon after the account is gone
    form = {"username": "PahaIane", "password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
    Client().post("/account/signup/", form)
    person.delete()
    Client().post("/account/signup/", form)
    assert not User.objects.filter(username="PahaIane").exists()
    # and whoever has another account is not let in with it
    assert log_in(Client(), PASSWORD).status_code == 200


def test_a_guest_has_no_name_to_take_nor_has_staff_for_a_moderator(desk: Client, moderator: User) -> None:
    for somebody in (User.objects.create_guest(), moderator, User.objects.create_user("mati", is_staff=True)):
        assert act(desk, somebody, "take-name").status_code == 422
        assert not somebody.username.startswith("Player")
    assert not Sanction.objects.exists()


def test_staff_lift_what_is_in_force_and_find_it_by_that(desk: Client, moderator: User, person: User) -> None:
    # given
    ban = decide(person)
    sheet = f"/admin/accounts/sanction/{ban.pk}"
    shown = f"{sheet}/change/"
    assert shown in page(desk, "/admin/accounts/sanction/?in_force=yes")
    assert shown not in page(desk, "/admin/accounts/sanction/?in_force=no")
    assert f"{sheet}/act/lift/" in page(desk, shown)
    # when
    answer = desk.post(f"{sheet}/act/lift/", {"why": "a mistake"})
    # then
    assert answer.status_code == 302
    assert sanctions.barred(person.pk, Scope.SITE) is None
    assert StaffAct.objects.filter(act="lift", staff=moderator.public_id, why="a mistake").exists()
    assert f"{sheet}/act/lift/" not in page(desk, shown)
    assert shown in page(desk, "/admin/accounts/sanction/?in_force=no")
