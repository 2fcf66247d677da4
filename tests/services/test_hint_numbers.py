"""What is striking about how somebody plays, worked out from what is given: no database, no clock."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from games.deal_analysis import AnalysedMove
from games.engine.dealing import Deck
from games.engine.events import DealStarted
from games.engine.seats import Seat
from games.engine.stand_ins import Cause, SeatGivenBack, SeatTakenOver, TimeRanOut
from games.hints import (
    LEAST_CARDS,
    Play,
    PlayedMatch,
    Population,
    Signal,
    Table,
    play,
    seats_with_computers,
    signals,
    table,
    total,
)

DECK: Deck = tuple(range(32))
NOTHING = Table(0, 0, 0, 0, 0, 0, 0, 0, 0)
ENOUGH = Play(deals=50, cards=LEAST_CARDS, better=40, worse=10)


def match(partner: UUID | None = None, *, near: bool | None = None, rated: bool = True) -> PlayedMatch:
    return PlayedMatch(is_rated=rated, has_left=False, late=0, partner=partner, shares_network=near)


def move(seat: Seat, card: int, values: dict[int, int], hard: int) -> AnalysedMove:
    return AnalysedMove(seat, card, values, hard)


def test_given_matches_when_folded_then_partners_and_networks_are_counted_where_they_are_known() -> None:
    # given
    friend, other = uuid4(), uuid4()
    played = [
        match(friend, near=True),
        match(friend, near=True),
        match(friend, near=False),
        match(friend, near=True, rated=False),
        match(other, near=True),
        match(other),
        match(),
        PlayedMatch(is_rated=True, has_left=True, late=3, partner=None, shares_network=None),
    ]
    # then
    assert table(played) == Table(
        matches=8, rated=7, partnered=6, closest=4, compared=4, near=3, near_partners=2, left=1, late=3
    )
    assert table([]) == NOTHING


def test_given_an_analysed_deal_when_folded_then_only_cards_with_a_choice_that_mattered_count() -> None:
    # given
    south = Seat.SOUTH
    moves = [
        move(south, 0, {0: 90, 1: 80, 2: 70}, 1),  # the best one; hard would have lost 10
        move(south, 1, {0: 90, 1: 80}, 0),  # lost 10, hard nothing
        move(south, 1, {0: 90, 1: 85, 2: 85}, 2),  # as good as hard's
        move(south, 3, {3: 60}, 3),  # had to
        move(south, 4, {4: 60, 5: 60}, 5),  # all the same
        move(Seat.EAST, 7, {6: 100, 7: 0}, 6),  # somebody else
    ]
    # then
    assert play(moves, south) == Play(deals=1, cards=3, cost=15, hards_cost=15, best=1, better=1, worse=1)
    assert play(moves, Seat.EAST) == Play(deals=1, cards=1, cost=100, hards_cost=0, best=0, better=0, worse=1)


def test_given_deals_when_added_up_then_nothing_adds_up_to_nothing() -> None:
    one = Play(1, 3, 15, 15, 1, 1, 1)

    assert total([one, one]) == Play(2, 6, 30, 30, 2, 2, 2)
    assert total([]) == Play()
    assert (Play().better_share, Play().errors) == (None, 0.0)


@pytest.mark.parametrize(
    ("better", "worse", "errors"), [(20, 20, 0.0), (1, 0, 0.0), (60, 40, 1.9), (40, 60, -1.9), (90, 10, 7.9)]
)
def test_given_cards_otherwise_than_hards_then_luck_explains_few_more_of_them_that_are_better(
    better: int, worse: int, errors: float
) -> None:
    assert Play(better=better, worse=worse).errors == pytest.approx(errors)


def test_given_people_when_one_cheats_then_the_middle_stays_where_the_others_are() -> None:
    # given
    shares = [0.40 + place / 100 for place in range(20)]
    # when
    honest, with_cheats = Population.of(shares), Population.of([*shares[:-2], 1.0, 1.0])
    # then
    assert honest is not None
    assert with_cheats is not None
    assert with_cheats.middle == honest.middle
    assert with_cheats.spread == pytest.approx(honest.spread)
    assert honest.distance(ENOUGH) == pytest.approx((0.8 - honest.middle) / honest.spread)


def test_given_few_people_or_few_cards_then_there_is_no_distance() -> None:
    few = ENOUGH._replace(cards=LEAST_CARDS - 1)

    assert Population.of([0.4, 0.5] * 9) is None
    assert Population.of([0.5] * 40) is None
    assert Population(0.5, 0.1).distance(few) is None
    assert Population(0.5, 0.1).distance(Play(cards=LEAST_CARDS)) is None


def test_given_a_log_when_folded_then_deals_with_a_computer_in_a_persons_place_are_named() -> None:
    # given
    deals = [DealStarted(deal, Seat.NORTH, DECK) for deal in (1, 2, 3, 4)]
    log = [
        deals[0],
        TimeRanOut(Seat.EAST),
        deals[1],
        SeatTakenOver(Seat.SOUTH, Cause.GONE),
        deals[2],
        SeatGivenBack(Seat.SOUTH),
        deals[3],
    ]
    # then
    assert seats_with_computers(log) == {1: {Seat.EAST}, 2: {Seat.SOUTH}, 3: {Seat.SOUTH}, 4: set()}


@pytest.mark.parametrize(
    ("numbers", "is_above"),
    [
        ({"compared": 10, "near": 5}, True),
        ({"compared": 11, "near": 5}, False),
        ({"compared": 4, "near": 4}, False),
    ],
)
def test_the_threshold_of_a_shared_network(numbers: dict[str, int], is_above: bool) -> None:
    found = signals(NOTHING._replace(matches=40, **numbers), Play(), None, 0)

    assert (found == {Signal.NEAR}, bool(found)) == (is_above, is_above)


@pytest.mark.parametrize(
    ("cards", "distance", "is_above"),
    [
        (ENOUGH, 2.5, True),
        (ENOUGH, None, True),
        (ENOUGH, 1.0, False),
        (ENOUGH._replace(cards=LEAST_CARDS - 1), None, False),
        (ENOUGH._replace(better=30, worse=20), 9.0, False),
    ],
)
def test_the_threshold_of_better_cards_needs_hard_people_and_enough_of_them(
    cards: Play, distance: float | None, is_above: bool
) -> None:
    assert (Signal.FORESEEING in signals(NOTHING, cards, distance, 0)) is is_above


@pytest.mark.parametrize(
    ("left", "late", "reporters", "above"),
    [
        (3, 0, 0, {Signal.LEAVING}),
        (2, 0, 0, set()),
        (0, 20, 0, {Signal.STALLING}),
        (0, 19, 0, set()),
        (0, 0, 3, {Signal.REPORTED}),
        (0, 0, 2, set()),
        (5, 50, 5, {Signal.LEAVING, Signal.STALLING, Signal.REPORTED}),
    ],
)
def test_the_thresholds_of_twenty_matches(left: int, late: int, reporters: int, above: set[Signal]) -> None:
    assert signals(NOTHING._replace(matches=20, left=left, late=late), Play(), None, reporters) == above
