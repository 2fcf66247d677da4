"""Stories of failure that only a real browser can tell: two tabs, a screen reader and its keys, what axe finds."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.people import come_in_as_guest, make_room, start
from tests.browser.table import LEGAL, do_something, play_now, version_of, wait_for_socket, wait_for_turn
from tests.site_process import Site

pytestmark = pytest.mark.browser

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page, axe_script: str) -> list[str]:
    """What axe-core finds in the light and in the dark; the script is injected past the page's own policy."""
    found = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.evaluate(axe_script)
        result = page.evaluate("tags => axe.run({runOnly: {type: 'tag', values: tags}})", WCAG)
        found += [f"{theme} {v['id']}: {node['html'][:160]}" for v in result["violations"] for node in v["nodes"]]
    return found


def test_story_9_the_older_of_two_tabs_says_so_and_can_take_over(site: Site, browser: Browser) -> None:
    # given a table in a tab
    older = open_page(browser)
    play_now(older, site.url)
    wait_for_turn(older)
    # when it is opened in another
    newer = older.context.new_page()
    newer.goto(older.url)
    wait_for_socket(newer)
    # then the older one is retired, and what is clicked there is not played
    expect(older.locator("#connection")).to_contain_text("You have opened this table in another tab")
    before = version_of(newer)
    older.locator("#actions [data-command], #hand .hand-legal").first.click()
    expect(older.locator("#notice")).to_contain_text("Not sent")
    # while the newer one plays
    wait_for_turn(newer)
    do_something(newer)
    assert version_of(newer) > before
    # when the older one takes over
    older.get_by_role("link", name="Play here").click()
    wait_for_socket(older)
    # then they have changed places, and nothing is lost
    expect(older.locator("#connection")).to_be_hidden()
    expect(newer.locator("#connection")).to_contain_text("You have opened this table in another tab")
    wait_for_turn(older)
    assert version_of(older) >= version_of(newer)
    do_something(older)


def test_story_22_after_each_update_the_table_is_announced_and_the_keys_go_on(site: Site, browser: Browser) -> None:
    # given a table, and what a screen reader would have read out
    page = open_page(browser)
    play_now(page, site.url)
    page.evaluate("""() => {
        window.read = [];
        const note = (region) => () => window.read.push(region.textContent.trim());
        for (const region of document.querySelectorAll("#announcer[aria-live], #status[role=status]"))
            new MutationObserver(note(region)).observe(region, { childList: true, subtree: true, characterData: true });
    }""")
    wait_for_turn(page)
    while not page.locator(LEGAL).count():
        do_something(page)
        wait_for_turn(page)
    # when three cards are played with keys alone, the hand having been reached once
    page.keyboard.press("ArrowRight")
    expect(page.locator("#hand .hand-card:focus")).to_have_count(1)
    for _ in range(3):
        legal = page.locator("#hand .hand-card").evaluate_all(
            "cards => cards.findIndex(card => card.classList.contains('hand-legal'))"
        )
        card = page.locator("#hand .hand-card").nth(legal)
        name = card.locator(".visually-hidden").inner_text()
        held = page.locator("#hand .hand-card").count()
        before, status = version_of(page), page.locator("#status").inner_text()
        page.evaluate("window.read = []")
        page.keyboard.press(str(legal + 1))
        page.wait_for_function("v => Number(document.getElementById('table-version').dataset.version) > v", arg=before)
        # then the card, and whatever else happened, is read out once it is one's turn again
        wait_for_turn(page)
        read = page.evaluate("window.read.join('\\n')")
        assert f": {name}" in read
        assert page.locator("#status").inner_text() in (status, *read.splitlines())
        # and the focus is still in the hand, whose cards have their names
        expect(page.locator("#hand")).to_have_accessible_name("Your hand")
        expect(page.locator("#hand .hand-card")).to_have_count(held - 1)
        expect(page.locator("#hand .hand-card:focus")).to_have_count(1)
    # and trick, score and turn can be asked for at any time
    expect(page.locator("#felt")).to_have_accessible_name(re.compile("trick"))
    expect(page.locator("#table-topbar .score-us")).to_contain_text("Us")
    expect(page.locator("#table-topbar .contract .visually-hidden")).to_contain_text("Trump is")
    expect(page.locator("#seat-me")).to_have_accessible_name(re.compile("on turn"))
    assert page.faults == []  # type: ignore[attr-defined]


def test_axe_finds_nothing_in_a_room_at_a_table_of_four_and_at_a_spectators(
    site: Site, browser: Browser, axe_script: str
) -> None:
    # given a room with its host and three guests, and one who looks on
    pages = [open_page(browser, size) for size in (DESK, PHONE, DESK, PHONE)]
    watcher = open_page(browser, PHONE)
    invite = make_room(pages[0], site.url, "Kitchen table")
    assert violations(pages[0], axe_script) == []
    for page in (*pages[1:], watcher):
        come_in_as_guest(page, site.url, invite)
    expect(pages[0].locator(".onlookers")).to_be_visible()
    assert violations(pages[0], axe_script) == []
    assert violations(watcher, axe_script) == []
    # when they play
    start(*pages, watcher)
    on_turn = next(page for page in pages if page.locator('#table-version[data-my-turn="yes"]').count())
    others = [page for page in pages if page is not on_turn]
    # then
    for page in (on_turn, others[0]):
        assert violations(page, axe_script) == []
    # and the page of the one who looks on has no place for a hand, and fits every screen
    expect(watcher.locator("#hand, [data-command]")).to_have_count(0)
    for width, height in ((320, 568), (1280, 800), (PHONE["width"], PHONE["height"])):
        watcher.set_viewport_size({"width": width, "height": height})
        assert violations(watcher, axe_script) == []
        for seat in ("top", "left", "right", "me"):
            box = watcher.locator(f"#seat-{seat} .seat-box").bounding_box()
            assert box is not None
            assert min(box["x"], box["y"]) >= 0
            assert max(box["x"] + box["width"] - width, box["y"] + box["height"] - height) <= 0
    # and when somebody is gone
    do_something(on_turn)
    on_turn.context.close()
    for page in (others[1], watcher):
        expect(page.locator(".seat-away")).to_have_count(1)
        assert violations(page, axe_script) == []
