"""The replay in a browser: keys, the moment in the address, playing by itself."""

from __future__ import annotations

from typing import NamedTuple

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
from tests.web.roles import session_of

user = User.objects.create_guest()
print("MADE", finished_match({{Seat.SOUTH: user}}).pk, session_of(user))
"""

AN_ANALYSIS_UNDER_WAY = """
from datetime import timedelta
from django.utils import timezone
from games.models import DealAnalysis

held = timezone.now() + timedelta(hours=1)
DealAnalysis.objects.create(match_id="{match}", deal=1, attempts=1, held_until=held, moves_done=5)
"""

ITS_END = """
from games.engine.cards import cards_in
from games.engine.notation import format_card
from games.models import DealAnalysis
from games.replays import replay_of

plays = replay_of("{match}").end_of(1).plays
moves = [
    {{
        "seat": int(play.seat),
        "card": format_card(play.card),
        "values": {{format_card(card): card for card in cards_in(play.legal)}},
        "hard": format_card(play.card),
    }}
    for play in plays
]
DealAnalysis.objects.filter(match_id="{match}").update(status="done", moves=moves, moves_done=32)
"""


class Made(NamedTuple):
    match: str
    address: str
    session: str


def run(site: Site, script: str, match: str = "") -> str:
    return site.manage("shell", "-v", "0", "-c", script.format(match=match))


@pytest.fixture(scope="module")
def made(site: Site) -> Made:
    """A match that is over, and the session of a guest."""
    _, match, session = run(site, A_MATCH_THAT_IS_OVER).split()
    return Made(match, f"{site.url}/replay/{match}/", session)


@pytest.fixture(scope="module")
def replay(made: Made) -> str:
    """The address of a replay."""
    return made.address


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


def test_an_analysis_is_asked_for_and_its_marks_come_by_themselves(site: Site, browser: Browser, made: Made) -> None:
    # given a guest, and a worker that is at this deal since
    page = open_page(browser, DESK)
    page.context.add_cookies([{"name": "sessionid", "value": made.session, "url": site.url}])
    page.goto(made.address + "#deal-1-trick-1")
    wait_for_moment(page, "deal-1-trick-1")
    button = page.get_by_role("button", name="Analyse this deal")
    expect(button).to_be_visible()
    run(site, AN_ANALYSIS_UNDER_WAY, made.match)
    # when
    button.click()
    # then
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "5")
    expect(page.locator("#analysis-1")).to_be_focused()
    expect(page.locator(".open-mark")).to_have_count(0)
    # when
    run(site, ITS_END, made.match)
    # then
    expect(page.locator(".open-legal .open-mark").first).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert page.evaluate("location.hash") == "#deal-1-trick-1"
    assert page.faults == []  # type: ignore[attr-defined]
