"""People who meet in a room by its link, in a real Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.test_match import violations
from tests.site_process import ROOT, Site

pytestmark = pytest.mark.browser

SCREENSHOTS = ROOT / "screenshots"


def create_room(page: Page, url: str, name: str = "Chez Mari", visibility: str = "link") -> str:
    """Make a room with the form; return its invite link."""
    page.goto(f"{url}/rooms/new/")
    page.fill("[name=name]", name)
    page.locator(f'[name=visibility][value="{visibility}"]').check(force=True)
    page.locator(".room-options .form-actions .button").click()
    wait_for_socket(page)
    return page.locator("#invite-address").input_value()


def wait_for_socket(page: Page) -> None:
    """Until the room's page hears from its socket."""
    page.wait_for_function("() => window.belote?.isConnected()")


def come_in(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Play as a guest").click()
    wait_for_socket(page)


def seat(page: Page, number: int) -> str:
    return page.locator(f"#place-{number} .place-name").inner_text()


def test_two_people_meet_by_the_link_see_each_other_move_and_are_led_to_the_table(site: Site, browser: Browser) -> None:
    # given
    mari, luc = open_page(browser), open_page(browser, PHONE)
    link = create_room(mari, site.url)
    room = mari.url
    # when
    come_in(luc, link)
    # then each sees the other at once
    assert luc.url == room
    expect(mari.locator("#place-0 .place-name")).to_have_text(seat(luc, 0))
    expect(luc.locator("#place-2 .place-name")).to_have_text(seat(mari, 2))
    expect(mari.locator("#place-0 .place-role")).to_have_text("Your partner")
    # when he moves, no page is loaded anew
    mari.evaluate("window.stillTheSamePage = true")
    luc.evaluate("window.stillTheSamePage = true")
    luc.locator("#place-1 .place-sit").click()
    expect(luc.locator("#place-1")).to_have_class(re.compile("place-mine"))
    expect(mari.locator("#place-1 .place-role")).to_have_text("Your opponent")
    expect(mari.locator("#place-1 .place-name")).to_have_text(seat(luc, 1))
    expect(mari.locator("#place-0")).to_have_class(re.compile("place-is-free"))
    assert luc.evaluate("document.activeElement.id") == "place-1"
    # when the host starts too early, the page says why
    mari.locator(".room-start").click(force=True)
    expect(mari.locator("#notice")).to_contain_text("all four seats are taken")
    # when computers fill the table and it starts
    mari.locator(".fill .mini").first.click()
    expect(luc.locator("#place-0")).to_have_class(re.compile("place-is-computer"))
    assert mari.evaluate("window.stillTheSamePage") is luc.evaluate("window.stillTheSamePage") is True
    mari.locator(".room-start").click()
    # then both are at the same table
    for page in (mari, luc):
        page.wait_for_url("**/table/**")
        expect(page.locator("#hand .hand-card").first).to_be_visible()
    assert mari.url == luc.url
    assert mari.faults == luc.faults == []  # type: ignore[attr-defined]


def test_who_is_known_is_taken_in_by_opening_the_link(site: Site, browser: Browser) -> None:
    # given a guest without a seat
    mari, luc = open_page(browser), open_page(browser)
    link = create_room(mari, site.url)
    create_room(luc, site.url, "Another")
    luc.get_by_role("button", name="Leave the room").click()
    luc.wait_for_url("**/lobby/")
    # when
    luc.goto(link)
    # then
    luc.wait_for_url(mari.url)
    expect(mari.locator("#place-0 .place-name")).to_have_text(seat(luc, 0))


def test_the_lobby_is_live_and_its_filter_stays_in_the_address(site: Site, browser: Browser) -> None:
    # given
    visitor, host = open_page(browser), open_page(browser)
    visitor.goto(f"{site.url}/lobby/")
    wait_for_socket(visitor)
    # when
    create_room(host, site.url, "Open to all", "public")
    row = visitor.locator(".row", has_text="Open to all")
    expect(row.locator(".badge")).to_have_text("3 free")
    host.locator("#place-0 .mini").first.click()
    # then
    expect(row.locator(".badge")).to_have_text("2 free")
    # when the list is narrowed
    visitor.locator("select[name=target]").select_option("501")
    visitor.get_by_role("button", name="Apply").click()
    expect(row).to_have_count(0)
    assert "target=501" in visitor.url
    visitor.go_back()
    expect(row).to_be_visible()
    # and a seat is one click away
    row.get_by_role("button", name="Sit down").click()
    visitor.wait_for_url(host.url)
    assert visitor.faults == host.faults == []  # type: ignore[attr-defined]


def test_a_room_works_without_a_script(site: Site, browser: Browser) -> None:
    # given
    mari = open_page(browser)
    link = create_room(mari, site.url)
    plain = browser.new_context(java_script_enabled=False).new_page()
    # when
    plain.goto(link)
    plain.get_by_role("button", name="Play as a guest").click()
    plain.locator("#place-3 .place-sit").click()
    # then
    assert "place-mine" in (plain.locator("#place-3").get_attribute("class") or "")
    mari.locator(".fill .mini").first.click()
    expect(mari.locator("#room-status")).to_have_text("All seats are taken: you can start.")
    mari.locator(".room-start").click()
    mari.wait_for_url("**/table/**")
    plain.reload()
    plain.get_by_role("link", name="To the table").click()
    assert plain.url == mari.url


def test_the_page_says_when_the_server_is_gone_and_comes_back_by_itself(make_site: object, browser: Browser) -> None:
    # given
    site: Site = make_site()  # type: ignore[operator]
    site.start()
    mari = open_page(browser)
    create_room(mari, site.url)
    # when
    site.kill()
    expect(mari.locator("#connection")).to_contain_text("The connection is gone.")
    site.start()
    # then
    expect(mari.locator("#connection")).to_be_hidden()
    mari.locator("#place-0 .place-sit").click()
    expect(mari.locator("#place-0")).to_have_class(re.compile("place-mine"))


@pytest.mark.parametrize(("name", "size", "theme"), [("desk", DESK, "light"), ("phone", PHONE, "dark")])
def test_axe_finds_nothing_on_the_pages_of_rooms(
    site: Site, browser: Browser, axe_script: str, theme: str, name: str, size: dict[str, int]
) -> None:
    # given
    SCREENSHOTS.mkdir(exist_ok=True)
    host, visitor = open_page(browser, size, theme=theme), open_page(browser, size, theme=theme)

    def look_at(page: Page, of: str) -> None:
        page.screenshot(path=SCREENSHOTS / f"{of}-{name}-{theme}.png", animations="disabled", full_page=True)
        assert violations(page, axe_script) == [], of
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], of

    # when / then
    host.goto(f"{site.url}/rooms/new/")
    look_at(host, "new-room")
    link = create_room(host, site.url, "Friday evening belote", "public")
    visitor.goto(link)
    look_at(visitor, "join")
    come_in(visitor, link)
    host.locator("#place-1 .mini").first.click()
    expect(host.locator("#place-1")).to_have_class(re.compile("place-is-computer"))
    look_at(host, "room-host")
    look_at(visitor, "room-member")
    host.get_by_role("link", name="Change").click()
    look_at(host, "room-options")
    visitor.goto(f"{site.url}/lobby/")
    wait_for_socket(visitor)
    look_at(visitor, "lobby")
