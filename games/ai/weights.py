"""The weights of the normal player's features: one data file, read once."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

from games.ai.features import FollowFeatures, LeadFeatures

WEIGHTS_FILE = Path(__file__).with_name("normal_weights.json")


class Weights(NamedTuple):
    """What a unit of each feature is worth, in points of the deal, to the taking side and to the defence."""

    lead_taking: LeadFeatures
    lead_defending: LeadFeatures
    follow_taking: FollowFeatures
    follow_defending: FollowFeatures


_GROUPS: dict[str, type[LeadFeatures] | type[FollowFeatures]] = {
    "lead_taking": LeadFeatures,
    "lead_defending": LeadFeatures,
    "follow_taking": FollowFeatures,
    "follow_defending": FollowFeatures,
}


def load_weights(path: Path = WEIGHTS_FILE) -> Weights:
    """Return the weights of a file.

    Raises:
        ValueError: it is no JSON object of exactly the groups of `Weights`, each with exactly the features of its kind
            as finite numbers.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or data.keys() != _GROUPS.keys():
        raise ValueError(f"{path.name} must hold exactly the groups {', '.join(_GROUPS)}")
    for group, kind in _GROUPS.items():
        values = data[group]
        if not isinstance(values, dict) or values.keys() != set(kind._fields):
            raise ValueError(f"{path.name}: {group} must hold exactly the weights {', '.join(kind._fields)}")
        for name, value in values.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise ValueError(f"{path.name}: {group}.{name} must be a finite number, not {value!r}")
    return Weights(
        LeadFeatures(**data["lead_taking"]),
        LeadFeatures(**data["lead_defending"]),
        FollowFeatures(**data["follow_taking"]),
        FollowFeatures(**data["follow_defending"]),
    )


def dump_weights(weights: Weights) -> str:
    """Return weights as the text of a file that `load_weights` reads."""
    groups = {group: features._asdict() for group, features in weights._asdict().items()}
    return json.dumps(groups, indent=2, allow_nan=False) + "\n"
