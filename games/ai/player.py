"""What a computer player is, and the levels that can be seated (R9)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from games.ai.easy import Easy
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


PLAYERS: Mapping[Occupant, ComputerPlayer] = MappingProxyType(
    {Occupant.EASY: Easy(), Occupant.NORMAL: Normal(load_weights())}
)
"""The levels that can be seated."""
