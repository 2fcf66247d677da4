"""Ratings: a fold of rated results in the order in which the matches ended. Pure; why so, see docs/decisions/0005."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from openskill.models import PlackettLuce

from games.engine.seats import BySeat, Seat, Team

PROVISIONAL_ABOVE = 6.0
"""A rating is provisional while its sigma is larger: for about twenty matches."""

_model = PlackettLuce()


class Rating(NamedTuple):
    """What is believed of a person's strength: a normal distribution."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The number to show: ``1000 + 30 (mu − 3 sigma)``. Everybody begins with 1000; a loss never raises it."""
        return round(1000 + 30 * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """Whether too few matches have been rated for the leaderboard."""
        return self.sigma > PROVISIONAL_ABOVE


START = Rating(_model.mu, _model.sigma)
"""Of whoever has no rated match yet."""


class RatedResult(NamedTuple):
    """The end of a rated match: who sat where, which side won, and who had left."""

    people: BySeat[UUID]
    winner: Team
    left: frozenset[Seat]


def after(before: Mapping[UUID, Rating], result: RatedResult) -> dict[UUID, Rating]:
    """Return the ratings of the four people of a match after it; who is not in ``before`` had `START`.

    When nobody has left, the sides' ratings move as the match went. Otherwise everyone who left falls as if their side
    had lost to the other one as it was before, and nobody else moves.
    """
    old = BySeat(*[before.get(person, START) for person in result.people])
    if not result.left:
        new = _played(old, result.winner)
    else:
        new = old
        for seat in result.left:
            new = new.put(seat, _played(old, seat.team.other)[seat])
    return {result.people[seat]: new[seat] for seat in Seat}


def _played(old: BySeat[Rating], winner: Team) -> BySeat[Rating]:
    seats = [seat for side in (winner, winner.other) for seat in Seat if seat.team is side]
    given = [_model.rating(mu=old[seat].mu, sigma=old[seat].sigma) for seat in seats]
    won, lost = _model.rate([given[:2], given[2:]])
    new = old
    for seat, rating in zip(seats, [*won, *lost], strict=True):
        new = new.put(seat, Rating(rating.mu, rating.sigma))
    return new
