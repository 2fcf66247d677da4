"""Measures what is striking about how people play (`games.hints`), and draws deals whose analysis that needs.

Nothing but matches that are over is read: their results, the analyses of their deals, and of their logs what befell the
seats. Nothing follows from a hint by itself.
"""

from __future__ import annotations

import logging
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import SeenNetwork, User
from belote_site.retention import HINT
from games import analyses as stored_analyses
from games import codec, hints
from games.engine.seats import Seat
from games.models import DealAnalysis, GameEvent, Hint, Match, MatchSeat, Report, Result
from games.services import analyses

logger = logging.getLogger(__name__)

MOST_MATCHES = 200
MOST_DEALS = 300
"""The newest of each; who plays day and night is not to be measured day and night."""

MEASURED_ANEW_AFTER = timedelta(days=1)
"""What grows old, is analysed, reported or annulled is in the numbers after so long."""

RUNS_A_DAY = 24
ATTEMPTS = 3
"""A deal is drawn so many times before one that is analysed already is left at that."""


def measure(most: int) -> int:
    """Measure at most so many of those who have played since they were measured, or were so a day ago; return how many.

    Who was not measured for longest comes first. What a crash cuts off, the next call does.
    """
    now = timezone.now()
    people = _population()
    users = list(_due(now)[:most])
    for user in users:
        _measure(user, now, people)
    return len(users)


def draw_sample() -> int:
    """Have a few deals of finished rated matches analysed, drawn by chance; return how many.

    `settings.HINT_SAMPLE` deals a day, a part of them in each of `RUNS_A_DAY`; none while much waits. Every second one
    is of a match in which somebody sat of whom something is striking, if there is any.
    """
    now = timezone.now()
    drawn = DealAnalysis.objects.filter(is_sample=True, requested_at__gt=now - timedelta(days=1)).count()
    wanted = min(-(-settings.HINT_SAMPLE // RUNS_A_DAY), settings.HINT_SAMPLE - drawn)
    added = 0
    for attempt in range(max(0, wanted) * ATTEMPTS):
        place = (_any_deal(now, of_striking=True) if attempt % 2 else None) or _any_deal(now)
        if place is None:
            break
        added += analyses.add_sample(*place)
        if added == wanted:
            break
    return added


def _due(now: datetime) -> QuerySet[User]:
    results = Result.objects.filter(person=OuterRef("public_id"))
    return User.objects.filter(
        Exists(results.filter(ended_at__gte=now - HINT)),
        Q(hint=None)
        | Q(hint__computed_at__lt=now - MEASURED_ANEW_AFTER)
        | Exists(results.filter(ended_at__gte=OuterRef("hint__computed_at"))),
    ).order_by(F("hint__computed_at").asc(nulls_first=True), "pk")


def _population() -> hints.Population | None:
    enough = Hint.objects.filter(cards__gte=hints.LEAST_CARDS).values_list("better", "worse")
    shares = [hints.Play(better=better, worse=worse).better_share for better, worse in enough]
    return hints.Population.of([share for share in shares if share is not None])


def _measure(user: User, now: datetime, people: hints.Population | None) -> None:
    newest = Result.objects.filter(person=user.public_id, ended_at__gte=now - HINT)
    results = list(newest.select_related("match", "partner").order_by("-ended_at", "-pk")[:MOST_MATCHES])
    table = hints.table(_played(user, results))
    play = hints.total(_plays(results))
    distance = people.distance(play) if people else None
    reporters = _reporters(user, now)
    above = hints.signals(table, play, distance, reporters)
    left = [result.ended_at for result in results if result.outcome == MatchSeat.Outcome.LEFT]
    numbers = {
        **table._asdict(),
        **play._asdict(),
        "computed_at": now,
        "last_left_at": max(left, default=None),
        "distance": distance,
        "reporters": reporters,
        **{f"is_{signal}": signal in above for signal in hints.Signal},
        "striking": len(above),
    }
    with transaction.atomic():
        # Who has gone meanwhile, or joined an account, is not measured.
        if User.objects.select_for_update(no_key=True).filter(pk=user.pk).exists():
            Hint.objects.update_or_create(user=user, defaults=numbers)


def _played(user: User, results: Sequence[Result]) -> Iterator[hints.PlayedMatch]:
    partners = {result.partner.user_id for result in results if result.partner.user_id is not None}
    marks = _marks({user.pk, *partners}, results)
    for result in results:
        shares_network = None
        if result.partner.user_id is not None:
            days = [(marks[user.pk, day], marks[result.partner.user_id, day]) for day in _days(result)]
            known = [mine & theirs for mine, theirs in days if mine and theirs]
            shares_network = any(known) if known else None
        yield hints.PlayedMatch(
            is_rated=result.is_rated,
            has_left=result.outcome == MatchSeat.Outcome.LEFT,
            late=result.late,
            partner=result.partner.person,
            shares_network=shares_network,
        )


def _days(result: Result) -> Iterator[date]:
    """Yield the days on which a match was played, as `accounts.networks` counts them."""
    day = result.match.started_at.date()
    while day <= result.ended_at.date():
        yield day
        day += timedelta(days=1)


def _marks(people: Iterable[int], results: Sequence[Result]) -> defaultdict[tuple[int, date], set[str]]:
    """Return the networks that people were seen in, by person and day."""
    marks: defaultdict[tuple[int, date], set[str]] = defaultdict(set)
    if results:
        first = min(result.match.started_at for result in results).date()
        seen = SeenNetwork.objects.filter(user_id__in=people, day__gte=first)
        for user_id, day, mark in seen.values_list("user_id", "day", "mark"):
            marks[user_id, day].add(mark)
    return marks


def _plays(results: Sequence[Result]) -> Iterator[hints.Play]:
    """Yield how each analysed deal was played, without those in which a computer stood in for the person."""
    seats = {result.match_id: Seat(result.seat) for result in results}
    analysed = DealAnalysis.objects.filter(match_id__in=seats, status=DealAnalysis.Status.DONE)
    rows = list(analysed.order_by("-finished_at").values_list("match_id", "deal", "moves")[:MOST_DEALS])
    computers = _seats_with_computers({match_id for match_id, _, _ in rows})
    for match_id, deal, moves in rows:
        if match_id in computers and seats[match_id] not in computers[match_id].get(deal, ()):
            yield hints.play(stored_analyses.moves_in(moves), seats[match_id])


def _seats_with_computers(matches: Iterable[UUID]) -> dict[UUID, dict[int, set[Seat]]]:
    """Return what `hints.seats_with_computers` does, by match; a match whose log is damaged is left out."""
    types = ("deal_started", "time_ran_out", "seat_taken_over", "seat_given_back")
    rows = GameEvent.objects.filter(match_id__in=matches, payload__type__in=types).order_by("match_id", "sequence")
    found = {}
    for match_id, log in groupby(rows.values_list("match_id", "schema", "payload"), key=itemgetter(0)):
        try:
            found[match_id] = hints.seats_with_computers(codec.decode(payload, schema) for _, schema, payload in log)
        except ValueError:
            logger.error("the analyses of match %s are not counted: its log is damaged", match_id)
    return found


def _reporters(user: User, now: datetime) -> int:
    """Return how many people have reported somebody, without reports that staff found nothing in."""
    reports = Report.objects.filter(reported=user, created_at__gte=now - HINT)
    counted = reports.exclude(resolution=Report.Resolution.NOTHING).aggregate(people=Count("reporter", distinct=True))
    return int(counted["people"])


def _any_deal(now: datetime, *, of_striking: bool = False) -> tuple[UUID, int] | None:
    """Return a deal that was played out, each rated match of the period being as likely; None without any."""
    rated = Match.objects.filter(is_rated=True, status=Match.Status.WON, annulled_at=None, ended_at__gte=now - HINT)
    if of_striking:
        seats = MatchSeat.objects.filter(match=OuterRef("pk"), user__hint__striking__gt=0)
        rated = rated.filter(Exists(seats))
    count = rated.count()
    if not count:
        return None
    place = secrets.randbelow(count)
    match_id = rated.order_by("ended_at", "pk").values_list("pk", flat=True)[place]
    scored = GameEvent.objects.filter(match_id=match_id, payload__type="deal_scored")
    deals = list(scored.values_list("payload__deal", flat=True))
    return (match_id, secrets.choice(deals)) if deals else None
