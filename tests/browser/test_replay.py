"""The replay in a browser: keys, the moment in the address, playing by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.test_account import check
from tests.site_process import Site

pytestmark = pytest.mark.browser

A_MATCH_THAT_IS_OVER = """
from accounts.models import User
from games.engine.seats import Seat
from tests.services.past import finished_match

print("MATCH " + str(finished_match({Seat.SOUTH: User.objects.create_guest()}).pk))
"""


@pytest.fixture(scope="module")
def replay(site: Site) -> str:
    """The address of a replay."""
    told = site.manage("shell", "-v", "0", "-c", A_MATCH_THAT_IS_OVER)
    return f"{site.url}/replay/{told.split('MATCH ')[1].strip()}/"


def wait_for_moment(page: Page, name: str) -> None:
    """Until the page shows a moment, and its address says so."""
    expect(page.locator("#moment")).to_have_attribute("data-name", name)
    page.wait_for_function("name => location.hash === '#' + name", arg=name)


def test_keys_step_through_the_match_and_the_address_follows(browser: Browser, replay: str) -> None:
    # given
    page = open_page(browser, DESK)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(replay)
    # when, then
    for keys, name in [
        ("ArrowRight", "deal-1-bid-1"),
        ("Shift+ArrowRight", "deal-1-bid-2"),
        ("Control+ArrowRight", "deal-1-trick-1"),
        ("ArrowRight", "deal-1-trick-2-card-1"),
        ("Shift+ArrowLeft", "deal-1-trick-1"),
        ("PageDown", "deal-2"),
        ("ArrowLeft", "deal-1-trick-8"),
        ("End", "deal-11-trick-8"),
        ("PageUp", "deal-11"),
        ("Home", "deal-1"),
    ]:
        page.keyboard.press(keys)
        wait_for_moment(page, name)
    # when a key is held down, or pressed faster than the answers come
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    # then the page is where its address says, and not past what was asked for
    page.wait_for_function("location.hash === '#' + document.getElementById('moment').dataset.name")
    # when
    page.evaluate("location.hash = 'deal-3-trick-5'")
    wait_for_moment(page, "deal-3-trick-5")
    page.locator("#copy-link").click()
    # then
    expect(page.locator("#replay-notice")).to_have_text("The link has been copied.")
    assert page.evaluate("navigator.clipboard.readText()") == replay + "#deal-3-trick-5"
    expect(page.locator(".move-current .move-link")).to_be_in_viewport()
    # when something is hidden by an open sheet, keys are for that sheet
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert page.locator("#moment").get_attribute("data-name") == "deal-3-trick-5"
    assert page.faults == []  # type: ignore[attr-defined]


def test_a_link_opens_its_moment_and_it_plays_by_itself_until_it_is_stopped(
    browser: Browser, replay: str, axe_script: str
) -> None:
    # given a link to the end of an auction
    page = open_page(browser, PHONE)
    page.goto(replay + "#deal-1-bid-2")
    wait_for_moment(page, "deal-1-bid-2")
    check(page, axe_script)
    # when
    page.keyboard.press("Space")
    # then
    wait_for_moment(page, "deal-1-trick-1-card-1")
    expect(page.locator("#autoplay")).to_have_accessible_name("Pause")
    wait_for_moment(page, "deal-1-trick-1-card-2")
    # when
    page.locator("#autoplay").click()
    # then
    expect(page.locator("#autoplay")).to_have_accessible_name("Play")
    # when one goes back by a button, its focus stays
    page.locator("#way-card-back").focus()
    page.keyboard.press("Enter")
    wait_for_moment(page, "deal-1-trick-1-card-1")
    expect(page.locator("#way-card-back")).to_be_focused()
    # when the address names no moment
    page.evaluate("location.hash = 'deal-99'")
    # then
    wait_for_moment(page, "deal-1")
    assert page.faults == []  # type: ignore[attr-defined]
