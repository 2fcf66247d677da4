"""What holds for every level in every position: a legal answer, from the seat's own view, within the words of R9.3."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.ai.player import LIVE_PLAYERS, PLAYERS, ComputerPlayer
from games.engine.cards import cards_in
from games.engine.commands import PlayCard
from games.engine.decide import decide
from games.engine.notation import CARD_NAMES
from games.engine.play import trick_winner
from games.engine.rules import BeloteCall, RuleSet, Undertrump
from games.engine.seats import Occupant
from games.engine.state import MatchState
from games.engine.view import TableView, table_view
from tests.properties.random_matches import random_match

RULES = st.builds(RuleSet, undertrump=st.sampled_from(Undertrump), belote=st.sampled_from(BeloteCall))
HONOURS = "J9A"


def views(seed: int, rules: RuleSet) -> list[tuple[MatchState, TableView]]:
    """Return the states of a random match in which a seat has to act, with that seat's view."""
    states = [state for _, state in random_match(random.Random(seed), rules, deals=2)]
    return [(state, table_view(state, state.turn)) for state in states if state.turn is not None]


def test_given_the_registry_when_levels_are_offered_then_weakest_first() -> None:
    assert list(PLAYERS) == list(LIVE_PLAYERS) == [Occupant.EASY, Occupant.NORMAL, Occupant.HARD]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), rules=RULES)
def test_given_random_positions_when_a_level_answers_then_the_engine_accepts_it(seed: int, rules: RuleSet) -> None:
    for state, view in views(seed, rules):
        assert state.turn is not None
        assert_accepted(state, view, PLAYERS[Occupant.EASY])
        assert_accepted(state, view, PLAYERS[Occupant.NORMAL])


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), rules=RULES)
def test_given_random_positions_when_hard_answers_then_the_engine_accepts_it(seed: int, rules: RuleSet) -> None:
    for state, view in random.Random(seed).sample(views(seed, rules), 6):
        assert_accepted(state, view, PLAYERS[Occupant.HARD])


def assert_accepted(state: MatchState, view: TableView, player: ComputerPlayer) -> None:
    """Check that the engine takes the answer, and that a computer announces where it may (R5.2)."""
    assert state.turn is not None
    answer = player.choose(view)
    assert decide(state, state.turn, answer)
    if isinstance(answer, PlayCard):
        assert answer.announce == bool(view.may_announce >> answer.card & 1)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), rules=RULES)
def test_given_random_positions_when_normal_plays_last_then_it_keeps_the_words_of_its_rule(
    seed: int, rules: RuleSet
) -> None:
    for _, view in views(seed, rules):
        if view.trick is None or view.trump is None or view.viewer is None or len(view.trick.cards) != 3:
            continue
        answer = PLAYERS[Occupant.NORMAL].choose(view)
        assert isinstance(answer, PlayCard)
        assert_within_the_words(view, answer.card)


def assert_within_the_words(view: TableView, card: int) -> None:
    """Check R9.3 for the last card of a trick, in plain words and by trying the legal cards out."""
    assert view.trick is not None
    assert view.trump is not None
    assert view.viewer is not None
    trump = "SHDC"[view.trump]
    legal = [CARD_NAMES[other] for other in cards_in(view.legal)]
    chosen = CARD_NAMES[card]
    strength = "78QKTA9J"
    if chosen[1] == trump and chosen[0] in HONOURS:
        lower = [c for c in legal if c[1] != trump or strength.index(c[0]) < strength.index(chosen[0])]
        assert all(side_after(view, c) != side_after(view, chosen) for c in lower), (view, chosen)
    if trick_winner(view.trick, view.trump) is not view.viewer.partner:
        return
    led = CARD_NAMES[view.trick.cards[0]][1]
    plain = [c for c in legal if c[1] != trump]
    if led != trump and plain:
        assert chosen[1] != trump, (view, chosen)
        with_points = [c for c in plain if c[0] in "ATKQJ"]
        assert not with_points or chosen in with_points, (view, chosen)


def side_after(view: TableView, name: str) -> int:
    """Return the side that wins the trick when this card is its last."""
    assert view.trick is not None
    assert view.trump is not None
    trick = view.trick._replace(cards=(*view.trick.cards, CARD_NAMES.index(name)))
    return trick_winner(trick, view.trump).team
