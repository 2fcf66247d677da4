"""What became of the matches of a person. Only of matches that are over: nothing here comes from a running one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, QuerySet

from accounts.models import User
from games import codec
from games.engine.events import DealScored
from games.engine.seats import ByTeam, Occupant, Seat
from games.models import GameEvent, Match, MatchSeat
from games.selectors import Person

COUNTED = (MatchSeat.Outcome.WON, MatchSeat.Outcome.LOST, MatchSeat.Outcome.LEFT)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many matches a person has won, lost, and left (which count as lost as well)."""

    won: int
    lost: int
    left: int

    @property
    def played(self) -> int:
        return self.won + self.lost + self.left


@dataclass(frozen=True, slots=True)
class Opposite:
    """Somebody who sat at the same table: a name, and the public id of an account; None for guests and computers."""

    name: str
    public_id: UUID | None


@dataclass(frozen=True, slots=True)
class Result:
    """One match as one of its people remembers it. The scores are None when it ended before a side won."""

    match_id: UUID
    ended_at: datetime
    outcome: MatchSeat.Outcome
    partner: Opposite
    opponents: tuple[Opposite, Opposite]
    ours: int | None
    theirs: int | None


def tally_of(user: User) -> Tally:
    """Count the finished matches of a person."""
    counts = dict(_finished(user).order_by().values_list("outcome").annotate(Count("pk")))
    return Tally(*[counts.get(outcome, 0) for outcome in COUNTED])


def last_results(user: User, count: int = 20) -> list[Result]:
    """Return the newest finished matches of a person, newest first; names are in the active language."""
    own = list(_finished(user).select_related("match").order_by("-match__ended_at")[:count])
    tables: dict[UUID, dict[int, MatchSeat]] = {}
    for seat in MatchSeat.objects.filter(match__in=[seat.match_id for seat in own]).select_related("user"):
        tables.setdefault(seat.match_id, {})[seat.seat] = seat
    scores = final_scores(seat.match_id for seat in own if seat.match.status == Match.Status.WON)
    return [_result(mine, tables[mine.match_id], scores.get(mine.match_id)) for mine in own]


def final_scores(match_ids: Iterable[UUID]) -> dict[UUID, ByTeam[int]]:
    """Return what both sides had written down at the end of each of these matches, which have to be over."""
    totals: dict[UUID, ByTeam[int]] = {}
    scored = GameEvent.objects.filter(match__in=list(match_ids), payload__type="deal_scored")
    for match_id, schema, payload in scored.values_list("match_id", "schema", "payload"):
        event = codec.decode(payload, schema)
        if isinstance(event, DealScored):
            before = totals.get(match_id, ByTeam(0, 0))
            totals[match_id] = ByTeam(before[0] + event.score.scores[0], before[1] + event.score.scores[1])
    return totals


def _finished(user: User) -> QuerySet[MatchSeat]:
    return MatchSeat.objects.filter(user=user, outcome__in=COUNTED, match__ended_at__isnull=False)


def _result(mine: MatchSeat, table: dict[int, MatchSeat], score: ByTeam[int] | None) -> Result:
    seat = Seat(mine.seat)
    return Result(
        match_id=mine.match_id,
        ended_at=mine.match.ended_at,
        outcome=MatchSeat.Outcome(mine.outcome),
        partner=_opposite(table[seat.partner]),
        opponents=(_opposite(table[seat.left]), _opposite(table[seat.right])),
        ours=score[seat.team] if score else None,
        theirs=score[seat.team.other] if score else None,
    )


def _opposite(row: MatchSeat) -> Opposite:
    occupant = Occupant(row.level) if row.level else Occupant.PERSON
    has_page = row.user is not None and not row.user.is_guest
    return Opposite(
        name=Person(row.user, occupant, connected=False).name(Seat(row.seat)),
        public_id=row.user.public_id if row.user is not None and has_page else None,
    )
