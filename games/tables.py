"""What rendering is told beside the view: who sits where, the clocks, and how the reader likes the cards."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import CardOrder
from accounts.preferences import Preferences
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import TableView
from games.rendering import Frame, Reading, SeatClock, Sitter
from games.selectors import Company, Timing
from games.services.matches import ABSENT_TURN_LASTS


def frame_of(view: TableView, company: Company, timing: Timing | None, reading: Reading) -> Frame:
    """Return all that the page of a view's viewer is made from, the names in the active language."""
    people = company.people
    # Who looks at the table is there.
    sitters = BySeat(*[Sitter(people[seat].name(seat), people[seat].connected or seat is view.viewer) for seat in Seat])
    frame = Frame(
        view,
        sitters,
        reading,
        watchers=tuple(user.display_name for user in company.watchers),
        watchers_more=company.more,
        visitors=company.visitors,
    )
    if timing is None:
        return frame
    clocks = BySeat(*[_clock_of(view, seat, timing) for seat in Seat])
    return frame._replace(clocks=clocks, may_ask_for=_awaited(view, timing))


def has_clocks(state: MatchState | TableView) -> bool:
    """Tell whether time counts at a table: several people play there."""
    return sum(occupant is Occupant.PERSON for occupant in state.occupants) > 1


def reading_of(preferences: Preferences) -> Reading:
    """Return the part of someone's preferences that the HTML depends on."""
    return Reading(preferences.index_letters, preferences.card_order == CardOrder.WEAKEST_FIRST)


def _clock_of(view: TableView, seat: Seat, timing: Timing) -> SeatClock | None:
    if timing.clock is None or not view.is_played_by_person(seat):
        return None
    ends_at = None
    if view.turn is seat and timing.turn_since is not None:
        ends_at = timing.turn_since.timestamp() + timing.clock
    return SeatClock(ends_at, timing.reserves[seat])


def _awaited(view: TableView, timing: Timing) -> Seat | None:
    """Return the person for whom the viewer may have the computer play, at a table without a clock."""
    viewer, seat = view.viewer, view.turn
    if viewer is None or seat is None or seat is viewer or timing.clock is not None or timing.turn_since is None:
        return None
    if not view.is_played_by_person(viewer) or not view.is_played_by_person(seat):
        return None
    return seat if timezone.now() - timing.turn_since >= ABSENT_TURN_LASTS else None
