"""What a person does at the table, with a mouse or a finger."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

LEGAL = "#hand .hand-legal"


def play_now(page: Page, url: str, level: str = "easy", target: int = 501) -> str:
    """From the front page to a hand; return the match's id."""
    page.goto(url)
    page.locator(f'input[name="level"][value="{level}"]').check(force=True)
    page.locator(f'input[name="target"][value="{target}"]').check(force=True)
    page.locator(".button-huge").click()
    expect(page.locator("#hand .hand-card").first).to_be_visible()
    wait_for_socket(page)
    found = re.search(r"/table/([0-9a-f-]{36})/", page.url)
    assert found is not None
    return found[1]


def wait_for_socket(page: Page) -> None:
    """Until the first heartbeat: what is clicked before is not sent."""
    page.wait_for_selector("#heartbeat[data-beat]", state="attached")


def version_of(page: Page) -> int:
    return int(page.locator("#table-version").get_attribute("data-version") or 0)


def wait_for_version(page: Page, version: int) -> None:
    """Until the page shows a version, or a newer one."""
    page.wait_for_function("v => Number(document.getElementById('table-version').dataset.version) >= v", arg=version)


def wait_for_turn(page: Page) -> None:
    """Until something is asked, or the match is over."""
    page.wait_for_selector('#table-version[data-my-turn="yes"], #actions [form="play-again"]', state="attached")


def is_over(page: Page) -> bool:
    return page.locator('#actions [form="play-again"]').count() > 0


def do_something(page: Page) -> str:
    """Click what comes first: next, a bid, or the first legal card; wait until the table has moved on."""
    before = version_of(page)
    if page.locator('#actions [data-command="next"]').count():
        page.locator('#actions [data-command="next"]').click()
        done = "next"
    elif page.locator('#actions [data-command="pass"]').count():
        # Taking the turned suit keeps the match short.
        first = page.locator('#actions [data-command="take"]').first
        first.click()
        done = "take"
    else:
        card = page.locator(LEGAL).first
        done = card.get_attribute("data-card") or ""
        # On the corner: a card of the hand may lie under its neighbour.
        card.click(position={"x": 12, "y": 20})
    page.wait_for_function(
        "before => Number(document.getElementById('table-version').dataset.version) > before", arg=before
    )
    return done


def play_until_over(page: Page) -> None:
    while True:
        wait_for_turn(page)
        if is_over(page):
            return
        do_something(page)
