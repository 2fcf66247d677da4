"""Books what a match that is over was for each of its people, from its log."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from games import codec
from games.engine.events import DealScored
from games.engine.seats import ByTeam, Seat
from games.models import GameEvent, Match, MatchSeat, Result
from games.tallies import tallies_of

COUNTED = (MatchSeat.Outcome.WON, MatchSeat.Outcome.LOST, MatchSeat.Outcome.LEFT)
"""A void match was nothing to anybody, except to whoever had left it before."""


def book(match_id: UUID) -> None:
    """Write the results of a match that is over, once. Inside a transaction."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.is_booked or match.ended_at is None:
        return
    seats = {Seat(row.seat): row for row in MatchSeat.objects.filter(match=match)}
    stored = GameEvent.objects.filter(match=match).order_by("sequence").values_list("schema", "payload")
    events = [codec.decode(payload, schema) for schema, payload in stored]
    tallies = tallies_of(events)
    scores = [event.score.scores for event in events if isinstance(event, DealScored)]
    totals = ByTeam(sum(score[0] for score in scores), sum(score[1] for score in scores))
    is_won = match.status == Match.Status.WON
    Result.objects.bulk_create(
        Result(
            match=match,
            seat=seat,
            person=row.person,
            partner=seats[seat.partner],
            ended_at=match.ended_at,
            outcome=row.outcome,
            ours=totals[seat.team] if is_won else None,
            theirs=totals[seat.team.other] if is_won else None,
            is_rated=match.is_rated and is_won,
            deals=tallies[seat].deals,
            points=tallies[seat].points,
            taken=tallies[seat].taken,
            made=tallies[seat].made,
            failed=tallies[seat].failed,
            capots_made=tallies[seat].capots_made,
            capots_suffered=tallies[seat].capots_suffered,
            belotes=tallies[seat].belotes,
            late=tallies[seat].late,
        )
        for seat, row in seats.items()
        if row.person is not None and row.outcome in COUNTED and match.annulled_at is None
    )
    match.is_booked = True
    match.save(update_fields=["is_booked"])


def missing() -> int:
    """Return how many matches are over and not booked: those that ended before results were kept."""
    return _missing().count()


def book_missing(most: int) -> int:
    """Book matches that are over and not booked yet, the oldest first, at most so many; return how many."""
    keys = list(_missing().order_by("ended_at", "pk").values_list("pk", flat=True)[:most])
    for key in keys:
        with transaction.atomic():
            book(key)
    return len(keys)


def _missing() -> QuerySet[Match]:
    return Match.objects.filter(is_booked=False, ended_at__isnull=False)
