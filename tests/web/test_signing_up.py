"""The way in: signing up, logging in and out, passwords and e-mail, and what hostile visitors get there."""

from __future__ import annotations

import re
import threading
import unicodedata

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.db.models.signals import pre_save
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import TakenName, User

pytestmark = pytest.mark.django_db

PASSWORD = "kolm-punast-kassi"
SIGN_UP = {"username": "Marie", "email": "", "password1": PASSWORD, "password2": PASSWORD}
LOG_IN, LOG_OUT = "/account/login/", "/account/logout/"


@pytest.fixture
def marie() -> User:
    return User.objects.create_user("Marie", "marie@example.org", PASSWORD)


def sign_up(client: Client, **changes: str) -> HttpResponse:
    return client.post("/account/signup/", SIGN_UP | changes)


def log_in(client: Client, name: str = "Marie", password: str = PASSWORD, **more: str) -> HttpResponse:
    return client.post(LOG_IN, {"login": name, "password": password} | more)


def signed_in_as(client: Client) -> str | None:
    user = client.get(reverse("accounts:preferences")).wsgi_request.user
    return user.username if user.is_authenticated else None


def link_in(message: mail.EmailMessage) -> str:
    found = re.search(r"http://testserver(/\S+)", message.body)
    assert found is not None
    return found[1]


# Signing up


def test_a_name_and_a_password_are_enough_and_the_account_is_usable_at_once(client: Client) -> None:
    answer = sign_up(client)

    assert answer.headers["Location"] == "/"
    assert signed_in_as(client) == "Marie"
    marie = User.objects.get()
    assert (marie.is_guest, marie.email, marie.check_password(PASSWORD)) == (False, "", True)
    assert mail.outbox == []


def test_the_form_says_that_without_an_address_the_password_cannot_be_reset(client: Client) -> None:
    page = client.get("/account/signup/").content.decode()

    assert "Without it, your password cannot be reset." in page


def test_rights_that_are_posted_along_are_ignored(client: Client) -> None:
    sign_up(client, is_staff="on", is_superuser="on", is_guest="on", public_id="x", id="1")

    marie = User.objects.get()
    assert (marie.is_staff, marie.is_superuser, marie.is_guest) == (False, False, False)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "аdmin"}, "username"),
        ({"username": "moderator"}, "username"),
        ({"username": "guest-1"}, "username"),
        ({"username": "ma\u202erie"}, "username"),
        ({"username": "<img src=x onerror=alert(1)>"}, "username"),
        ({"username": "\x00"}, "username"),
        ({"username": "x" * 60_000}, "username"),
        ({"email": "nonsense"}, "email"),
        ({"password1": "short", "password2": "short"}, "password1"),
        ({"password1": "password123", "password2": "password123"}, "password1"),
        ({"username": "mariecurie", "password1": "mariecurie1", "password2": "mariecurie1"}, "password1"),
        ({"password2": "something else"}, "password2"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(client: Client, changes: dict[str, str], field: str) -> None:
    answer = sign_up(client, **changes)

    assert answer.status_code == 200
    assert field in answer.context["form"].errors
    assert "<img" not in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["marie", "MARIE", "rnarie", "ｍａｒｉｅ", "Mar1e"])
def test_a_name_that_somebody_has_is_refused_in_every_spelling(client: Client, marie: User, name: str) -> None:
    answer = sign_up(client, username=name)

    assert "username" in answer.context["form"].errors
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_that_sign_up_with_one_name_at_once_do_not_both_get_it() -> None:
    # given two visitors who press the button together
    start = threading.Barrier(2)
    answers: list[HttpResponse] = []

    def press(name: str) -> None:
        client = Client()
        start.wait()
        answers.append(sign_up(client, username=name))
        connection.close()

    threads = [threading.Thread(target=press, args=[name]) for name in ("limes", "Iimes")]
    # when
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # then
    assert sorted(answer.status_code for answer in answers) == [200, 302]
    refused = next(answer for answer in answers if answer.status_code == 200)
    assert "username" in refused.context["form"].errors
    assert User.objects.count() == 1


def test_a_name_that_is_lost_between_the_check_and_the_save_is_refused_by_the_form(client: Client) -> None:
    # given somebody who takes the name after it was found free: the look of it, without the row that the check sees
    nadia = User.objects.create_user("nadia")

    def lose_the_race(sender: type[User], instance: User, **kwargs: object) -> None:
        if instance.username == "Marie":
            TakenName.objects.create(skeleton="rnarie", user=nadia)

    pre_save.connect(lose_the_race, sender=User)
    # when
    try:
        answer = sign_up(client)
    finally:
        pre_save.disconnect(lose_the_race, sender=User)
    # then
    assert answer.status_code == 200
    assert "username" in answer.context["form"].errors
    assert User.objects.get() == nadia


def test_only_so_many_accounts_are_made_from_one_address(client: Client, settings: Settings) -> None:
    # given
    settings.SIGNUP_LIMIT = "2/hour"
    for name in ("nadia", "olga"):
        sign_up(client, username=name)
        client.post(LOG_OUT)
    # when
    answer = sign_up(client, username="paula")
    # then
    assert answer.status_code == 429
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    assert not User.objects.filter(username="paula").exists()
    # and another address is free to
    assert client.post("/account/signup/", SIGN_UP, REMOTE_ADDR="192.0.2.9").status_code == 302


def test_a_flood_of_forms_gets_our_own_page_and_a_forged_address_does_not_help(client: Client) -> None:
    for number in range(20):
        client.post("/account/signup/", {}, headers={"X-Forwarded-For": f"203.0.113.{number}"})

    answer = client.post("/account/signup/", {}, headers={"X-Forwarded-For": "203.0.113.99"})

    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "60"
    assert "error-page" in answer.content.decode()


def test_forms_from_elsewhere_are_refused() -> None:
    client = Client(enforce_csrf_checks=True)

    for address in ("signup", "login", "logout", "password/reset", "password/change", "email"):
        assert client.post(f"/account/{address}/", SIGN_UP).status_code == 403
    assert not User.objects.exists()


# Logging in and out


@pytest.mark.parametrize("name", ["Õnne", "õnne", "ÕNNE", unicodedata.normalize("NFD", "õnne"), "Õｎｎｅ", " Õnne "])
def test_every_spelling_of_ones_name_logs_in(client: Client, name: str) -> None:
    User.objects.create_user("Õnne", password=PASSWORD)

    assert log_in(client, name).headers["Location"] == "/"
    assert signed_in_as(client) == "Õnne"


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Marie", "wrong"),
        ("nobody", PASSWORD),
        ("Mаrie", PASSWORD),
        ("rnarie", PASSWORD),
        ("marie@example.org", PASSWORD),
    ],
)
def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(
    client: Client, marie: User, name: str, password: str
) -> None:
    answer = log_in(client, name, password)

    assert answer.context["form"].non_field_errors() == ["No account has this name and this password. Check both."]
    assert signed_in_as(client) is None


def test_an_account_that_is_switched_off_is_told_so_and_stays_out(client: Client, marie: User) -> None:
    User.objects.update(is_active=False)

    answer = client.post(LOG_IN, {"login": "Marie", "password": PASSWORD}, follow=True)

    assert "has been switched off" in answer.content.decode()
    assert signed_in_as(client) is None


def test_a_guest_row_cannot_be_logged_in_to(client: Client) -> None:
    guest = User.objects.create_guest()

    for password in ("", "!", guest.password):
        log_in(client, guest.username, password or "x")
        assert signed_in_as(client) is None


def test_logging_in_changes_the_session_and_staying_logged_in_is_a_choice(client: Client, marie: User) -> None:
    # given a session from before, which somebody may have planted
    client.post(reverse("accounts:switch_language"), {"language": "en", "next": "/"})
    session = client.session
    session["planted"] = "yes"
    session.save()
    before = session.session_key
    # when
    log_in(client, remember="on")
    # then
    assert client.session.session_key != before
    assert client.session.get_expiry_age() == 14 * 24 * 3600
    assert client.cookies["sessionid"]["httponly"]
    # and without the tick it ends with the browser
    client.post(LOG_OUT)
    log_in(client)
    assert client.session.get_expire_at_browser_close()


def test_logging_out_asks_first_and_ends_the_session(client: Client, marie: User) -> None:
    log_in(client)
    session = client.session.session_key

    assert "Log out?" in client.get(LOG_OUT).content.decode()
    assert signed_in_as(client) == "Marie"

    answer = client.post(LOG_OUT)

    assert answer.headers["Location"] == "/"
    assert signed_in_as(client) is None
    assert not client.session.exists(session)


@pytest.mark.parametrize("page", [LOG_IN, "/account/signup/"])
def test_who_has_an_account_open_is_sent_on_from_the_way_in(client: Client, marie: User, page: str) -> None:
    client.force_login(marie)

    assert client.get(page).headers["Location"] == "/"
    assert client.get(page, {"next": "/rules/"}).headers["Location"] == "/rules/"
    assert client.get(page, {"next": "//evil.example"}).headers["Location"] == "/"
    sign_up(client, username="second")
    assert User.objects.count() == 1


EVIL = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "http://testserver/",
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "\t//evil.example",
    "\n//evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "https:evil.example",
    "evil.example",
    " //evil.example",
]


@pytest.mark.parametrize("evil", EVIL)
def test_no_way_in_or_out_leads_to_another_site(client: Client, marie: User, evil: str) -> None:
    assert log_in(client, next=evil).headers["Location"] == "/"
    assert client.post(LOG_OUT, {"next": evil}).headers["Location"] == "/"
    assert sign_up(client, username="nadia", next=evil).headers["Location"] == "/"


def test_the_page_that_one_came_from_is_kept_on_the_way(client: Client, marie: User) -> None:
    page = client.get(LOG_IN, {"next": "/rules/?a=1"})

    assert page.context["signup_url"] == "/account/signup/?next=%2Frules%2F%3Fa%3D1"
    assert log_in(client, next="/rules/?a=1").headers["Location"] == "/rules/?a=1"


def test_wrong_passwords_are_counted_for_all_spellings_of_a_name_together(client: Client, marie: User) -> None:
    # given five wrong ones, each in another spelling and from another address
    for number, name in enumerate(["marie", "MARIE", "ｍａｒｉｅ", "márie", "m.a-r_ie"]):
        client.post(LOG_IN, {"login": name, "password": "wrong"}, REMOTE_ADDR=f"192.0.2.{number}")
    # when the right one comes
    answer = client.post(LOG_IN, {"login": "Marie", "password": PASSWORD}, REMOTE_ADDR="192.0.2.99")
    # then
    assert "Too many attempts" in answer.content.decode()
    # and other names are not held up
    User.objects.create_user("nadia", password=PASSWORD)
    assert client.post(LOG_IN, {"login": "nadia", "password": PASSWORD}, REMOTE_ADDR="192.0.2.98").status_code == 302


def test_one_address_cannot_try_one_password_on_many_names(client: Client, marie: User) -> None:
    for number in range(10):
        log_in(client, f"name{number}", "wrong")

    assert "Too many attempts" in log_in(client).content.decode()


def test_behind_a_proxy_the_limit_holds_for_the_visitor(client: Client, marie: User, settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 1

    for number in range(10):
        client.post(
            LOG_IN, {"login": f"n{number}", "password": "x"}, headers={"X-Forwarded-For": "1.2.3.4, 203.0.113.7"}
        )

    forged = {"X-Forwarded-For": "9.9.9.9, 203.0.113.7"}
    other = {"X-Forwarded-For": "203.0.113.8"}
    right = {"login": "Marie", "password": PASSWORD}
    assert client.post(LOG_IN, right, headers=forged).status_code == 200
    assert client.post(LOG_IN, right, headers=other).status_code == 302


def test_staff_log_in_by_the_same_door(client: Client, marie: User) -> None:
    assert client.get("/admin/").headers["Location"] == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/").headers["Location"] == "/account/login/?next=%2Fadmin%2F"
    # and nobody else goes through it
    client.force_login(marie)
    assert client.get("/admin/login/?next=/admin/").status_code == 403


# Passwords


def test_changing_the_password_needs_the_old_one_and_ends_the_other_sessions(client: Client, marie: User) -> None:
    # given two browsers
    elsewhere = Client()
    for browser in (client, elsewhere):
        log_in(browser)
    new = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
    # when the old one is wrong
    refused = client.post("/account/password/change/", {"oldpassword": "wrong"} | new)
    assert "oldpassword" in refused.context["form"].errors
    # and when it is right
    answer = client.post("/account/password/change/", {"oldpassword": PASSWORD} | new)
    # then
    assert answer.status_code == 302
    assert (signed_in_as(client), signed_in_as(elsewhere)) == ("Marie", None)
    marie.refresh_from_db()
    assert marie.check_password("neli-sinist-koera")


@pytest.mark.parametrize("page", ["password/change", "email", "password/confirm"])
def test_a_visitor_is_asked_to_log_in_and_a_guest_to_sign_up(client: Client, page: str) -> None:
    assert client.get(f"/account/{page}/").headers["Location"].startswith("/account/login/?next=/account/")
    client.force_login(User.objects.create_guest())
    assert client.get(f"/account/{page}/").headers["Location"] == "/account/signup/"


def test_known_and_unknown_addresses_get_the_same_answer(client: Client, marie: User) -> None:
    # when
    answers = [
        client.post("/account/password/reset/", {"email": email}, follow=True)
        for email in ("marie@example.org", "nobody@example.org")
    ]
    # then
    known, unknown = (re.sub(rb'value="\w{64}"', b"", answer.content) for answer in answers)
    assert known == unknown
    assert [answer.redirect_chain for answer in answers] == [[("/account/password/reset/done/", 302)]] * 2
    # and both send one message, so that the time tells nothing either
    assert [message.to for message in mail.outbox] == [["marie@example.org"], ["nobody@example.org"]]
    assert "/password/reset/key/" in mail.outbox[0].body
    assert "http" not in mail.outbox[1].body


def test_a_link_in_the_mail_sets_a_new_password_once(client: Client, marie: User) -> None:
    # given a session somewhere
    log_in(client)
    # when
    visitor = Client()
    visitor.post("/account/password/reset/", {"email": "Marie@Example.org"})
    link = link_in(mail.outbox[0])
    page = visitor.get(link, follow=True)
    new = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
    answer = visitor.post(page.redirect_chain[-1][0], new)
    # then the key is in no address that a page could pass on
    assert link.split("-", 1)[1].strip("/") not in page.redirect_chain[-1][0]
    assert answer.headers["Location"] == "/account/password/reset/key/done/"
    assert visitor.get(answer.headers["Location"]).status_code == 200
    # and all sessions of the account have ended, and the link is spent
    assert signed_in_as(client) is None
    assert "no longer works" in Client().get(link, follow=True).content.decode()
    assert log_in(client, password="neli-sinist-koera").status_code == 302


@pytest.mark.parametrize("link", ["1-set-password", "zzzzzzzzzzzzz-abc", "1-" + "a" * 90, "0-x"])
def test_a_wrong_link_says_so(client: Client, marie: User, link: str) -> None:
    answer = client.get(f"/account/password/reset/key/{link}/", follow=True)

    assert "no longer works" in answer.content.decode()


def test_asking_for_mail_again_and_again_is_limited_for_the_address_it_goes_to(client: Client, marie: User) -> None:
    for number in range(5):
        client.post("/account/password/reset/", {"email": "marie@example.org"}, REMOTE_ADDR=f"192.0.2.{number}")

    answer = client.post("/account/password/reset/", {"email": "MARIE@example.org"}, REMOTE_ADDR="192.0.2.50")

    assert answer.status_code == 429
    assert len(mail.outbox) == 5


def test_a_site_that_sends_no_mail_says_so_and_does_not_pretend(
    client: Client, marie: User, settings: Settings
) -> None:
    settings.SENDS_MAIL = False

    for page in (
        client.get("/account/password/reset/"),
        client.post("/account/password/reset/", {"email": "marie@example.org"}),
        client.get("/account/signup/"),
    ):
        assert page.status_code == 200
        assert "This site sends no e-mail" in page.content.decode()
        assert 'name="email"' not in page.content.decode()
    assert mail.outbox == []
    assert sign_up(client, username="nadia", email="nadia@example.org").status_code == 302
    assert User.objects.get(username="nadia").email == ""


def test_mail_that_cannot_be_sent_does_not_break_the_page(client: Client, settings: Settings) -> None:
    # given a mail server that is not there
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": 1, "timeout": 1},
        }
    }
    # when
    answer = client.post("/account/signup/", SIGN_UP | {"email": "marie@example.org"}, follow=True)
    # then
    assert signed_in_as(client) == "Marie"
    assert "The e-mail could not be sent." in answer.content.decode()


# E-mail


def test_an_address_given_at_sign_up_is_confirmed_by_a_link(client: Client) -> None:
    # given
    sign_up(client, email="Marie@Example.org")
    assert [message.to for message in mail.outbox] == [["marie@example.org"]]
    link = link_in(mail.outbox[0])
    assert not EmailAddress.objects.get().verified
    # when it is only looked at, as mail programs do
    page = client.get(link)
    assert "Is this your address?" in page.content.decode()
    assert not EmailAddress.objects.get().verified
    # when it is confirmed
    client.post(link)
    # then
    assert EmailAddress.objects.get().verified


def test_an_address_that_somebody_else_has_is_not_told_apart(client: Client, marie: User) -> None:
    EmailAddress.objects.create(user=marie, email=marie.email, verified=True, primary=True)

    answer = sign_up(client, username="nadia", email="marie@example.org")

    assert answer.headers["Location"] == "/"
    # and it gives no hold on the account that has confirmed it
    client.post("/account/password/reset/", {"email": "marie@example.org"})
    assert "Its name is Marie." in mail.outbox[-1].body
    client.post(link_in(mail.outbox[0]))
    assert EmailAddress.objects.get(verified=True).user == marie


def test_changing_the_address_asks_for_the_password_and_needs_the_new_mailbox(client: Client, marie: User) -> None:
    # given a browser that was left open
    EmailAddress.objects.create(user=marie, email=marie.email, verified=True, primary=True)
    client.force_login(marie)
    # when
    answer = client.post("/account/email/", {"action_add": "1", "email": "new@example.org"})
    # then
    assert answer.headers["Location"] == "/account/password/confirm/?next=%2Faccount%2Femail%2F"
    assert mail.outbox == []
    wrong = client.post("/account/password/confirm/", {"password": "wrong", "next": "/account/email/"})
    assert "password" in wrong.context["form"].errors
    client.post("/account/password/confirm/", {"password": PASSWORD, "next": "/account/email/"})
    assert [message.to for message in mail.outbox] == [["new@example.org"]]
    marie.refresh_from_db()
    assert marie.email == "marie@example.org"
    page = client.get("/account/email/").content.decode()
    assert "new@example.org" in page
    assert "marie@example.org" in page
    # when the link is followed
    client.post(link_in(mail.outbox[0]))
    # then
    marie.refresh_from_db()
    assert marie.email == "new@example.org"
    assert EmailAddress.objects.get().email == "new@example.org"


def test_mail_is_plain_text_with_names_as_they_are(client: Client) -> None:
    sign_up(client, username="Õnne", email="o'neil&co@example.org")

    message = mail.outbox[0]
    assert "the account Õnne on testserver" in message.body
    assert message.subject == "Belote: confirm your e-mail address"
    assert message.alternatives == []
    assert "&" not in message.body.replace("o'neil&co", "")


# All pages


@pytest.mark.parametrize("language", ["en", "fr", "et", "th"])
def test_every_page_is_ours_in_every_language(client: Client, marie: User, language: str) -> None:
    def look(who: Client, address: str) -> None:
        page = who.get(address, headers={"Accept-Language": language})
        assert page.status_code == 200, address
        text = page.content.decode()
        assert 'class="site-header"' in text
        assert 'id="language-menu"' in text
        assert reverse("accounts:preferences") in text
        assert f'<html lang="{language}"' in text

    for address in ("login", "signup", "inactive", "password/reset", "password/reset/done", "password/reset/key/done"):
        look(client, f"/account/{address}/")
    look(client, "/account/password/reset/key/1-wrong/")
    look(client, "/account/email/confirm/wrong/")
    log_in(client)
    for address in ("logout", "password/change", "password/confirm", "email"):
        look(client, f"/account/{address}/")


def test_pages_that_django_allauth_has_besides_are_not_offered(client: Client, marie: User) -> None:
    client.force_login(marie)

    for address in ("password/set", "login/code/confirm", "reauthenticate/code", "confirm-email", "signup/passkey"):
        assert client.get(f"/account/{address}/").status_code == 404
    # nor another form of those that are
    answer = client.get("/account/email/", headers={"X-Requested-With": "XMLHttpRequest", "Accept": "application/json"})
    assert answer.headers["Content-Type"].startswith("text/html")


def test_the_header_offers_what_fits_the_visitor(client: Client, marie: User) -> None:
    visitor = client.get("/rules/").content.decode()
    assert "/account/login/" in visitor
    assert "/account/signup/" in visitor
    assert "/account/logout/" not in visitor
    guest = User.objects.create_guest()
    client.force_login(guest)
    as_guest = client.get("/rules/").content.decode()
    assert "/account/signup/" in as_guest
    assert f"You play as <bdi>Guest {guest.guest_number}</bdi>. Sign up, and your matches stay yours." in as_guest
    client.force_login(marie)
    as_account = client.get("/rules/").content.decode()
    assert "<bdi>Marie</bdi>" in as_account
    assert "/account/logout/" in as_account
    assert "/account/signup/" not in as_account
