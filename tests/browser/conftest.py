"""Chromium for the browser tests, and a site to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.site_process import Site

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CEILING_MILLISECONDS = 20_000

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose computers answer at once."""
    # A browser in the middle of other tests may take longer than a second for its part in a deal.
    site = Site(tmp_path_factory.mktemp("site"), BELOTE_COMPUTER_PACE="0.02", BELOTE_CONTRIBUTION_SECONDS="2")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


def open_page(browser: Browser, size: dict[str, int] = DESK, language: str = "en", theme: str = "light") -> Page:
    """A tab of a new visitor, for whom nothing moves, which takes time and is looked at by no test.

    A script error or a refused resource on it fails the test that looks at `faults_of`.
    """
    context = browser.new_context(viewport=size, locale=language, color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.set_default_timeout(CEILING_MILLISECONDS)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.faults = faults  # type: ignore[attr-defined]
    return page
