"""A deal is analysed in a process of its own: one that stands back, is bounded, tells nothing and ends in time."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator

import pytest

from games import analysing, codec
from games.analysing import AnalysisFailed, AnalysisInterrupted, Analyst
from games.deal_analysis import Move, analyse, moves_of
from games.engine.cards import Suit
from tests.services.past import LOG
from tests.services.telltale import Telltale
from tests.services.test_thinking import assert_ends, children
from tests.site_process import ROOT

HAND = "JS 9S AS AH TH KC QC 7D"

PARENT = """
import json, multiprocessing, sys
from games import codec
from games.analysing import Analyst
from games.deal_analysis import moves_of
with open("tests/golden/default_rules.json") as log:
    events = [codec.decode(payload) for payload in json.load(log)["events"]]
analysis = Analyst().analyse(moves_of(events, 2)[-8:])
while next(analysis) is None:
    pass
print(*[child.pid for child in multiprocessing.active_children()], flush=True)
sys.stdin.read()
"""


def last_moves() -> list[Move]:
    """Moves that are analysed in a moment, as few cards are left."""
    events = (codec.decode(payload, LOG["schema"]) for payload in LOG["events"])
    return moves_of(events, 2)[-8:]


@pytest.fixture
def analyst() -> Iterator[Analyst]:
    before = children()
    yield Analyst()
    assert children() == before


def only_child(before: list[int]) -> int:
    (process,) = set(children()) - set(before)
    return process


def test_given_moves_when_they_are_analysed_in_another_process_then_what_comes_out_here(analyst: Analyst) -> None:
    moves = last_moves()

    found = [move for move in analyst.analyse(moves) if move is not None]

    assert found == list(analyse(moves))


def test_given_a_process_that_analyses_then_it_stands_back_for_all_others_and_is_bounded(analyst: Analyst) -> None:
    # given
    before = children()
    analysis = analyst.analyse(last_moves())
    while next(analysis) is None:
        pass
    process = only_child(before)
    # then
    assert os.getpriority(os.PRIO_PROCESS, process) == 19
    assert resource.prlimit(process, resource.RLIMIT_DATA)[0] == 512 * 1024 * 1024
    assert resource.prlimit(process, resource.RLIMIT_CPU)[0] == 300
    # and it ends when nobody wants to hear the rest
    analysis.close()
    assert_ends(process)


def test_given_the_module_that_the_process_loads_then_it_needs_neither_django_nor_the_server() -> None:
    code = "import games.analysing, sys; print(*{name.partition('.')[0] for name in sys.modules})"

    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)

    assert "games" in loaded.stdout.split()
    assert not {"django", "twisted", "daphne", "belote_site", "accounts"} & set(loaded.stdout.split())


@pytest.mark.parametrize("ended_by", ["kill", "stop"])
def test_given_a_process_that_is_ended_when_more_is_asked_of_it_then_it_was_interrupted(
    analyst: Analyst, ended_by: str
) -> None:
    # given
    before = children()
    analysis = analyst.analyse(last_moves())
    while next(analysis) is None:
        pass
    process = only_child(before)
    # when
    if ended_by == "kill":
        os.kill(process, signal.SIGKILL)
    else:
        analyst.stop()
    # then
    with pytest.raises(AnalysisInterrupted):
        list(analysis)
    assert_ends(process)


def test_given_an_analyst_that_was_stopped_then_it_starts_nothing_until_it_is_started(analyst: Analyst) -> None:
    analyst.stop()
    with pytest.raises(AnalysisInterrupted):
        list(analyst.analyse(last_moves()))

    analyst.start()

    assert [move for move in analyst.analyse(last_moves()) if move is not None]


def test_given_a_process_that_does_not_answer_then_it_is_said_to_go_on_and_given_up_in_the_end(
    analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    before = children()
    analysis = analyst.analyse(last_moves())
    while next(analysis) is None:
        pass
    process = only_child(before)
    os.kill(process, signal.SIGSTOP)
    monkeypatch.setattr(analysing, "BREATH_SECONDS", 0.01)
    monkeypatch.setattr(analysing, "PATIENCE_SECONDS", 0.05)
    # when
    heard = []
    with pytest.raises(AnalysisFailed, match=r"no answer in 0\.05 s"):
        heard.extend(analysis)
    # then
    assert set(heard) == {None}
    assert_ends(process)


def test_given_an_error_that_quotes_a_hand_when_it_leaves_the_process_then_kind_and_place_are_left(
    analyst: Analyst,
) -> None:
    # given
    *moves, last = last_moves()
    deal = moves[0].state.deal
    assert deal is not None
    broken = deal._replace(trick=Telltale(HAND), trump=Suit.HEARTS)
    moves[0] = moves[0]._replace(state=moves[0].state._replace(deal=broken))
    # when
    with pytest.raises(AnalysisFailed) as failed:
        list(analyst.analyse([*moves, last]))
    # then
    told = "".join(traceback.format_exception(failed.value))
    assert HAND not in told
    assert "Error" in str(failed.value)
    assert "deal_analysis.py" in str(failed.value)


def test_given_a_parent_that_is_killed_then_the_process_ends() -> None:
    # given
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    (process,) = map(int, parent.stdout.readline().split())
    # when
    parent.kill()
    parent.communicate()
    # then
    assert_ends(process)
