"""What rendering is told beside the view: who sits where and how the reader likes the cards."""

from __future__ import annotations

from accounts.models import CardOrder
from accounts.preferences import Preferences
from games.engine.seats import BySeat, Seat
from games.rendering import Reading, Sitter
from games.selectors import Person


def sitters_of(people: BySeat[Person], viewer: Seat | None) -> BySeat[Sitter]:
    """Return the names to show, in the active language. Who looks at the table is there."""
    return BySeat(*[Sitter(people[seat].name(seat), people[seat].connected or seat is viewer) for seat in Seat])


def reading_of(preferences: Preferences) -> Reading:
    """Return the part of someone's preferences that the HTML depends on."""
    return Reading(preferences.index_letters, preferences.card_order == CardOrder.WEAKEST_FIRST)
