"""A moderator at work, in a real Chromium: from a report to a ban, and what everybody at that table sees of it."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, open_page
from tests.browser.table import do_something, version_of, wait_for_socket, wait_for_turn
from tests.site_process import Site

pytestmark = pytest.mark.browser

CEILING_SECONDS = 10
"""A ban closes sockets within a second; a machine that is busy may take longer to show it."""

_GIVEN = """
from django.contrib.auth.models import Group
from accounts.models import User
from belote_site.staff_groups import MODERATOR
from games.engine.seats import Occupant
from games.models import Room
from games.services import rooms, seating, talk
from tests.web.roles import session_of
mari = User.objects.create_user("Mari", is_staff=True, language="en")
mari.groups.add(Group.objects.get(name=MODERATOR))
luc, rude = (User.objects.create_user(name, language="en") for name in ("Luc", "Rudi"))
room = rooms.create(luc, Room(visibility="public", clock=60, name="Kolmas laud"))
seating.sit(rude, room.pk)
rooms.fill(luc, room.pk, Occupant.EASY)
match = rooms.start(luc, room.pk)
talk.say(luc, room.pk, match.pk, phrase="good-luck")
talk.say(rude, room.pk, match.pk, text="go home, idiots")
talk.report(luc, rude, "insults", "He swears at everybody.", room.pk, match.pk)
print("GIVEN", match.pk, *(session_of(user) for user in (mari, luc, rude)))
"""


def test_a_moderator_bans_whoever_was_reported_and_the_table_plays_on(site: Site, browser: Browser) -> None:
    # given a moderator with a phone, and two people at a table, one of whom has reported the other
    output = site.manage("shell", "-v", "0", "-c", _GIVEN)
    given = next(line for line in output.splitlines() if line.startswith("GIVEN"))
    _, match_id, *keys = given.split()
    mari, luc, rudi = (_signed_in(site, browser, key) for key in keys)
    for page in (luc, rudi):
        page.goto(f"{site.url}/table/{match_id}/")
        wait_for_socket(page)
    # when the moderator opens the report from the queue
    mari.goto(f"{site.url}/admin/games/report/")
    mari.get_by_role("link", name=re.compile("^Report ")).click()
    # then what was said around it is there, and who said it
    expect(mari.locator(".said-by-reported")).to_have_count(1)
    expect(mari.locator(".said-by-reported")).to_contain_text("go home, idiots")
    expect(mari.locator(".report")).to_contain_text("He swears at everybody.")
    # and when they ban for a day
    mari.get_by_role("link", name="Ban", exact=True).click()
    expect(mari.locator('select[name="ground"]')).to_have_value("insults")
    mari.locator('[name="length"]').select_option("1d")
    mari.locator('[name="text"]').fill("Nobody is insulted here.")
    mari.locator('[name="why"]').fill("Insults at the table, no remorse")
    began = time.monotonic()
    mari.locator("form.act [type=submit], form [type=submit].default").click(no_wait_after=True)
    # then the open table of the banned closes and says why
    expect(rudi.locator("h1")).to_have_text("You are banned", timeout=CEILING_SECONDS * 1000)
    print(f"\nthe banned person read why {time.monotonic() - began:.2f} s after the click")  # noqa: T201 (a measurement)
    for words in ("Insults or hate", "Nobody is insulted here."):
        expect(rudi.locator("main")).to_contain_text(words)
    assert "remorse" not in rudi.content()
    # and the others play on, with a computer in that seat
    expect(luc.locator("main.table")).to_contain_text("Was removed; a computer plays")
    before = version_of(luc)
    wait_for_turn(luc)
    do_something(luc)
    assert version_of(luc) > before
    # and the moderator is back at the report, where the ban is listed, and resolves it
    expect(mari.locator(".report .done")).to_contain_text("Banned a person")
    mari.get_by_role("link", name="Resolve", exact=True).click()
    mari.locator('[name="resolution"][value="acted"]').check()
    mari.locator('[name="why"]').fill("Banned for a day")
    mari.locator("form [type=submit].default").click()
    expect(mari.locator(".messagelist")).to_contain_text("The report is resolved.")
    # and the record of what staff did has it, with the reason
    mari.goto(f"{site.url}/admin/accounts/staffact/")
    banned = mari.locator("#result_list tbody tr", has_text="Banned a person")
    expect(banned).to_contain_text("Insults at the table, no remorse")
    # and whoever reported is told on their next page, and of nothing more
    luc.goto(f"{site.url}/rules/")
    expect(luc.locator(".answer")).to_have_text(
        re.compile(r"Thank you for your report about Rudi\. Something was done\.")
    )
    luc.locator(".answer button").click()
    expect(luc).to_have_url(f"{site.url}/rules/")
    expect(luc.locator(".answer")).to_have_count(0)
    for page in (mari, luc):
        assert page.faults == []  # type: ignore[attr-defined]


def _signed_in(site: Site, browser: Browser, key: str) -> Page:
    page = open_page(browser, PHONE)
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    return page
