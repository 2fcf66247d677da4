"""What the running deal is bound to before its cards are dealt, and which deals can be verified already."""

from __future__ import annotations

from games.engine.rules import Phase
from games.engine.seats import BySeat, Seat
from games.engine.view import TableView
from games.frame import Context, Frame, Parts, Reader

DIGITS_IN_A_GROUP = 4


def in_groups(number: bytes) -> str:
    """Return bytes as hexadecimal digits that can be compared by eye."""
    return number.hex(" ", DIGITS_IN_A_GROUP // 2)


def _is_asked(view: TableView) -> bool:
    """Tell whether the viewer's browser may still contribute."""
    seat = view.viewer
    if seat is None or view.phase is not Phase.COMMITTED:
        return False
    return view.is_played_by_person(seat) and view.contributions[seat] is None


def fair_deal_parts(frame: Frame) -> Parts:
    """Return what the sheet about fair deals is made from."""
    view = frame.view
    is_dealt = view.phase not in (Phase.BETWEEN_DEALS, Phase.COMMITTED)
    verifiable = tuple(result.number for result in view.results if result.seed is not None)
    return view.deal_number, view.commitment, view.contributions, _is_asked(view), is_dealt, verifiable


def fair_deal(
    reader: Reader,
    deal_number: int,
    commitment: bytes,
    contributions: BySeat[bytes | None],
    is_asked: bool,
    is_dealt: bool,
    verifiable: tuple[int, ...],
) -> Context:
    """Return ``fair_deal`` for games/table/fair_deal.html."""
    own = None if reader.viewer is None else contributions[reader.viewer]
    return {
        "deal": deal_number,
        "commitment": commitment.hex(),
        "commitment_text": in_groups(commitment),
        "is_asked": is_asked,
        "is_dealt": is_dealt,
        "own": "" if own is None else own.hex(),
        "contributors": [reader.name_alone(seat) for seat in Seat if contributions[seat] is not None],
        "verifiable": verifiable,
    }
