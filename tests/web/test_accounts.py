"""Guests, languages and preferences."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import IntegrityError
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation
from pytest_django import Settings

from accounts.addresses import client_address
from accounts.guests import ensure_player
from accounts.language import language_of_scope, resolve_language
from accounts.models import User
from accounts.preferences import preferences_of
from belote_site.rates import TooOften
from belote_site.retention import GUEST_SESSION

pytestmark = pytest.mark.django_db


def visit(address: str, method: str = "POST") -> HttpRequest:
    request = RequestFactory().generic(method, "/play/", REMOTE_ADDR=address)
    request.session = SessionStore()
    request.session.save()
    request.user = AnonymousUser()
    return request


def test_a_visitor_becomes_a_guest_with_a_fresh_session_for_a_year() -> None:
    request = visit("192.0.2.1")
    session_before = request.session.session_key

    guest = ensure_player(request)

    assert guest.is_guest
    assert not guest.has_usable_password()
    assert request.user == guest
    assert request.session.session_key != session_before
    assert request.session.get_expiry_age() == GUEST_SESSION.total_seconds()


def test_who_is_signed_in_stays_who_they_are() -> None:
    marie = User.objects.create_user("marie")
    request = visit("192.0.2.2")
    request.user = marie

    assert ensure_player(request) is marie
    assert User.objects.count() == 1


def test_looking_at_a_page_makes_no_guest() -> None:
    with pytest.raises(ValueError, match="POST"):
        ensure_player(visit("192.0.2.3", "GET"))
    assert not User.objects.exists()


def test_one_address_makes_only_so_many_guests(settings: Settings) -> None:
    settings.GUEST_LIMIT = "2/hour"
    for _ in range(2):
        ensure_player(visit("192.0.2.4"))

    with pytest.raises(TooOften) as refusal:
        ensure_player(visit("192.0.2.4"))

    assert 3500 < refusal.value.retry_after <= 3600
    assert User.objects.count() == 2
    assert ensure_player(visit("192.0.2.5")).is_guest


def test_a_guest_is_named_by_its_number_and_an_account_by_its_name() -> None:
    guest = User.objects.create_guest()

    assert guest.display_name == f"Guest {guest.guest_number}"
    assert User(username="marie").display_name == "marie"


def test_the_database_refuses_a_guest_without_a_number() -> None:
    with pytest.raises(IntegrityError):
        User.objects.create(username="x", is_guest=True)


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "expected"),
    [
        (0, "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (1, "10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (2, "10.0.0.1", "6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "10.0.0.1", "203.0.113.9", "10.0.0.1"),
        (1, "10.0.0.1", "<script>", "unknown"),
        (0, "2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        (0, "::ffff:192.0.2.1", "", "192.0.2.1"),
        (0, "", "", "unknown"),
    ],
)
def test_only_our_own_proxies_are_believed(
    settings: Settings, proxies: int, remote: str, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers={"X-Forwarded-For": forwarded})

    assert client_address(request) == expected


@pytest.mark.parametrize(
    ("chosen", "cookie", "browser", "expected"),
    [
        ("et", "fr", "th", "et"),
        ("", "fr", "th", "fr"),
        ("", "", "th;q=0.5, fr-CA;q=0.9, de", "fr"),
        ("", "klingon", "de", "en"),
        ("", "../../etc", "x" * 5000, "en"),
    ],
)
def test_the_users_choice_goes_before_the_cookie_and_the_browser(
    chosen: str, cookie: str, browser: str, expected: str
) -> None:
    user = User(username="marie", language=chosen)
    scope = {
        "user": user,
        "cookies": {"belote_language": cookie},
        "headers": [(b"accept-language", browser.encode())],
    }

    assert resolve_language(user, {"belote_language": cookie}, browser) == expected
    assert language_of_scope(scope) == expected


def test_a_page_says_which_language_it_is_in(client: Client) -> None:
    page = client.get(reverse("accounts:preferences"), headers={"Accept-Language": "th"})

    assert page.headers["Content-Language"] == "th"
    assert '<html lang="th"' in page.content.decode()
    assert translation.get_language() == "en"


@pytest.mark.parametrize(
    ("chosen", "language", "letters"),
    [("", "fr", "VDRA"), ("", "en", "JQKA"), ("", "et", "JQKA"), ("SEKÄ", "fr", "SEKÄ")],
)
def test_letters_on_the_cards_follow_the_language_unless_chosen(chosen: str, language: str, letters: str) -> None:
    assert preferences_of(User(index_letters=chosen), language).index_letters == letters


CHOICES = {
    "language": "fr",
    "index_letters": "JQKA",
    "deck_colours": "four",
    "card_size": "large",
    "card_order": "weakest",
    "theme": "dark",
    "sounds": "on",
}


def test_a_users_preferences_are_saved_and_shown_and_nothing_else_is(client: Client) -> None:
    marie = User.objects.create_user("marie")
    client.force_login(marie)

    answer = client.post(reverse("accounts:preferences"), CHOICES | {"is_staff": "on", "username": "root"}, follow=True)

    marie.refresh_from_db()
    assert (marie.deck_colours, marie.card_order, marie.sounds, marie.animation) == ("four", "weakest", True, False)
    assert (marie.is_staff, marie.username) == (False, "marie")
    page = answer.content.decode()
    assert '<html lang="fr" data-theme="dark" data-deck="four" data-card-size="large" data-animation="off"' in page
    assert client.cookies["belote_language"].value == "fr"


def test_a_visitor_keeps_language_and_theme_in_cookies(client: Client) -> None:
    answer = client.post(reverse("accounts:preferences"), {"language": "et", "theme": "dark"}, follow=True)

    assert '<html lang="et" data-theme="dark"' in answer.content.decode()
    assert not User.objects.exists()


def test_a_preference_that_does_not_exist_is_refused_with_a_reason(client: Client) -> None:
    client.force_login(User.objects.create_user("marie"))

    answer = client.post(reverse("accounts:preferences"), CHOICES | {"theme": "<b>neon</b>"})

    assert answer.status_code == 422
    assert "theme" in answer.context["form"].errors
    assert "<b>neon" not in answer.content.decode()


def test_a_theme_cookie_from_elsewhere_is_ignored(client: Client) -> None:
    client.cookies["belote_theme"] = '"><script>'

    assert 'data-theme="auto"' in client.get(reverse("accounts:preferences")).content.decode()


@pytest.mark.parametrize(
    ("asked", "reached"),
    [
        ("/rules/?q=1", "/rules/?q=1"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("\t//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("evil.example", "/"),
        ("", "/"),
    ],
)
def test_the_language_switch_leads_back_to_this_site_only(client: Client, asked: str, reached: str) -> None:
    marie = User.objects.create_user(f"marie-{uuid4()}")
    client.force_login(marie)

    answer = client.post(reverse("accounts:switch_language"), {"language": "th", "next": asked})

    marie.refresh_from_db()
    assert answer.headers["Location"] == reached
    assert marie.language == "th"
    assert client.cookies["belote_language"]["httponly"]


def test_an_unknown_language_is_refused(client: Client) -> None:
    answer = client.post(reverse("accounts:switch_language"), {"language": "xx", "next": "/"})

    assert answer.status_code == 400
    assert "belote_language" not in client.cookies
