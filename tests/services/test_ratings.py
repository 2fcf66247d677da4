"""Ratings are stored with the results, in order of the ends, whatever comes late, twice, at once or is annulled."""

from __future__ import annotations

import threading
from uuid import UUID

import pytest
from django.db import connection, transaction

from accounts.deletion import delete_account
from accounts.models import User
from games import tasks
from games.engine.seats import BySeat, Seat, Team
from games.models import Match, Result, Standing
from games.ratings import RatedResult, Rating, after
from games.services import ratings
from tests.services.rated import accounts, rated_match, stored

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[1, 200])
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many transactions, or one."""
    monkeypatch.setattr(ratings, "BATCH", request.param)


SEASON = [Team.NORTH_SOUTH, Team.NORTH_SOUTH, Team.EAST_WEST, Team.NORTH_SOUTH, Team.EAST_WEST]


def season(people: list[User], skip: int | None = None) -> list[Match]:
    """Five matches, a minute apart, between five accounts of whom one sits out each time."""
    tables = [[person for person in people if person != people[number]] for number in range(5)]
    return [
        rated_match(table, winner, minute=number)
        for number, (table, winner) in enumerate(zip(tables, SEASON, strict=True))
        if number != skip
    ]


def by_hand(matches: list[Match]) -> dict[UUID, Rating]:
    """The fold, in the order of the list."""
    known: dict[UUID, Rating] = {}
    for match in matches:
        rows = list(match.results.order_by("seat"))
        winner = Seat(next(row.seat for row in rows if (row.ours or 0) > 1000)).team
        left = frozenset(Seat(row.seat) for row in rows if row.outcome == "left")
        known |= after(known, RatedResult(BySeat(*[row.person for row in rows]), winner, left))
    return known


def standings() -> dict[UUID, Rating]:
    return {row.user.public_id: Rating(row.mu, row.sigma) for row in Standing.objects.select_related("user")}


@pytest.mark.usefixtures("batch")
def test_rated_results_are_folded_in_order_of_the_ends_and_only_once() -> None:
    # given
    people = accounts(5)
    matches = season(people)
    # when
    assert ratings.bring_up_to_date() == 5
    # then
    assert standings() == by_hand(matches)
    assert standings() != by_hand(matches[::-1])
    row = Standing.objects.get(user=people[4])
    assert (row.matches, row.won, row.points) == (4, 1, Rating(row.mu, row.sigma).points)
    # and
    before = stored()
    assert ratings.bring_up_to_date() == 0
    assert stored() == before


def test_each_result_holds_the_rating_after_it() -> None:
    people = accounts(5)
    matches = season(people)
    ratings.bring_up_to_date()

    for count in range(1, 6):
        known = by_hand(matches[:count])
        assert {row.person: Rating(row.mu, row.sigma) for row in matches[count - 1].results.all()} == {
            row.person: known[row.person] for row in matches[count - 1].results.all()
        }


def test_one_match_after_the_other_is_the_same_as_all_at_once() -> None:
    people = accounts(5)
    one_by_one = []
    for number, winner in enumerate(SEASON):
        table = [person for person in people if person != people[number]]
        one_by_one.append(rated_match(table, winner, minute=number))
        assert ratings.bring_up_to_date() == 1
    # then
    assert standings() == by_hand(one_by_one)


@pytest.mark.usefixtures("batch")
def test_a_match_that_is_booked_late_takes_its_place() -> None:
    # given
    people = accounts(5)
    matches = season(people, skip=2)
    ratings.bring_up_to_date()
    # when
    late = rated_match([*people[:2], *people[3:]], SEASON[2], minute=2)
    ratings.bring_up_to_date()
    # then
    assert standings() == by_hand([*matches[:2], late, *matches[2:]])


def test_matches_that_ended_together_are_ordered_by_id() -> None:
    people = accounts()
    matches = [rated_match(people, winner) for winner in SEASON]

    ratings.bring_up_to_date()

    assert standings() == by_hand(sorted(matches, key=lambda match: match.pk))


@pytest.mark.parametrize("number", [0, 2, 4])
@pytest.mark.usefixtures("batch")
def test_a_match_that_is_annulled_was_never_played(number: int) -> None:
    # given a season, and the same one without that match
    people = accounts(5)
    with transaction.atomic():
        matches = season(people, skip=number)
        ratings.bring_up_to_date()
        _, without = stored()
        transaction.set_rollback(True)
    matches = season(people)
    ratings.bring_up_to_date()
    # when
    ratings.annul(matches[number].pk)
    ratings.bring_up_to_date()
    # then
    after, now = stored()
    assert now == without
    assert standings() == by_hand([match for match in matches if match != matches[number]])
    assert not Result.objects.filter(match=matches[number]).exists()
    assert len(after) == 16
    # and once more changes nothing
    assert not ratings.annul(matches[number].pk)
    assert stored() == (after, now)
    assert ratings.bring_up_to_date() == 0


def test_who_has_no_rated_match_left_stands_nowhere() -> None:
    people = accounts()
    match = rated_match(people)
    ratings.bring_up_to_date()

    ratings.annul(match.pk)

    assert not Standing.objects.exists()


def test_a_running_match_cannot_be_annulled() -> None:
    match = rated_match(accounts())
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING, ended_at=None)

    with pytest.raises(ValueError, match="end it first"):
        ratings.annul(match.pk)


def test_who_left_falls_and_the_others_keep_what_they_had() -> None:
    # given
    people = accounts()
    rated_match(people)
    ratings.bring_up_to_date()
    before = standings()
    # when somebody of the side that wins leaves, and in the next match one of each side
    rated_match(people, minute=1, left=(Seat.NORTH,))
    ratings.bring_up_to_date()
    middle = standings()
    rated_match(people, minute=2, left=(Seat.NORTH, Seat.WEST))
    ratings.bring_up_to_date()
    # then
    north, east, south, west = (person.public_id for person in people)
    assert middle[north].points < before[north].points
    assert {person: middle[person] for person in (east, south, west)} == {
        person: before[person] for person in (east, south, west)
    }
    now = standings()
    assert now[north].points < middle[north].points
    assert now[west].points < middle[west].points
    assert (now[east], now[south]) == (middle[east], middle[south])


def test_an_account_that_goes_leaves_the_results_and_takes_its_standing() -> None:
    # given
    people = accounts(5)
    matches = season(people)
    ratings.bring_up_to_date()
    kept, now = stored()
    gone = people[1]
    number, surrogate = gone.pk, gone.public_id
    # when
    delete_account(gone)
    # then
    assert stored() == (kept, {pk: row for pk, row in now.items() if pk != number})
    # and the ratings of the others can be worked out anew from what has stayed
    ratings.annul(matches[0].pk)
    ratings.bring_up_to_date()
    assert standings() == {person: rating for person, rating in by_hand(matches[1:]).items() if person != surrogate}


def test_a_lost_job_is_made_up_for_by_the_sweep() -> None:
    matches = season(accounts(5))

    tasks.sweep_results.call()

    assert standings() == by_hand(matches)


@pytest.mark.django_db(transaction=True)
def test_several_who_rate_at_once_rate_every_match_once() -> None:
    # given
    matches = season(accounts(5))
    start = threading.Barrier(3)
    counts: list[int] = []

    def rate() -> None:
        try:
            start.wait(10)
            counts.append(ratings.bring_up_to_date())
        finally:
            connection.close()

    # when
    threads = [threading.Thread(target=rate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    # then
    assert sorted(counts) == [0, 0, 5]
    assert standings() == by_hand(matches)
