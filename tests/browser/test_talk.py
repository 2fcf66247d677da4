"""Two people talk in two languages, in a real Chromium."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from playwright.sync_api import Browser, Page, expect

from games.phrases import PHRASES
from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.table import wait_for_socket
from tests.site_process import Site
from tests.web.signed_in import new_account

pytestmark = pytest.mark.browser

AXE_OPTIONS = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"


def signed_in(site: Site, browser: Browser, name: str, size: dict[str, int], language: str, theme: str) -> Page:
    page = open_page(browser, size, language, theme)
    key, _ = new_account(site, name, language)
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    return page


def at_one_table(site: Site, host: Page, watcher: Page) -> None:
    """The host plays with computers in a public room, and the other one watches."""
    host.goto(f"{site.url}/rooms/new/")
    host.locator('input[name="visibility"][value="public"]').check(force=True)
    host.locator("main form [type=submit]").first.click()
    expect(host.locator("#talk")).to_be_visible()
    host.locator(".fill button").first.click()
    host.locator(".room-start:not([aria-disabled])").click()
    expect(host).to_have_url(re.compile("/table/"))
    wait_for_socket(host)
    watcher.goto(host.url)
    wait_for_socket(watcher)


def axe_violations(page: Page, axe_script: str) -> list[str]:
    page.evaluate(axe_script)
    found = page.evaluate(f"axe.run(document, {AXE_OPTIONS})")
    return [f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found["violations"]]


def test_two_people_talk_in_two_languages(site: Site, browser: Browser, axe_script: str) -> None:
    # given one at a desk in English, one with a phone in French
    host = signed_in(site, browser, "talker", DESK, "en", "light")
    watcher = signed_in(site, browser, "causeur", PHONE, "fr", "dark")
    at_one_table(site, host, watcher)
    # when the host says a phrase
    host.locator(".talk-phrases summary").click()
    host.locator('[data-phrase="good-luck"]').click()
    # then the phone, where the talk is not in view, shows that there is something new
    expect(host.locator("#talk-lines")).to_contain_text("Good luck!")
    expect(watcher.locator(".tab [data-talk-unread]")).to_be_visible()
    # and opened it reads it in French, and the mark is gone
    watcher.locator('.tab[popovertarget="talk"]').click()
    with translation.override("fr"):
        expect(watcher.locator("#talk-lines")).to_contain_text(str(PHRASES["good-luck"]))
    expect(watcher.locator(".tab [data-talk-unread]")).to_be_hidden()
    # when the other one writes markup
    watcher.locator("#talk-text").fill("<img src=x onerror=alert(1)> merci")
    watcher.keyboard.press("Enter")
    # then it is text on both sides, and the field is empty again
    for page in (host, watcher):
        expect(page.locator("#talk-lines .talk-words").last).to_have_text("<img src=x onerror=alert(1)> merci")
        assert page.locator("#talk-lines img").count() == 0
    expect(watcher.locator("#talk-text")).to_have_value("")
    assert axe_violations(host, axe_script) == []
    assert axe_violations(watcher, axe_script) == []
    # when the host mutes them from the menu of their name
    host.locator("button.talk-name").last.click()
    expect(host.locator("#talk-menu")).to_be_visible()
    assert axe_violations(host, axe_script) == []
    host.locator('#talk-menu [value="mute"]').click()
    # then the line is gone at once, and the page says so
    expect(host.locator("#talk-lines")).not_to_contain_text("merci")
    expect(host.locator("#talk-menu")).to_be_hidden()
    expect(host.locator("#talk-notice")).to_contain_text("causeur")
    # and under People it is taken back
    host.goto(f"{site.url}/people/")
    assert axe_violations(host, axe_script) == []
    host.locator('[value="unmute"]').click()
    expect(host.locator('[value="unmute"]')).to_have_count(0)
    # and neither page had a fault
    assert host.faults == []  # type: ignore[attr-defined]
    assert watcher.faults == []  # type: ignore[attr-defined]


def test_a_line_that_is_refused_stays_in_the_field(site: Site, browser: Browser, axe_script: str) -> None:
    # given
    host = signed_in(site, browser, "hasty", DESK, "en", "light")
    watcher = signed_in(site, browser, "patient", PHONE, "en", "light")
    at_one_table(site, host, watcher)
    # when
    for number in range(6):
        host.locator("#talk-text").fill(f"line {number}")
        host.locator(".talk-send").click()
        if number < 5:
            expect(host.locator("#talk-text")).to_have_value("")
    # then
    expect(host.locator("#talk-notice")).to_contain_text("You can speak again in")
    expect(host.locator("#talk-text")).to_have_value("line 5")
    # and a report page has no barrier
    watcher.locator('.tab[popovertarget="talk"]').click()
    watcher.locator("button.talk-name").first.click()
    with watcher.context.expect_page() as opened:
        watcher.locator('#talk-menu [data-to="report"]').click()
    report = opened.value
    expect(report.locator(".report-lines li")).to_have_count(5)
    assert axe_violations(report, axe_script) == []
    report.locator('input[name="ground"][value="spam"]').check()
    report.locator("main form [type=submit]").first.click()
    expect(report.locator(".message")).to_contain_text("Thank you")
