"""The second factor: set up, asked for at the log-in, lost, turned off; and the pages of staff, which need it."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.core.checks import run_checks
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts import rights
from accounts.models import User
from accounts.second_factor import SecondFactorAdapter
from games import selectors

pytestmark = pytest.mark.django_db

PASSWORD = "kolm-punast-kassi"
LOG_IN, CODE, OVERVIEW = "/account/login/", "/account/second-factor/code/", "/account/second-factor/"
SET_UP, TURN_OFF = "/account/second-factor/set-up/", "/account/second-factor/turn-off/"
RECOVERY, NEW_RECOVERY = "/account/second-factor/recovery-codes/", "/account/second-factor/recovery-codes/new/"


@pytest.fixture
def marie() -> User:
    return User.objects.create_user("Marie", "marie@example.org", PASSWORD)


@pytest.fixture
def secret(marie: User) -> str:
    """What the app on Marie's phone was given."""
    secret = generate_totp_secret()
    TOTP.activate(marie, secret)
    RecoveryCodes.activate(marie)
    return secret


def code_of(secret: str) -> str:
    """What the app shows. The next one is right as well, so the clock may go on meanwhile."""
    *_, newest = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, newest))


def wrong_code(secret: str) -> str:
    right = {format_hotp_value(hotp_value(secret, counter)) for counter in yield_hotp_counters_from_time()}
    return next(f"{number:06}" for number in range(9) if f"{number:06}" not in right)


def give_password(client: Client, address: str = LOG_IN) -> HttpResponse:
    return client.post(address, {"login": "marie", "password": PASSWORD})


def log_in(client: Client, secret: str, address: str = LOG_IN) -> HttpResponse:
    assert give_password(client, address).headers["Location"] == CODE
    return client.post(CODE, {"code": code_of(secret)})


def confirm(client: Client) -> None:
    client.post("/account/password/confirm/", {"password": PASSWORD})


def signed_in_as(client: Client) -> User | None:
    user = client.get("/account/preferences/").wsgi_request.user
    return user if user.is_authenticated else None


# Logging in


def test_the_password_alone_signs_nobody_in_and_the_code_goes_on_to_where_one_wanted(
    client: Client, marie: User, secret: str
) -> None:
    # when
    answer = give_password(client, f"{LOG_IN}?next=/rules/")
    # then
    assert answer.headers["Location"] == CODE
    assert signed_in_as(client) is None
    assert client.get(CODE).status_code == 200
    # when
    answer = client.post(CODE, {"code": code_of(secret)})
    # then
    assert answer.headers["Location"] == "/rules/"
    assert signed_in_as(client) == marie


def test_a_guest_stays_a_guest_until_the_code_and_then_joins_the_account(
    client: Client, marie: User, secret: str
) -> None:
    # given a guest at a table
    client.post("/play/", {"level": "easy", "target": "501"})
    guest = signed_in_as(client)
    # when the password is right
    assert give_password(client).headers["Location"] == CODE
    # then nothing has happened to the guest
    assert signed_in_as(client) == guest
    assert selectors.running_match(guest.pk) is not None
    # when a code is wrong
    assert "This code is wrong" in client.post(CODE, {"code": wrong_code(secret)}).content.decode()
    assert signed_in_as(client) == guest
    # and when it is right
    client.post(CODE, {"code": code_of(secret)})
    # then
    assert signed_in_as(client) == marie
    assert not User.objects.filter(is_guest=True).exists()
    assert selectors.running_match(marie.pk) is not None
    # and the session knows of both factors, although the guest's has ended
    assert [step["method"] for step in client.session[AUTHENTICATION_METHODS_SESSION_KEY]] == ["password", "mfa"]


def test_a_code_opens_one_session_only(client: Client, marie: User, secret: str) -> None:
    code = code_of(secret)
    give_password(client)
    client.post(CODE, {"code": code})
    another = Client()
    give_password(another)

    answer = another.post(CODE, {"code": code})

    assert "used already" in answer.content.decode()
    assert signed_in_as(another) is None


def test_wrong_codes_are_limited_from_every_browser_together_and_the_right_one_is_refused_then(
    marie: User, secret: str
) -> None:
    # given
    wrong = wrong_code(secret)
    for _ in range(5):
        browser = Client()
        give_password(browser)
        assert "This code is wrong" in browser.post(CODE, {"code": wrong}).content.decode()
    # when
    last = Client()
    give_password(last)
    answer = last.post(CODE, {"code": code_of(secret)})
    # then
    assert "Too many attempts" in answer.content.decode()
    assert signed_in_as(last) is None


@pytest.mark.parametrize("code", ["", "١٢٣٤٥٦", "\x00", "x" * 60_000, "<img src=x>", "000000 or 1=1"])
def test_nonsense_is_refused(client: Client, marie: User, secret: str, code: str) -> None:
    give_password(client)

    answer = client.post(CODE, {"code": code})

    assert answer.context["form"].errors
    assert "<img src" not in answer.content.decode()
    assert signed_in_as(client) is None


def test_nobody_comes_to_the_page_of_the_code_without_the_password(client: Client, marie: User, secret: str) -> None:
    assert client.get(CODE).headers["Location"] == LOG_IN
    assert client.post(CODE, {"code": code_of(secret)}).headers["Location"] == LOG_IN
    assert signed_in_as(client) is None


def test_a_recovery_code_works_once_in_place_of_the_app(client: Client, marie: User, secret: str) -> None:
    # given
    recovery = Authenticator.objects.get(type="recovery_codes").wrap().generate_codes()[3]
    give_password(client)
    # when it is typed as it is shown
    client.post(CODE, {"code": f"{recovery[:4]} {recovery[4:]}"})
    # then
    assert signed_in_as(client) == marie
    another = Client()
    give_password(another)
    another.post(CODE, {"code": recovery})
    assert signed_in_as(another) is None


def test_a_new_password_by_mail_does_not_go_around_the_second_factor(client: Client, marie: User, secret: str) -> None:
    client.post("/account/password/reset/", {"email": "marie@example.org"})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)[1]
    page = client.get(link, follow=True)
    new = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
    client.post(page.request["PATH_INFO"], new)

    assert signed_in_as(client) is None
    assert client.post(LOG_IN, {"login": "marie", "password": new["password1"]}).headers["Location"] == CODE


# Setting up, and its keys


def test_it_is_set_up_with_the_password_and_a_code_and_the_recovery_codes_are_shown(
    client: Client, marie: User
) -> None:
    # given
    client.force_login(marie)
    asked = client.get(SET_UP)
    assert asked.headers["Location"].startswith("/account/password/confirm/")
    confirm(client)
    # when
    page = client.get(SET_UP)
    secret = page.context["form"].secret
    shown = page.content.decode()
    # then the secret is there as text and as a picture, without the address of mail
    assert secret in shown.replace(" ", "")
    assert 'src="data:image/svg+xml;base64,' in shown
    assert "otpauth://totp/Marie?" in shown
    assert "example.org" not in shown
    # when
    refused = client.post(SET_UP, {"code": wrong_code(secret)})
    assert "This code is wrong" in refused.content.decode()
    assert not Authenticator.objects.exists()
    assert secret in refused.content.decode().replace(" ", "")
    answer = client.post(SET_UP, {"code": code_of(secret)}, follow=True)
    # then
    assert answer.redirect_chain == [(RECOVERY, 302)]
    codes = re.findall(r"<code>(\d{4} \d{4})</code>", answer.content.decode())
    assert len(codes) == 10
    assert "10 codes are left." in client.get(OVERVIEW).content.decode()
    # and other devices ask for it from now on
    another = Client()
    give_password(another)
    another.post(CODE, {"code": codes[0]})
    assert signed_in_as(another) == marie
    assert "9 codes are left." in client.get(OVERVIEW).content.decode()


def test_setting_it_up_ends_every_other_session_and_keeps_this_one(client: Client, marie: User) -> None:
    # given another browser that has confirmed the password
    other = Client()
    for browser in (client, other):
        give_password(browser)
        confirm(browser)
    secret = client.get(SET_UP).context["form"].secret
    # when a code was wrong, nothing has ended
    client.post(SET_UP, {"code": wrong_code(secret)})
    assert signed_in_as(other) == marie
    # when
    answer = client.post(SET_UP, {"code": code_of(secret)})
    # then
    assert answer.headers["Location"] == RECOVERY
    assert client.get(RECOVERY).status_code == 200
    assert signed_in_as(client) == marie
    assert signed_in_as(other) is None


def test_attempts_to_set_it_up_are_limited(client: Client, marie: User) -> None:
    client.force_login(marie)
    confirm(client)
    secret = client.get(SET_UP).context["form"].secret
    for _ in range(5):
        client.post(SET_UP, {"code": wrong_code(secret)})

    assert "Too many attempts" in client.post(SET_UP, {"code": code_of(secret)}).content.decode()
    assert not Authenticator.objects.exists()


def test_new_recovery_codes_end_the_old_ones(client: Client, marie: User, secret: str) -> None:
    log_in(client, secret)
    confirm(client)
    old = client.get(RECOVERY).context["unused_codes"]

    answer = client.post(NEW_RECOVERY, follow=True)

    assert not set(old) & set(answer.context["unused_codes"])
    another = Client()
    give_password(another)
    another.post(CODE, {"code": old[0]})
    assert signed_in_as(another) is None


def test_it_is_turned_off_with_the_password(client: Client, marie: User, secret: str) -> None:
    # given
    log_in(client, secret)
    assert client.post(TURN_OFF).headers["Location"].startswith("/account/password/confirm/")
    assert Authenticator.objects.count() == 2
    # when
    confirm(client)
    client.post(TURN_OFF)
    # then
    assert not Authenticator.objects.exists()
    assert give_password(Client()).headers["Location"] == "/"


@pytest.mark.parametrize("page", [TURN_OFF, RECOVERY, NEW_RECOVERY])
def test_a_session_from_before_neither_removes_it_nor_sees_its_codes_by_the_password_alone(
    client: Client, marie: User, page: str
) -> None:
    # given a session that has confirmed the password, and a second factor that was set up elsewhere
    give_password(client)
    confirm(client)
    secret = generate_totp_secret()
    TOTP.activate(marie, secret)
    RecoveryCodes.activate(marie)
    before = list(Authenticator.objects.order_by("pk").values())
    # when
    asked, sent = client.get(page), client.post(page)
    # then
    assert asked.headers["Location"] == sent.headers["Location"] == f"{CODE}?{urlencode({'next': page})}"
    assert list(Authenticator.objects.order_by("pk").values()) == before
    # and a code opens it
    answer = client.post(CODE, {"code": code_of(secret), "next": page})
    assert answer.headers["Location"] == page
    assert client.get(page).status_code == 200


def test_there_are_no_recovery_codes_without_it(client: Client, marie: User) -> None:
    client.force_login(marie)
    confirm(client)

    assert client.get(RECOVERY).status_code == 404
    assert "Set up the second factor first." in client.post(NEW_RECOVERY).content.decode()
    assert client.get(TURN_OFF).status_code == 404
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("first", ["address", "second factor"])
def test_an_address_that_waits_for_its_confirmation_is_no_hindrance(client: Client, marie: User, first: str) -> None:
    client.force_login(marie)
    confirm(client)
    if first == "address":
        client.post("/account/email/", {"email": "new@example.org", "action_add": ""})
    secret = client.get(SET_UP).context["form"].secret
    client.post(SET_UP, {"code": code_of(secret)})
    if first != "address":
        client.post("/account/email/", {"email": "new@example.org", "action_add": ""})

    assert Authenticator.objects.count() == 2
    assert EmailAddress.objects.get(email="new@example.org").user == marie


# Secrets


def test_neither_the_database_nor_ones_own_data_holds_a_secret_that_can_be_read(
    client: Client, marie: User, secret: str
) -> None:
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    codes = Authenticator.objects.get(type="recovery_codes").wrap().generate_codes()
    log_in(client, secret)

    own = json.loads(client.get("/account/data/").content)

    assert secret not in stored
    assert not [code for code in codes if code in stored]
    assert {one["type"] for one in own["authenticator_set"]} == {"totp", "recovery_codes"}
    assert {key for one in own["authenticator_set"] for key in one} == {"type", "created_at", "last_used_at"}


def test_with_another_key_of_the_site_no_code_is_right_and_one_is_told_why(
    client: Client, marie: User, secret: str, settings: Settings
) -> None:
    settings.SECRET_KEY = "another key of this test"
    give_password(client)

    answer = client.post(CODE, {"code": code_of(secret)})

    assert "cannot read your second factor" in answer.content.decode()
    assert signed_in_as(client) is None


def test_a_secret_comes_back_as_it_was_and_looks_different_each_time() -> None:
    adapter = SecondFactorAdapter()

    assert adapter.decrypt(adapter.encrypt("ABC")) == "ABC"
    assert adapter.encrypt("ABC") != adapter.encrypt("ABC")


def test_it_goes_with_the_account(client: Client, marie: User, secret: str) -> None:
    log_in(client, secret)
    client.post("/account/delete/", {"password": PASSWORD})
    assert not Authenticator.objects.exists()


# Staff


@pytest.fixture
def _needed(settings: Settings, marie: User) -> None:
    settings.STAFF_NEED_SECOND_FACTOR = True
    rights.make_moderator(None, marie, "")


@pytest.mark.usefixtures("_needed")
def test_staff_log_in_by_the_door_of_everybody_and_come_to_the_page_that_they_wanted(
    client: Client, secret: str
) -> None:
    # given
    wanted = "/admin/accounts/user/?is_guest__exact=0"
    # when
    page = client.get(wanted, follow=True)
    # then
    assert page.request["PATH_INFO"] == LOG_IN
    door = page.redirect_chain[-1][0]
    # when
    answer = log_in(client, secret, door)
    # then
    assert answer.headers["Location"] == wanted
    assert client.get(wanted).status_code == 200


@pytest.mark.usefixtures("_needed")
def test_staff_without_one_are_led_to_set_it_up_and_back(client: Client, marie: User) -> None:
    # given
    give_password(client)
    # when
    page = client.get("/admin/accounts/user/", follow=True)
    # then
    assert page.request["PATH_INFO"] == "/account/password/confirm/"
    page = client.post(page.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)
    assert page.request["PATH_INFO"] == SET_UP
    assert "You need it to go on." in page.content.decode()
    # when
    filled = {"code": code_of(page.context["form"].secret), "next": page.context["next"]}
    page = client.post(SET_UP, filled, follow=True)
    # then
    assert page.request["PATH_INFO"] == RECOVERY
    assert 'href="/admin/accounts/user/"' in page.content.decode()
    assert client.get("/admin/accounts/user/").status_code == 200


@pytest.mark.usefixtures("_needed")
def test_a_session_from_before_gives_a_code_first(client: Client, marie: User) -> None:
    # given a session without a second factor, and one that was set up elsewhere
    give_password(client)
    secret = generate_totp_secret()
    TOTP.activate(marie, secret)
    # when
    page = client.get("/admin/accounts/user/", follow=True)
    # then
    assert page.request["PATH_INFO"] == CODE
    assert client.post("/admin/accounts/user/1/act/make-moderator/", {"why": "x"}).status_code == 302
    assert client.post(CODE, {"code": wrong_code(secret), "next": page.context["next"]}).status_code == 200
    assert client.get("/admin/accounts/user/").status_code == 302
    # when
    answer = client.post(CODE, {"code": code_of(secret), "next": page.context["next"]})
    # then
    assert answer.headers["Location"] == "/admin/accounts/user/"
    assert client.get("/admin/accounts/user/").status_code == 200


@pytest.mark.usefixtures("_needed")
def test_what_was_given_before_the_present_second_factor_does_not_count(
    client: Client, marie: User, secret: str
) -> None:
    # given
    log_in(client, secret)
    assert client.get("/admin/").status_code == 200
    # when somebody sets it up anew
    Authenticator.objects.all().delete()
    assert client.get("/admin/").status_code == 302
    TOTP.activate(marie, generate_totp_secret())
    # then
    assert client.get("/admin/").status_code == 302
    assert client.get("/admin/", follow=True).request["PATH_INFO"] == CODE


@pytest.mark.usefixtures("_needed")
def test_the_second_factor_of_somebody_else_does_not_help(client: Client, marie: User, secret: str) -> None:
    # given
    log_in(client, secret)
    kalle = User.objects.create_user("kalle")
    rights.make_moderator(None, kalle, "")
    # when another signs in within the same browser
    client.force_login(kalle)
    # then
    assert client.get("/admin/").status_code == 302


@pytest.mark.usefixtures("_needed")
@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_nobody_is_led_off_the_site(client: Client, marie: User, secret: str, address: str) -> None:
    log_in(client, secret)

    for page in ("/admin/login/", CODE, OVERVIEW):
        answer = client.get(page, {"next": address})
        assert "evil" not in answer.headers.get("Location", "")
        assert "alert" not in answer.headers.get("Location", "")
    confirm(client)
    assert address not in client.get(RECOVERY, {"next": address}).content.decode().partition("<main")[2]


@pytest.mark.usefixtures("_needed")
def test_who_is_no_staff_is_not_let_in_by_a_second_factor(client: Client, marie: User, secret: str) -> None:
    rights.end_rights(None, marie, "")
    log_in(client, secret)

    assert client.get("/admin/", follow=True).status_code == 403


def test_where_it_is_not_needed_staff_come_in_with_the_password(client: Client, marie: User) -> None:
    rights.make_moderator(None, marie, "")
    give_password(client)

    assert client.get("/admin/").status_code == 200
    assert client.get("/admin/login/?next=/admin/accounts/user/").headers["Location"] == "/admin/accounts/user/"


@pytest.mark.parametrize(("needed", "warnings"), [(True, 0), (False, 1)])
def test_a_deployment_in_which_staff_need_none_is_warned(settings: Settings, needed: bool, warnings: int) -> None:
    settings.STAFF_NEED_SECOND_FACTOR = needed

    found = run_checks(include_deployment_checks=True)

    assert [check.id for check in found].count("belote_site.W002") == warnings
