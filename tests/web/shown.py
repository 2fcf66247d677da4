"""What a viewer is shown of a match that is driven by commands."""

from __future__ import annotations

from typing import Any

from games import rendering
from games.engine.notation import parse_cards
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Seat, Team
from games.engine.view import table_view
from games.rendering import Frame, Reading, Sitter
from tests.engine.given import NS, Driven, S, at_last_card

NAMES = BySeat("Mari", "Aino", "Luc", "Somchai")
ENGLISH = Reading("JQKA", weakest_first=False)


def sitters(names: BySeat[str] = NAMES) -> BySeat[Sitter]:
    return BySeat(*[Sitter(name, connected=True) for name in names])


def frame_of(driven: Driven, viewer: Seat | None = S) -> Frame:
    return Frame(table_view(driven.now, viewer), sitters(), ENGLISH)


def page(driven: Driven, viewer: Seat | None = S) -> dict[str, Any]:
    return rendering.page_context(frame_of(driven, viewer))


def log_lines(driven: Driven) -> list[str]:
    return [entry["text"] for entry in page(driven)["play_log"]["entries"]]


def ended(
    points: tuple[int, int],
    tricks: tuple[int, int] = (5, 3),
    last: Team = NS,
    *,
    belote: Seat | None = None,
    words: int = 2,
    rules: RuleSet | None = None,
    totals: tuple[int, int] = (0, 0),
    held: int = 0,
) -> Driven:
    """Return a match after a deal that North took in spades; ``points`` leave out the last trick's 10."""
    driven = Driven(rules).deal().bid("- - - - S")
    driven.state = driven.now._replace(totals=ByTeam(*totals), held=held)
    if belote is not None:
        cards = parse_cards("KS QS")[:words]
        driven.state = driven.now._replace(deal=driven.running._replace(belote_seat=belote, belote_cards=cards))
    at_last_card(driven, NS, ByTeam(*points), ByTeam(*tricks), last).play("8D")
    return driven
