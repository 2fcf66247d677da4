"""Scoring a deal (R6) and winning a match (R7.1, R7.2), where the vectors leave something open."""

from __future__ import annotations

import pytest

from games.engine.rules import Litige, RuleSet
from games.engine.scoring import Outcome, match_winner, score_deal
from games.engine.seats import ByTeam, Team
from tests.engine.given import EW, NS


@pytest.mark.parametrize(
    ("litige", "belote", "outcome", "scores", "held"),
    [
        (Litige.HELD, None, Outcome.LITIGE, (0, 81), 81),
        (Litige.HELD_ALL, None, Outcome.LITIGE, (0, 0), 162),
        (Litige.FAIL, None, Outcome.FAILED, (0, 162), 0),
        (Litige.HELD, NS, Outcome.LITIGE, (20, 91), 71),
        (Litige.HELD_ALL, NS, Outcome.LITIGE, (20, 0), 162),
        (Litige.FAIL, NS, Outcome.FAILED, (20, 162), 0),
        (Litige.HELD, EW, Outcome.LITIGE, (0, 91), 91),
        (Litige.HELD_ALL, EW, Outcome.LITIGE, (0, 20), 162),
        (Litige.FAIL, EW, Outcome.FAILED, (0, 182), 0),
    ],
)
def test_given_a_tie_when_scored_then_the_room_option_decides(
    litige: Litige, belote: Team | None, outcome: Outcome, scores: tuple[int, int], held: int
) -> None:
    points = {None: ByTeam(71, 81), NS: ByTeam(61, 91), EW: ByTeam(81, 71)}[belote]

    score = score_deal(NS, points, ByTeam(4, 4), NS, belote, 0, RuleSet(litige=litige))

    assert score.judged[0] == score.judged[1]
    assert (score.outcome, score.scores, score.held_out) == (outcome, scores, held)
    assert score.held_paid_to is None


def test_given_east_west_take_when_tied_then_north_south_score_at_once() -> None:
    score = score_deal(EW, ByTeam(71, 81), ByTeam(4, 4), NS, None, 5, RuleSet())

    assert (score.scores, score.held_out, score.held_paid_to) == ((81, 0), 86, None)


@pytest.mark.parametrize(("belote", "scores"), [(None, (0, 252 + 40)), (NS, (20, 252 + 40)), (EW, (0, 272 + 40))])
def test_given_the_defence_wins_every_trick_when_scored_then_252_and_the_held_points(
    belote: Team | None, scores: tuple[int, int]
) -> None:
    score = score_deal(NS, ByTeam(0, 152), ByTeam(0, 8), EW, belote, 40, RuleSet())

    assert (score.outcome, score.capot, score.scores) == (Outcome.FAILED, EW, scores)
    assert (score.held_in, score.held_out, score.held_paid_to) == (40, 0, EW)


def test_given_all_points_but_not_all_tricks_when_scored_then_no_capot() -> None:
    score = score_deal(NS, ByTeam(152, 0), ByTeam(7, 1), NS, None, 0, RuleSet())

    assert (score.capot, score.trick_points, score.scores) == (None, (162, 0), (162, 0))


@pytest.mark.parametrize(("points", "tricks"), [((90, 61), (5, 3)), ((90, 62), (5, 4))])
def test_given_half_a_deal_when_scored_then_an_error(points: tuple[int, int], tricks: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a whole deal"):
        score_deal(NS, ByTeam(*points), ByTeam(*tricks), NS, None, 0, RuleSet())


@pytest.mark.parametrize(
    ("totals", "winner"),
    [
        ((999, 0), None),
        ((1000, 0), NS),
        ((0, 1000), EW),
        ((1200, 1201), EW),
        ((1000, 1000), None),
        ((1100, 1100), None),
    ],
)
def test_given_totals_when_the_target_is_1000_then_who_has_won(totals: tuple[int, int], winner: Team | None) -> None:
    assert match_winner(ByTeam(*totals), RuleSet()) is winner


def test_given_a_lower_target_when_reached_then_the_match_is_won() -> None:
    assert match_winner(ByTeam(501, 500), RuleSet(target=501)) is NS
    assert match_winner(ByTeam(501, 500), RuleSet(target=701)) is None
