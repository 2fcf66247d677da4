"""docs/record.schema.json: records fit it, and what is no record by its form does not. docs/record.md: its example."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games import record
from games.codec import encode
from games.verification import verify
from tests.records.given import Entries, changed, event, rechained, stored, text_of
from tests.records.mutations import Change, each, put
from tests.services.test_codec import EVENTS
from tests.site_process import ROOT

MISSHAPEN: dict[str, Change] = {
    "a member too many": put("card_played", 0, "comment", "well played"),
    "a member missing": lambda entries: event(entries, "card_played", 0).pop("seat"),
    "true for 1": put("deal_started", 0, "deal", True),
    "a fraction": put("deal_started", 0, "deal", 1.5),
    "capital letters": put("seed_revealed", 0, "seed", str.upper),
    "a seat that is none": put("card_played", 0, "seat", 4),
    "a card that is none": put("card_played", 0, "card", "1S"),
    "a card with a space": put("card_played", 0, "card", "9S\n"),
    "a deck of 31 cards": put("deal_started", 0, "deck", lambda deck: deck[:-3]),
    "a suit that is none": put("bid_made", 0, "suit", "N"),
    "a seed of 31 bytes": put("seed_revealed", 0, "seed", lambda seed: seed[2:]),
    "an event that is none": put("card_played", 0, "type", "card_burnt"),
    "a word that is none": put("card_played", 0, "announcement", "tierce"),
    "a target that is none": put("match_started", 0, "rules.target", 500),
    "an occupant that is none": put("match_started", 0, "occupants", each("easy", "weak")),
    "three occupants": put("match_started", 0, "occupants", lambda seats: seats[1:]),
    "scores of three sides": put("deal_scored", 0, "score.scores", lambda scores: [*scores, 0]),
    "scores below nothing": put("deal_scored", 0, "score.scores.0", -1),
    "an entry without a chain": lambda entries: entries[0].pop("chain"),
    "another schema": lambda entries: entries[0].update(schema=2),
    "no events": lambda entries: entries.clear(),
}


@cache
def validator() -> Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "record.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_a_record_fits_the_schema() -> None:
    assert list(validator().iter_errors(json.loads(text_of(stored())))) == []


def test_every_event_that_can_be_stored_fits_the_schema() -> None:
    sound = stored()
    forged = record.make(sound.match, [(1, encode(one)) for one in EVENTS])
    assert list(validator().iter_errors(json.loads(text_of(forged)))) == []


@pytest.mark.parametrize("change", MISSHAPEN.values(), ids=MISSHAPEN)
def test_what_is_no_record_by_its_form_does_not_fit_and_does_not_verify(change: Change) -> None:
    # given
    def first_deal(entries: Entries) -> None:
        change(entries)
        del entries[95:]

    forged = changed(stored(), first_deal)
    # then
    assert list(validator().iter_errors(json.loads(text_of(forged))))
    assert verify(forged).fault is not None


@pytest.mark.parametrize(
    "members", [{"format": "pgn"}, {"version": True}, {"match": "1"}, {"head": "0"}, {"events": []}, {"players": []}]
)
def test_another_frame_does_not_fit(members: dict[str, Any]) -> None:
    assert not validator().is_valid(json.loads(text_of(stored())) | members)


def test_the_example_in_the_documentation_is_computed_as_it_says() -> None:
    # given
    text = (ROOT / "docs" / "record.md").read_text()
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert example is not None
    # when
    found = record.read(example[1].encode())
    # then
    assert found == rechained(found)
    assert verify(found).fault is None
    assert list(validator().iter_errors(json.loads(example[1]))) == []
