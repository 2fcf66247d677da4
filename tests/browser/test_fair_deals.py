"""A browser's own part in the shuffle: it sends a number, keeps it, compares, and makes the deck anew."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, open_page
from tests.browser.table import play_now
from tests.browser.test_table_script import frames_sent_by
from tests.site_process import Site

pytestmark = pytest.mark.browser

STORE = "belote-own-numbers"

END = """
from uuid import UUID
from games.services import matches
matches.end(UUID("{match}"))
"""


def remember(page: Page, match: str, **altered: str) -> None:
    """Alter what this browser believes to have sent, or seen, for the first deal, and open the table again."""
    page.evaluate(
        """([store, key, altered]) => {
            const known = new Map(JSON.parse(localStorage.getItem(store)));
            known.set(key, { ...known.get(key), ...altered });
            localStorage.setItem(store, JSON.stringify([...known]));
        }""",
        [STORE, f"{match}/1", altered],
    )
    page.reload()


def test_given_a_new_table_when_it_opens_then_the_browser_sends_a_number_which_is_in_the_deal(
    site: Site, browser: Browser
) -> None:
    page = open_page(browser, PHONE)
    sent = frames_sent_by(page)

    match = play_now(page, site.url)

    (number,) = [frame["bits"] for frame in sent if frame["type"] == "contribute"]
    deal = page.locator("#fair-deal")
    expect(deal).to_have_attribute("data-own", str(number))
    kept = dict(json.loads(page.evaluate("store => localStorage.getItem(store)", STORE)))
    assert kept[f"{match}/1"] == {"bits": number, "commitment": deal.get_attribute("data-commitment")}
    expect(page.locator("#fair-warning")).to_be_hidden()


def test_given_what_it_sent_when_the_table_says_otherwise_then_the_browser_warns(site: Site, browser: Browser) -> None:
    page = open_page(browser, PHONE)
    match = play_now(page, site.url)
    warning = page.locator("#fair-warning")
    number = page.locator("#fair-deal").get_attribute("data-own") or ""

    remember(page, match, bits="00" * 16)
    expect(warning).to_contain_text("another random number")

    remember(page, match, bits=number, commitment="00" * 32)
    expect(warning).to_contain_text("another commitment")

    remember(page, match, commitment=page.locator("#fair-deal").get_attribute("data-commitment") or "")
    expect(warning).to_be_hidden()


def test_given_a_deal_whose_secret_is_published_when_its_page_opens_then_the_browser_makes_the_deck_anew(
    site: Site, browser: Browser, axe_script: str
) -> None:
    page = open_page(browser, PHONE)
    match = play_now(page, site.url)
    site.manage("shell", "--verbosity", "0", "--command", END.format(match=match))

    page.goto(f"{site.url}/table/{match}/deal/1/")

    for check in ("commitment", "deck", "dealer", "own", "shown"):
        expect(page.locator(f'[data-check="{check}"]')).to_have_text("yes")
    page.evaluate(axe_script)
    assert page.evaluate("axe.run().then(found => found.violations.map(fault => fault.id))") == []
    assert page.faults == []  # type: ignore[attr-defined]

    page.goto(f"{site.url}/replay/{match}/")
    fault = page.locator("#own-record li")
    expect(fault).to_be_hidden()
    remember(page, match, bits="00" * 16)
    expect(fault).to_contain_text("does not have the random number")
    page.goto(f"{site.url}/table/{match}/deal/1/")
    expect(page.locator('[data-check="own"]')).to_contain_text("NO")

    deck = page.locator("#checks").get_attribute("data-deck") or ""
    page.add_init_script(
        f"""document.addEventListener("readystatechange", () => {{
            document.getElementById("checks").dataset.deck = "{" ".join(reversed(deck.split()))}";
        }}, {{ once: true }})"""
    )
    page.reload()
    expect(page.locator('[data-check="deck"]')).to_have_text("NO")
    expect(page.locator('[data-check="commitment"]')).to_have_text("yes")
