"""A computer that plays for a person: the events of it, which are public, unlike others. `events` has them too."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from games.engine.seats import Seat


class Cause(StrEnum):
    """Why a computer plays for a person's seat."""

    GONE = "gone"
    """It has been without a connection for a minute."""
    IDLE = "idle"
    """Two of its turns in a row ran out."""
    LEFT = "left"
    """It left on purpose, for good."""
    REMOVED = "removed"
    """A moderator has given the seat to the computer, for good."""

    @property
    def is_final(self) -> bool:
        """Whether the seat is never given back."""
        return self in (Cause.LEFT, Cause.REMOVED)


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """A computer makes the move that follows: the seat's time is over, or ``asked_by`` was tired of waiting for it."""

    seat: Seat
    asked_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A computer plays for a person's seat from now on."""

    seat: Seat
    cause: Cause


@dataclass(frozen=True, slots=True)
class SeatGivenBack:
    """The person of a seat plays again."""

    seat: Seat


type StandInEvent = TimeRanOut | SeatTakenOver | SeatGivenBack


class Incident(NamedTuple):
    """Something that befell a seat after the first ``at`` bids and cards of a deal."""

    at: int
    event: StandInEvent
