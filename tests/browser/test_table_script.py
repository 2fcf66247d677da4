"""What table.js does beside sending a click: confirming, title, focus, keys, and a connection that comes and goes."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PHONE, open_page
from tests.browser.table import LEGAL, do_something, play_now, version_of, wait_for_socket, wait_for_turn
from tests.site_process import Site

pytestmark = pytest.mark.browser

ON_ITS_CORNER = {"x": 12, "y": 20}
"""Where a card of the hand is not covered by its neighbour."""

PLAIN_ORDER = "789JQKTA"

A_MATCH_WITH_BELOTE_ON_DEMAND = """
from django.conf import settings
from accounts.models import User
from games import selectors
from games.services import matches, rooms
from games.engine.cards import Rank, make_card, suit_of
from games.engine.seats import Seat
from games.models import Match, Room

settings.CONTRIBUTION_SECONDS = 0
match = Match.objects.select_related("room").get(pk="{match}")
user = User.objects.get(pk=match.room.host_id)
Room.objects.filter(pk=match.room_id).update(belote="manual")
while True:
    matches.end(match.pk)
    match = rooms.rematch(user, match.pk)
    deal = selectors.load_state(match.pk).deal
    turned = suit_of(deal.turn_up)
    pair = 1 << make_card(turned, Rank.KING) | 1 << make_card(turned, Rank.QUEEN)
    if deal.hands[Seat.SOUTH] & pair == pair:
        break
print("MATCH " + str(match.pk))
"""


def hand_of(page: Page) -> list[str]:
    return page.locator("#hand .hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")


def click_card(card: Locator) -> None:
    card.click(position=ON_ITS_CORNER)


def frames_sent_by(page: Page) -> list[dict[str, object]]:
    """A list that grows with each message that the page sends from its next socket on."""
    sent: list[dict[str, object]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    return sent


def wait_for_version_after(page: Page, version: int) -> None:
    page.wait_for_function("v => Number(document.getElementById('table-version').dataset.version) > v", arg=version)


def play_until(page: Page, is_reached: Callable[[], bool]) -> None:
    """Go on until something is asked of the person and the condition holds."""
    wait_for_turn(page)
    while not is_reached():
        do_something(page)
        wait_for_turn(page)


def prefer(page: Page, site: Site, **choices: str | bool) -> None:
    """Save preferences on their own page and come back to the table."""
    table = page.url
    page.goto(site.url + "/account/preferences/")
    for name, choice in choices.items():
        field = page.locator(f"#id_{name}")
        if isinstance(choice, bool):
            field.set_checked(choice, force=True)
        else:
            field.select_option(choice)
    with page.expect_navigation():
        page.locator(".form-actions button").click()
    page.goto(table)
    wait_for_socket(page)


def pretend(page: Page, hidden: bool) -> None:
    """Headless Chromium shows all its tabs; this page is told that it does not."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_with_confirmation_the_first_tap_selects_and_the_second_plays(site: Site, browser: Browser) -> None:
    # given a free choice among several cards
    page = open_page(browser, PHONE)
    sent = frames_sent_by(page)
    play_now(page, site.url)
    play_until(page, lambda: page.locator("#actions button").count() == 0 and page.locator(LEGAL).count() > 1)
    prefer(page, site, confirm_play=True)
    cards = page.locator(LEGAL)
    first, second = cards.first.get_attribute("data-card"), cards.last.get_attribute("data-card")
    before = version_of(page)
    sent.clear()
    # when
    click_card(page.locator(f"#hand-{first}"))
    # then
    expect(page.locator(f"#hand-{first}")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#notice")).to_have_text("Tap the card again to play it.")
    # when the mind is changed
    click_card(page.locator(f"#hand-{second}"))
    # then only the other card is chosen, and nothing was played
    expect(page.locator('#hand [aria-pressed="true"]')).to_have_count(1)
    expect(page.locator(f"#hand-{second}")).to_have_attribute("aria-pressed", "true")
    assert sent == []
    assert version_of(page) == before
    # when
    click_card(page.locator(f"#hand-{second}"))
    # then
    expect(page.locator(f"#hand-{second}")).to_have_count(0)
    assert [message.get("card") for message in sent] == [second]
    expect(page.locator("#notice p")).to_have_count(0)


def test_story_24_a_hidden_tab_says_in_its_title_that_it_is_ones_turn(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    play_now(page, site.url)
    wait_for_turn(page)
    expect(page).to_have_title("Table · Belote")
    # when
    pretend(page, hidden=True)
    # then
    expect(page).to_have_title("● Your turn · Belote")
    # when
    pretend(page, hidden=False)
    # then
    expect(page).to_have_title("Table · Belote")


def test_what_is_clicked_without_a_connection_is_never_played(make_site: Callable[..., Site], browser: Browser) -> None:
    # given
    site = make_site(BELOTE_COMPUTER_PACE="0.02")
    site.start()
    page = open_page(browser)
    sent = frames_sent_by(page)
    play_now(page, site.url)
    play_until(page, lambda: page.locator(LEGAL).count() > 0)
    hand, before = hand_of(page), version_of(page)
    # when
    site.kill()
    # then
    expect(page.locator("#connection")).to_be_visible()
    # when
    sent.clear()
    click_card(page.locator(LEGAL).first)
    # then
    expect(page.locator("#notice")).to_contain_text("Not sent")
    # when
    site.start()
    # then the page is whole again, and has asked for nothing but the state
    expect(page.locator("#connection")).to_be_hidden(timeout=15_000)
    page.wait_for_function("hasBeat => document.querySelector('#heartbeat[data-beat]') !== null")
    assert {message["type"] for message in sent} == {"resync"}
    assert hand_of(page) == hand
    assert version_of(page) == before
    # and the match goes on
    do_something(page)
    assert len(hand_of(page)) == len(hand) - 1


def test_back_and_forward_show_the_newest_table(site: Site, browser: Browser) -> None:
    # given a table that goes on in another tab while this one is elsewhere
    page = open_page(browser)
    play_now(page, site.url)
    play_until(page, lambda: page.locator(LEGAL).count() > 0)
    table = page.url
    page.goto(site.url + "/rules/")
    other = page.context.new_page()
    other.goto(table)
    card = do_something(other)
    wait_for_turn(other)
    newest, hand = version_of(other), hand_of(other)
    # when
    page.go_back()
    # then
    assert card not in hand_of(page)
    assert (version_of(page), hand_of(page)) == (newest, hand)
    # when the table is left backwards and comes again by "forward"
    page.goto(site.url + "/rules/")
    page.go_back()
    page.go_back()
    # (the other tab was retired by the return to the first one, and takes over)
    other.locator(".connection-reload").click()
    wait_for_socket(other)
    do_something(other)
    wait_for_turn(other)
    page.go_forward()
    # then
    assert (version_of(page), hand_of(page)) == (version_of(other), hand_of(other))
    expect(page.locator("#connection")).to_be_hidden()


def test_a_refusal_goes_away_with_the_next_card(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    play_now(page, site.url)
    play_until(page, lambda: page.locator("#hand .hand-illegal").count() > 0)
    page.locator("#hand .hand-illegal").first.click(position=ON_ITS_CORNER, force=True)
    expect(page.locator("#notice p")).to_be_visible()
    # when
    do_something(page)
    # then sooner than by its own time
    expect(page.locator("#notice p")).to_have_count(0, timeout=3_000)


def test_preferences_take_effect_at_the_table(site: Site, browser: Browser) -> None:
    # given
    page = open_page(browser)
    sent = frames_sent_by(page)
    play_now(page, site.url)
    wait_for_turn(page)
    hand = hand_of(page)
    width = page.locator("#hand .card").first.evaluate("card => card.offsetWidth")
    # when
    prefer(
        page,
        site,
        theme="dark",
        deck_colours="four",
        card_size="large",
        index_letters="VDRA",
        card_order="weakest",
        shortcuts=False,
    )
    # then
    suits = [card[1] for card in hand]
    weakest_first = sorted(hand, key=lambda card: (suits.index(card[1]), PLAIN_ORDER.index(card[0])))
    assert hand_of(page) == weakest_first
    letters = dict(zip("JQKAT", ["V", "D", "R", "A", "10"], strict=True))
    shown = page.locator("#hand .card-rank").all_inner_texts()
    assert shown == [letters.get(card[0], card[0]) for card in weakest_first]
    assert page.locator("#hand .card").first.evaluate("card => card.offsetWidth") > width
    assert colour_of(page, "color-scheme") == "dark"
    assert len({colour_of(page, f"--suit-{suit}") for suit in ("spades", "hearts", "diamonds", "clubs")}) == 4
    expect(page.locator("#hand .hand-key").first).to_be_hidden()
    # when
    sent.clear()
    page.keyboard.press("1")
    page.keyboard.press("?")
    # then
    expect(page.locator("#hand .hand-card:focus")).to_have_count(0)
    expect(page.locator("#shortcuts")).to_be_hidden()
    assert sent == []


def colour_of(page: Page, name: str) -> str:
    value: str = page.evaluate("name => getComputedStyle(document.documentElement).getPropertyValue(name)", name)
    return value.strip()


def test_the_focus_moves_to_a_neighbour_of_the_card_played(site: Site, browser: Browser) -> None:
    # given a card that may be played and is not the first of the hand
    page = open_page(browser)
    play_now(page, site.url)
    later = page.locator("#hand .hand-place:not(:first-child) .hand-legal")
    play_until(page, lambda: later.count() > 0 and page.locator("#hand .hand-card").count() > 2)
    hand = hand_of(page)
    card = later.first
    place = hand.index(card.get_attribute("data-card") or "")
    before = version_of(page)
    # when
    card.focus()
    page.keyboard.press("Enter")
    wait_for_version_after(page, before)
    # then; the suits change places where a suit that is played out parted two of one colour
    left = hand_of(page)
    assert len(left) == len(hand) - 1
    neighbour = page.locator(f"#hand-{left[min(place, len(left) - 1)]}")
    expect(neighbour).to_be_focused()
    # then also when the others have played
    wait_for_turn(page)
    if page.locator("#hand .hand-card").count() == len(left):
        expect(neighbour).to_be_focused()


def test_belote_is_said_on_demand_with_the_card(site: Site, browser: Browser) -> None:
    # given a room where it is said by hand, and king and queen of the turned suit
    page = open_page(browser)
    match = play_now(page, site.url)
    page.goto(site.url)
    output = site.manage("shell", "-v", "0", "-c", A_MATCH_WITH_BELOTE_ON_DEMAND.format(match=match))
    found = next(line.removeprefix("MATCH ") for line in output.splitlines() if line.startswith("MATCH "))
    page.goto(f"{site.url}/table/{found}/")
    sent = frames_sent_by(page)
    page.reload()
    for word in ("belote", "rebelote"):
        play_until(page, lambda: page.locator("#announce").count() > 0)
        expect(page.locator(".action-announce")).to_contain_text(f"“{word}”")
        suit = (page.locator(".contract-chip .suit").get_attribute("class") or "").split("suit-")[1][0].upper()
        card = page.locator(f"#hand-K{suit}, #hand-Q{suit}").first
        before = version_of(page)
        # when
        page.keyboard.press("b")
        expect(page.locator("#announce")).to_be_checked()
        click_card(card)
        wait_for_version_after(page, before)
        # then
        expect(page.locator("#play-log .log-announcement").last).to_contain_text(f": {word}")
        assert sent[-1]["announce"] is True
