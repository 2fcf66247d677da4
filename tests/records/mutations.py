"""What can be done to a record: each in a function that changes its entries and says what it is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from games.codec import decode
from games.engine.errors import IllegalCommand
from games.engine.retrace import Retracing
from tests.records.given import Entries, event, place

type Change = Callable[[Entries], object]


def put(kind: str, which: int, field: str, value: object, **fields: object) -> Change:
    """Give a field of an event another value; a function is called with the one that stands there."""

    def change(entries: Entries) -> None:
        payload = event(entries, kind, which, **fields)
        *path, last = field.split(".")
        for name in path:
            payload = payload[int(name) if isinstance(payload, list) else name]
        at: Any = int(last) if isinstance(payload, list) else last
        payload[at] = value(payload[at]) if callable(value) else value

    return change


def drop(kind: str, which: int, **fields: object) -> Change:
    def change(entries: Entries) -> None:
        del entries[place(entries, kind, which, **fields)]

    return change


def double(kind: str, which: int) -> Change:
    def change(entries: Entries) -> None:
        at = place(entries, kind, which)
        entries.insert(at, entries[at])

    return change


def move(kind: str, which: int, by: int) -> Change:
    def change(entries: Entries) -> None:
        at = place(entries, kind, which)
        entries.insert(at + by, entries.pop(at))

    return change


def add(kind: str, which: int, payload: dict[str, Any]) -> Change:
    """Put an event before another."""

    def change(entries: Entries) -> None:
        at = place(entries, kind, which)
        entries.insert(at, {"schema": 1, "event": payload, "chain": entries[at]["chain"]})

    return change


def both(*changes: Change) -> Change:
    def change(entries: Entries) -> None:
        for one in changes:
            one(entries)

    return change


def flipped(text: str) -> str:
    """Another hexadecimal text, with one bit turned."""
    return f"{int(text[0], 16) ^ 1:x}{text[1:]}"


def swapped(deck: str) -> str:
    first, *middle, last = deck.split()
    return " ".join([last, *middle, first])


def turned(deck: str) -> str:
    first, *others = deck.split()
    return " ".join([*others, first])


def cut(deck: str) -> str:
    return deck[:-3]


def with_a_card_twice(deck: str) -> str:
    return deck[:-2] + deck[:2]


def more(number: int) -> int:
    return number + 1


def other_suit(suit: str) -> str:
    return "HDCS"["SHDC".index(suit)]


def each(word: str, other: str) -> Callable[[list[str]], list[str]]:
    return lambda words: [other if one == word else one for one in words]


def exchange(field: str, one: tuple[str, int], other: tuple[str, int]) -> Change:
    """Exchange a field of two events, each given by its type and which of them it is."""

    def change(entries: Entries) -> None:
        first, second = event(entries, *one), event(entries, *other)
        first[field], second[field] = second[field], first[field]

    return change


def exchange_legal_discards(entries: Entries) -> None:
    """Exchange two worthless cards that one seat threw on other suits, where the rules allow it all the same.

    Raises:
        LookupError: there are no two.
    """
    for one, other in _discards(entries):
        first, second = entries[one]["event"], entries[other]["event"]
        first["card"], second["card"] = second["card"], first["card"]
        if _is_legal(entries):
            return
        first["card"], second["card"] = second["card"], first["card"]
    raise LookupError("there are no two such discards")


def _is_legal(entries: Entries) -> bool:
    retracing = Retracing()
    try:
        return all(retracing.step(happened) == happened for happened in (decode(entry["event"]) for entry in entries))
    except IllegalCommand:
        return False


def _discards(entries: Entries) -> Iterator[tuple[int, int]]:
    trump, count, lead = "", 0, ""
    worthless: dict[int, int] = {}
    for index, entry in enumerate(entries):
        payload = entry["event"]
        match payload["type"]:
            case "deal_started":
                worthless, count = {}, 0
            case "bid_made":
                trump = payload["suit"] or trump
            case "card_played":
                rank, suit = payload["card"]
                lead = lead if count % 4 else suit
                count += 1
                if rank in "789" and suit not in (trump, lead):
                    if payload["seat"] in worthless:
                        yield worthless[payload["seat"]], index
                    worthless[payload["seat"]] = index


def revoke(entries: Entries) -> None:
    """Let a seat play another suit where it follows, and what it followed with later."""
    for at in range(place(entries, "card_played"), len(entries)):
        lead, follow = entries[at]["event"], entries[at + 1]["event"]
        if lead["type"] == follow["type"] == "card_played" and lead["card"][1] == follow["card"][1]:
            break
    for other in (entry["event"] for entry in entries[at + 2 :]):
        if other.get("seat") == follow["seat"] and other.get("card", follow["card"])[1] != follow["card"][1]:
            break
    follow["card"], other["card"] = other["card"], follow["card"]


def other_seed(entries: Entries) -> None:
    """Commit to another seed and reveal that one: deck and seed do not fit any more."""
    seed = bytes(32)
    revealed = event(entries, "seed_revealed", -1)
    revealed["seed"] = seed.hex()
    event(entries, "deal_committed", 0, deal=revealed["deal"])["commitment"] = hashlib.sha256(seed).hexdigest()


def short_seed(entries: Entries) -> None:
    seed = bytes(31)
    revealed = event(entries, "seed_revealed", 0)
    revealed["seed"] = seed.hex()
    event(entries, "deal_committed", 0, deal=revealed["deal"])["commitment"] = hashlib.sha256(seed).hexdigest()


def take_the_turned_suit(entries: Entries) -> None:
    at = place(entries, "bid_made", 0, suit=None)
    deck = event(entries[:at], "deal_started", -1)["deck"].split()
    entries[at]["event"]["suit"] = deck[20][1]


def cut_the_last(entries: Entries) -> None:
    del entries[-1]


def cut_in_the_middle(entries: Entries) -> None:
    del entries[len(entries) // 2 :]


def drop_announcement(entries: Entries) -> None:
    del event(entries, "card_played", 0, announcement="belote")["announcement"]


def drop_member(entries: Entries) -> None:
    del event(entries, "card_played", 9)["seat"]


def new_schema(entries: Entries) -> None:
    entries[9]["schema"] = 2
