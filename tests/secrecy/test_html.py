"""What a browser receives is the same, byte for byte, for every redeal of the cards that its viewer cannot see."""

from __future__ import annotations

import random
from collections.abc import Callable
from uuid import UUID

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string

from accounts.preferences import preferences_of
from games import rendering
from games.engine.cards import cards_in
from games.engine.events import Event
from games.engine.notation import format_hand
from games.engine.rules import BeloteCall, Phase, RuleSet, Undertrump
from games.engine.seats import BySeat, Seat
from games.engine.state import MatchState
from games.engine.view import table_view
from games.rendering import Frame, Reading, SeatClock, Sitter
from tests.secrecy.redeal import consistent_redeals
from tests.secrecy.test_view import VIEWERS, random_log, state_of

type Output = Callable[[list[Event], Seat | None], str]

RULES = [RuleSet(), RuleSet(undertrump=Undertrump.MAY, belote=BeloteCall.MANUAL)]
NOW = 1_800_000_000.0
SITTERS = BySeat(*[Sitter(name, connected=True) for name in ("Mari", "Aino", "Luc", "Somchai")])


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """A running clock shows another number at another time, whatever the cards are."""
    monkeypatch.setattr("time.time", lambda: NOW)


def frame_of(state: MatchState, viewer: Seat | None) -> Frame:
    clocks = BySeat(*[SeatClock(NOW + 27.5 if state.turn is seat else None, 60) for seat in Seat])
    return Frame(table_view(state, viewer), SITTERS, Reading("JQKA", weakest_first=False), clocks)


def page(frame: Frame) -> str:
    """The whole page, as on a first load."""
    template = "games/watch.html" if frame.view.viewer is None else "games/table.html"
    of_the_page = {"match_id": UUID(int=1), "socket_url": "/ws/match/1/"}
    of_the_visitor = {"preferences": preferences_of(AnonymousUser(), "en"), "LANGUAGE_CODE": "en"}
    pinned = {"csrf_token": "pinned", "csp_nonce": "pinned"}
    html = render_to_string(template, rendering.page_context(frame) | of_the_page | of_the_visitor | pinned)
    assert "seat-me" in html
    return html


def everything(log: list[Event], viewer: Seat | None) -> str:
    """The page, all regions as after a reconnection, and the message that the last event of a log causes."""
    before, now = frame_of(state_of(log[:-1]), viewer), frame_of(state_of(log), viewer)
    return page(now) + rendering.update(now, None) + rendering.update(now, before)


def tells(output: Output, log: list[Event], viewer: Seat | None, rng: random.Random, count: int = 2) -> bool:
    """Tell whether an output depends on cards that the viewer cannot see."""
    shown = output(log, viewer).encode()
    return any(output(redeal, viewer).encode() != shown for redeal in consistent_redeals(log, viewer, rng, count))


def some_of_every_phase(logs: list[list[Event]], rng: random.Random) -> list[list[Event]]:
    by_phase: dict[Phase, list[list[Event]]] = {phase: [] for phase in Phase}
    for log in logs:
        for length in range(2, len(log) + 1):
            by_phase[state_of(log[:length]).phase].append(log[:length])
    del by_phase[Phase.BETWEEN_DEALS]  # before the first deal there are no cards
    return [
        position
        for phase, found in by_phase.items()
        for position in rng.sample(found, 10 if phase is Phase.PLAY else 3)
    ]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.undertrump}-{rules.belote}")
def test_given_positions_of_every_phase_when_the_hidden_cards_are_redealt_then_no_byte_changes(rules: RuleSet) -> None:
    rng = random.Random(61)
    positions = some_of_every_phase([random_log(rng, rules) for _ in range(4)], rng)

    for position in positions:
        for viewer in VIEWERS:
            assert not tells(everything, position, viewer, rng), (viewer, position)


def in_the_order_of_the_partners_hand(log: list[Event], viewer: Seat | None) -> str:
    """A region whose order depends on a hidden hand, though each card in it may be seen."""
    state = state_of(log)
    context = rendering.page_context(frame_of(state, viewer))
    if state.deal is not None and viewer is not None:
        low = next(cards_in(state.deal.hands[viewer.partner]), 0)
        context["hand"]["cards"].sort(key=lambda item: (item["key"] + low) % 8)
    return render_to_string("games/table/hand.html", context)


def a_reason_with_a_card_of_the_left_hand(log: list[Event], viewer: Seat | None) -> str:
    state = state_of(log)
    context = rendering.page_context(frame_of(state, viewer))
    if state.deal is not None and viewer is not None:
        for item in context["hand"]["cards"]:
            item["reason"] += format_hand(state.deal.hands[viewer.left])
    return render_to_string("games/table/hand.html", context)


def a_longer_line_when_the_seat_on_turn_has_no_choice(log: list[Event], viewer: Seat | None) -> str:
    state = state_of(log)
    message = rendering.update(frame_of(state, viewer), None)
    forced = state.turn is not None and table_view(state, state.turn).legal.bit_count() == 1
    return message + " " * forced


def a_card_that_is_not_dealt_yet(log: list[Event], viewer: Seat | None) -> str:
    """The face of the card under the turned one."""
    state = state_of(log)
    face = "" if state.deal is None else rendering.card_face(state.deal.deck[21], "JQKA").html
    return rendering.update(frame_of(state, viewer), None) + face


def more_time_for_who_has_a_choice(log: list[Event], viewer: Seat | None) -> str:
    """A clock that depends on the hand of the seat on turn."""
    state = state_of(log)
    frame = frame_of(state, viewer)
    if state.turn is not None and table_view(state, state.turn).legal.bit_count() > 1:
        frame = frame._replace(clocks=frame.clocks.put(state.turn, SeatClock(NOW + 30, 60)))
    return rendering.update(frame, None)


@pytest.mark.parametrize(
    "leak",
    [
        more_time_for_who_has_a_choice,
        in_the_order_of_the_partners_hand,
        a_reason_with_a_card_of_the_left_hand,
        a_longer_line_when_the_seat_on_turn_has_no_choice,
        a_card_that_is_not_dealt_yet,
    ],
)
def test_given_a_planted_leak_when_the_hidden_cards_are_redealt_then_it_is_caught(leak: Output) -> None:
    rng = random.Random(62)
    logs = [random_log(rng, RuleSet(), deals=1) for _ in range(3)]
    positions = [log[:length] for log in logs for length in range(3, len(log), 4)]

    assert any(tells(leak, position, viewer, rng) for position in positions for viewer in VIEWERS)
