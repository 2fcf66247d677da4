"""The weights of the normal player's features: one data file, read once."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NamedTuple

WEIGHTS_FILE = Path(__file__).with_name("normal_weights.json")


class Weights(NamedTuple):
    """One weight for each feature, in card points: what a card that has it gains (or, if negative, loses).

    The trick, where *chance* is that of the seat's own side winning it:

    - ``table_points``, ``card_points``: times points, times chance of winning minus chance of losing;
    - ``winning``: times chance; ``winning_late``: times chance, divided by the tricks still to play;
    - ``ruffing``: ruffs.

    What the hand loses with the card:

    - ``trump``: it is a trump; ``trump_strength``: times its place in the trump order over 7; ``trump_master``: it is
      the highest trump left;
    - ``master``: it is the highest card left of a plain suit; ``master_ruffable``: the same while an opponent may
      hold trumps;
    - ``strength``: times its place in the plain order over 7;
    - ``ten_guard``: it is the last guard of a ten whose ace is out; ``last_of_suit``: the last of its plain suit while
      the hand keeps trumps.

    A lead of trumps while an opponent may hold some: ``draw_as_taker``, ``draw_as_partner``, ``draw_in_defence``, and
    ``draw_with_master`` besides for the highest trump left; while none may: ``draw_nothing``.

    A lead of a plain suit:

    - ``lead_master``: of its highest card left;
    - ``lead_under_ace``: of a lower card from its ace; ``lead_from_ten``: of a lower card from a ten whose ace is out;
    - ``lead_singleton``: of a lone card while the hand has trumps; ``lead_length``: times the length left behind;
    - ``lead_partner_ruffs``: the partner has shown none of it and may hold trumps; ``lead_opponent_ruffs``: an
      opponent, for each;
    - ``lead_unseen``: times the cards of the suit that are unseen.
    """

    table_points: float
    card_points: float
    winning: float
    winning_late: float
    ruffing: float
    trump: float
    trump_strength: float
    trump_master: float
    master: float
    master_ruffable: float
    strength: float
    ten_guard: float
    last_of_suit: float
    draw_as_taker: float
    draw_as_partner: float
    draw_in_defence: float
    draw_nothing: float
    draw_with_master: float
    lead_master: float
    lead_under_ace: float
    lead_from_ten: float
    lead_singleton: float
    lead_length: float
    lead_partner_ruffs: float
    lead_opponent_ruffs: float
    lead_unseen: float


def load_weights(path: Path = WEIGHTS_FILE) -> Weights:
    """Return the weights of a file.

    Raises:
        ValueError: it is no JSON object of exactly the fields of `Weights`, each a finite number.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or data.keys() != set(Weights._fields):
        raise ValueError(f"{path.name} must hold exactly the weights {', '.join(Weights._fields)}")
    for name, value in data.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"{path.name}: {name} must be a finite number, not {value!r}")
    return Weights(**data)


def dump_weights(weights: Weights) -> str:
    """Return weights as the text of a file that `load_weights` reads."""
    return json.dumps(weights._asdict(), indent=2, allow_nan=False) + "\n"
