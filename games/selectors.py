"""The read side: the state of a match at its newest version, who sits where, who is there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games import codec
from games.engine.evolve import evolve
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.models import GameEvent, Match, Presence, Seating

CACHED_MATCHES = 2000


class MatchNotFound(Exception):
    """There is no such match, or it is not for this person to see."""


class _StateCache:
    """The states that this process knows, the least recently used one dropped first. Only committed states enter."""

    def __init__(self) -> None:
        self._states: OrderedDict[UUID, MatchState] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, match_id: UUID) -> MatchState | None:
        with self._lock:
            state = self._states.get(match_id)
            if state is not None:
                self._states.move_to_end(match_id)
            return state

    def put(self, match_id: UUID, state: MatchState) -> None:
        with self._lock:
            known = self._states.get(match_id)
            if known is None or known.version < state.version:
                self._states[match_id] = state
            self._states.move_to_end(match_id)
            if len(self._states) > CACHED_MATCHES:
                self._states.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._states.clear()


states = _StateCache()


def load_state(match_id: UUID) -> MatchState:
    """Return a match at its newest stored version: the known state and the events after it.

    Does not cache: inside a transaction what it reads may not be committed yet.

    Raises:
        MatchNotFound: no event of such a match is stored.
        ValueError: the log is damaged.
    """
    state = states.get(match_id)
    rows = GameEvent.objects.filter(match_id=match_id, sequence__gt=state.version if state else 0)
    for schema, payload in rows.order_by("sequence").values_list("schema", "payload"):
        state = evolve(state, codec.decode(payload, schema))
    if state is None:
        raise MatchNotFound(match_id)
    return state


def current_state(match_id: UUID) -> MatchState:
    """Return the newest committed state of a match and remember it; not inside a transaction.

    Raises:
        MatchNotFound: no event of such a match is stored.
        ValueError: the log is damaged.
    """
    state = load_state(match_id)
    states.put(match_id, state)
    return state


def seat_of(match_id: UUID, user_id: int | None) -> Seat:
    """Return the seat that a signed-in user has at the match's table.

    Raises:
        MatchNotFound: there is no such match, or the user has no seat there.
    """
    seat = (
        Seating.objects.filter(room__matches=match_id, user_id=user_id).values_list("seat", flat=True).first()
        if user_id is not None
        else None
    )
    if seat is None:
        raise MatchNotFound(match_id)
    return Seat(seat)


def running_match(user_id: int | None) -> Match | None:
    """Return the match that a user is in the middle of, if any."""
    if user_id is None:
        return None
    return Match.objects.filter(status=Match.Status.RUNNING, room__seatings__user_id=user_id).first()


def anyone_present(match_id: UUID) -> bool:
    """Tell whether a person of the table has an open socket."""
    return Presence.objects.filter(match_id=match_id, seen_until__gt=timezone.now()).exists()


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits in a seat: the user, or None for a computer player."""

    user: User | None
    occupant: Occupant
    connected: bool

    def name(self, seat: Seat) -> str:
        """The name to show, in the active language."""
        if self.user is not None:
            return self.user.display_name
        if self.occupant is Occupant.PERSON:
            return gettext("Deleted account")
        return _COMPUTER_NAMES[seat]


_COMPUTER_NAMES = BySeat("Mari", "Aino", "Luc", "Somchai")


def people_at(match_id: UUID) -> BySeat[Person]:
    """Return who sits where at a match's table; computers are always connected.

    Raises:
        MatchNotFound: there is no such match.
    """
    present = set(
        Presence.objects.filter(match_id=match_id, seen_until__gt=timezone.now()).values_list("seat", flat=True)
    )
    seatings = {s.seat: s for s in Seating.objects.filter(room__matches=match_id).select_related("user")}
    if len(seatings) != 4:
        raise MatchNotFound(match_id)
    return BySeat(
        *[
            Person(seatings[seat].user, seatings[seat].occupant, bool(seatings[seat].level) or seat in present)
            for seat in Seat
        ]
    )
