"""What an analysis says of deals that were really played (tests/golden), against the solver and the rules."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

from games import codec
from games.ai.player import PLAYERS
from games.ai.solver import Solver
from games.deal_analysis import AnalysedMove, Move, analyse, moves_of
from games.engine.cards import cards_in
from games.engine.commands import PlayCard
from games.engine.events import Event
from games.engine.notation import format_card
from games.engine.play import legal_cards
from games.engine.scoring import TOTAL
from games.engine.seats import Occupant, Team
from games.engine.view import table_view
from games.redeals import Redeals
from tests.site_process import ROOT

DEALS = [*[("default_rules", deal) for deal in (1, 2, 4, 9)], ("other_options", 4), ("other_options", 7)]


@cache
def log(name: str) -> list[Event]:
    stored = json.loads((ROOT / "tests" / "golden" / f"{name}.json").read_text())
    return [codec.decode(payload, stored["schema"]) for payload in stored["events"]]


def end_of(name: str, deal: int, cards: int) -> tuple[list[Move], list[AnalysedMove]]:
    """The last moves of a deal and what the analysis says of them, in the order of the play."""
    moves = moves_of(log(name), deal)[-cards:]
    return moves, list(analyse(moves))[::-1]


def in_text(values: dict[int, int]) -> dict[str, int]:
    return {format_card(card): value for card, value in values.items()}


def test_given_two_tricks_that_can_be_counted_by_hand_then_what_each_card_cost() -> None:
    # given clubs are trump, East leads from JH JC; South holds 7C 9C, West TH AH, North TD KD; 49 to 32 are won so far
    _, (east, south, west, north, *_) = end_of("default_rules", 9, 8)
    # then East had to keep the jack, which takes the last trick once South has ruffed: 32 + 20 + 11 + 4 + 10
    assert (format_card(east.card), in_text(east.values), east.cost) == ("JC", {"JH": 77, "JC": 67}, 10)
    # and South threw the nine under it, with the seven beside it
    assert (format_card(south.card), in_text(south.values), south.cost) == ("9C", {"7C": 95, "9C": 81}, 14)
    # and what the others still had to choose changed nothing any more
    assert south.values[south.card] + west.values[west.card] == TOTAL
    assert west.cost == north.cost == 0


@pytest.mark.parametrize(("name", "deal"), DEALS)
def test_given_the_end_of_a_deal_then_every_value_is_what_a_solver_of_its_own_finds(name: str, deal: int) -> None:
    moves, analysed = end_of(name, deal, 16)

    assert [(move.seat, move.card) for move in analysed] == [(state.turn, card) for state, card in moves]
    for (state, _), move in zip(moves, analysed, strict=True):
        running = state.deal
        assert running is not None
        assert running.trump is not None
        left = Solver(running.trump, state.rules.undertrump).values(running.hands, *running.trick)
        sides = {card: running.card_points[Team.NORTH_SOUTH] + points for card, points in left.items()}
        if move.seat.team is Team.EAST_WEST:
            sides = {card: TOTAL - points for card, points in sides.items()}
        assert move.values == sides
        legal = legal_cards(running.hands[move.seat], running.trick, running.trump, move.seat, state.rules)
        assert list(move.values) == list(cards_in(legal))
        assert move.cost == max(sides.values()) - sides[move.card] >= 0


def test_given_an_analysed_move_then_hards_card_is_its_answer_to_the_view_of_the_seat() -> None:
    moves, analysed = end_of("default_rules", 1, 12)

    for (state, _), move in zip(moves, analysed, strict=True):
        assert PLAYERS[Occupant.HARD].choose(table_view(state, move.seat)) == PlayCard(move.hard)


def test_given_hidden_cards_that_lie_otherwise_then_values_change_and_hards_card_does_not() -> None:
    rng = random.Random(5)
    moves, (really, *_) = end_of("default_rules", 1, 12)
    state = moves[0].state
    assert state.deal is not None
    redeals = Redeals(state.deal, really.seat, state.rules)

    others = []
    for _ in range(4):
        redealt = Move(state._replace(deal=redeals.draw(rng)), moves[0].card)
        *_, other = analyse([redealt, *moves[1:]])
        others.append(other)

    assert {other.hard for other in others} == {really.hard}
    assert any(other.values != really.values for other in others)


def test_given_a_deal_that_was_thrown_in_or_never_came_then_there_is_nothing_to_analyse() -> None:
    for deal in (10, 99):
        with pytest.raises(ValueError, match=f"of deal {deal} 0 cards were played, not 32"):
            moves_of(log("default_rules"), deal)


def test_given_moves_that_do_not_end_a_deal_then_it_says_so() -> None:
    with pytest.raises(ValueError, match="does not end a deal"):
        next(analyse(moves_of(log("default_rules"), 1)[:-1]))
