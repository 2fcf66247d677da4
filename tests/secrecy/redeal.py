"""Logs of a match with other decks that fit everything that a viewer has seen.

`consistent_redeals` puts them in place of those whose seed is not published, and replays each log to prove that it can
have happened. Whatever a viewer is shown must be the same for all of these logs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from games.engine.events import DealStarted, Event, MatchStarted, SeedRevealed
from games.engine.evolve import evolve
from games.engine.retrace import Retracing
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
    retracing = Retracing()
    for event in log:
        given = retracing.step(event)
        if given != event:
            raise AssertionError(f"the log has {event}, the rules give {given}")
    if retracing.state is None:
        raise AssertionError("an empty log has no state")
    return retracing.state
