"""Ratings are a fold: what a match does to the ratings of its people, whoever they are and however it ended."""

from __future__ import annotations

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from games.engine.seats import BySeat, Seat, Team
from games.ratings import START, RatedResult, Rating, after

PEOPLE = BySeat(*[UUID(int=number) for number in range(4)])
NOBODY: frozenset[Seat] = frozenset()

ratings = st.builds(Rating, st.floats(0, 50), st.floats(1, START.sigma))
tables = st.builds(BySeat, ratings, ratings, ratings, ratings)
teams = st.sampled_from(Team)


def outcome(table: BySeat[Rating], winner: Team = Team.NORTH_SOUTH, left: frozenset[Seat] = NOBODY) -> BySeat[Rating]:
    new = after(dict(zip(PEOPLE, table, strict=True)), RatedResult(PEOPLE, winner, left))
    return BySeat(*[new[person] for person in PEOPLE])


@given(tables, teams)
def test_who_wins_gains_and_who_loses_falls_also_in_points(table: BySeat[Rating], winner: Team) -> None:
    new = outcome(table, winner)

    for seat in Seat:
        if seat.team is winner:
            assert new[seat].mu >= table[seat].mu
        else:
            assert new[seat].mu <= table[seat].mu
            assert new[seat].points <= table[seat].points


@given(tables, teams, st.frozensets(st.sampled_from(Seat), min_size=1))
def test_who_left_falls_as_for_a_loss_and_nobody_else_moves(
    table: BySeat[Rating], winner: Team, left: frozenset[Seat]
) -> None:
    new = outcome(table, winner, left)

    for seat in Seat:
        as_lost = outcome(table, seat.team.other)[seat]
        assert new[seat] == (as_lost if seat in left else table[seat])


def test_everybody_begins_with_1000_points_and_equal_people_move_alike() -> None:
    new = after({}, RatedResult(PEOPLE, Team.EAST_WEST, NOBODY))

    assert START.points == 1000
    assert new[PEOPLE.east] == new[PEOPLE.west]
    assert new[PEOPLE.north] == new[PEOPLE.south]
    assert (new[PEOPLE.east].points, new[PEOPLE.north].points) == (1073, 955)


def test_a_rating_is_provisional_for_about_twenty_matches() -> None:
    # given four people of equal strength, whose sides win in turn
    table = BySeat(START, START, START, START)
    matches = 0
    # when
    while any(rating.is_provisional for rating in table):
        table = outcome(table, Team(matches % 2))
        matches += 1
    # then
    assert 15 <= matches <= 25
