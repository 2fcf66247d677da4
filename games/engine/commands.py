"""What a seat or the server may ask for. A command holds all the randomness that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine.cards import Card, Suit
from games.engine.dealing import Deck
from games.engine.events import Cause
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.shuffle import CONTRIBUTION_BYTES as CONTRIBUTION_BYTES


@dataclass(frozen=True, slots=True)
class Take:
    """A seat takes a suit as trump (R3.1, R3.2)."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat passes (R3.1, R3.2)."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A seat plays a card; ``announce`` says the belote or rebelote with it (R5.2)."""

    card: Card
    announce: bool = False


@dataclass(frozen=True, slots=True)
class Next:
    """A person has seen the summary of a deal and is ready for the next one."""

    deal: int


@dataclass(frozen=True, slots=True)
class Contribute:
    """A person's browser adds 16 random bytes to a deal that is committed to and not dealt yet."""

    deal: int
    bits: bytes


@dataclass(frozen=True, slots=True)
class StartMatch:
    """The server starts a match with these rules and occupants."""

    rules: RuleSet
    occupants: BySeat[Occupant]


@dataclass(frozen=True, slots=True)
class CommitDeal:
    """The server binds itself to the seed of the next deal by its SHA-256."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class StartDeal:
    """The server deals. ``first_dealer`` is drawn for the first deal of a match and None afterwards (R2.5)."""

    deck: Deck
    first_dealer: Seat | None = None


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """The server publishes the seed of a deal: after its score, or after the match when it was never played out."""

    deal: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class PlayFor:
    """The server makes one move for a person whose turn lasts too long; ``asked_by`` has asked for it, if anyone."""

    seat: Seat
    move: Take | Pass | PlayCard
    asked_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class TakeOver:
    """The server lets a computer play for a person's seat until it is given back, for good when the cause is final."""

    seat: Seat
    cause: Cause


@dataclass(frozen=True, slots=True)
class GiveBack:
    """The server gives a seat back to its person."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The server ends a match that nobody will finish, or that a moderator does not let go on; it is void."""

    by_moderator: bool = False


type SeatCommand = Take | Pass | PlayCard | Next | Contribute
type ServerCommand = StartMatch | CommitDeal | StartDeal | RevealSeed | PlayFor | TakeOver | GiveBack | EndMatch
type Command = SeatCommand | ServerCommand
