"""`wire`: a frame is understood whole or refused; nothing else ever comes out."""

from __future__ import annotations

import json
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import wire
from games.engine.cards import Suit
from games.engine.commands import Contribute, Next, Pass, PlayCard, Take
from games.engine.notation import parse_card
from games.wire import Action, Back, Fault, PlayForAbsent, Resync, Say, WireError

ID = "7f0d1a3e-0f6e-4f0e-9d59-6a1b5a0c1d2e"


def frame(**fields: object) -> str:
    return json.dumps({"version": 7, "action_id": ID, "HEADERS": {"HX-Request": "true"}, **fields})


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (frame(type="pass"), Pass()),
        (frame(type="take", suit="H"), Take(Suit.HEARTS)),
        (frame(type="play", card="JS"), PlayCard(parse_card("JS"))),
        (frame(type="play", card="KH", announce="true"), PlayCard(parse_card("KH"), announce=True)),
        (frame(type="next", deal="3", version="12"), Next(3)),
    ],
)
def test_what_a_seat_may_ask_is_understood(text: str, command: object) -> None:
    action = wire.parse(text)
    assert isinstance(action, Action)
    assert action.command == command
    assert action.action_id == UUID(ID)


def test_a_resync_needs_nothing_else() -> None:
    assert wire.parse('{"type": "resync"}') == Resync()


def test_who_is_back_says_so_at_any_version() -> None:
    assert wire.parse('{"type": "back"}') == Back()
    assert wire.parse(frame(type="back", version="old", deal=3)) == Back()


def test_a_move_for_somebody_else_is_asked_for_at_a_version() -> None:
    assert wire.parse(frame(type="play_for", deal=3)) == PlayForAbsent(7, UUID(ID))
    assert wire.parse(frame(type="play_for", beat="12")) == PlayForAbsent(7, UUID(ID), 12)


def test_a_phrase_or_a_line_is_said_at_any_version() -> None:
    assert wire.parse('{"type": "say", "phrase": "hello"}') == Say(phrase="hello")
    assert wire.parse(frame(type="say", text="  tere õhtust ", phrase="")) == Say(text="  tere õhtust ")


def test_a_random_number_is_for_a_deal_and_has_32_digits() -> None:
    digits = "00112233445566778899AABBccddeeff"

    assert wire.parse(json.dumps({"type": "contribute", "deal": 3, "bits": digits})) == Contribute(
        3, bytes.fromhex(digits)
    )


@pytest.mark.parametrize(
    "bits", [None, "", "0" * 31, "0" * 33, "0" * 30 + " 0", "0x" + "0" * 30, "g" * 32, "٠" * 32, 7, ["00"] * 16]
)
def test_anything_else_is_no_random_number(bits: object) -> None:
    with pytest.raises(WireError) as refused:
        wire.parse(frame(type="contribute", deal=1, bits=bits))
    assert refused.value.fault is Fault.BAD_CONTRIBUTION


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.NOT_JSON),
        ("{", Fault.NOT_JSON),
        ("[" * 5000, Fault.NOT_JSON),
        ("9" * 5000, Fault.NOT_JSON),
        ("[]", Fault.NOT_AN_OBJECT),
        ('"play"', Fault.NOT_AN_OBJECT),
        ("{}", Fault.UNKNOWN_TYPE),
        (frame(type="start_deal", deck="JS"), Fault.UNKNOWN_TYPE),
        (frame(type=["play"]), Fault.UNKNOWN_TYPE),
        (frame(type="contribute", deal="x", bits="0" * 32), Fault.BAD_DEAL),
        (frame(type="play"), Fault.BAD_CARD),
        (frame(type="play", card="1S"), Fault.BAD_CARD),
        (frame(type="play", card="\ud800S"), Fault.BAD_CARD),
        (frame(type="play", card=5), Fault.BAD_CARD),
        (frame(type="play", card="JS", announce="perhaps"), Fault.BAD_ANNOUNCE),
        (frame(type="play", card="JS", announce=[]), Fault.BAD_ANNOUNCE),
        (frame(type="take", suit="SH"), Fault.BAD_SUIT),
        (frame(type="take", suit=""), Fault.BAD_SUIT),
        (frame(type="next"), Fault.BAD_DEAL),
        (frame(type="next", deal=True), Fault.BAD_DEAL),
        (frame(type="pass", version=-1), Fault.BAD_VERSION),
        (frame(type="pass", version="٣"), Fault.BAD_VERSION),
        (frame(type="pass", version=10**30), Fault.BAD_VERSION),
        (frame(type="pass", version=None), Fault.BAD_VERSION),
        (frame(type="pass", version=1.5), Fault.BAD_VERSION),
        (frame(type="pass", beat="x"), Fault.BAD_BEAT),
        (frame(type="play_for", version=None), Fault.BAD_VERSION),
        (frame(type="play_for", action_id="me"), Fault.BAD_ACTION_ID),
        (frame(type="pass", action_id="me"), Fault.BAD_ACTION_ID),
        (frame(type="pass", action_id=None), Fault.BAD_ACTION_ID),
        (frame(type="say"), Fault.BAD_LINE),
        (frame(type="say", phrase="", text=""), Fault.BAD_LINE),
        (frame(type="say", phrase="hello", text="and this"), Fault.BAD_LINE),
        (frame(type="say", phrase="x" * 21), Fault.BAD_LINE),
        (frame(type="say", text="x" * 2001), Fault.BAD_LINE),
        (frame(type="say", text=None), Fault.BAD_LINE),
        (frame(type="say", phrase=["hello"]), Fault.BAD_LINE),
    ],
)
def test_a_malformed_frame_is_refused_by_its_fault(text: str, fault: Fault) -> None:
    with pytest.raises(WireError) as refusal:
        wire.parse(text)
    assert refusal.value.fault is fault


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.text(max_size=200)
    | st.fixed_dictionaries(
        {},
        optional={
            "type": json_values
            | st.sampled_from(["play", "take", "pass", "next", "play_for", "back", "resync", "say"]),
            "phrase": st.sampled_from(["hello", ""]) | json_values,
            "text": json_values,
            "card": st.sampled_from(["JS", "TD"]) | json_values,
            "suit": st.sampled_from(["S", "H"]) | json_values,
            "deal": json_values,
            "announce": json_values,
            "version": json_values,
            "action_id": st.just(ID) | json_values,
        },
    ).map(json.dumps)
)
def test_nothing_but_an_action_or_a_wire_error_comes_out(text: str) -> None:
    try:
        asked = wire.parse(text)
    except WireError:
        return
    assert isinstance(asked, Action | PlayForAbsent | Back | Resync | Say)
