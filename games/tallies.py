"""What the deals of a match were for each seat: a fold of its log, for the results of its people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    DealScored,
    DealStarted,
    Event,
    SeatGivenBack,
    SeatTakenOver,
    TimeRanOut,
)
from games.engine.scoring import DealScore, Outcome
from games.engine.seats import BySeat, Seat


@dataclass(frozen=True, slots=True)
class SeatTally:
    """Numbers of one seat over the deals that its person played to the end.

    A deal that a computer ended in the person's place is left out, and so is one that was thrown in or broken off.
    ``points`` are what the side wrote down for these deals; ``taken``, ``made`` and ``failed`` are contracts of the
    seat itself (the rest ended with equal points), ``capots_made`` and ``capots_suffered`` those of its side and of the
    other one, ``belotes`` the seat's own that counted.
    ``late`` are the turns of the seat that ran out, or that others were tired of waiting for, in all deals.
    """

    deals: int = 0
    points: int = 0
    taken: int = 0
    made: int = 0
    failed: int = 0
    capots_made: int = 0
    capots_suffered: int = 0
    belotes: int = 0
    late: int = 0


def tallies_of(events: Iterable[Event]) -> BySeat[SeatTally]:
    """Return the tally of every seat after these events of one match, from its first on."""
    tallies = BySeat(SeatTally(), SeatTally(), SeatTally(), SeatTally())
    away: set[Seat] = set()
    taker: Seat | None = None
    belote: Seat | None = None
    for event in events:
        match event:
            case DealStarted():
                taker = belote = None
            case SeatTakenOver(seat=seat):
                away.add(seat)
            case SeatGivenBack(seat=seat):
                away.discard(seat)
            case TimeRanOut(seat=seat):
                tallies = tallies.put(seat, replace(tallies[seat], late=tallies[seat].late + 1))
            case BidMade(seat, suit) if suit is not None:
                taker = seat
            case CardPlayed(seat, _, Announcement.BELOTE):
                belote = seat
            case DealScored(_, score):
                for seat in Seat:
                    if seat not in away:
                        tallies = tallies.put(seat, _with_deal(tallies[seat], seat, score, taker, belote))
    return tallies


def _with_deal(tally: SeatTally, seat: Seat, score: DealScore, taker: Seat | None, belote: Seat | None) -> SeatTally:
    own = seat is taker
    return replace(
        tally,
        deals=tally.deals + 1,
        points=tally.points + score.scores[seat.team],
        taken=tally.taken + own,
        made=tally.made + (own and score.outcome is Outcome.MADE),
        failed=tally.failed + (own and score.outcome is Outcome.FAILED),
        capots_made=tally.capots_made + (score.capot is seat.team),
        capots_suffered=tally.capots_suffered + (score.capot is seat.team.other),
        belotes=tally.belotes + (seat is belote and score.belote_team is seat.team),
    )
