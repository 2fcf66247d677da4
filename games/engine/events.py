"""What happened in a match, in the past tense. Only `decide` makes events; replay is a fold of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from games.engine.cards import Card, Suit
from games.engine.dealing import Deck
from games.engine.rules import RuleSet
from games.engine.scoring import DealScore
from games.engine.seats import BySeat, Occupant, Seat, Team
from games.engine.stand_ins import Cause as Cause
from games.engine.stand_ins import SeatGivenBack as SeatGivenBack
from games.engine.stand_ins import SeatTakenOver as SeatTakenOver
from games.engine.stand_ins import TimeRanOut as TimeRanOut


class Announcement(StrEnum):
    """The two words of R5.1."""

    BELOTE = "belote"
    REBELOTE = "rebelote"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match began with these rules and occupants."""

    rules: RuleSet
    occupants: BySeat[Occupant]


@dataclass(frozen=True, slots=True)
class DealCommitted:
    """The server published the SHA-256 of a deal's seed."""

    deal: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Contributed:
    """A seat added 16 random bytes to the deal, after the commitment and before the cards."""

    seat: Seat
    deal: int
    bits: bytes


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal was dealt from this deck. Secret until it has been played: it reaches nobody but through `view`."""

    deal: int
    dealer: Seat
    deck: Deck


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat took a suit, or passed (``suit`` is None)."""

    seat: Seat
    suit: Suit | None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card, with the word it said, if any."""

    seat: Seat
    card: Card
    announcement: Announcement | None = None


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal was played out and scored."""

    deal: int
    score: DealScore


@dataclass(frozen=True, slots=True)
class DealThrownIn:
    """All passed twice (R3.4)."""

    deal: int


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The seed of a deal was published."""

    deal: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class NextSaid:
    """A person is ready for the next deal."""

    seat: Seat
    deal: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: a side won (R7.1), or it is void (``winner`` is None), perhaps since a moderator ended it."""

    winner: Team | None
    by_moderator: bool = False


type Event = (
    MatchStarted
    | DealCommitted
    | Contributed
    | DealStarted
    | BidMade
    | CardPlayed
    | DealScored
    | DealThrownIn
    | SeedRevealed
    | NextSaid
    | TimeRanOut
    | SeatTakenOver
    | SeatGivenBack
    | MatchEnded
)
