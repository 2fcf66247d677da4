"""Ratings of accounts: kept with the results, brought up to date by one writer at a time, in order of the ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import batched
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.engine.seats import BySeat, Seat
from games.models import Ladder, Match, MatchSeat, Result, Standing
from games.ratings import START, RatedResult, Rating, after

BATCH = 500

type Place = tuple[datetime, UUID]
"""Where a match stands among the rated ones: when it ended, and its id for those that ended together."""


def bring_up_to_date() -> int:
    """Rate what is booked as rated and is not yet, in order of the ends; return how many matches were rated.

    One that comes late takes its place, and those after it are rated anew. What a crash cuts off, the next call does.
    """
    waiting = Result.objects.filter(is_rated=True, mu__isnull=True).order_by("ended_at", "match_id")
    if not waiting.exists():
        return 0
    with transaction.atomic():
        _take_turns()
        first = waiting.values_list("ended_at", "match_id").first()
        return 0 if first is None else _rate_from(first)


def annul(match_id: UUID) -> None:
    """Let a match that is over count nowhere, as if it had never been played; nothing when that is so already.

    Raises:
        ValueError: it is still played.
        Match.DoesNotExist: there is no such match.
    """
    with transaction.atomic():
        _take_turns()
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.ended_at is None:
            raise ValueError("a running match cannot be annulled: end it first")
        if match.annulled_at is not None:
            return
        match.annulled_at = timezone.now()
        match.save(update_fields=["annulled_at"])
        results = Result.objects.filter(match=match)
        rated = set(results.filter(is_rated=True).values_list("person", flat=True))
        results.delete()
        if rated:
            _rate_from((match.ended_at, match.pk), rated)


def _take_turns() -> None:
    """Wait until nobody else works out ratings, and keep others waiting to the end of the transaction."""
    Ladder.objects.select_for_update().get_or_create(pk=1)


def _rate_from(place: Place, people: set[UUID] | None = None) -> int:
    """Rate all matches from a place on, and bring the standings of their people, and of these others, up to date."""
    known: dict[UUID, Rating] = {person: _rating_before(person, place) for person in people or ()}
    count = 0
    later = _rated_from(place)
    while rows := list(later[: BATCH * len(Seat)]):
        for of_one_match in batched(rows, len(Seat)):
            for row in of_one_match:
                if row.person not in known:
                    known[row.person] = _rating_before(row.person, place)
            known |= after(known, _rated_result(of_one_match))
            for row in of_one_match:
                row.mu, row.sigma = known[row.person]
            count += 1
        # All of these rows are there: an insert that updates them takes a tenth of the time of an update by cases.
        Result.objects.bulk_create(rows, update_conflicts=True, unique_fields=["pk"], update_fields=["mu", "sigma"])
        last = rows[-1]
        later = _rated_from((last.ended_at, last.match_id)).exclude(match_id=last.match_id)
    _write_standings(known)
    return count


def _rated_from(place: Place) -> QuerySet[Result]:
    """Return the rated results from a place on, in order: four of each match."""
    ended_at, match_id = place
    later = Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, match_id__gte=match_id)
    return Result.objects.filter(later, is_rated=True).order_by("ended_at", "match_id", "seat")


def _rated_result(rows: Sequence[Result]) -> RatedResult:
    first = rows[0]
    if first.ours is None or first.theirs is None or [row.match_id for row in rows] != [first.match_id] * len(Seat):
        raise ValueError(f"match {first.match_id} is rated and has not four results with a score")
    side = Seat(first.seat).team
    return RatedResult(
        people=BySeat(*[row.person for row in rows]),
        winner=side if first.ours > first.theirs else side.other,
        left=frozenset(Seat(row.seat) for row in rows if row.outcome == MatchSeat.Outcome.LEFT),
    )


def _rating_before(person: UUID, place: Place) -> Rating:
    ended_at, match_id = place
    earlier = Q(ended_at__lt=ended_at) | Q(ended_at=ended_at, match_id__lt=match_id)
    row = _rated_results_of([person]).filter(earlier).order_by("-ended_at", "-match_id").first()
    return START if row is None or row.mu is None or row.sigma is None else Rating(row.mu, row.sigma)


def _rated_results_of(people: list[UUID]) -> QuerySet[Result]:
    return Result.objects.filter(person__in=people, is_rated=True)


def _write_standings(ratings: dict[UUID, Rating]) -> None:
    """Say where these people stand now. Who has been deleted stands nowhere; nor does who has no rated match left."""
    people = list(ratings)
    for batch in (people[start : start + BATCH] for start in range(0, len(people), BATCH)):
        users = dict(User.objects.filter(public_id__in=batch).values_list("public_id", "pk"))
        won = Count("pk", filter=Q(outcome=MatchSeat.Outcome.WON))
        counts = _rated_results_of(batch).values("person").annotate(matches=Count("pk"), won=won)
        rated = {row["person"]: row for row in counts if row["person"] in users}
        gone = [pk for person, pk in users.items() if person not in rated]
        Standing.objects.filter(user__in=gone).delete()
        Standing.objects.bulk_create(
            (
                Standing(
                    user_id=users[person],
                    mu=ratings[person].mu,
                    sigma=ratings[person].sigma,
                    points=ratings[person].points,
                    is_provisional=ratings[person].is_provisional,
                    matches=row["matches"],
                    won=row["won"],
                )
                for person, row in rated.items()
            ),
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["mu", "sigma", "points", "is_provisional", "matches", "won"],
        )
