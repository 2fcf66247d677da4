"""Computers that take no time, and no state remembered from another test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from games import selectors


@pytest.fixture(autouse=True)
def _fresh_and_at_once(settings: Settings) -> Iterator[None]:
    settings.COMPUTER_PACE = 0
    selectors.states.clear()
    yield
    selectors.states.clear()
