"""Whether a record is of a match that was dealt and played by the rules: every event is made anew by `decide`.

Nothing of a record is believed. The first fault is told by the number of its event, with deal and trick.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games import codec
from games.codec import Payload
from games.engine.errors import IllegalCommand, Reason, ReasonCode
from games.engine.events import BidMade, CardPlayed, Event
from games.engine.notation import format_card, format_hand
from games.engine.play import legal_cards
from games.engine.retrace import OutOfPlace, Retracing
from games.engine.rules import Phase
from games.engine.state import MatchState
from games.evidence import Evidence
from games.record import Record, canonical, chain_start, is_hash, next_link

_ENTRY = {"schema", "event", "chain"}
_DEEPEST, _MOST, _LONGEST, _GREATEST = 3, 32, 200, 2**53 - 1
"""Of lists in lists, of members, of a text, of a number: more than any event has."""

_BROKEN_CHAIN = (
    "the chain breaks here: this event or its chain value was changed, or an event before it was put in or taken out"
)

_DUTIES = {
    ReasonCode.MUST_FOLLOW: "{} were led",
    ReasonCode.MUST_BEAT_TRUMP: "trump was led and it can be beaten",
    ReasonCode.MUST_FOLLOW_TRUMP: "trump was led",
    ReasonCode.MUST_RUFF: "an opponent is winning the trick",
    ReasonCode.MUST_OVERRUFF: "an opponent has ruffed and can be overruffed",
    ReasonCode.MUST_UNDERTRUMP: "an opponent has ruffed, and a lower trump has to be played all the same",
}

_WORDS = {
    ReasonCode.MATCH_OVER: "the match is over",
    ReasonCode.NOT_STARTED: "the match has not started",
    ReasonCode.ALREADY_STARTED: "the match has started already",
    ReasonCode.NO_AUCTION: "there is no bidding here",
    ReasonCode.NO_PLAY: "no card can be played here",
    ReasonCode.ONLY_TURNED_SUIT: "in the first round only the turned suit can be taken",
    ReasonCode.NOT_TURNED_SUIT: "in the second round the turned suit cannot be taken",
    ReasonCode.NO_BELOTE: "belote and rebelote need the king and the queen of trump in one hand",
    ReasonCode.NO_SUMMARY: "no deal is waiting for that",
    ReasonCode.ALREADY_SAID: "this seat has said so already",
    ReasonCode.NOT_A_PERSON: "a computer plays this seat",
    ReasonCode.STOOD_IN: "a computer plays for this seat already",
    ReasonCode.NOT_STOOD_IN: "no computer plays for this seat",
    ReasonCode.HAS_LEFT: "this seat was left for good",
    ReasonCode.NOT_FOR_ONESELF: "nobody asks for their own turn to be played",
    ReasonCode.NOT_YOUR_TURN: "this seat is not on turn",
    ReasonCode.OUT_OF_ORDER: "this does not come here",
    ReasonCode.NO_CONTRIBUTIONS: "no deal is open for contributions here",
    ReasonCode.ALREADY_CONTRIBUTED: "this seat has contributed to the deal already",
    ReasonCode.BAD_CONTRIBUTION: "a contribution has 16 bytes",
    ReasonCode.BAD_COMMITMENT: "a commitment has 32 bytes",
    ReasonCode.SEED_TOO_EARLY: "no deal waits for its seed to be published here",
    ReasonCode.SEED_MISMATCH: "the SHA-256 of the seed is not the commitment of its deal",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing that is wrong with a record; ``event`` counts from 1, ``place`` is as "deal 2, trick 5"."""

    event: int
    place: str
    what: str

    def __str__(self) -> str:
        return ", ".join(part for part in (f"event {self.event}", self.place) if part) + f": {self.what}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """``state`` is what the match came to, ``fault`` why there is none."""

    state: MatchState | None
    fault: Fault | None


def verify(record: Record) -> Verdict:
    """Follow a record from its first event to its last, by the rules, the seeds and the chain."""
    unreadable = [misshapen(entry) for entry in record.events]
    evidence = Evidence(record.match.bytes, _of_deals(record, unreadable))
    retracing = Retracing()
    link = chain_start(record.match)
    for number, entry in enumerate(record.events, start=1):
        if unreadable[number - 1]:
            return Verdict(None, Fault(number, _place(retracing.state, None), unreadable[number - 1]))
        place = _place(retracing.state, entry["event"].get("type"))
        faults = []
        link = next_link(link, entry["schema"], entry["event"])
        if link.hex() != entry["chain"]:
            faults.append(_BROKEN_CHAIN)
        wrong = _retrace(entry["event"], entry["schema"], retracing, evidence)
        if wrong:
            faults.append(wrong)
        if faults:
            return Verdict(None, Fault(number, place, "; ".join(faults)))
    missing = _missing_at_the_end(retracing)
    if not missing and record.head != link.hex():
        missing = "the head is not the chain value of the last event"
    if missing:
        return Verdict(None, Fault(len(record.events), _place(retracing.state, None), missing))
    return Verdict(retracing.state, None)


def _of_deals(record: Record, unreadable: list[str]) -> Iterator[tuple[int, Event]]:
    """Yield the events that name a deal, as far as they can be read, with their numbers."""
    for number, (entry, problem) in enumerate(zip(record.events, unreadable, strict=True), start=1):
        if problem or type(entry["event"].get("deal")) is not int:
            continue
        try:
            yield number, codec.decode(entry["event"], entry["schema"])
        except ValueError:
            # Told in its turn.
            continue


def misshapen(entry: object) -> str:
    """Return why an entry of a record cannot be looked at, empty when it can."""
    if not isinstance(entry, dict) or entry.keys() != _ENTRY:
        return 'it is not {"schema": ..., "event": ..., "chain": ...}'
    if type(entry["schema"]) is not int or not 1 <= entry["schema"] <= codec.SCHEMA:
        return f"its schema is not known here: this program reads 1 to {codec.SCHEMA}"
    if not isinstance(entry["event"], dict) or not _is_plain(entry["event"], _DEEPEST):
        return (
            "it holds what no event holds: other text than printable ASCII, a fraction, a number or text too long, "
            "or too much"
        )
    return "" if is_hash(entry["chain"]) else "its chain value is not 64 hexadecimal digits (0-9 a-f)"


def _is_plain(value: object, depth: int) -> bool:
    match value:
        case None | bool():
            return True
        case int():
            return abs(value) <= _GREATEST
        case str():
            return len(value) <= _LONGEST and value.isascii() and value.isprintable()
        case list():
            return depth > 0 and len(value) <= _MOST and all(_is_plain(part, depth - 1) for part in value)
        case dict():
            parts = [*value, *value.values()]
            return depth > 0 and len(parts) <= _MOST and all(_is_plain(part, depth - 1) for part in parts)
    return False


def _place(state: MatchState | None, kind: object) -> str:
    """Return where in the match an event of some type comes, as "deal 2, trick 5"."""
    number = 0 if state is None else state.deal_number + (kind == "deal_committed")
    if state is None or not number:
        return ""
    match state.phase:
        case Phase.AUCTION:
            return f"deal {number}, auction"
        case Phase.PLAY if state.deal is not None:
            tricks = len(state.deal.tricks)
            return f"deal {number}, trick {tricks + 1}" if tricks < 8 else f"deal {number}, score"
    return f"deal {number}"


def _retrace(payload: Payload, schema: int, retracing: Retracing, evidence: Evidence) -> str:
    """Make the next event anew; return what is wrong with the recorded one, empty when they are the same."""
    before = retracing.state
    try:
        event = codec.decode(payload, schema)
    except ValueError as error:
        return str(error)
    try:
        given = retracing.step(event)
    except OutOfPlace as error:
        return str(error)
    except IllegalCommand as refusal:
        return _refused(event, before, refusal.reason)
    recorded, made = codec.upcast(payload, schema), codec.encode(given)
    if canonical(recorded) != canonical(made):
        return _difference(recorded, made)
    return evidence.against(given)


def _refused(event: Event, state: MatchState | None, reason: Reason) -> str:
    rule = f" ({reason.rule})" if reason.rule else ""
    deal = None if state is None else state.deal
    if state is None or deal is None or not isinstance(event, CardPlayed | BidMade):
        return _WORDS.get(reason.code, reason.code.replace("_", " ")) + rule
    name = event.seat.name.title()
    if reason.code is ReasonCode.NOT_YOUR_TURN and state.turn is not None:
        return f"{name} moves, and {state.turn.name.title()} is on turn{rule}"
    if isinstance(event, CardPlayed) and deal.trump is not None and reason.code in _DUTIES:
        legal = legal_cards(deal.hands[event.seat], deal.trick, deal.trump, event.seat, state.rules)
        why = _DUTIES[reason.code].format("trump" if reason.suit is None else reason.suit.name.lower())
        return f"{name} plays {format_card(event.card)} and may play only {format_hand(legal)}: {why}{rule}"
    if isinstance(event, CardPlayed) and reason.code is ReasonCode.NOT_IN_HAND:
        return f"{name} plays {format_card(event.card)}, which it does not hold"
    return f"{name}: {_WORDS.get(reason.code, reason.code.replace('_', ' '))}{rule}"


def _difference(recorded: Any, made: Any, path: str = "") -> str:
    """Return the first place where a recorded event is not the one that the rules give."""
    if isinstance(recorded, dict) and isinstance(made, dict):
        if not path and recorded.get("type") != made["type"]:
            return f"{recorded.get('type')} stands where the rules give {made['type']}"
        for name in sorted({*recorded, *made}):
            if name not in recorded:
                return f"{path}{name} is missing where the rules give {_text(made[name])}"
            if name not in made:
                return f"{path}{name} is {_text(recorded[name])} where the rules give none"
            if _text(recorded[name]) != _text(made[name]):
                return _difference(recorded[name], made[name], f"{path}{name}.")
    if isinstance(recorded, list) and isinstance(made, list) and len(recorded) == len(made):
        for place, (one, other) in enumerate(zip(recorded, made, strict=True)):
            if _text(one) != _text(other):
                return _difference(one, other, f"{path}{place}.")
    return f"{path.rstrip('.')} is {_text(recorded)} where the rules give {_text(made)}"


def _text(value: object) -> str:
    return canonical(value).decode()


def _missing_at_the_end(retracing: Retracing) -> str:
    if retracing.due:
        return f"the record ends, and {codec.encode(retracing.due[0])['type']} has to follow"
    state = retracing.state
    if state is None or state.phase is not Phase.OVER:
        return "the record ends, and the match is not over"
    hidden = [str(result.number) for result in state.results if result.seed is None]
    return f"the record ends, and the seeds of these deals are not in it: {', '.join(hidden)}" if hidden else ""
