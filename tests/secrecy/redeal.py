"""Logs of a match with other decks that fit everything that a viewer has seen.

`consistent_redeals` puts them in place of those whose seed is not published, and replays each log to prove that it can
have happened. Whatever a viewer is shown must be the same for all of these logs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

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
from games.engine.seats import Seat
from games.engine.state import DealState, MatchState
from games.redeals import Redeals


def consistent_redeals(
    events: Sequence[Event], viewer: Seat | None, rng: random.Random, count: int
) -> list[list[Event]]:
    """Return so many logs that ``viewer`` cannot tell from ``events``; None is whoever has no seat.

    Deals whose seed has been published keep their deck. Each log returned has been replayed through `decide`.

    Raises:
        AssertionError: a redeal does not replay to the same public events.
    """
    rules = next(event.rules for event in events if isinstance(event, MatchStarted))
    published = {event.deal for event in events if isinstance(event, SeedRevealed)}
    last: dict[int, DealState] = {}
    state: MatchState | None = None
    for event in events:
        state = evolve(state, event)
        if state.deal is not None:
            last[state.deal.number] = state.deal
    free = [
        (place, event, Redeals(last[event.deal], viewer, rules))
        for place, event in enumerate(events)
        if isinstance(event, DealStarted) and event.deal not in published
    ]
    redeals = []
    for _ in range(count):
        log = list(events)
        for place, dealt, fitting in free:
            log[place] = replace(dealt, deck=fitting.draw(rng).deck)
        check_replay(log)
        redeals.append(log)
    return redeals


def check_replay(log: Sequence[Event]) -> MatchState:
    """Replay a log through `decide` and return its last state.

    Raises:
        AssertionError: a command gives other events than the log has.
        IllegalCommand: a command is refused.
    """
    state: MatchState | None = None
    place = 0
    while place < len(log):
        if isinstance(log[place], TimeRanOut) and place + 1 == len(log):
            return evolve(state, log[place])  # cut off before the move that follows it
        happened = decide(state, *_command_of(log[place:], state))
        for event, logged in zip(happened, log[place:], strict=False):
            if event != logged:
                raise AssertionError(f"the log has {logged}, the rules give {event}")
            state = evolve(state, event)
            place += 1
    if state is None:
        raise AssertionError("an empty log has no state")
    return state


def _command_of(events: Sequence[Event], state: MatchState | None) -> tuple[Actor, Command]:
    """Return who must have given which command, for a log to go on with these events."""
    match events[0]:
        case MatchStarted(rules, occupants):
            return SERVER, StartMatch(rules, occupants)
        case DealCommitted(_, commitment):
            return SERVER, CommitDeal(commitment)
        case Contributed(seat, deal, bits):
            return seat, Contribute(deal, bits)
        case DealStarted(_, dealer, deck):
            return SERVER, StartDeal(deck, dealer if state is None or state.next_dealer is None else None)
        case BidMade() | CardPlayed() as moved:
            return moved.seat, _move_of(moved)
        case TimeRanOut(seat, asked_by):
            return SERVER, PlayFor(seat, _move_of(events[1]), asked_by)
        case SeatTakenOver(seat, cause):
            return SERVER, TakeOver(seat, cause)
        case SeatGivenBack(seat):
            return SERVER, GiveBack(seat)
        case NextSaid(seat, deal):
            return seat, Next(deal)
        case SeedRevealed(deal, seed):
            return SERVER, RevealSeed(deal, seed)
        case MatchEnded(None):
            return SERVER, EndMatch()
        case DealScored() | DealThrownIn() | MatchEnded():
            raise AssertionError(f"{events[0]} is no event that a command of its own makes")


def _move_of(event: Event) -> Take | Pass | PlayCard:
    match event:
        case CardPlayed(_, card, announcement):
            return PlayCard(card, announcement is not None)
        case BidMade(_, suit):
            return Pass() if suit is None else Take(suit)
    raise AssertionError(f"{event} is no move")
