"""Given: a record of version 1 that is stored here for ever, and what a forger does to one."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from games import record
from games.record import Record

type Entries = list[dict[str, Any]]

TEXT = (Path(__file__).parent / "data" / "version_1.json").read_bytes()
"""Seven deals with every kind of event: people and computers, one deal thrown in, belote twice."""


@cache
def stored() -> Record:
    """The record of `TEXT`, the same one for all: `changed` makes another."""
    return record.read(TEXT)


def changed(sound: Record, change: Callable[[Entries], object]) -> Record:
    """A record after a change of its entries; the chain is left alone."""
    entries: Entries = json.loads(json.dumps(sound.events))
    change(entries)
    return Record(sound.match, entries, sound.head)


def rechained(forged: Record) -> Record:
    """What a forger makes of it who knows how the chain is computed."""
    return record.make(forged.match, [(entry["schema"], entry["event"]) for entry in forged.events])


def text_of(forged: Record) -> bytes:
    return record.write(forged).encode()


def first_difference(one: Record, other: Record) -> int:
    """The number of the first event, or chain value, that two records do not share."""
    for number, (left, right) in enumerate(zip(one.events, other.events, strict=False), start=1):
        if json.dumps(left, sort_keys=True) != json.dumps(right, sort_keys=True):
            return number
    return min(len(one.events), len(other.events)) + 1


def place(entries: Entries, kind: str, which: int = 0, **fields: object) -> int:
    """The index of the first, or another, event of a type with these fields.

    Raises:
        LookupError: the match has none.
    """
    found = [
        index
        for index, entry in enumerate(entries)
        if entry["event"]["type"] == kind and fields.items() <= entry["event"].items()
    ]
    return found[which]


def event(entries: Entries, kind: str, which: int = 0, **fields: object) -> dict[str, Any]:
    """The payload of such an event."""
    payload: dict[str, Any] = entries[place(entries, kind, which, **fields)]["event"]
    return payload
