"""Signing up, logging out and in, and a new password, in a real Chromium, on a small phone and at a desk."""

from __future__ import annotations

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.table import play_now
from tests.site_process import Site

pytestmark = pytest.mark.browser

SMALLEST = {"width": 320, "height": 640}
PASSWORD, NEW_PASSWORD = "kolm-punast-kassi", "neli-sinist-koera"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def send(page: Page, **fields: str) -> None:
    """Fill in the page's form and press its first button."""
    for name, value in fields.items():
        page.locator(f'main input[name="{name}"]').fill(value)
    page.locator("main .form-actions .button").first.click()


def check(page: Page, axe_script: str) -> None:
    """Nothing is wider than the screen, and axe finds nothing to complain of, in light and in dark."""
    width = page.evaluate("document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        # The page's policy forbids foreign scripts; the test's own channel is not bound by it.
        page.evaluate(axe_script)
        found = page.evaluate("tags => axe.run({runOnly: {type: 'tag', values: tags}})", WCAG)
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found["violations"]] == [], (page.url, theme)


@pytest.mark.parametrize(("language", "size"), [("en", DESK), ("th", SMALLEST)])
def test_an_account_from_sign_up_to_a_new_password(
    site: Site, browser: Browser, axe_script: str, language: str, size: dict[str, int]
) -> None:
    name = f"Õnne-{language}-{size['width']}"
    page = open_page(browser, size, language)
    # given a visitor on the sign-up page
    page.goto(f"{site.url}/account/signup/")
    check(page, axe_script)
    # when the name is taken or reserved, the form says so and keeps what was typed
    send(page, username="admin", email="onne@example.org", password1=PASSWORD, password2=PASSWORD)
    expect(page.locator(".field-invalid input")).to_have_value("admin")
    expect(page.locator('main input[name="email"]')).to_have_value("onne@example.org")
    check(page, axe_script)
    # and when it is free, the account is open at once
    send(page, username=name, password1=PASSWORD, password2=PASSWORD)
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text(name)
    # when the person logs out
    page.locator(".nav-account").click()
    expect(page.locator("#account-menu")).to_be_visible()
    check(page, axe_script)
    page.locator('#account-menu a[href="/account/logout/"]').click()
    check(page, axe_script)
    send(page)
    expect(page.locator('#account-menu a[href="/account/login/"]')).to_have_count(1)
    # and logs in, in another spelling
    page.goto(f"{site.url}/account/login/")
    check(page, axe_script)
    send(page, login=name.lower(), password="wrong")
    expect(page.locator(".form-errors")).to_be_visible()
    check(page, axe_script)
    send(page, login=name.upper(), password=PASSWORD)
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text(name)
    # and changes the password
    page.goto(f"{site.url}/account/password/change/")
    check(page, axe_script)
    send(page, oldpassword=PASSWORD, password1=NEW_PASSWORD, password2=NEW_PASSWORD)
    expect(page.locator(".message-success")).to_be_visible()
    # then the old one is worth nothing any more
    page.goto(f"{site.url}/account/logout/")
    send(page)
    page.goto(f"{site.url}/account/login/")
    send(page, login=name, password=PASSWORD)
    expect(page.locator(".form-errors")).to_be_visible()
    send(page, login=name, password=NEW_PASSWORD)
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text(name)
    page.goto(f"{site.url}/account/email/")
    check(page, axe_script)
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_second_factor_is_set_up_and_given_on_the_smallest_phone(
    site: Site, browser: Browser, axe_script: str
) -> None:
    page = open_page(browser, SMALLEST, "th")
    page.goto(f"{site.url}/account/signup/")
    send(page, username="Helmi", password1=PASSWORD, password2=PASSWORD)
    # given the page of the menu that offers it
    page.locator(".nav-account").click()
    page.locator('#account-menu a[href="/account/second-factor/"]').click()
    page.locator("main .form-actions .button").click()
    send(page, password=PASSWORD)
    # when the app is given the secret, and its code typed
    expect(page.locator('img[src^="data:image/svg+xml"][alt]')).to_be_visible()
    check(page, axe_script)
    secret = page.locator(".secret").inner_text().replace(" ", "")
    *_, newest = yield_hotp_counters_from_time()
    send(page, code=format_hotp_value(hotp_value(secret, newest)))
    # then the recovery codes are there
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    check(page, axe_script)
    recovery = page.locator(".recovery-codes li").first.inner_text()
    # and one of them, typed with the keyboard alone, opens the account after the password
    page.goto(f"{site.url}/account/logout/")
    send(page)
    page.goto(f"{site.url}/account/login/")
    send(page, login="helmi", password=PASSWORD)
    check(page, axe_script)
    page.keyboard.type(recovery)
    page.keyboard.press("Enter")
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text("Helmi")
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_guest_signs_up_in_mid_match_and_sits_where_it_sat(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser, PHONE)
    match = play_now(page, site.url)
    # (the first five cards stay, whether or not a computer takes meanwhile)
    cards = page.locator("#hand .hand-card")
    held = set(cards.evaluate_all("cards => cards.map(card => card.dataset.card)"))
    page.goto(f"{site.url}/rules/")
    page.locator(".nav-account").click()
    expect(page.locator("#account-menu .menu-note")).to_contain_text("your matches stay yours")
    # when
    page.locator('#account-menu a[href="/account/signup/"]').click()
    send(page, username="Leida", password1=PASSWORD, password2=PASSWORD)
    # then
    page.goto(f"{site.url}/table/{match}/")
    expect(cards.first).to_be_visible()
    assert held <= set(cards.evaluate_all("cards => cards.map(card => card.dataset.card)"))
    assert page.faults == []  # type: ignore[attr-defined]


RATED_PAST = """
from tests.services.past import finished_match
from tests.services.rated import accounts, ranked
from games.engine.seats import Seat

people = accounts()
ranked(people)
finished_match({Seat.SOUTH: people[0], Seat.NORTH: people[1]})
print(people[0].public_id)
"""


def test_profile_and_leaderboard_fit_the_smallest_phone_and_their_charts_can_be_read(
    site: Site, browser: Browser, axe_script: str
) -> None:
    # given somebody with rated matches
    public_id = site.manage("shell", "--verbosity", "0", "--command", RATED_PAST).strip()
    page = open_page(browser, SMALLEST, "th")
    # when
    page.goto(f"{site.url}/people/{public_id}/")
    # then both charts have a name, and a table that opens by keyboard
    assert page.locator("svg[role=img][aria-label]").count() == 2
    for table in page.locator(".graph-table").all():
        table.locator("summary").press("Enter")
        expect(table.locator("tbody tr").first).to_be_visible()
    check(page, axe_script)
    # and the leaderboard, which leads back here, is as well
    page.locator('main a[href="/leaderboard/"]').click()
    expect(page.locator(f'.ranks a[href="/people/{public_id}/"]')).to_be_visible()
    check(page, axe_script)
    assert page.faults == []  # type: ignore[attr-defined]
