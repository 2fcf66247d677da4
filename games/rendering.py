"""TableView → HTML: the regions of the table, for the first page and for every message over the socket.

A fragment depends on the view, the names, the clocks, the active language and how the reader likes cards, and a running
clock on the time; on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from django.template.loader import render_to_string

from games import fair_deal, play_log, regions, score_sheet, seat_region
from games.engine.cards import Card
from games.frame import POSITIONS, Context, Face, Frame, Parts, Reading, SeatClock, Sitter, card_faces
from games.wording import fault_text, refusal_text, spectator_text, stale_text

__all__ = [
    "Frame",
    "Reading",
    "SeatClock",
    "Sitter",
    "card_face",
    "fault_text",
    "heartbeat",
    "next_table",
    "notice",
    "page_context",
    "refusal_text",
    "spectator_text",
    "stale_text",
    "update",
]


class Region(NamedTuple):
    """A fragment of the page: its template, the variable that this names, what it is made from, and how."""

    template: str
    variable: str
    parts: Callable[[Frame], Parts]
    context: Callable[..., Context]


_SEATS = {
    position: Region("seat", "seat", partial(seat_region.seat_parts, position=position), seat_region.seat)
    for position in POSITIONS
}
_OTHERS = (
    Region("topbar", "topbar", regions.topbar_parts, regions.topbar),
    Region("felt", "felt", regions.felt_parts, regions.felt),
    Region("summary", "summary", score_sheet.summary_parts, score_sheet.summary),
    Region("status", "status", regions.status_parts, regions.status),
    Region("actions", "actions", regions.actions_parts, regions.actions),
    Region("hand", "hand", regions.hand_parts, regions.hand),
    Region("score_sheet", "sheet", score_sheet.sheet_parts, score_sheet.sheet),
    Region("last_trick", "last_trick", play_log.last_trick_parts, play_log.last_trick),
    Region("watchers", "watchers", regions.watchers_parts, regions.watchers),
    Region("play_log", "play_log", play_log.play_log_parts, play_log.play_log),
    Region("fair_deal", "fair_deal", fair_deal.fair_deal_parts, fair_deal.fair_deal),
)
_REGIONS = (*_OTHERS, *_SEATS.values())


def card_face(card: Card, letters: str) -> Face:
    """Return one card for games/partials/card.html."""
    return card_faces(letters)[card]


def page_context(frame: Frame) -> Context:
    """Return everything that the region templates of games/table.html or games/watch.html name, for a first page."""

    def context_of(region: Region) -> Context:
        return region.context(frame.reader, *region.parts(frame))

    return {
        **_version(frame),
        "notice": {"text": "", "kind": "info"},
        "seats": {position: context_of(region) for position, region in _SEATS.items()},
        **{region.variable: context_of(region) for region in _OTHERS if _has(frame, region)},
    }


def update(frame: Frame, before: Frame | None) -> str:
    """Return a message that brings a page from ``before`` to ``frame``: its version, then the regions that changed.

    Without ``before`` it holds every region.
    """
    reader = frame.reader
    knows_reader = before is not None and before.reader == reader
    html = [_render("version", _version(frame))]
    for region in _REGIONS:
        if not _has(frame, region):
            continue
        parts = region.parts(frame)
        if before is None or not knows_reader or region.parts(before) != parts:
            html.append(_render(region.template, {region.variable: region.context(reader, *parts)}))
    return "".join(html)


def notice(text: str, kind: str) -> str:
    """Return a message that shows one sentence to this reader; ``kind`` is 'refusal' or 'info'."""
    return _render("notice", {"notice": {"text": text, "kind": kind}})


def heartbeat(version: int, beat: int, tab: int) -> str:
    """Return a message that tells the newest version of the match, the number of this heartbeat, and that of the tab.

    A page that reconnects names its tab; 0 is a spectator's.
    """
    return _render("heartbeat", {"version": version, "beat": beat, "tab": tab})


def next_table(address: str) -> str:
    """Return a message that leads a page to the next match of its room."""
    return _render("next_table", {"next_table": address})


def _has(frame: Frame, region: Region) -> bool:
    """Tell whether a page has a region: a spectator's has no hand."""
    return frame.view.viewer is not None or region.template != "hand"


def _version(frame: Frame) -> Context:
    view = frame.view
    return {"version": view.version, "deal": view.deal_number, "is_my_turn": regions.is_asked(view)}


def _render(template: str, context: Context) -> str:
    return render_to_string(f"games/table/{template}.html", {**context, "oob": True})
