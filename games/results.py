"""What became of the matches of a person. Only of matches that are over: nothing here comes from a running one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Avg, Count, Q, QuerySet, Sum
from django.utils.translation import gettext

from accounts.models import User
from games import codec
from games.engine.events import DealScored
from games.engine.seats import ByTeam, Occupant, Seat
from games.models import GameEvent, MatchSeat, Result
from games.ratings import Rating
from games.selectors import Person

_WON = Q(outcome=MatchSeat.Outcome.WON)


@dataclass(frozen=True, slots=True)
class Statistics:
    """All matches of a person in numbers. A match that was left counts as lost as well; averages are None without any.

    The others are the sums of `games.tallies.SeatTally`.
    """

    won: int
    lost: int
    left: int
    match_average: float | None
    deals: int
    points: int
    taken: int
    made: int
    failed: int
    capots_made: int
    capots_suffered: int
    belotes: int

    @property
    def played(self) -> int:
        return self.won + self.lost + self.left

    @property
    def win_rate(self) -> str:
        return percentage(self.won, self.played)

    @property
    def taken_rate(self) -> str:
        return percentage(self.taken, self.deals)

    @property
    def made_rate(self) -> str:
        return percentage(self.made, self.taken)

    @property
    def failed_rate(self) -> str:
        return percentage(self.failed, self.taken)

    @property
    def deal_average(self) -> float | None:
        return self.points / self.deals if self.deals else None


@dataclass(frozen=True, slots=True)
class Opposite:
    """Somebody who sat at the same table: a name, and the public id of an account; None for guests and computers."""

    name: str
    public_id: UUID | None


@dataclass(frozen=True, slots=True)
class Partner:
    """One account that somebody has played with, or all guests, all computers, all deleted accounts together."""

    who: Opposite
    matches: int
    won: int

    @property
    def win_rate(self) -> str:
        return percentage(self.won, self.matches)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match as one of its people remembers it. The scores are None when it ended before a side won; ``rating`` is
    the one after it, None when it was not rated."""

    match_id: UUID
    ended_at: datetime
    outcome: MatchSeat.Outcome
    partner: Opposite
    opponents: tuple[Opposite, Opposite]
    ours: int | None
    theirs: int | None
    is_rated: bool
    rating: Rating | None


def percentage(part: int, whole: int) -> str:
    """Return a share in words, '' of nothing."""
    if not whole:
        return ""
    # Translators: a share, as in "54%"; some languages put a space before the sign.
    return gettext("%(number)d%%") % {"number": round(100 * part / whole)}


def statistics_of(user: User) -> Statistics:
    """Add up the finished matches of a person."""
    outcomes = {
        outcome.value: Count("pk", filter=Q(outcome=outcome))
        for outcome in (MatchSeat.Outcome.WON, MatchSeat.Outcome.LOST, MatchSeat.Outcome.LEFT)
    }
    names = ("deals", "points", "taken", "made", "failed", "capots_made", "capots_suffered", "belotes")
    sums = {f"sum_{name}": Sum(name, default=0) for name in names}
    found = _of(user).aggregate(**outcomes, match_average=Avg("ours"), **sums)
    return Statistics(**{name.removeprefix("sum_"): value for name, value in found.items()})


def partners_of(user: User, count: int = 10) -> list[Partner]:
    """Return whom a person has played most of their matches with: the first accounts, then all guests, computers and
    deleted accounts, each kind as one; names are in the active language."""
    rows = list(
        _of(user)
        .values("partner__user_id", "partner__user__is_guest", "partner__level")
        .annotate(matches=Count("pk"), won=Count("pk", filter=_WON))
        .order_by("-matches", "-won", "partner__user_id")
    )
    accounts = [row for row in rows if row["partner__user__is_guest"] is False]
    users = User.objects.in_bulk([row["partner__user_id"] for row in accounts[:count]])
    partners = [
        Partner(_account(users[row["partner__user_id"]]), row["matches"], row["won"]) for row in accounts[:count]
    ]
    kinds = {
        gettext("Guests"): [row for row in rows if row["partner__user__is_guest"]],
        gettext("Computers"): [row for row in rows if row["partner__level"]],
        gettext("Deleted accounts"): [
            row for row in rows if row["partner__user_id"] is None and not row["partner__level"]
        ],
    }
    for name, of_kind in kinds.items():
        if of_kind:
            matches, won = (sum(row[field] for row in of_kind) for field in ("matches", "won"))
            partners.append(Partner(Opposite(name, None), matches, won))
    return partners


def last_results(user: User, count: int = 20) -> list[MatchResult]:
    """Return the newest finished matches of a person, newest first; names are in the active language."""
    own = list(_of(user).order_by("-ended_at", "-pk")[:count])
    tables: dict[UUID, dict[int, MatchSeat]] = {}
    for seat in MatchSeat.objects.filter(match__in=[row.match_id for row in own]).select_related("user"):
        tables.setdefault(seat.match_id, {})[seat.seat] = seat
    return [_result(row, tables[row.match_id]) for row in own]


def ratings_of(user: User, count: int = 50) -> list[tuple[datetime, Rating]]:
    """Return the rating of a person after each of their newest rated matches, oldest first."""
    rated = _of(user).filter(is_rated=True, mu__isnull=False).order_by("-ended_at", "-match_id")
    newest = list(rated.values_list("ended_at", "mu", "sigma")[:count])
    return [(ended_at, Rating(mu, sigma)) for ended_at, mu, sigma in reversed(newest)]


def form_of(user: User, count: int = 30) -> list[tuple[datetime, MatchSeat.Outcome]]:
    """Return how the newest matches of a person ended, oldest first."""
    newest = list(_of(user).order_by("-ended_at", "-pk").values_list("ended_at", "outcome")[:count])
    return [(ended_at, MatchSeat.Outcome(outcome)) for ended_at, outcome in reversed(newest)]


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


def _of(user: User) -> QuerySet[Result]:
    return Result.objects.filter(person=user.public_id)


def _result(mine: Result, table: dict[int, MatchSeat]) -> MatchResult:
    seat = Seat(mine.seat)
    return MatchResult(
        match_id=mine.match_id,
        ended_at=mine.ended_at,
        outcome=MatchSeat.Outcome(mine.outcome),
        partner=_opposite(table[seat.partner]),
        opponents=(_opposite(table[seat.left]), _opposite(table[seat.right])),
        ours=mine.ours,
        theirs=mine.theirs,
        is_rated=mine.is_rated,
        rating=None if mine.mu is None or mine.sigma is None else Rating(mine.mu, mine.sigma),
    )


def _opposite(row: MatchSeat) -> Opposite:
    if row.user is not None:
        return _account(row.user)
    occupant = Occupant(row.level) if row.level else Occupant.PERSON
    return Opposite(Person(None, occupant, connected=False).name(Seat(row.seat)), None)


def _account(user: User) -> Opposite:
    has_page = user.is_active and not user.is_guest
    return Opposite(user.display_name, user.public_id if has_page else None)
