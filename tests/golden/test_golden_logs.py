"""Logs that were stored in event schema 1: they load and replay to the same result for ever.

`stand_ins` has the events of clocks and leavers; the others are of version 0.1.0, which did not know them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games import codec
from games.engine.evolve import fold

LOGS = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_stored_log_replays_to_the_stored_result(path: Path) -> None:
    # given
    log = json.loads(path.read_text())
    # when
    state = fold(codec.decode(payload, log["schema"]) for payload in log["events"])
    # then
    assert state is not None
    assert {
        "totals": list(state.totals),
        "held": state.held,
        "winner": None if state.winner is None else int(state.winner),
        "scores": [list(result.score.scores) if result.score else None for result in state.results],
    } == log["result"]
    # and the newest codec stores the events as they were
    if log["schema"] == codec.SCHEMA:
        assert [codec.encode(codec.decode(payload)) for payload in log["events"]] == log["events"]


def test_there_are_logs() -> None:
    assert LOGS
