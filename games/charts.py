"""The charts of a profile, as points and sentences for its templates; every value stands in a table beside them."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext, ngettext

from games.models import MatchSeat
from games.ratings import Rating

WIDTH, HEIGHT = 300, 100
STEPS = (10, 20, 50, 100, 200, 500, 1000)
MOST_LINES = 5
SLOTS = 15
"""A form of fewer matches does not fill the width: bars have one width, as far as that goes."""


def rating_chart(history: list[tuple[datetime, Rating]]) -> dict[str, object] | None:
    """Return what games/profile/rating_chart.html is made from: ``lines`` from the top one down, each ``{y, points}``,
    ``curve`` as the points of an SVG polyline, ``end`` the last of them, ``first_day`` and ``last_day``, ``label``, and
    ``rows`` from the newest on, each ``{day, points, is_provisional}``. None before the second rated match.
    """
    if len(history) < 2:
        return None
    points = [rating.points for _, rating in history]
    ticks = _ticks(min(points), max(points))
    top, bottom = ticks[0], ticks[-1]

    def height(value: int) -> str:
        return f"{HEIGHT * (top - value) / (top - bottom):.1f}"

    curve = [f"{WIDTH * place / (len(points) - 1):.1f},{height(value)}" for place, value in enumerate(points)]
    label = gettext(
        "Rating after each of the last %(count)d rated matches: from %(first)d to %(last)d, "
        "at least %(lowest)d and at most %(highest)d"
    )
    return {
        "lines": [{"y": height(tick), "points": tick} for tick in ticks],
        "curve": " ".join(curve),
        "end": curve[-1],
        "first_day": history[0][0],
        "last_day": history[-1][0],
        "label": label
        % {
            "count": len(points),
            "first": points[0],
            "last": points[-1],
            "lowest": min(points),
            "highest": max(points),
        },
        "rows": [
            {"day": day, "points": rating.points, "is_provisional": rating.is_provisional}
            for day, rating in reversed(history)
        ],
    }


def form_chart(form: list[tuple[datetime, MatchSeat.Outcome]]) -> dict[str, object] | None:
    """Return what games/profile/form_chart.html is made from: ``width`` of the picture, ``bars``, oldest first, each
    ``{x, outcome}`` (up for a match won, down for one lost, hollow for one left), ``label``, and ``rows`` from the
    newest on, each ``{day, outcome}``. None before the second match.
    """
    if len(form) < 2:
        return None
    won = sum(outcome is MatchSeat.Outcome.WON for _, outcome in form)
    label = ngettext(
        "Won %(won)d of the last %(count)d match", "Won %(won)d of the last %(count)d matches", len(form)
    ) % {"won": won, "count": len(form)}
    return {
        "width": 10 * max(len(form), SLOTS),
        "bars": [{"x": 10 * place + 1, "outcome": outcome.value} for place, (_, outcome) in enumerate(form)],
        "label": label,
        "rows": [{"day": day, "outcome": outcome.label} for day, outcome in reversed(form)],
    }


def _ticks(lowest: int, highest: int) -> list[int]:
    """Return round values at equal distances, from the top down, with these two between the first and the last."""
    for step in STEPS:
        first, last = lowest // step, -(-highest // step)
        if first == last:
            last += 1
        if last - first < MOST_LINES:
            break
    return [step * number for number in range(last, first - 1, -1)]
