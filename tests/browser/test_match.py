"""A whole match by clicking, in a real Chromium, and one that survives its server."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.table import do_something, is_over, play_now, play_until_over, version_of, wait_for_turn
from tests.site_process import ROOT, Site

pytestmark = pytest.mark.browser

SCREENSHOTS = ROOT / "screenshots"
LANGUAGES = {"desk": ("en", "fr"), "phone": ("et", "th")}
"""What is looked at each time; with BELOTE_ALL_PICTURES=1, as in `make screenshots`, every language in both sizes."""
if os.environ.get("BELOTE_ALL_PICTURES") == "1":
    LANGUAGES = dict.fromkeys(LANGUAGES, ("en", "fr", "et", "th"))
PICTURES = [(name, size, code) for name, size in (("desk", DESK), ("phone", PHONE)) for code in LANGUAGES[name]]

SCORES_OF = """
import json, uuid
from games.selectors import load_state
state = load_state(uuid.UUID("{match}"))
print("RESULT " + json.dumps({{
    "deals": [list(r.score.scores) if r.score else [0, 0] for r in state.results],
    "totals": list(state.totals), "winner": None if state.winner is None else int(state.winner),
}}))
"""


def engine_scores(site: Site, match: str) -> dict[str, object]:
    """What a fold of the stored log gives."""
    output = site.manage("shell", "-v", "0", "-c", SCORES_OF.format(match=match))
    line = next(line for line in output.splitlines() if line.startswith("RESULT "))
    scores: dict[str, object] = json.loads(line.removeprefix("RESULT "))
    return scores


def test_a_match_to_501_from_the_front_page_by_clicking(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser, DESK)
    match = play_now(page, site.url)
    # when
    play_until_over(page)
    # then the score sheet is the engine's: South plays for team 0
    engine = engine_scores(site, match)
    rows = page.locator("#score-sheet tbody tr")
    shown = [[int(cell) for cell in rows.nth(i).locator("td").all_inner_texts()[:2]] for i in range(rows.count())]
    assert shown == engine["deals"]
    totals = [int(text) for text in page.locator("#score-sheet tfoot td").all_inner_texts()[:2]]
    assert totals == engine["totals"]
    expect(page.locator("#summary")).to_be_visible()
    # and play again seats the person at once
    page.locator('#actions [form="play-again"]').click()
    expect(page.locator("#hand .hand-card").first).to_be_visible()
    assert match not in page.url
    assert page.faults == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "size", "language"), PICTURES)
def test_a_deal_in_pictures(site: Site, browser: Browser, name: str, size: dict[str, int], language: str) -> None:
    # given
    theme = "dark" if name == "phone" and language in ("fr", "th") else "light"
    page = open_page(browser, size, language, theme)
    SCREENSHOTS.mkdir(exist_ok=True)

    def picture(of: str) -> Path:
        page.evaluate("document.fonts.ready")
        path = SCREENSHOTS / f"{of}-{language}-{name}.png"
        page.screenshot(path=path, animations="disabled")
        return path

    page.goto(site.url)
    picture("home")
    play_now(page, site.url)
    wait_for_turn(page)
    assert page.locator("html").get_attribute("lang") == language
    # when a deal is played
    seen = {picture("bid" if page.locator("#actions [data-command=take]").count() else "play")}
    while not page.locator('#actions [data-command="next"]').count() and not is_over(page):
        do_something(page)
        wait_for_turn(page)
        if len(seen) < 2 and page.locator("#hand .hand-illegal").count():
            seen.add(picture("play"))
    seen.add(picture("summary"))
    # then nothing is wider than the screen, and no script complained
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert len(seen) >= 2
    assert page.faults == []  # type: ignore[attr-defined]


def test_the_server_is_killed_in_mid_trick_and_the_match_goes_on(
    make_site: Callable[..., Site], browser: Browser
) -> None:
    # given the person has just played, and the computers have yet to answer
    site = make_site(BELOTE_COMPUTER_PACE="2")
    site.start()
    page = open_page(browser)
    match = play_now(page, site.url)
    wait_for_turn(page)
    while page.locator("#hand .hand-card").count() != 8:
        do_something(page)
        wait_for_turn(page)
    card = do_something(page)
    while page.locator('#table-version[data-my-turn="yes"]').count():
        # The person has won the trick and leads: nobody else is to move yet.
        card = do_something(page)
    expect(page.locator(f"#hand-{card}")).to_have_count(0)
    held = page.locator("#hand .hand-card").count()
    before = version_of(page)
    # when
    site.kill()
    site.start()
    # then the page comes back by itself, in the same match, and the trick goes on
    page.wait_for_function(
        "before => Number(document.getElementById('table-version').dataset.version) > before", arg=before
    )
    wait_for_turn(page)
    assert match in page.url
    assert page.locator("#hand .hand-card").count() == held
    assert page.locator(f"#hand-{card}").count() == 0
    do_something(page)


def test_a_refresh_and_a_second_tab_show_the_same_hand(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    play_now(page, site.url)
    wait_for_turn(page)
    hand = page.locator("#hand .hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)")
    # when
    page.reload()
    second = page.context.new_page()
    second.goto(page.url)
    # then
    for tab in (page, second):
        expect(tab.locator("#hand .hand-card").first).to_be_visible()
        assert tab.locator("#hand .hand-card").evaluate_all("cards => cards.map(c => c.dataset.card)") == hand


def test_the_table_is_played_with_the_keyboard_alone(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    page.goto(site.url)
    page.locator(".button-huge").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hand .hand-card").first).to_be_visible()
    # when a bid is made with Tab and Enter, and a card with its number
    wait_for_turn(page)
    while page.locator("#actions [data-command=take]").count():
        before = version_of(page)
        page.locator("#actions [data-command=take]").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("b => Number(document.getElementById('table-version').dataset.version) > b", arg=before)
        wait_for_turn(page)
    before = version_of(page)
    index = page.locator("#hand .hand-card").evaluate_all(
        "cards => cards.findIndex(c => c.classList.contains('hand-legal'))"
    )
    page.keyboard.press(str(index + 1))
    # then
    page.wait_for_function("b => Number(document.getElementById('table-version').dataset.version) > b", arg=before)
    expect(page.locator("#hand .hand-card")).to_have_count(7)


def test_an_illegal_card_says_why_without_leaving_the_hand(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    play_now(page, site.url)
    while not page.locator("#hand .hand-illegal").count():
        wait_for_turn(page)
        if page.locator("#hand .hand-illegal").count():
            break
        do_something(page)
        wait_for_turn(page)
    card = page.locator("#hand .hand-illegal").first
    before = version_of(page)
    # when
    card.click(position={"x": 12, "y": 20}, force=True)
    # then
    expect(page.locator("#notice")).to_contain_text("R4.")
    assert version_of(page) == before


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_front_page_and_the_table(
    site: Site, browser: Browser, axe_script: str, theme: str
) -> None:
    # given
    page = open_page(browser, theme=theme)
    page.goto(site.url)
    assert violations(page, axe_script) == []
    play_now(page, site.url)
    wait_for_turn(page)
    assert violations(page, axe_script) == []
    while not page.locator('#actions [data-command="next"]').count():
        do_something(page)
        wait_for_turn(page)
        if page.locator("#hand .hand-illegal").count():
            assert violations(page, axe_script) == []
    # then the summary too
    assert violations(page, axe_script) == []


def violations(page: object, axe_script: str) -> list[str]:
    """What axe-core finds, rule and element; the script is injected past the page's own policy."""
    page.evaluate(axe_script)  # type: ignore[attr-defined]
    found = page.evaluate("axe.run()")  # type: ignore[attr-defined]
    return [f"{v['id']}: {node['html'][:160]}" for v in found["violations"] for node in v["nodes"]]
