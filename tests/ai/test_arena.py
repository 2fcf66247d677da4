"""The arena measures what it says, and normal is clearly better than easy, easy than chance."""

from __future__ import annotations

import json
import random
from io import StringIO
from itertools import islice
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.ai.player import PLAYERS
from games.ai.weights import load_weights
from games.arena import RandomPlayer, boards, compare, duplicate, estimate, play_deal
from games.engine.cards import ALL_CARDS, mask_of
from games.engine.rules import RuleSet
from games.engine.seats import ByTeam, Occupant

EASY, NORMAL = PLAYERS[Occupant.EASY], PLAYERS[Occupant.NORMAL]


def test_given_a_seed_when_boards_are_drawn_then_always_the_same_and_the_dealer_turns() -> None:
    first, again, other = (list(islice(boards(seed), 8)) for seed in (1, 1, 2))

    assert first == again != other
    assert [board.dealer for board in first] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all(mask_of(board.deck) == ALL_CARDS for board in first)


def test_given_a_deal_when_played_then_it_scores_like_a_deal() -> None:
    scores = [sum(play_deal(board, ByTeam(EASY, EASY), RuleSet())) for board in islice(boards(1), 50)]

    assert set(scores) <= {0, 81, 91, 101, 162, 182, 252, 272}
    assert 162 in scores


def test_given_a_player_against_itself_when_compared_then_no_deal_favours_either() -> None:
    assert all(duplicate(board, NORMAL, NORMAL, RuleSet()) == 0 for board in islice(boards(3), 20))


def test_given_two_players_when_compared_the_other_way_round_then_the_opposite() -> None:
    there, back = compare(EASY, NORMAL, 20, seed=4), compare(NORMAL, EASY, 20, seed=4)

    assert there.mean == -back.mean
    assert there.half_width == back.half_width


def test_given_values_when_estimated_then_mean_and_95_percent_interval() -> None:
    result = estimate([10.0, 20.0, 30.0, 40.0])

    assert result.mean == 25
    assert result.half_width == pytest.approx(1.96 * 12.9099 / 2, abs=0.001)
    with pytest.raises(ValueError, match="at least two"):
        estimate([1.0])


def test_given_1200_deals_when_normal_meets_easy_then_it_is_far_ahead() -> None:
    result = compare(NORMAL, EASY, 1200, seed=11)

    assert result.mean - result.half_width > 20


def test_given_300_deals_when_easy_meets_chance_then_it_is_ahead() -> None:
    result = compare(EASY, RandomPlayer(random.Random(1)), 300, seed=12)

    assert result.mean - result.half_width > 10


def test_given_the_arena_command_when_run_then_it_prints_points_and_times() -> None:
    out = StringIO()

    call_command("arena", "normal", "random", "--deals", "10", "--seed", "3", stdout=out)

    assert "normal - random:" in out.getvalue()
    assert "points a deal (95 % interval, 10 deals, seed 3)" in out.getvalue()
    assert "ms a decision" in out.getvalue()


@pytest.mark.parametrize("arguments", [("normal", "hard"), ("normal", "easy", "--deals", "1")])
def test_given_bad_arguments_when_the_arena_is_called_then_a_clear_error(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"invalid choice|at least two"):
        call_command("arena", *arguments)


def test_given_no_weights_when_tuned_twice_then_the_same_file_and_a_better_player(tmp_path: Path) -> None:
    texts = []
    for name in ("first.json", "second.json"):
        out = StringIO()
        arguments = [
            "--from-zero",
            "--rounds",
            "1",
            "--deals",
            "60",
            "--check",
            "200",
            "--output",
            str(tmp_path / name),
        ]
        call_command("tune_normal", *arguments, stdout=out)
        texts.append((tmp_path / name).read_text())
    before, after = (
        float(line.split("easy ")[1].split(" ")[0])
        for line in out.getvalue().splitlines()
        if line.startswith(("before", "after"))
    )

    assert texts[0] == texts[1]
    assert json.loads(texts[0])
    assert load_weights(tmp_path / "first.json") != load_weights()
    assert after > before + 5


def test_given_no_rounds_when_the_tuner_is_called_then_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="at least one round"):
        call_command("tune_normal", "--rounds", "0", "--output", str(tmp_path / "weights.json"))
    assert not list(tmp_path.iterdir())
