"""Four people in four browsers play a deal in a private room, each with a trouble of their own; a fifth looks on."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import DESK, PHONE, open_page
from tests.browser.network import Network
from tests.browser.people import come_in_as_guest, log_in, make_room, sign_up, sit_down_as, start
from tests.browser.table import do_something, version_of, wait_for_socket, wait_for_turn, wait_for_version
from tests.browser.wiretap import Wiretap, cards_named_in, hidden_cards_in, truths_of
from tests.site_process import Site

pytestmark = pytest.mark.browser

logger = logging.getLogger(__name__)

HOST, REFRESHES, LOSES_NETWORK, CHANGES_BROWSER = "Kersti", "Õie", "Siiri", "Ülo"
NORTH, EAST, SOUTH, WEST = range(4)
SEATS_AS_A_SPECTATOR_SEES_THEM = {"top": NORTH, "right": EAST, "me": SOUTH, "left": WEST}

ON_TURN = """positions => {
    if (!document.getElementById("summary").hidden) return "nobody";
    return positions.find((position) => document.getElementById("seat-" + position).classList.contains("seat-turn"));
}"""


@pytest.fixture
def network(site: Site) -> Iterator[Network]:
    network = Network(site.port)
    yield network
    network.close()


class Table:
    """The pages of those who play, by the name of the person, as somebody who looks on sees them."""

    def __init__(self, watcher: Page, pages: Mapping[str, Page]) -> None:
        self.watcher = watcher
        self.pages = dict(pages)
        self.position = {
            watcher.locator(f"#seat-{position} .seat-name").inner_text(): position
            for position in SEATS_AS_A_SPECTATOR_SEES_THEM
        }

    def seat(self, name: str) -> int:
        return SEATS_AS_A_SPECTATOR_SEES_THEM[self.position[name]]

    def seat_of(self, name: str, page: Page) -> Locator:
        """The seat of a person on any page of the table."""
        return page.locator(".seat", has=page.get_by_text(name, exact=True))

    def on_turn(self) -> str:
        """Until one of those who play themselves is on turn; their name, or '' when the deal is over."""
        positions = {self.position[name]: name for name in self.pages}
        found = self.watcher.wait_for_function(ON_TURN, arg=list(positions)).json_value()
        return positions.get(found, "")

    def act(self, name: str) -> None:
        page = self.pages[name]
        wait_for_turn(page)
        do_something(page)
        wait_for_version(self.watcher, version_of(page))

    def play_on(self, *, tricks: int = 8, until: str = "") -> None:
        """Until so many tricks are over in this deal, or somebody is on turn."""
        while name := self.on_turn():
            if name == until or self.watcher.locator("#play-log .log-trick").count() >= tricks:
                return
            self.act(name)


def hand_of(page: Page) -> list[str]:
    hand: list[str] = page.locator("#hand .hand-card").evaluate_all("cards => cards.map(card => card.dataset.card)")
    return hand


def scores_on(page: Page, seat: int | None) -> list[int]:
    """What the score sheet gives North–South and East–West for the first deal."""
    row = page.locator("#score-sheet tbody tr").first.locator("td")
    expect(row.first).to_be_attached()
    scores = [int(text) for text in row.all_inner_texts()[:2]]
    return scores if seat in (None, NORTH, SOUTH) else scores[::-1]


def test_four_people_and_a_spectator_through_a_deal_with_all_its_troubles(
    site: Site, browser: Browser, network: Network
) -> None:
    # given four people with accounts who meet in a private room by its link
    names = (HOST, REFRESHES, LOSES_NETWORK, CHANGES_BROWSER)
    address = dict.fromkeys(names, site.url) | {LOSES_NETWORK: network.url}
    pages = {name: open_page(browser, PHONE if name == REFRESHES else DESK) for name in names}
    taps = {name: Wiretap(page.context) for name, page in pages.items()}
    host = pages[HOST]
    host.goto(f"{site.url}/account/signup/")
    sign_up(host, HOST)
    invite = make_room(host, site.url, "Four of us")
    for name in names[1:]:
        sit_down_as(pages[name], address[name], invite, name)
    # and a fifth who comes by the link when all seats are taken
    watcher = open_page(browser)
    tap = Wiretap(watcher.context)
    come_in_as_guest(watcher, site.url, invite)
    expect(watcher.locator(".place-mine")).to_have_count(0)
    match = start(host, *[pages[name] for name in names[1:]], watcher)
    table = Table(watcher, pages)
    expect(host.locator(".watchers-line")).to_contain_text("1 person watches")

    # when one refreshes the page in their turn
    table.play_on(until=REFRESHES)
    page = pages[REFRESHES]
    wait_for_turn(page)
    hand = hand_of(page)
    page.reload()
    # then it is as it was
    assert hand_of(page) == hand
    wait_for_turn(page)
    expect(page.locator("#seat-me .seat-clock-running")).to_be_attached()

    # when one loses the network for more than 10 s
    table.play_on(tricks=2)
    page = pages[LOSES_NETWORK]
    cut_at = time.monotonic()
    network.cut()
    table.play_on(until=LOSES_NETWORK, tricks=8)
    expect(page.locator("#connection")).to_be_visible(timeout=30_000)
    expect(page.locator("#connection")).to_contain_text("The connection is gone")
    network.wait_for_a_try()
    network.wait_for_a_try()
    assert time.monotonic() - cut_at > 10
    newest = version_of(watcher)
    network.restore()
    # then the page comes back by itself, whole
    back_at = time.monotonic()
    wait_for_version(page, newest)
    expect(page.locator("#connection")).to_be_hidden()
    seconds = time.monotonic() - back_at
    logger.info("whole again %.1f s after the network", seconds)
    assert seconds < 10 * 5
    # and of all this only the browser itself complains
    assert all("WebSocket" in fault or "Event" in fault for fault in page.faults)  # type: ignore[attr-defined]
    page.faults.clear()  # type: ignore[attr-defined]

    # when one closes the tab
    table.play_on(tricks=4)
    hand = hand_of(pages[CHANGES_BROWSER])
    pages[CHANGES_BROWSER].context.close()
    # then everybody sees it
    for other in (host, pages[REFRESHES], pages[LOSES_NETWORK], watcher):
        expect(table.seat_of(CHANGES_BROWSER, other)).to_contain_text("Connection lost")
    # when they come back in another browser, without the link
    page = open_page(browser)
    tap_of_other_browser = Wiretap(page.context)
    log_in(page, site.url, CHANGES_BROWSER)
    page.get_by_role("link", name="Return to your table").first.click()
    wait_for_socket(page)
    assert page.url == f"{site.url}/table/{match}/"
    # then it is their hand, and nobody waits for them any more
    assert hand_of(page) == hand
    table.pages[CHANGES_BROWSER] = page
    for other in (host, pages[REFRESHES], pages[LOSES_NETWORK], watcher):
        expect(table.seat_of(CHANGES_BROWSER, other)).not_to_contain_text("Connection lost")

    # when one leaves for good
    table.play_on(tricks=6)
    host.get_by_role("button", name="Menu").click()
    host.locator("#table-menu").get_by_role("button", name="Leave the table").click()
    host.locator("#leave").get_by_role("button", name="Leave the table").click()
    # then the page says what it means, and everybody sees who has left
    expect(host.locator(".message")).to_contain_text("the match counts as lost")
    seen_seated = len(taps[HOST].received)
    del table.pages[HOST]
    for other in (*table.pages.values(), watcher):
        expect(table.seat_of(HOST, other)).to_contain_text("Has left; a computer plays")
    # and may look on, as everybody may who knows the room
    host.goto(f"{site.url}/table/{match}/")
    expect(host.locator("h1")).to_have_text("The table you are watching")
    expect(host.locator("#hand .hand-card")).to_have_count(0)

    # when the deal is played to its end
    table.play_on()
    # then all see the same scores, and they are those of the log
    seats: dict[str, int | None] = {name: table.seat(name) for name in table.pages}
    onlookers: dict[str, int | None] = {HOST: None}
    shown = {name: scores_on(table.pages[name], seat) for name, seat in seats.items()}
    shown |= {name: scores_on(pages[name], seat) for name, seat in onlookers.items()}
    assert shown == dict.fromkeys(names, scores_on(watcher, None))
    truths = truths_of(site, match)

    # and nobody has received a card that was hidden from them
    dealt = next(truth.hands for truth in truths if all(len(hand) == 8 for hand in truth.hands))
    turned = next(truth.public for truth in truths if truth.public)
    assert set().union(*(cards_named_in(html) for _, html in tap.received)) == set().union(*dealt)
    assert hidden_cards_in(tap.received, truths, None) == []
    assert hidden_cards_in(taps[HOST].received[seen_seated:], truths, None) == []
    taps[HOST].received = taps[HOST].received[:seen_seated]
    taps[CHANGES_BROWSER].received += tap_of_other_browser.received
    for name in names:
        assert hidden_cards_in(taps[name].received, truths, table.seat(name)) == []
        # while the same check finds a player's hand in what that player receives
        found = hidden_cards_in(taps[name].received, truths, None)
        assert set().union(*(cards for _, cards in found)) == dealt[table.seat(name)] - turned
    for page in (*table.pages.values(), host, watcher):
        assert page.faults == []  # type: ignore[attr-defined]
