"""From a log back to the commands that made it: each event of it is made anew by `decide`.

A log that somebody else wrote is never folded as it stands. What it claims is asked for again, and the state goes on
with what the rules give.
"""

from __future__ import annotations

from collections import deque

from games.engine.cards import cards_in
from games.engine.commands import (
    Command,
    CommitDeal,
    Contribute,
    EndMatch,
    GiveBack,
    Next,
    Pass,
    PlayCard,
    PlayFor,
    RevealSeed,
    ServerCommand,
    StartDeal,
    StartMatch,
    Take,
    TakeOver,
)
from games.engine.decide import SERVER, Actor, decide
from games.engine.events import (
    BidMade,
    CardPlayed,
    Contributed,
    DealCommitted,
    DealScored,
    DealStarted,
    DealThrownIn,
    Event,
    MatchEnded,
    MatchStarted,
    NextSaid,
    SeatGivenBack,
    SeatTakenOver,
    SeedRevealed,
    TimeRanOut,
)
from games.engine.evolve import evolve
from games.engine.play import legal_cards
from games.engine.seats import Seat
from games.engine.stand_ins import StandInEvent
from games.engine.state import MatchState


class OutOfPlace(ValueError):
    """An event that no command can have made at this place of a log."""


class Retracing:
    """Walks along a log. ``state`` is that after the events so far, None before the first."""

    def __init__(self) -> None:
        self.state: MatchState | None = None
        self.due: deque[Event] = deque()
        """What still follows from the last command."""
        self._played_for: Seat | None = None

    def step(self, event: Event) -> Event:
        """Return the event that the rules give where the log has ``event``, and go on with it.

        Raises:
            IllegalCommand: the rules refuse what ``event`` says was done; nothing has changed.
            OutOfPlace: such an event only follows from others, and here it does not.
        """
        if not self.due:
            self.due.extend(self._made(event))
        given = self.due.popleft()
        self._played_for = given.seat if isinstance(given, TimeRanOut) else None
        self.state = evolve(self.state, given)
        return given

    def _made(self, event: Event) -> tuple[Event, ...]:
        seat = self._played_for
        if seat is not None and not (isinstance(event, BidMade | CardPlayed) and event.seat is seat):
            raise OutOfPlace(f"the computer's move for {seat.name.title()} has to follow")
        made = decide(self.state, *_command_of(event, self.state))
        # Which move it was is the next event's to say, and to be refused for.
        return made[:1] if isinstance(event, TimeRanOut) else made


def _command_of(event: Event, state: MatchState | None) -> tuple[Actor, Command]:
    """Return who must have given which command, for a log to go on with this event."""
    match event:
        case BidMade(seat, suit):
            return seat, Pass() if suit is None else Take(suit)
        case CardPlayed(seat, card, announcement):
            return seat, PlayCard(card, announcement is not None)
        case NextSaid(seat, deal):
            return seat, Next(deal)
        case Contributed(seat, deal, bits):
            return seat, Contribute(deal, bits)
        case DealScored():
            raise OutOfPlace("a deal is scored that has not been played out")
        case DealThrownIn():
            raise OutOfPlace("a deal is thrown in although not every seat has passed twice (R3.4)")
        case MatchEnded(winner) if winner is not None:
            raise OutOfPlace("the match is won although no side has reached the target ahead of the other (R7.1)")
    return SERVER, _servers_command(event, state)


def _servers_command(
    event: MatchStarted | DealCommitted | DealStarted | StandInEvent | SeedRevealed | MatchEnded,
    state: MatchState | None,
) -> ServerCommand:
    match event:
        case MatchStarted(rules, occupants):
            return StartMatch(rules, occupants)
        case DealCommitted(_, commitment):
            return CommitDeal(commitment)
        case DealStarted(_, dealer, deck):
            return StartDeal(deck, dealer if state is None or state.next_dealer is None else None)
        case TimeRanOut(seat, asked_by):
            return PlayFor(seat, _any_move(state, seat), asked_by)
        case SeatTakenOver(seat, cause):
            return TakeOver(seat, cause)
        case SeatGivenBack(seat):
            return GiveBack(seat)
        case SeedRevealed(deal, seed):
            return RevealSeed(deal, seed)
        case MatchEnded(_, by_moderator):
            return EndMatch(by_moderator)


def _any_move(state: MatchState | None, seat: Seat) -> Pass | PlayCard:
    if state is None or state.deal is None or state.deal.trump is None or state.turn is not seat:
        return Pass()
    deal = state.deal
    legal = legal_cards(deal.hands[seat], deal.trick, state.deal.trump, seat, state.rules)
    return PlayCard(next(cards_in(legal)))
