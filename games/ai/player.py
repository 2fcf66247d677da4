"""What a computer player is, and the levels that can be seated (R9)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from games.ai.easy import Easy
from games.ai.hard import Hard
from games.ai.normal import Normal
from games.ai.weights import load_weights
from games.engine.commands import Pass, PlayCard, Take
from games.engine.seats import Occupant
from games.engine.view import TableView


class ComputerPlayer(Protocol):
    """Answers for a seat, from the view of that seat alone (R9.1).

    An answer is a function of the view: the same view always gets the same one, and nothing is remembered. Where the
    room leaves the words to the player (R5.2) a computer always announces.
    """

    def choose(self, view: TableView) -> Take | Pass | PlayCard:
        """Return a legal bid or card for the seat on turn.

        Raises:
            ValueError: it is not the viewer's turn to bid or to play.
        """
        ...


LIVE_CEILING = 0.25
"""Seconds that hard may think at a table with people."""

_NORMAL = Normal(load_weights())

PLAYERS: Mapping[Occupant, ComputerPlayer] = MappingProxyType(
    {Occupant.EASY: Easy(), Occupant.NORMAL: _NORMAL, Occupant.HARD: Hard(_NORMAL)}
)
"""The levels that can be seated, weakest first; none of them looks at a clock."""

LIVE_PLAYERS: Mapping[Occupant, ComputerPlayer] = MappingProxyType(
    {**PLAYERS, Occupant.HARD: Hard(_NORMAL, LIVE_CEILING)}
)
"""The levels as they play at tables: hard makes do with the worlds that it has looked at when its time is over."""
