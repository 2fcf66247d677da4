"""The read side of the leaderboard: accounts whose rating is not provisional any more, the best first."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from accounts.models import User
from games.models import Standing
from games.results import percentage

PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One account on the leaderboard. Who has as many points shares the place."""

    rank: int
    standing: Standing
    is_me: bool

    @property
    def win_rate(self) -> str:
        return percentage(self.standing.won, self.standing.matches)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """One page of the leaderboard, and where its reader stands.

    ``mine`` is the reader's own row when it is on another page, ``my_page``; ``provisional`` the reader's standing
    while it is not ranked yet.
    """

    rows: list[Row]
    page: Page[Standing]
    mine: Row | None
    my_page: int
    provisional: Standing | None


def page_of(number: str | None, user: User | None) -> Leaderboard:
    """Return a page, the first one when there is no such page."""
    page = Paginator(_ranked(), PAGE).get_page(number)
    standings = list(page.object_list)
    own = Standing.objects.filter(user=user).first() if user is not None else None
    rows: list[Row] = []
    for place, standing in enumerate(standings, start=page.start_index()):
        if not rows:
            rank = _better_than(standing) + 1
        elif standing.points < rows[-1].standing.points:
            rank = place
        rows.append(Row(rank, standing, is_me=standing == own))
    mine, my_page = None, 0
    if own is not None and not own.is_provisional and not any(row.is_me for row in rows):
        better = _better_than(own)
        mine = Row(better + 1, own, is_me=True)
        my_page = (better + _ranked().filter(points=own.points, user_id__lt=own.user_id).count()) // PAGE + 1
    return Leaderboard(rows, page, mine, my_page, own if own is not None and own.is_provisional else None)


def rank_of(user: User) -> int | None:
    """Return the place of an account, None when it has none yet."""
    own = _ranked().filter(user=user).first()
    return None if own is None else _better_than(own) + 1


def _ranked() -> QuerySet[Standing]:
    ranked = Standing.objects.filter(is_provisional=False, user__is_active=True)
    return ranked.select_related("user").order_by("-points", "user_id")


def _better_than(standing: Standing) -> int:
    return _ranked().filter(points__gt=standing.points).count()
