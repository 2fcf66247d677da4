"""The read side: the state of a match at its newest version, who sits where, who is there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Relation, User
from games import codec, wording
from games.engine.evolve import evolve
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.models import GameEvent, Match, MatchSeat, Presence, Room, Seating

CACHED_MATCHES = 2000

WATCHERS_NAMED = 12
"""So many of those who watch a table are told by name."""


class MatchNotFound(Exception):
    """There is no such match, or it is not for this person to see."""


class RoomNotFound(Exception):
    """There is no such room, or it is not for this person to see."""


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


def state_at(match_id: UUID, version: int) -> MatchState:
    """Return a committed state of a match at a stored version or a newer one; read when this process knows none.

    Raises:
        MatchNotFound: no event of such a match is stored.
        ValueError: the log is damaged.
    """
    state = states.get(match_id)
    return state if state is not None and state.version >= version else current_state(match_id)


def seat_of(match_id: UUID, user_id: int | None) -> Seat:
    """Return the seat that a signed-in user plays, or played to the end of the match.

    Raises:
        MatchNotFound: there is no such match, or the user has no seat there, or has left it on purpose.
    """
    if user_id is None:
        raise MatchNotFound(match_id)
    seats = MatchSeat.objects.filter(match_id=match_id, user_id=user_id)
    bound = seats.filter(Q(is_playing=True) | ~Q(match__status=Match.Status.RUNNING))
    seat = bound.values_list("seat", flat=True).first()
    if seat is None:
        raise MatchNotFound(match_id)
    return Seat(seat)


def place_at(match_id: UUID, user_id: int | None) -> tuple[UUID, Seat | None]:
    """Return the room of a match and the seat that somebody has there; None for whoever may only watch.

    Raises:
        MatchNotFound: there is no such match, or it is not for this person to see.
    """
    try:
        seat = seat_of(match_id, user_id)
    except MatchNotFound:
        return room_to_watch(match_id, user_id).pk, None
    return Match.objects.values_list("room_id", flat=True).get(pk=match_id), seat


def running_match(user_id: int | None) -> Match | None:
    """Return the match that a user is in the middle of, if any."""
    if user_id is None:
        return None
    return Match.objects.filter(status=Match.Status.RUNNING, seats__user_id=user_id, seats__is_playing=True).first()


def anyone_present(match_id: UUID) -> bool:
    """Tell whether a person of the table has an open page of it."""
    return Presence.objects.filter(match_id=match_id, seat__isnull=False, seen_until__gt=timezone.now()).exists()


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits in a seat: the user, or None for a computer player and in a match that was imported."""

    user: User | None
    occupant: Occupant
    connected: bool
    is_imported: bool = False

    def name(self, seat: Seat) -> str:
        """The name to show, in the active language."""
        if self.is_imported:
            return wording.seat_relation(None, seat)
        if self.user is not None:
            return self.user.display_name
        if self.occupant is Occupant.PERSON:
            return gettext("Deleted account")
        return COMPUTER_NAMES[seat]


COMPUTER_NAMES = BySeat("Mari", "Aino", "Luc", "Somchai")


@dataclass(frozen=True, slots=True)
class Company:
    """The people at a table: in the seats, and watching, everybody once.

    ``watchers`` are the first `WATCHERS_NAMED` of them, those with an account before guests; ``more`` are how many more
    have a name, ``visitors`` how many have none.
    """

    people: BySeat[Person]
    watchers: tuple[User, ...]
    more: int
    visitors: int


def company_at(match_id: UUID) -> Company:
    """Return who is at a match's table.

    Raises:
        MatchNotFound: there is no such match.
    """
    watching = Presence.objects.filter(match_id=match_id, seat__isnull=True, seen_until__gt=timezone.now())
    count = watching.aggregate(named=Count("user", distinct=True), visitors=Count("pk", filter=Q(user__isnull=True)))
    named: tuple[User, ...] = ()
    if count["named"]:
        found = User.objects.filter(pk__in=watching.values("user_id")).order_by("is_guest", "username")
        named = tuple(found[:WATCHERS_NAMED])
    return Company(people_at(match_id), named, max(0, count["named"] - len(named)), count["visitors"])


def people_at(match_id: UUID) -> BySeat[Person]:
    """Return who sits where at a match's table; computers are always connected.

    Raises:
        MatchNotFound: there is no such match.
    """
    here = Presence.objects.filter(match_id=match_id, seat__isnull=False, seen_until__gt=timezone.now())
    present = set(here.values_list("seat", flat=True))
    seats = {s.seat: s for s in MatchSeat.objects.filter(match_id=match_id).select_related("user", "match")}
    if len(seats) != 4:
        raise MatchNotFound(match_id)
    return BySeat(*[_person(seats[seat], connected=bool(seats[seat].level) or seat in present) for seat in Seat])


def names_in(seats: Iterable[MatchSeat]) -> BySeat[str]:
    """Return the names of the four seats of a match; the rows' ``user`` and ``match`` are loaded."""
    return BySeat(
        *[_person(row, connected=True).name(Seat(row.seat)) for row in sorted(seats, key=lambda row: row.seat)]
    )


def _person(row: MatchSeat, *, connected: bool) -> Person:
    return Person(row.user, Occupant(row.level or Occupant.PERSON), connected, row.match.is_imported)


@dataclass(frozen=True, slots=True)
class Timing:
    """The clocks of a match: seconds of a turn, since when the seat on turn is asked, seconds of reserve."""

    clock: int | None
    turn_since: datetime | None
    reserves: BySeat[float]


def timing_of(match_id: UUID) -> Timing:
    """Return the clocks of a match as they are stored."""
    clock, turn_since, reserves = Match.objects.values_list("clock", "turn_since", "reserves").get(pk=match_id)
    return Timing(clock, turn_since, BySeat(*reserves))


def room_for(room_id: UUID, user_id: int | None) -> Room:
    """Return a room that somebody may look into; its table may be watched when the room has spectators.

    Everybody may look into a public room, others by its link or an invitation; nobody whom a seated person has blocked.

    Raises:
        RoomNotFound: there is no such room, or it is not for this person to see.
    """
    room = Room.objects.filter(pk=room_id).first()
    if room is None:
        raise RoomNotFound(room_id)
    if user_id is not None and Seating.objects.filter(room=room, user_id=user_id).exists():
        return room
    may_know = room.is_public or (user_id is not None and room.admissions.filter(user_id=user_id).exists())
    if not may_know or is_blocked_by_the_seated(room_id, user_id):
        raise RoomNotFound(room_id)
    return room


def room_to_watch(match_id: UUID, user_id: int | None) -> Room:
    """Return the room of a match that somebody without a seat in it may watch.

    Raises:
        MatchNotFound: there is no such match, or it is not for this person to see.
    """
    room = Room.objects.filter(matches=match_id).first()
    if room is None or user_id not in _watchers_of(room, match_id, {user_id}):
        raise MatchNotFound(match_id)
    return room


def who_may_watch(match_id: UUID, user_ids: Set[int | None]) -> Set[int | None]:
    """Return those of some people, None for a visitor, who may see a match now, with or without a seat in it.

    However many they are, it is the same few queries.
    """
    room = Room.objects.filter(matches=match_id).first()
    if room is None:
        return set()
    players = MatchSeat.objects.filter(match_id=match_id, user__isnull=False)
    bound = players.filter(Q(is_playing=True) | ~Q(match__status=Match.Status.RUNNING))
    return _watchers_of(room, match_id, user_ids) | (user_ids & set(bound.values_list("user_id", flat=True)))


def _watchers_of(room: Room, match_id: UUID, user_ids: Set[int | None]) -> Set[int | None]:
    """Return those of some people who may watch a room's match: who may look into the room, where spectators are
    admitted, and is not blocked by anybody with a seat in the match or the room."""
    if not room.has_spectators:
        return set()
    known = user_ids
    if not room.is_public:
        insiders = {
            *room.seatings.values_list("user_id", flat=True),
            *room.admissions.values_list("user_id", flat=True),
        }
        known = user_ids & (insiders - {None})
    return known - _blocked_by_the_seated(room.pk, match_id)


def is_blocked_by_the_seated(room_id: UUID, user_id: int | None, match_id: UUID | None = None) -> bool:
    """Tell whether somebody with a seat in a room, or in one of its matches, has blocked a user."""
    return user_id is not None and user_id in _blocked_by_the_seated(room_id, match_id)


def _blocked_by_the_seated(room_id: UUID, match_id: UUID | None) -> set[int | None]:
    seated = Q(owner__seating__room_id=room_id)
    if match_id is not None:
        seated |= Q(owner__match_seats__match_id=match_id, owner__match_seats__is_playing=True)
    return set(Relation.objects.filter(seated, kind=Relation.Kind.BLOCK).values_list("other_id", flat=True))


def avoided_by(user_id: int) -> set[int]:
    """Return whom somebody has blocked, or was blocked by."""
    blocks = Relation.objects.filter(Q(owner_id=user_id) | Q(other_id=user_id), kind=Relation.Kind.BLOCK)
    return {pk for pair in blocks.values_list("owner_id", "other_id") for pk in pair} - {user_id}
