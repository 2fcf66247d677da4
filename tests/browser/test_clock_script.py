"""What table.js makes of the clock that a seat is rendered with: it counts on by itself, and warns once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PHONE, open_page
from tests.browser.table import play_now
from tests.site_process import Site

pytestmark = pytest.mark.browser

WARNING = "Less than 10 seconds are left for your turn."

RENDER = """html => {
    const seat = document.getElementById("seat-me");
    Idiomorph.morph(seat, html, { morphStyle: "outerHTML" });
    const message = new CustomEvent("htmx:wsAfterMessage", { detail: { message: html } });
    document.querySelector("main.table").dispatchEvent(message);
}"""


@pytest.fixture
def page(site: Site, browser: Browser) -> Iterator[Page]:
    """A table that hears nothing from its server, on which no time passes but by the test."""
    page = open_page(browser, PHONE)
    play_now(page, site.url)
    page.route_web_socket("**/ws/**", lambda socket: None)
    page.reload()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 60000"))
    yield page
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def render_seat(page: Page, ends_in: int | None, reserve: int, last_text: str = WARNING) -> Locator:
    """Bring the page a seat as the server renders it; return its clock."""
    clock = {
        "is_running": ends_in is not None,
        "is_reserve": False,
        "text": "as rendered",
        "ends_in": ends_in or 0,
        "reserve": reserve,
        "last_text": last_text,
    }
    seat = {"position": "me", "name": "Mari", "team": "us", "bars": "", "state_text": "Mari", "clock": clock}
    page.evaluate(RENDER, render_to_string("games/table/seat.html", {"seat": seat}))
    return page.locator("#seat-me .seat-clock")


def test_a_running_clock_counts_its_turn_and_then_its_reserve(page: Page) -> None:
    # given
    clock = render_seat(page, 30_000, 60_000)
    expect(clock).to_have_text("0:30")
    # when
    page.clock.run_for(27_500)
    # then
    expect(clock).to_have_text("0:03")
    expect(clock).to_have_class("seat-clock seat-clock-running")
    # when the turn's own time is over
    page.clock.run_for(3_000)
    # then
    expect(clock).to_have_text("+1:00")
    expect(clock).to_have_class("seat-clock seat-clock-running seat-clock-reserve")
    # when the reserve is over too
    page.clock.run_for(70_000)
    # then
    expect(clock).to_have_text("+0:00")


def test_the_last_ten_seconds_of_all_are_marked_and_announced_once(page: Page) -> None:
    # given
    clock = render_seat(page, 5_000, 12_000)
    announcer = page.locator("#announcer")
    page.clock.run_for(6_500)
    expect(clock).to_have_text("+0:11")
    expect(announcer).not_to_have_text(WARNING)
    # when
    page.clock.run_for(1_000)
    # then
    expect(clock).to_have_class("seat-clock seat-clock-running seat-clock-reserve seat-clock-last")
    expect(announcer).to_have_text(WARNING)
    # when the seat is rendered again and the time goes on
    page.evaluate("document.getElementById('announcer').textContent = ''")
    render_seat(page, -2_500, 12_000)
    page.clock.run_for(3_000)
    # then
    expect(clock).to_have_text("+0:07")
    expect(announcer).to_have_text("")
    # when the next turn comes to its end
    render_seat(page, None, 6_000)
    render_seat(page, 15_000, 6_000)
    page.clock.run_for(12_000)
    # then
    expect(announcer).to_have_text(WARNING)


def test_somebody_elses_last_seconds_are_not_announced(page: Page) -> None:
    # given
    clock = render_seat(page, 11_000, 0, last_text="")
    # when
    page.clock.run_for(2_000)
    # then
    expect(clock).to_have_class("seat-clock seat-clock-running seat-clock-last")
    expect(page.locator("#announcer")).not_to_have_text(WARNING)


def test_a_clock_that_is_rendered_with_the_same_time_again_starts_again(page: Page) -> None:
    # given
    clock = render_seat(page, 30_000, 60_000)
    page.clock.run_for(20_500)
    expect(clock).to_have_text("0:10")
    # when
    render_seat(page, 30_000, 60_000)
    # then
    expect(clock).to_have_text("0:30")


def test_a_message_about_something_else_leaves_the_clock_alone(page: Page) -> None:
    # given
    clock = render_seat(page, 30_000, 60_000)
    page.clock.run_for(10_500)
    # when
    page.evaluate("""() => document.querySelector("main.table").dispatchEvent(
        new CustomEvent("htmx:wsAfterMessage", { detail: { message: "<p>" } }))""")
    # then
    expect(clock).to_have_text("0:20")


def test_a_clock_that_stops_shows_what_the_server_says(page: Page) -> None:
    # given
    clock = render_seat(page, 30_000, 60_000)
    page.clock.run_for(10_500)
    # when
    render_seat(page, None, 60_000)
    page.clock.run_for(5_000)
    # then
    expect(clock).to_have_text("as rendered")
