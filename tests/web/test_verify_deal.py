"""The page that verifies a deal, and the program that does so without the site."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games import selectors
from games.engine.commands import Next
from games.engine.notation import format_cards
from games.engine.rules import Phase
from games.models import DealSeed, GameEvent, Match
from games.services import matches
from tests.services.given import ME, computers_play, new_table, play_on
from tests.site_process import ROOT
from tests.web.fragments import text

pytestmark = pytest.mark.django_db(transaction=True)

BITS = bytes(range(16, 32))


@pytest.fixture(autouse=True)
def _at_once(settings: Settings) -> None:
    settings.COMPUTER_PACE = 0


@pytest.fixture
def contributed(settings: Settings, _no_browsers: None) -> tuple[User, Match]:
    """A table whose first deal has a number of South's browser."""
    settings.CONTRIBUTION_SECONDS = 1
    user, match = new_table()
    matches.contribute(match.pk, ME, 1, BITS)
    settings.CONTRIBUTION_SECONDS = 0
    return user, match


def browser_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page_of(match: Match, deal: int, user: User | None) -> str:
    answer = browser_of(user).get(f"/table/{match.pk}/deal/{deal}/")
    assert answer.status_code == 200
    return answer.content.decode()


def seed_of(match: Match, deal: int) -> bytes:
    return bytes(DealSeed.objects.get(match=match, deal=deal).seed)


def deck_of(match_id: UUID, deal: int) -> str:
    deck = GameEvent.objects.get(match=match_id, payload__type="deal_started", payload__deal=deal).payload["deck"]
    assert isinstance(deck, str)
    return deck


def test_given_a_running_deal_when_its_page_is_opened_then_its_commitment_and_numbers_but_no_seed_and_no_deck(
    contributed: tuple[User, Match],
) -> None:
    user, match = contributed
    computers_play(match.pk)

    html = page_of(match, 1, user)

    assert selectors.current_state(match.pk).commitment.hex(" ", 2) in html
    assert BITS.hex(" ", 2) in html
    for secret in (seed_of(match, 1).hex(), seed_of(match, 1).hex(" ", 2), deck_of(match.pk, 1)):
        assert secret not in html
    assert 'class="fair-deck"' not in html


def test_given_a_scored_deal_when_its_page_is_opened_then_everything_that_a_check_needs_and_its_outcome(
    contributed: tuple[User, Match],
) -> None:
    user, match = contributed
    play_on(match.pk, Phase.SUMMARY)
    # A deal that was thrown in is published at the end only.
    matches.end(match.pk)

    html = page_of(match, 1, user)

    assert f'data-seed="{seed_of(match, 1).hex()}"' in html
    assert f'data-numbers=",,{BITS.hex()},"' in html
    assert f'data-deck="{deck_of(match.pk, 1)}"' in html
    assert "The deck follows from the secret and the random numbers.yes" in text(html).replace(". yes", ".yes")
    assert "NO" not in text(html)


def test_given_a_deal_whose_log_was_altered_when_its_page_is_opened_then_the_check_fails(
    contributed: tuple[User, Match],
) -> None:
    user, match = contributed
    play_on(match.pk, Phase.SUMMARY)
    matches.end(match.pk)
    row = GameEvent.objects.get(match=match, payload__type="contributed")
    row.payload["bits"] = bytes(16).hex()
    row.save()
    selectors.states.clear()

    words = text(page_of(match, 1, user)).replace(". NO", ".NO")

    assert "The deck follows from the secret and the random numbers.NO" in words
    assert "The commitment is the SHA-256 of the secret.NO" not in words


def test_given_a_later_deal_under_way_when_the_earlier_one_is_verified_then_nothing_of_the_running_one_shows() -> None:
    user, match = new_table()
    while (state := play_on(match.pk, Phase.SUMMARY)).results[-1].score is None:
        matches.submit(match.pk, ME, Next(state.deal_number), state.version)
    scored, running = state.deal_number, state.deal_number + 1
    matches.submit(match.pk, ME, Next(scored), state.version)
    assert computers_play(match.pk).deal_number == running

    pages = page_of(match, scored, user) + page_of(match, running, user)

    assert deck_of(match.pk, scored) in pages
    assert deck_of(match.pk, running) not in pages
    assert seed_of(match, running).hex() not in pages
    assert seed_of(match, running).hex(" ", 2) not in pages


@pytest.mark.parametrize("deal", [0, 2, 999999999999])
def test_given_a_match_when_a_deal_that_it_has_not_come_to_is_asked_for_then_it_is_not_there(deal: int) -> None:
    user, match = new_table()

    assert browser_of(user).get(f"/table/{match.pk}/deal/{deal}/").status_code == 404


def test_given_a_match_that_is_over_when_a_stranger_has_the_address_then_its_deals_are_verified_for_them() -> None:
    _, match = new_table()
    computers_play(match.pk)
    assert browser_of(None).get(f"/table/{match.pk}/deal/1/").status_code == 404

    matches.end(match.pk)

    assert f'data-deck="{deck_of(match.pk, 1)}"' in page_of(match, 1, None)


def record_of(match: Match) -> dict[str, Any]:
    rows = GameEvent.objects.filter(match=match).order_by("sequence")
    return {
        "match": str(match.pk),
        "events": [{"event": payload} for payload in rows.values_list("payload", flat=True)],
    }


def run_script(folder: Path, record: object) -> tuple[int, str]:
    file = folder / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    # Alone, without the site's packages.
    command = [sys.executable, "-I", "-S", str(ROOT / "docs" / "verify_deal.py"), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout + run.stderr


def test_given_a_record_when_the_program_without_the_site_reads_it_then_its_deals_hold(
    contributed: tuple[User, Match], tmp_path: Path
) -> None:
    _, match = contributed
    play_on(match.pk, Phase.SUMMARY)
    matches.end(match.pk)

    code, words = run_script(tmp_path, record_of(match))

    assert code == 0, words
    assert "deal 1: holds (random numbers from South)" in words


@pytest.mark.parametrize(
    ("kind", "field", "value", "complaint"),
    [
        ("deal_started", "deck", format_cards(tuple(range(32))), "the deck does not follow"),
        ("deal_started", "dealer", None, "the first dealer does not follow"),
        ("contributed", "bits", "00" * 16, "the deck does not follow"),
        ("deal_committed", "commitment", "00" * 32, "the commitment is not the SHA-256"),
        ("seed_revealed", "seed", "00" * 32, "the commitment is not the SHA-256"),
        ("seed_revealed", "seed", "xyz", "cannot be read as a record"),
        ("deal_committed", "deal", [], "cannot be read as a record"),
    ],
)
def test_given_an_altered_record_when_the_program_reads_it_then_it_says_what_does_not_hold(
    contributed: tuple[User, Match], tmp_path: Path, kind: str, field: str, value: object, complaint: str
) -> None:
    _, match = contributed
    play_on(match.pk, Phase.SUMMARY)
    matches.end(match.pk)
    record = record_of(match)
    event = GameEvent.objects.filter(match=match, payload__type=kind).first()
    assert event is not None
    event.payload[field] = (event.payload[field] + 1) % 4 if field == "dealer" else value
    event.save()

    assert run_script(tmp_path, record)[0] == 0
    code, words = run_script(tmp_path, record_of(match))

    assert code == 1
    assert complaint in words
    assert "Traceback" not in words


def an_event_twice(events: list[dict[str, Any]]) -> None:
    events.insert(place(events, "seed_revealed"), events[place(events, "deal_started")])


def a_number_after_the_cards(events: list[dict[str, Any]]) -> None:
    events.insert(place(events, "deal_started"), events.pop(place(events, "contributed")))


def a_number_twice(events: list[dict[str, Any]]) -> None:
    events.insert(place(events, "contributed"), events[place(events, "contributed")])


def no_secret(events: list[dict[str, Any]]) -> None:
    del events[place(events, "seed_revealed")]


def a_deal_that_is_words(events: list[dict[str, Any]]) -> None:
    events[place(events, "deal_committed")]["event"]["deal"] = "1: holds\n\x1b[2J"


def place(events: list[dict[str, Any]], kind: str) -> int:
    return next(number for number, entry in enumerate(events) if entry["event"]["type"] == kind)


@pytest.mark.parametrize(
    ("forge", "complaint"),
    [
        (an_event_twice, "does not come here: deal_started of deal 1"),
        (a_number_after_the_cards, "does not come here: contributed of deal 1"),
        (a_number_twice, "a seat that is none, or that has sent a number before"),
        (no_secret, "its secret is not in the record"),
        (a_deal_that_is_words, "is of no deal"),
    ],
)
def test_given_a_record_in_which_two_things_can_be_read_when_the_program_reads_it_then_it_refuses(
    contributed: tuple[User, Match], tmp_path: Path, forge: Callable[[list[dict[str, Any]]], None], complaint: str
) -> None:
    _, match = contributed
    matches.end(match.pk)
    record = record_of(match)
    assert run_script(tmp_path, record)[0] == 0

    forge(record["events"])
    code, words = run_script(tmp_path, record)

    assert code == 1
    assert complaint in words
    assert "\x1b" not in words
    assert "Traceback" not in words


def test_given_the_site_when_the_program_is_downloaded_then_it_is_the_one_of_the_documents() -> None:
    answer = Client().get("/fair-deals/verify_deal.py")

    assert answer.content == (ROOT / "docs" / "verify_deal.py").read_bytes()
