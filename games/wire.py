"""Text from a browser → what it asks for. Strict: whatever does not fit is a `WireError`, never another exception."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from string import hexdigits
from typing import Any
from uuid import UUID

from games.engine.commands import CONTRIBUTION_BYTES, Contribute, Next, Pass, PlayCard, SeatCommand, Take
from games.engine.notation import parse_card, parse_suit

MAX_FRAME = 8192
"""Characters of one frame."""

MAX_PHRASE = 20
MAX_LINE = 2000
"""Characters of what is said, before anything is tidied up; what counts in the end is counted by `services.talk`."""


class Fault(StrEnum):
    """What is wrong with a frame."""

    NOT_JSON = "not_json"
    NOT_AN_OBJECT = "not_an_object"
    UNKNOWN_TYPE = "unknown_type"
    BAD_VERSION = "bad_version"
    BAD_ACTION_ID = "bad_action_id"
    BAD_CARD = "bad_card"
    BAD_SUIT = "bad_suit"
    BAD_DEAL = "bad_deal"
    BAD_ANNOUNCE = "bad_announce"
    BAD_BEAT = "bad_beat"
    BAD_LINE = "bad_line"
    BAD_CONTRIBUTION = "bad_contribution"


class WireError(ValueError):
    """A frame that asks for nothing this server knows."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Action:
    """A seat's command, the version that the browser showed, the id of the click, and the last heartbeat before it.

    ``beat`` is None before the first heartbeat of a connection.
    """

    command: SeatCommand
    version: int
    action_id: UUID
    beat: int | None = None


@dataclass(frozen=True, slots=True)
class PlayForAbsent:
    """A person asks that a computer makes the move that everybody waits for at this version; fields as in `Action`."""

    version: int
    action_id: UUID
    beat: int | None = None


@dataclass(frozen=True, slots=True)
class Back:
    """A person wants to play again in place of the computer; that may be said at any version, and twice."""


@dataclass(frozen=True, slots=True)
class Resync:
    """The browser asks for everything anew: it noticed a gap."""


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody says a quick phrase, by its code, or free text; the other is empty. `services.talk` knows the codes."""

    phrase: str = ""
    text: str = ""


type Asked = Action | Contribute | PlayForAbsent | Back | Resync | Say


def parse(text: str) -> Asked:
    """Return what a frame asks for.

    A frame is a JSON object with ``type`` (take, pass, play, next, play_for, contribute, back, resync, say). The first
    five have ``version`` and ``action_id`` (a UUID), perhaps ``beat``, and ``suit``, ``card`` and ``announce``, or
    ``deal`` as the type needs; contribute has ``deal`` and ``bits``, 32 hexadecimal digits.

    Raises:
        WireError: the frame is not that.
    """
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireError(Fault.NOT_JSON) from error
    if not isinstance(frame, dict):
        raise WireError(Fault.NOT_AN_OBJECT)
    kind = frame.get("type")
    if kind == "resync":
        return Resync()
    if kind == "back":
        return Back()
    if kind == "say":
        return _said(frame)
    if kind == "contribute":
        return _contributed(frame)
    command = None if kind == "play_for" else _command(frame)
    version = _number(frame.get("version"), Fault.BAD_VERSION)
    try:
        action_id = UUID(_text(frame.get("action_id"), 36, Fault.BAD_ACTION_ID))
    except ValueError as error:
        raise WireError(Fault.BAD_ACTION_ID) from error
    beat = _number(frame["beat"], Fault.BAD_BEAT) if "beat" in frame else None
    return PlayForAbsent(version, action_id, beat) if command is None else Action(command, version, action_id, beat)


def _said(frame: dict[str, Any]) -> Say:
    phrase = _text(frame.get("phrase", ""), MAX_PHRASE, Fault.BAD_LINE)
    text = _text(frame.get("text", ""), MAX_LINE, Fault.BAD_LINE)
    if bool(phrase) is bool(text):
        raise WireError(Fault.BAD_LINE)
    return Say(phrase, text)


def _contributed(frame: dict[str, Any]) -> Contribute:
    digits = _text(frame.get("bits"), 2 * CONTRIBUTION_BYTES, Fault.BAD_CONTRIBUTION)
    if len(digits) != 2 * CONTRIBUTION_BYTES or not set(digits) <= set(hexdigits):
        raise WireError(Fault.BAD_CONTRIBUTION)
    return Contribute(_number(frame.get("deal"), Fault.BAD_DEAL), bytes.fromhex(digits))


def _command(frame: dict[str, Any]) -> SeatCommand:
    match frame.get("type"):
        case "pass":
            return Pass()
        case "take":
            try:
                return Take(parse_suit(_text(frame.get("suit"), 1, Fault.BAD_SUIT)))
            except ValueError as error:
                raise WireError(Fault.BAD_SUIT) from error
        case "play":
            try:
                card = parse_card(_text(frame.get("card"), 2, Fault.BAD_CARD))
            except ValueError as error:
                raise WireError(Fault.BAD_CARD) from error
            announce = frame.get("announce", False)
            if announce not in (True, False, "true", "false"):
                raise WireError(Fault.BAD_ANNOUNCE)
            return PlayCard(card, announce in (True, "true"))
        case "next":
            return Next(_number(frame.get("deal"), Fault.BAD_DEAL))
    raise WireError(Fault.UNKNOWN_TYPE)


def _text(value: object, length: int, fault: Fault) -> str:
    if not isinstance(value, str) or len(value) > length:
        raise WireError(fault)
    return value


def _number(value: object, fault: Fault) -> int:
    """A whole number that a database can hold; browsers send form values as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 9:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return value
    raise WireError(fault)
