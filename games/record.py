"""A whole match as one JSON document that any program can check. docs/record.md describes it.

It lies beside `codec`, whose events it holds. A record names seats, not people. Only of matches that are over: it holds
every hand.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Never
from uuid import UUID

from games.codec import Payload

FORMAT = "belote-record"
VERSION = 1
MOST_BYTES = 4 * 1024 * 1024
"""Of the text of one record. A long match has 300,000; what is longer is read by nobody."""

_FIELDS = {"format", "version", "match", "events", "head"}
_HEX = frozenset("0123456789abcdef")


class BadRecord(ValueError):
    """A text that is no record; says why, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read or made: the frame has been checked, ``events`` are whatever stands there.

    Each of a sound record is ``{"schema": number, "event": {...}, "chain": 64 hexadecimal digits}``; event *n* of the
    match has index *n* - 1. ``head`` is the last chain value.
    """

    match: UUID
    events: list[Any]
    head: str


def canonical(value: object) -> bytes:
    """Return the one JSON text of a value: members sorted by name, no spaces, nothing but ASCII, whole numbers.

    Raises:
        ValueError: it has no such text (a number that is none, a text that is nested too deep).
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def chain_start(match: UUID) -> bytes:
    """Return the 32 bytes before the first link: the SHA-256 of the canonical JSON of format, version and match."""
    return hashlib.sha256(canonical({"format": FORMAT, "version": VERSION, "match": str(match)})).digest()


def next_link(before: bytes, schema: int, event: Payload) -> bytes:
    """Return the 32 bytes of the next link: the SHA-256 of those before and the canonical JSON of [schema, event]."""
    return hashlib.sha256(before + canonical([schema, event])).digest()


def make(match: UUID, events: Iterable[tuple[int, Payload]]) -> Record:
    """Return the record of a match that is over, from all of its events with their schemas, in order."""
    link = chain_start(match)
    entries = []
    for schema, event in events:
        link = next_link(link, schema, event)
        entries.append({"schema": schema, "event": event, "chain": link.hex()})
    return Record(match, entries, link.hex())


def write(record: Record) -> str:
    """Return the text of a record, in one line with its end: so records one after the other are JSON Lines."""
    fields = {"format": FORMAT, "version": VERSION, "match": str(record.match)}
    return json.dumps(fields | {"events": record.events, "head": record.head}, separators=(",", ":")) + "\n"


def read(text: bytes) -> Record:
    """Return the record of a text. Its frame is checked, its events are not.

    Raises:
        BadRecord: it is no record of this version.
    """
    fields = _object(text)
    if fields.get("format") != FORMAT:
        raise BadRecord(f'this is no record of a match: "format" is not "{FORMAT}". Download the record again.')
    version = fields.get("version")
    if type(version) is not int or version != VERSION:
        raise BadRecord(f'"version" is not {VERSION}, which is what this program reads. Use a newer program, if any.')
    if fields.keys() != _FIELDS:
        wrong = ", ".join(sorted(ascii(name)[:40] for name in fields.keys() ^ _FIELDS)[:5])
        raise BadRecord(f"a record has the members {', '.join(sorted(_FIELDS))}; missing or too many: {wrong}.")
    match, events, head = fields["match"], fields["events"], fields["head"]
    if not isinstance(events, list) or not events:
        raise BadRecord('"events" is not a list of the events of a match.')
    if not is_hash(head):
        raise BadRecord('"head" is not 64 hexadecimal digits (0-9 a-f).')
    return Record(_match_id(match), events, head)


def is_hash(value: object) -> bool:
    """Tell whether something is 32 bytes as a record writes them."""
    return isinstance(value, str) and len(value) == 64 and _HEX.issuperset(value)


def _match_id(value: object) -> UUID:
    try:
        match = UUID(value) if isinstance(value, str) else None
    except ValueError:
        match = None
    if match is None or str(match) != value:
        raise BadRecord('"match" is not the id of a match, as in "0b1e9f0a-52c5-4a3e-9a36-3f0f6d1f8f11".')
    return match


def _object(text: bytes) -> dict[str, Any]:
    if len(text) > MOST_BYTES:
        raise BadRecord(f"a record has at most {MOST_BYTES // 1024**2} MiB, this is longer.")
    try:
        value = json.loads(text.decode(), object_pairs_hook=_members, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise BadRecord(f"this is not UTF-8 text (byte {error.start + 1}). Download the record again.") from error
    except json.JSONDecodeError as error:
        raise BadRecord(
            f"this is not JSON: {error.msg} (line {error.lineno}, column {error.colno}). "
            "It may have been cut off or changed on its way: download the record again."
        ) from error
    except RecursionError as error:
        raise BadRecord("this is no record: lists are nested in lists without end.") from error
    except BadRecord:
        raise
    except ValueError as error:
        raise BadRecord("this is no record: it holds a number of thousands of digits.") from error
    if not isinstance(value, dict):
        raise BadRecord("this is no record: a record is a JSON object, with { and } around it.")
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise BadRecord(f"the member {ascii(twice)[:40]} stands twice in one object, so it can be read in two ways.")
    return members


def _no_number(word: str) -> Never:
    raise BadRecord(f"{word} is no number of JSON.")
