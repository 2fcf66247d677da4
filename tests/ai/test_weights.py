"""The weights file of the normal player is read strictly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.ai.weights import dump_weights, load_weights

GOOD: dict[str, dict[str, float]] = json.loads(dump_weights(load_weights()))


def changed(group: str, name: str, value: Any) -> dict[str, Any]:
    return GOOD | {group: GOOD[group] | {name: value}}


def test_given_the_products_weights_when_written_and_read_then_the_same(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(dump_weights(load_weights()))

    assert load_weights(path) == load_weights()


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        pytest.param([], "exactly the groups", id="no object"),
        pytest.param({"lead_taking": GOOD["lead_taking"]}, "exactly the groups", id="a group is missing"),
        pytest.param(GOOD | {"lead_taking": {}}, "lead_taking must hold", id="weights are missing"),
        pytest.param(changed("lead_taking", "luck", 1.0), "lead_taking must hold", id="a weight too many"),
        pytest.param(changed("follow_taking", "ruff", float("nan")), "follow_taking.ruff must be finite", id="nan"),
        pytest.param(
            changed("follow_taking", "ruff", float("inf")), "follow_taking.ruff must be finite", id="infinite"
        ),
        pytest.param(changed("follow_taking", "ruff", "1"), "follow_taking.ruff must be finite", id="text"),
        pytest.param(changed("follow_taking", "ruff", True), "follow_taking.ruff must be finite", id="truth value"),
    ],
)
def test_given_a_bad_file_when_read_then_a_clear_error(tmp_path: Path, data: Any, complaint: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(data))

    with pytest.raises(ValueError, match=complaint.replace("be finite", "be a finite number")):
        load_weights(path)
