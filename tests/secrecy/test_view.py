"""A viewer's `TableView` is the same for every redeal of the cards that the viewer cannot see."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from games.engine.cards import cards_in, suit_of
from games.engine.events import DealStarted, Event
from games.engine.evolve import fold
from games.engine.rules import BeloteCall, Phase, RuleSet, Undertrump
from games.engine.seats import Seat
from games.engine.stand_ins import Incident, SeatGivenBack, SeatTakenOver, TimeRanOut
from games.engine.state import MatchState
from games.engine.view import TableView, table_view
from tests.properties.random_matches import random_match
from tests.secrecy.redeal import check_replay, consistent_redeals

type Projection = Callable[[MatchState, Seat | None], TableView]

VIEWERS: tuple[Seat | None, ...] = (*Seat, None)
RULES = [RuleSet(undertrump=under, belote=belote) for under, belote in product(Undertrump, BeloteCall)]


def state_of(log: list[Event]) -> MatchState:
    state = fold(log)
    assert state is not None
    return state


def random_log(rng: random.Random, rules: RuleSet, deals: int = 2) -> list[Event]:
    return [event for event, _ in random_match(rng, rules, deals, take=rng.choice([0.1, 0.4]))]


def tells(project: Projection, log: list[Event], viewer: Seat | None, rng: random.Random, count: int = 3) -> bool:
    """Tell whether a projection shows a viewer something that depends on cards which the viewer cannot see."""
    shown = project(state_of(log), viewer)
    for redeal in consistent_redeals(log, viewer, rng, count):
        other = project(state_of(redeal), viewer)
        if other != shown or repr(other) != repr(shown):
            return True
    return False


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.undertrump}-{rules.belote}")
def test_given_positions_of_every_phase_when_the_hidden_cards_are_redealt_then_no_view_changes(rules: RuleSet) -> None:
    rng = random.Random(52)
    phases: Counter[Phase] = Counter()
    befallen: set[type] = set()

    for _ in range(8):
        log = random_log(rng, rules)
        for length in sorted(rng.sample(range(1, len(log) + 1), 12)):
            position = log[:length]
            phases[state_of(position).phase] += 1
            befallen |= {type(incident.event) for incident in state_of(position).incidents}
            for viewer in VIEWERS:
                assert not tells(table_view, position, viewer, rng), (viewer, position)

    assert set(phases) >= {Phase.AUCTION, Phase.PLAY, Phase.SUMMARY, Phase.OVER}
    assert befallen == {TimeRanOut, SeatTakenOver, SeatGivenBack}


def test_given_a_running_deal_when_redealt_then_other_hands_do_change() -> None:
    rng = random.Random(53)
    changed = compared = 0

    for _ in range(20):
        log = random_log(rng, rng.choice(RULES), deals=1)
        start = next(place for place, event in enumerate(log) if isinstance(event, DealStarted))
        position = log[: start + rng.randint(1, 20)]
        state = state_of(position)
        if state.deal is None or state.turn is None:
            continue
        for viewer in VIEWERS:
            for redeal in consistent_redeals(position, viewer, rng, 2):
                other = state_of(redeal).deal
                assert other is not None
                compared += 1
                changed += other.hands != state.deal.hands

    assert compared > 100
    assert changed > 0.9 * compared


def test_given_a_log_when_its_cards_break_the_rules_then_the_replay_notices() -> None:
    log = random_log(random.Random(54), RuleSet(), deals=1)
    start = next(place for place, event in enumerate(log) if isinstance(event, DealStarted))
    dealt = log[start]
    assert isinstance(dealt, DealStarted)

    log[start] = DealStarted(dealt.deal, dealt.dealer.left, dealt.deck)

    with pytest.raises(Exception, match=r"not_your_turn|not_in_hand|must_"):
        check_replay(log)


def partners_card(state: MatchState, viewer: Seat | None) -> TableView:
    view = table_view(state, viewer)
    if state.deal is None or viewer is None:
        return view
    return view._replace(hand=view.hand | (state.deal.hands[viewer.partner] & -state.deal.hands[viewer.partner]))


def a_hand_for_spectators(state: MatchState, viewer: Seat | None) -> TableView:
    view = table_view(state, viewer)
    return view._replace(hand=state.deal.hands.north) if viewer is None and state.deal is not None else view


def next_card_of_the_deck(state: MatchState, viewer: Seat | None) -> TableView:
    view = table_view(state, viewer)
    return view._replace(turn_up=state.deal.deck[21]) if state.phase is Phase.AUCTION and state.deal else view


def legal_cards_of_another_seat(state: MatchState, viewer: Seat | None) -> TableView:
    return table_view(state, viewer)._replace(legal=table_view(state, state.turn).legal)


def whether_the_left_seat_holds_trumps(state: MatchState, viewer: Seat | None) -> TableView:
    view = table_view(state, viewer)
    if state.deal is None or state.deal.trump is None or viewer is None:
        return view
    hand = state.deal.hands[viewer.left]
    return view._replace(held=view.held + any(suit_of(card) == state.deal.trump for card in cards_in(hand)))


def an_incident_that_depends_on_the_hand_of_the_seat_on_turn(state: MatchState, viewer: Seat | None) -> TableView:
    view = table_view(state, viewer)
    if state.turn is None or table_view(state, state.turn).legal.bit_count() != 1:
        return view
    return view._replace(incidents=(*view.incidents, Incident(0, TimeRanOut(state.turn))))


@pytest.mark.parametrize(
    "leak",
    [
        an_incident_that_depends_on_the_hand_of_the_seat_on_turn,
        partners_card,
        a_hand_for_spectators,
        next_card_of_the_deck,
        legal_cards_of_another_seat,
        whether_the_left_seat_holds_trumps,
    ],
)
def test_given_a_planted_leak_when_the_hidden_cards_are_redealt_then_it_is_caught(leak: Projection) -> None:
    rng = random.Random(55)
    logs = [random_log(rng, RuleSet(), deals=1) for _ in range(3)]
    positions = [log[:length] for log in logs for length in range(3, len(log), 4)]

    assert any(tells(leak, position, viewer, rng) for position in positions for viewer in VIEWERS)
