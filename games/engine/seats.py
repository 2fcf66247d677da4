"""Seats and teams. The only place that knows the direction of play (R1.1, R2.1)."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import NamedTuple


class Team(IntEnum):
    """The two partnerships (R1.1)."""

    NORTH_SOUTH = 0
    EAST_WEST = 1

    @property
    def other(self) -> Team:
        """The opponents."""
        return _TEAMS[1 - self]


class Seat(IntEnum):
    """The four seats, clockwise."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def left(self) -> Seat:
        """The next seat to play: play runs clockwise (R2.1)."""
        return _SEATS[self + 1 & 3]

    @property
    def partner(self) -> Seat:
        """The seat across."""
        return _SEATS[self + 2 & 3]

    @property
    def right(self) -> Seat:
        """The seat that plays just before this one."""
        return _SEATS[self + 3 & 3]

    @property
    def team(self) -> Team:
        """The partnership of the seat."""
        return _TEAMS[self & 1]

    def after(self, steps: int) -> Seat:
        """The seat that plays so many turns after this one."""
        return _SEATS[self + steps & 3]

    def order(self) -> tuple[Seat, Seat, Seat, Seat]:
        """The four seats in order of play, this one first."""
        return _ORDERS[self]


_TEAMS = tuple(Team)
_SEATS = tuple(Seat)
_ORDERS = tuple((seat, seat.left, seat.partner, seat.right) for seat in Seat)


class Occupant(StrEnum):
    """Who plays a seat: a person, or a computer player of a level (R9)."""

    PERSON = "person"
    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class BySeat[T](NamedTuple):
    """One value for each seat, indexed by `Seat`."""

    north: T
    east: T
    south: T
    west: T

    def put(self, seat: Seat, value: T) -> BySeat[T]:
        """Return a copy with another value at one seat."""
        values = list(self)
        values[seat] = value
        return BySeat(*values)


class ByTeam[T](NamedTuple):
    """One value for each team, indexed by `Team`."""

    north_south: T
    east_west: T

    def put(self, team: Team, value: T) -> ByTeam[T]:
        """Return a copy with another value for one team."""
        return ByTeam(value, self[1]) if team == 0 else ByTeam(self[0], value)
