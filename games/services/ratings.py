"""Ratings of accounts: kept with the results, brought up to date by one writer at a time, in order of the ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import batched
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from games.engine.seats import BySeat, Seat
from games.models import Ladder, Match, MatchSeat, Result, Standing
from games.ratings import START, RatedResult, Rating, after

match_annulled = Signal()
"""Sent inside the transaction in which a match is annulled, with ``match_id``: those after it have to be rated anew."""

BATCH = 200
"""So many matches are rated in one transaction: a fold of years must not keep the tables waiting."""

type Place = tuple[datetime, UUID]
"""Where a match stands among the rated ones: when it ended, and its id for those that ended together."""


def bring_up_to_date() -> int:
    """Rate what is booked as rated and is not yet, in order of the ends; return how many matches were rated.

    One that comes late takes its place, and those after it are rated anew. What a crash cuts off, the next call does.
    """
    count = 0
    while rated := _rate_some():
        count += rated
    return count


def annul(match_id: UUID) -> bool:
    """Let a match that is over count nowhere, as if it had never been played; tell whether it counted before.

    What was rated after it is not rated any more, and soon will be anew.

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
            return False
        match.annulled_at = timezone.now()
        match.save(update_fields=["annulled_at"])
        results = Result.objects.filter(match=match)
        people = set(results.filter(is_rated=True).values_list("person", flat=True))
        results.delete()
        if people:
            _forget_from((match.ended_at, match.pk))
            _write_standings(dict.fromkeys(people, START) | _newest_ratings(people))
        match_annulled.send(Match, match_id=match_id)
    return True


def _take_turns() -> None:
    """Wait until nobody else works out ratings, and keep others waiting to the end of the transaction."""
    Ladder.objects.select_for_update().get_or_create(pk=1)


def _rate_some() -> int:
    """Rate the first `BATCH` matches that are not rated; return how many there were."""
    waiting = Result.objects.filter(is_rated=True, mu__isnull=True).order_by("ended_at", "match_id", "seat")
    if not waiting.exists():
        return 0
    with transaction.atomic():
        _take_turns()
        place = waiting.values_list("ended_at", "match_id").first()
        if place is None:
            return 0
        _forget_from(place)
        # Four of each match, and nothing that is rated among or after them. What came in before them just now is next.
        rows = list(waiting.filter(_from(place))[: BATCH * len(Seat)])
        known = _newest_ratings({row.person for row in rows})
        for of_one_match in batched(rows, len(Seat)):
            known |= after(known, _rated_result(of_one_match))
            for row in of_one_match:
                row.mu, row.sigma = known[row.person]
        # All of these rows are there: an insert that updates them takes a tenth of the time of an update by cases.
        Result.objects.bulk_create(rows, update_conflicts=True, unique_fields=["pk"], update_fields=["mu", "sigma"])
        _write_standings(known)
    return len(rows) // len(Seat)


def _forget_from(place: Place) -> None:
    """Let nothing be rated from a place on."""
    Result.objects.filter(_from(place), is_rated=True, mu__isnull=False).update(mu=None, sigma=None)


def _from(place: Place) -> Q:
    ended_at, match_id = place
    return Q(ended_at__gt=ended_at) | Q(ended_at=ended_at, match_id__gte=match_id)


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


def _newest_ratings(people: set[UUID]) -> dict[UUID, Rating]:
    """Return the rating after the last rated match of each of these people who has one."""
    newest = Window(RowNumber(), partition_by="person", order_by=[F("ended_at").desc(), F("match_id").desc()])
    rated = Result.objects.filter(person__in=people, is_rated=True, mu__isnull=False).annotate(age=newest)
    found = rated.filter(age=1).values_list("person", "mu", "sigma")
    return {person: Rating(mu, sigma) for person, mu, sigma in found if mu is not None and sigma is not None}


def _write_standings(ratings: dict[UUID, Rating]) -> None:
    """Say where these people stand now. Who has been deleted stands nowhere; nor does who has no rated match left."""
    users = dict(User.objects.filter(public_id__in=ratings).values_list("public_id", "pk"))
    won = Count("pk", filter=Q(outcome=MatchSeat.Outcome.WON))
    counts = (
        Result.objects.filter(person__in=ratings, is_rated=True).values("person").annotate(matches=Count("pk"), won=won)
    )
    rated = {row["person"]: row for row in counts if row["person"] in users}
    Standing.objects.filter(user__in=[pk for person, pk in users.items() if person not in rated]).delete()
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
