"""The arena measures what it says, and normal is clearly better than easy, easy than chance."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import StringIO
from itertools import islice, pairwise
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.ai.player import PLAYERS
from games.ai.weights import load_weights
from games.arena import boards, compare, duplicate, duplicate_match, estimate, play_deal, player_named
from games.contest import Share
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


# How many deals, and by how many points a deal the stronger must be ahead. The seed is fixed: no luck is left.
LADDER = {
    ("easy", "random"): (300, 10),
    ("normal", "easy"): (1200, 25),
    ("hard", "normal"): (10, 0),
    ("greedy", "random"): (100, 20),
    ("normal", "greedy"): (300, 10),
}


def test_given_the_levels_when_listed_then_each_has_to_beat_the_one_below() -> None:
    assert set(pairwise(["random", *PLAYERS])) <= {(below, above) for above, below in LADDER}


@pytest.mark.parametrize(("stronger", "weaker"), LADDER)
def test_given_the_levels_when_each_meets_the_one_below_then_it_is_clearly_ahead(stronger: str, weaker: str) -> None:
    deals, margin = LADDER[stronger, weaker]

    result = compare(player_named(stronger, 1), player_named(weaker, 1), deals, seed=12)

    assert result.mean > margin


def test_given_matches_when_a_player_meets_itself_then_it_wins_half_of_them() -> None:
    assert duplicate_match("3", NORMAL, NORMAL, RuleSet()) == 0.5


def test_given_matches_when_the_better_player_is_named_first_then_it_wins_most_of_them() -> None:
    wins = [duplicate_match(f"{number}", NORMAL, EASY, RuleSet()) for number in range(10)]

    assert sum(wins) > 7


@pytest.mark.parametrize(
    ("wins", "low", "high"),
    [
        # Twenty of twenty matches, and ten: by hand from Wilson's formula.
        ([1.0] * 10, 0.8389, 1.0),
        ([0.5] * 10, 0.2993, 0.7007),
        ([1.0, 0.0] * 5, 0.2993, 0.7007),
        ([0.0] * 10, 0.0, 0.1611),
    ],
)
def test_given_pairs_of_matches_when_the_share_is_taken_then_with_an_interval_of_what_is_possible(
    wins: list[float], low: float, high: float
) -> None:
    share = Share.of(wins)

    assert share == pytest.approx((sum(wins) / 10, low, high), abs=0.0001)
    assert 0 <= share.low <= share.high <= 1


def arena(*arguments: str) -> str:
    out = StringIO()
    call_command("arena", *arguments, stdout=out)
    return out.getvalue()


def test_given_the_arena_command_when_run_then_it_prints_points_wins_and_times() -> None:
    text = arena("normal", "random", "--deals", "10", "--seed", "3")

    assert "normal - random:" in text
    assert "points a deal (95 % interval, 10 duplicate deals, own bids, seed 3)" in text
    assert "% of 4 matches of 1000 points" in text
    assert "normal, cards: median" in text
    assert "random, bids: median" in text


def test_given_json_when_the_arena_has_played_then_one_object_with_the_figures_of_the_first() -> None:
    found = json.loads(arena("normal", "easy", "--deals", "20", "--json"))

    low, high = found["ci95"]
    assert low < found["points_per_deal"] < high
    assert 0 <= found["win_rate"] <= 1
    assert 0 < found["ms_median"] <= found["ms_p95"] <= found["ms_max"]
    assert found["ms_max"] == max(found["ms_cards"]["maximum"], found["ms_bids"]["maximum"])
    assert found["ms_cards"]["median"] > found["ms_cards_b"]["median"]
    assert 20 < found["peak_memory_mb"] < 2000


def test_given_json_when_the_arena_plays_then_progress_is_told_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("arena", "easy", "lowest", "--deals", "10", "--matches", "2", "--json")

    out, err = capsys.readouterr()
    assert json.loads(out)["win_rate_ci95"][0] < json.loads(out)["win_rate"]
    assert err.splitlines()[-1] == "12/12"


def test_given_json_when_a_player_meets_itself_then_it_wins_half_the_matches_and_nobody_is_ahead() -> None:
    found = json.loads(arena("normal", "normal", "--deals", "4", "--matches", "3", "--json"))

    assert (found["points_per_deal"], found["win_rate"]) == (0, 0.5)


def test_given_two_jobs_when_the_arena_plays_then_the_same_result_as_with_one() -> None:
    found = [
        json.loads(arena("easy", "random", "--deals", "30", "--matches", "12", "--json", "--jobs", jobs))
        for jobs in ("1", "2")
    ]

    one, two = (
        {key: value for key, value in some.items() if not key.startswith(("ms_", "peak_memory"))} for some in found
    )
    assert one == two
    assert {"points_per_deal", "ci95", "win_rate", "win_rate_ci95"} <= one.keys()


@pytest.mark.parametrize(
    ("arguments", "first", "told"),
    [
        (
            ["arena", "normal", "easy", "--deals", "5000", "--matches", "0", "--jobs", "2"],
            "500/5000",
            "CommandError: Broken off; nothing was measured.",
        ),
        (
            ["tune_normal", "--rounds", "1", "--deals", "2000"],
            "200/2000",
            "CommandError: Broken off; nothing was written.",
        ),
    ],
)
def test_given_a_command_at_work_when_ctrl_c_is_pressed_then_it_and_all_its_processes_end_at_once(
    arguments: list[str], first: str, told: str, tmp_path: Path
) -> None:
    if arguments[0] == "tune_normal":
        arguments = [*arguments, "--output", str(tmp_path / "weights.json")]
    running = subprocess.Popen(
        [sys.executable, "manage.py", *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert running.stderr is not None

    try:
        assert running.stderr.readline().startswith(first)  # They are at it.
        os.killpg(running.pid, signal.SIGINT)
        # The pipe is closed when the last process that could write to it has ended.
        _, rest = running.communicate(timeout=20)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)

    assert rest == told + "\n"
    assert running.returncode == 130
    assert not list(tmp_path.iterdir())


def test_given_shared_bids_when_two_bidders_with_the_same_cards_meet_then_nobody_is_ahead() -> None:
    own, shared = (
        json.loads(arena("easy", "lowest", "--deals", "40", "--matches", "0", "--json", "--bids", bids))
        for bids in ("own", "shared")
    )

    assert own["ci95"] != [0, 0] == shared["ci95"]
    assert shared["win_rate"] is None
    assert shared["ms_bids"] is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("normal", "best"), "invalid choice"),
        (("normal", "easy", "--deals", "1"), "at least two deals"),
        (("normal", "easy", "--deals", "9" * 20), "--deals between 2 and 1000000"),
        (("normal", "easy", "--matches", "-1"), "--matches 1 or more, or 0 for none"),
        (("normal", "easy", "--jobs", "0"), "--jobs between 1 and"),
    ],
)
def test_given_bad_arguments_when_the_arena_is_called_then_a_clear_error(
    arguments: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(CommandError, match=complaint):
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


def test_given_a_place_that_cannot_be_written_when_the_tuner_is_called_then_it_says_so_before_it_plays(
    tmp_path: Path,
) -> None:
    with pytest.raises(CommandError, match="cannot be written; give another --output"):
        call_command("tune_normal", "--output", str(tmp_path / "missing" / "weights.json"))
