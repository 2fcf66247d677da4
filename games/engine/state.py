"""The state of a match: what a fold of its events gives. It holds every hand and leaves the server only by `view`."""

from __future__ import annotations

from typing import NamedTuple

from games.engine.auction import Bid
from games.engine.cards import Card, Mask, Suit
from games.engine.dealing import Deck
from games.engine.play import Trick, WonTrick
from games.engine.rules import Phase, RuleSet
from games.engine.scoring import DealResult
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team
from games.engine.shuffle import NO_CONTRIBUTIONS, Contributions
from games.engine.stand_ins import Cause, Incident


class DealState(NamedTuple):
    """The running deal, or the last one while its summary is shown.

    ``hands`` are what each seat still holds; ``belote_seat`` is the seat that has said belote and ``belote_cards``
    the cards it said its words with (R5.1); ``card_points`` leave out the last-trick bonus.
    """

    number: int
    dealer: Seat
    deck: Deck
    hands: BySeat[Mask]
    bids: tuple[Bid, ...]
    taker: Seat | None
    trump: Suit | None
    turn: Seat | None
    trick: Trick
    tricks: tuple[WonTrick, ...]
    card_points: ByTeam[int]
    belote_seat: Seat | None
    belote_cards: tuple[Card, ...]

    @property
    def turn_up(self) -> Card:
        """The turned card (R2.2)."""
        return self.deck[20]

    @property
    def moves(self) -> int:
        """How many bids have been made and cards played."""
        return len(self.bids) + 4 * len(self.tricks) + len(self.trick.cards)


class MatchState(NamedTuple):
    """A match after ``version`` events.

    ``commitment`` and ``contributions`` are those of the deal ``deal_number``.
    ``stand_ins`` tell for whom a computer plays and why, ``lapses`` how many turns in a row a seat has let run out;
    ``incidents`` belong to the deal shown and the time until the next one.
    """

    version: int
    rules: RuleSet
    occupants: BySeat[Occupant]
    phase: Phase
    totals: ByTeam[int]
    held: int
    deal_number: int
    next_dealer: Seat | None
    commitment: bytes
    deal: DealState | None
    results: tuple[DealResult, ...]
    next_said: frozenset[Seat]
    winner: Team | None
    stand_ins: BySeat[Cause | None] = BySeat(None, None, None, None)
    lapses: BySeat[int] = BySeat(0, 0, 0, 0)
    incidents: tuple[Incident, ...] = ()
    contributions: Contributions = NO_CONTRIBUTIONS
    ended_by_moderator: bool = False

    @property
    def turn(self) -> Seat | None:
        """The seat that must bid or play, if any."""
        return self.deal.turn if self.deal is not None else None

    def acting(self, seat: Seat) -> Occupant:
        """Return who plays a seat now: a normal computer while a person is stood in for, else the occupant."""
        return self.occupants[seat] if self.stand_ins[seat] is None else Occupant.NORMAL
