"""The analysis of a deal on the page of its replay: how far it is, who gave away how much, and a word on each card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analyses import Analysis
from games.deal_analysis import AnalysedMove
from games.engine.cards import Card
from games.engine.seats import BySeat, Seat
from games.frame import Context


class Mark(NamedTuple):
    """What stands on a card that may be played: what it costs with open hands, 0 for a best one, and in words."""

    cost: int
    text: str


def analysis(found: Analysis | None, names: BySeat[str]) -> Context:
    """Return how far the analysis of a deal is, and when it is done what each seat gave away."""
    if found is None:
        return {"state": "none"}
    if found.has_failed:
        return {"state": "failed"}
    if not found.is_done:
        done, total = found.moves_done, found.moves_total
        text = _("Analysed: %(done)d of %(total)d cards") % {"done": done, "total": total}
        return {"state": "waiting", "done": done, "total": total, "text": text}
    return {
        "state": "done",
        "seats": [
            {"name": names[seat], "points": sum(move.cost for move in found.moves if move.seat is seat)}
            for seat in Seat
        ],
    }


def remark(move: AnalysedMove, small: Sequence[str]) -> Context:
    """Return what there is to say of a card that was played; ``small`` are the cards for a line of text."""
    best = [card for card, value in move.values.items() if value == max(move.values.values())]
    return {
        "cost": move.cost,
        "text": _gave_away(move.cost) if move.cost else "",
        "best": [small[card] for card in best] if move.cost else [],
        "hard": None if move.hard == move.card else small[move.hard],
        "had_choice": len(move.values) > 1,
    }


def marks(move: AnalysedMove) -> dict[Card, Mark]:
    """Return what stands on each card that may be played."""
    best = max(move.values.values())
    return {card: Mark(best - value, _would_cost(best - value)) for card, value in move.values.items()}


def _gave_away(points: int) -> str:
    return ngettext("gave away %(count)d point", "gave away %(count)d points", points) % {"count": points}


def _would_cost(points: int) -> str:
    if not points:
        return _("best with open hands")
    return ngettext("would give away %(count)d point", "would give away %(count)d points", points) % {"count": points}
