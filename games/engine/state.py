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


class MatchState(NamedTuple):
    """A match after ``version`` events."""

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

    @property
    def turn(self) -> Seat | None:
        """The seat that must bid or play, if any."""
        return self.deal.turn if self.deal is not None else None
