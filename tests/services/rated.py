"""Given: rated matches that are over, with scores but without a log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games.engine.seats import Seat, Team
from games.models import Match, MatchSeat, Result, Room, Standing
from games.services import ratings

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def accounts(count: int = 4) -> list[User]:
    known = User.objects.count()
    return [User.objects.create(username=f"rated-{known + number}") for number in range(count)]


def rated_match(
    people: list[User], winner: Team = Team.NORTH_SOUTH, *, minute: int = 0, left: tuple[Seat, ...] = ()
) -> Match:
    """A match of four accounts, North first, that ended so many minutes after `NOON`; booked and not rated yet."""
    room = Room.objects.create(visibility=Room.Visibility.PUBLIC, clock=30, is_rated=True, closed_at=NOON)
    ended_at = NOON + timedelta(minutes=minute)
    match = Match.objects.create(
        room=room, status=Match.Status.WON, is_rated=True, is_booked=True, version=1, ended_at=ended_at
    )
    outcomes = {
        seat: MatchSeat.Outcome.LEFT
        if seat in left
        else MatchSeat.Outcome.WON
        if seat.team is winner
        else MatchSeat.Outcome.LOST
        for seat in Seat
    }
    seats = {
        seat: MatchSeat.objects.create(
            match=match, seat=seat, user=people[seat], person=people[seat].public_id, outcome=outcomes[seat]
        )
        for seat in Seat
    }
    nothing = dict.fromkeys(("deals", "taken", "made", "failed", "capots_made", "capots_suffered", "belotes"), 0)
    for seat in Seat:
        ours, theirs = (1010, 620) if seat.team is winner else (620, 1010)
        Result.objects.create(
            match=match,
            seat=seat,
            person=people[seat].public_id,
            partner=seats[seat.partner],
            ended_at=ended_at,
            outcome=outcomes[seat],
            ours=ours,
            theirs=theirs,
            points=ours,
            is_rated=True,
            **nothing,
        )
    return match


def ranked(people: list[User]) -> None:
    """Let them have played enough rated matches for the leaderboard; the first two have won the most."""
    with transaction.atomic():
        for number in range(32):
            rated_match(people, Team(number % 4 == 3), minute=number)
    ratings.bring_up_to_date()


def stored() -> tuple[dict[tuple[UUID, UUID], tuple[float | None, float | None]], dict[int, tuple[object, ...]]]:
    """All ratings that are stored: those after each match, by match and person, and those of now, by user."""
    after = {(row.match_id, row.person): (row.mu, row.sigma) for row in Result.objects.filter(is_rated=True)}
    fields = ("mu", "sigma", "points", "is_provisional", "matches", "won")
    now = {pk: tuple(values) for pk, *values in Standing.objects.values_list("user_id", *fields)}
    return after, now
