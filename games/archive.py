"""The records of matches that are over, and what this site knows of a record that somebody brings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import Any
from uuid import UUID

from games import record
from games.engine.state import MatchState
from games.models import GameEvent, Match
from games.record import Record, canonical
from games.selectors import MatchNotFound
from games.verification import misshapen, verify


class Validity(StrEnum):
    """What a record is worth."""

    VERIFIED = "verified"
    """The match was played here, and this is its record."""
    UNPROVEN = "consistent, origin unproven"
    """Legal throughout; whether it was ever played, and where, nobody here can tell."""
    DIFFERS = "not the match that is known here"
    """Legal throughout, and not what is stored here under the same id."""
    FAULTY = "faulty"
    """It breaks the rules, its seeds or its chain."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a record is worth and why, and whether its match is stored here; ``state`` is its end, if it is sound."""

    validity: Validity
    detail: str
    is_known: bool
    state: MatchState | None


def record_of(match_id: UUID) -> Record:
    """Return the record of a match.

    Raises:
        MatchNotFound: there is no such match, or it is not over: a record holds every hand.
    """
    if not Match.objects.filter(pk=match_id).exclude(status=Match.Status.RUNNING).exists():
        raise MatchNotFound(match_id)
    return stored_record(match_id)


def stored_record(match_id: UUID) -> Record:
    """Return the log of a match as a record, also of one that runs: for `services` only, in which it ends."""
    rows = GameEvent.objects.filter(match_id=match_id).order_by("sequence")
    return record.make(match_id, rows.values_list("schema", "payload"))


def examine(found: Record) -> Finding:
    """Verify a record, and compare it with what is stored here."""
    verdict = verify(found)
    match = Match.objects.filter(pk=found.match).first()
    is_known = match is not None
    departure = "" if match is None else _departure(found, match, is_sound=verdict.fault is None)
    if verdict.fault is not None:
        detail = "; ".join(part for part in (str(verdict.fault), departure) if part)
        return Finding(Validity.FAULTY, detail, is_known, None)
    if match is None:
        return Finding(Validity.UNPROVEN, "", is_known, verdict.state)
    if departure:
        return Finding(Validity.DIFFERS, departure, is_known, verdict.state)
    if match.is_imported:
        return Finding(Validity.UNPROVEN, "it was imported here, which proves nothing", is_known, verdict.state)
    return Finding(Validity.VERIFIED, "", is_known, verdict.state)


def _departure(found: Record, match: Match, *, is_sound: bool) -> str:
    """Return at which event a record leaves what is stored here, empty when it does not; not what stands there.

    Of a match that still runs nothing is compared: where a record departs from it would tell of hidden cards.
    """
    if match.status == Match.Status.RUNNING:
        return "the match with this id is still being played here, so no record of it can exist"
    stored = stored_record(match.pk)
    # A process of an older version may have ended it, and stored no head.
    if is_sound and found.head == (match.record_head or stored.head):
        return ""
    for number, (one, other) in enumerate(zip_longest(found.events, stored.events), start=1):
        if misshapen(one) or other is None or _content(one) != _content(other):
            return f"it differs from the match that is known here at event {number}"
    return "its events are those of the match that is known here, its chain is not"


def _content(entry: dict[str, Any]) -> bytes:
    return canonical([entry["schema"], entry["event"]])
