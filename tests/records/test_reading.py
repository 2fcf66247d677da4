"""Texts that are no records: each is told what it is, and nothing else happens."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games import record
from games.record import MOST_BYTES, BadRecord, Record
from games.verification import verify
from tests.records.given import TEXT, changed, rechained, stored

SOUND: dict[str, Any] = json.loads(TEXT)


def with_(**members: object) -> bytes:
    return json.dumps(SOUND | members).encode()


HOSTILE = {
    "nothing": (b"", "not JSON"),
    "not JSON": (b"hello", "not JSON: .*line 1, column 1"),
    "cut off": (TEXT[:5000], r"not JSON: .*cut off or changed on its way: download the record again"),
    "not UTF-8": (b'{"format": "\xff"}', "not UTF-8 text .byte 13"),
    "a byte order mark": (b"\xef\xbb\xbf" + TEXT, "not JSON"),
    "a list": (b"[]", "a record is a JSON object"),
    "a number": (b"7", "a record is a JSON object"),
    "nested without end": (b"[" * 1_000_000, "nested in lists without end"),
    "nested objects": (b'{"a":' * 100_000, "nested in lists without end"),
    "a number of 5,000 digits": (b'{"version": ' + b"1" * 5000 + b"}", "thousands of digits"),
    "NaN": (TEXT.replace(b'"version": 1', b'"version": NaN'), "NaN is no number"),
    "Infinity": (TEXT.replace(b'"version": 1', b'"version": -Infinity'), "Infinity is no number"),
    "a member twice": (TEXT.replace(b'"version": 1', b'"version": 1, "version": 1'), "'version' stands twice"),
    "a member of an event twice": (TEXT.replace(b'"seat": 2,', b'"seat": 1, "seat": 2,', 1), "'seat' stands twice"),
    "the last of many members twice": (
        b"{" + b",".join(b'"%d":0' % number for number in range(250_000)) + b',"7":1}',
        "'7' stands twice",
    ),
    "longer than any match": (b" " * MOST_BYTES + TEXT, "at most 4 MiB"),
    "no format": (json.dumps({**SOUND, "format": None}).encode(), '"format" is not "belote-record"'),
    "another format": (with_(format="pgn"), '"format" is not "belote-record"'),
    "another version": (with_(version=2), '"version" is not 1'),
    "a version that is true": (with_(version=True), '"version" is not 1'),
    "a version that is text": (with_(version="1"), '"version" is not 1'),
    "a member too many": (with_(players=["Anna"]), "missing or too many: 'players'"),
    "a lone surrogate as a member": (with_(**{"\ud800": 1}), r"missing or too many: '\\ud800'"),
    "a member missing": (json.dumps({k: v for k, v in SOUND.items() if k != "head"}).encode(), "too many: 'head'"),
    "no match": (with_(match=None), '"match" is not the id of a match'),
    "a match that is none": (with_(match="1234"), '"match" is not the id of a match'),
    "a match in capitals": (with_(match="0A" + SOUND["match"][2:]), '"match" is not the id of a match'),
    "events that are an object": (with_(events={}), '"events" is not a list'),
    "no events": (with_(events=[]), '"events" is not a list'),
    "a head that is a number": (with_(head=0), '"head" is not 64'),
    "a head of 63 digits": (with_(head=SOUND["head"][1:]), '"head" is not 64'),
    "a head in capitals": (with_(head=SOUND["head"].upper()), '"head" is not 64'),
}

ODD: list[object] = [
    None,
    True,
    False,
    -1,
    4,
    2**53,
    10**30,
    1.5,
    "",
    "\ud800",
    "ümlaut",
    "x" * 5000,
    [],
    {},
    [[[[[[]]]]]],
    {"type": "match_ended"},
    [0] * 1000,
]


@pytest.mark.parametrize(("text", "says"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_record_is_told_so(text: bytes, says: str) -> None:
    with pytest.raises(BadRecord, match=says):
        record.read(text)


@pytest.mark.parametrize("entry", [*ODD, {"schema": 1, "event": {}, "chain": "0" * 64}], ids=lambda one: repr(one)[:20])
def test_an_entry_that_is_none_is_a_fault_of_that_event(entry: object) -> None:
    # given
    sound = stored()
    forged = Record(sound.match, [*sound.events[:56], entry, *sound.events[57:]], sound.head)
    # when
    verdict = verify(record.read(record.write(forged).encode()))
    # then
    assert str(verdict.fault).startswith("event 57, deal 2, trick 1: ")


def test_given_control_characters_in_an_event_when_it_is_told_then_they_are_not() -> None:
    # given
    sound = stored()
    forged = json.loads(json.dumps(sound.events))
    forged[8]["event"]["x\nother.json: verified\n\x1b[2J"] = 1
    # when
    told = str(verify(Record(sound.match, forged, sound.head)).fault)
    # then
    assert told.startswith("event 9, deal 1, trick 1: it holds what no event holds")
    assert told.isprintable()


def test_what_was_written_is_read() -> None:
    assert record.read(record.write(stored()).encode()) == stored()


def test_given_bytes_changed_at_random_then_it_is_no_record_or_faulty_or_says_the_same() -> None:
    rng = random.Random(5)
    for _ in range(200):
        # given
        text = bytearray(TEXT)
        for _ in range(rng.choice([1, 1, 1, 3])):
            at = rng.randrange(len(text))
            match rng.randrange(3):
                case 0:
                    text[at] = rng.choice([*b'0123456789abcdef"{}[],:ntS \\', rng.randrange(256)])
                case 1:
                    del text[at : at + rng.choice([1, 1, 8, 200])]
                case 2:
                    text[at:at] = text[rng.randrange(len(text)) :][: rng.choice([1, 8, 200])]
        # when
        try:
            found = record.read(bytes(text))
        except BadRecord:
            continue
        # then
        assert verify(found).fault is not None or found == stored()


def test_given_a_value_of_another_kind_anywhere_then_the_record_is_faulty() -> None:
    rng = random.Random(6)
    for _ in range(40):
        # given
        forged = changed(stored(), list)
        at: Any = rng.choice(forged.events)
        while True:
            key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], dict | list) or rng.random() < 0.2:
                break
            at = at[key]
        before, at[key] = at[key], rng.choice(ODD)
        # when
        found = record.read(record.write(forged).encode())
        # then
        assert verify(found).fault is not None or repr(at[key]) == repr(before)


def test_given_a_value_of_another_kind_and_a_chain_made_anew_then_no_other_error_comes() -> None:
    rng = random.Random(7)
    for _ in range(40):
        # given
        forged = changed(stored(), list)
        event = rng.choice(forged.events)["event"]
        event[rng.choice(list(event))] = rng.choice(ODD[:-4])
        # when
        found = verify(rechained(forged))
        # then
        assert found.fault is not None or found.state is not None
