"""What is known of the cards of a deal that was analysed: the read side of `services.analyses`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.deal_analysis import CARDS_OF_A_DEAL, AnalysedMove
from games.engine.notation import parse_card
from games.engine.seats import Seat
from games.models import DealAnalysis


@dataclass(frozen=True, slots=True)
class Analysis:
    """How far the analysis of a deal is; its ``moves``, in the order of the play, are there when it is done.

    It has failed when something was wrong with it: it can be asked for again.
    """

    is_done: bool
    has_failed: bool
    moves_done: int
    moves: tuple[AnalysedMove, ...]
    moves_total: int = CARDS_OF_A_DEAL


def analysis_of(match_id: UUID, deal: int) -> Analysis | None:
    """Return the analysis of a deal, None when nobody has asked for it."""
    row = DealAnalysis.objects.filter(match_id=match_id, deal=deal).first()
    if row is None:
        return None
    return Analysis(
        is_done=row.status == DealAnalysis.Status.DONE,
        has_failed=row.status == DealAnalysis.Status.FAILED,
        moves_done=row.moves_done,
        moves=tuple(moves_in(row.moves)),
    )


def moves_in(stored: Iterable[dict[str, Any]]) -> Iterator[AnalysedMove]:
    """Yield the moves of an analysis as `services.analyses` has stored them."""
    for move in stored:
        yield AnalysedMove(
            Seat(move["seat"]),
            parse_card(move["card"]),
            {parse_card(card): value for card, value in move["values"].items()},
            parse_card(move["hard"]),
        )
