"""What a person does away from the table: signs up, logs in, makes a room, comes in by its link."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

PASSWORD = "kolm-punast-kassi"


def sign_up(page: Page, name: str) -> None:
    """On the page for it."""
    for field, value in (("username", name), ("password1", PASSWORD), ("password2", PASSWORD)):
        page.locator(f'main input[name="{field}"]').fill(value)
    page.locator("main .form-actions .button").first.click()
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text(name)


def log_in(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/account/login/")
    page.locator('main input[name="login"]').fill(name)
    page.locator('main input[name="password"]').fill(PASSWORD)
    page.locator("main .form-actions .button").first.click()
    expect(page.locator("#account-menu .menu-note bdi")).to_have_text(name)


def make_room(page: Page, url: str, name: str) -> str:
    """A room by link with slow clocks; return the path of its invite link."""
    page.goto(f"{url}/rooms/new/")
    page.locator('main input[name="name"]').fill(name)
    page.locator('main input[name="clock"][value="60"]').check(force=True)
    page.locator("main .form-actions .button").click()
    expect(page.locator("#room-title")).to_have_text(name)
    found = re.search(r"/join/[\w-]+/", page.locator("#invite-address").input_value())
    assert found is not None
    return found[0]


def sit_down_as(page: Page, url: str, invite: str, name: str) -> None:
    """From an opened invite link to a seat, by way of signing up."""
    page.goto(url + invite)
    page.locator(".join-form").get_by_role("link", name="Sign up").click()
    sign_up(page, name)
    expect(page.locator(".place-mine .place-name")).to_have_text(name)


def come_in_as_guest(page: Page, url: str, invite: str) -> None:
    """From an opened invite link to the room, in a seat when there is a free one."""
    page.goto(url + invite)
    page.locator(".join-form").get_by_role("button", name="Play as a guest").click()
    expect(page.locator("#room")).to_be_attached()


def start(host: Page, *others: Page) -> str:
    """The host starts; everybody who has the room open is led to the table. Return the match's id."""
    host.locator(".room-start").click()
    for page in (host, *others):
        page.wait_for_selector("main.table #heartbeat[data-beat]", state="attached")
    found = re.search(r"/table/([0-9a-f-]{36})/", host.url)
    assert found is not None
    return found[1]
