"""The moments of a match: names in addresses, and the steps between them."""

from __future__ import annotations

import pytest

from games.moments import Course, Length, Moment

COURSE = Course({1: Length(4, 32), 2: Length(8, 0), 3: Length(3, 6)})
"""A deal that was played out, one that was thrown in, one that was broken off in its second trick."""


def every_moment() -> list[Moment]:
    return [Moment(deal, step) for deal, most in ((1, 36), (2, 8), (3, 9)) for step in range(most + 1)]


def test_given_every_moment_when_named_then_its_name_leads_back_to_it() -> None:
    names = [COURSE.name(moment) for moment in every_moment()]

    assert len(set(names)) == len(names)
    assert [COURSE.find(name) for name in names] == every_moment()


@pytest.mark.parametrize(
    ("name", "deal", "step"),
    [
        ("deal-1", 1, 0),
        ("deal-1-bid-4", 1, 4),
        ("deal-1-trick-1-card-1", 1, 5),
        ("deal-1-trick-1", 1, 8),
        ("deal-1-trick-5", 1, 24),
        ("deal-1-trick-5-card-4", 1, 24),
        ("deal-1-trick-8", 1, 36),
        ("deal-2-bid-8", 2, 8),
        ("deal-3-trick-1", 3, 7),
        ("deal-3-trick-2", 3, 9),
        ("deal-3-trick-2-card-2", 3, 9),
    ],
)
def test_given_a_name_when_looked_up_then_it_is_that_moment(name: str, deal: int, step: int) -> None:
    assert COURSE.find(name) == (deal, step)


NO_MOMENTS = [
    *("", "deal", "deal-0", "deal-4", "Deal-1-trick-2", "deal-1-trick-2 ", "deal-1-bid-0", "deal-1-bid-5"),
    *("deal-1-trick-0", "deal-1-trick-9", "deal-1-trick-5-card-5", "deal-2-trick-1", "deal-3-trick-2-card-3"),
    *("deal-3-trick-3", "deal-١", "x" * 100_000),
]


@pytest.mark.parametrize("name", NO_MOMENTS)
def test_given_what_names_no_moment_when_looked_up_then_it_is_the_start(name: str) -> None:
    assert COURSE.find(name) == (1, 0)


def test_given_two_numbers_when_looked_up_then_they_are_a_moment_or_the_start() -> None:
    assert COURSE.at("3", "9") == (3, 9)
    for deal, step in [("3", "10"), ("4", "0"), ("0", "0"), ("1", "-1"), ("", "3"), ("1", "x"), ("9" * 9999, "1")]:
        assert COURSE.at(deal, step) == (1, 0)


def test_when_going_on_card_by_card_then_every_moment_is_passed_in_order_and_back() -> None:
    passed, moment = [COURSE.first], COURSE.first
    while (after := COURSE.card_on(moment)) != moment:
        assert COURSE.card_back(after) == moment
        moment = after
        passed.append(moment)

    assert passed == every_moment()
    assert moment == COURSE.last
    assert COURSE.card_back(COURSE.first) == COURSE.first


def test_when_going_by_trick_then_the_end_of_the_auction_and_of_each_trick_is_a_stop() -> None:
    stops, moment = [COURSE.first], COURSE.first
    while (after := COURSE.trick_on(moment)) != moment:
        moment = after
        stops.append(moment)

    assert [step for deal, step in stops if deal == 1] == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36]
    assert [step for deal, step in stops if deal == 2] == [0, 8]
    assert [step for deal, step in stops if deal == 3] == [0, 3, 7, 9]
    assert COURSE.trick_on(Moment(1, 10)) == (1, 12)
    assert COURSE.trick_back(Moment(1, 10)) == (1, 8)
    assert COURSE.trick_back(Moment(1, 8)) == (1, 4)
    assert COURSE.trick_back(Moment(2, 0)) == (1, 36)


def test_when_going_by_deal_then_their_starts_are_stops_and_the_end_of_the_last() -> None:
    assert COURSE.deal_on(Moment(1, 7)) == (2, 0)
    assert COURSE.deal_on(Moment(2, 0)) == (3, 0)
    assert COURSE.deal_on(Moment(3, 2)) == COURSE.last == (3, 9)
    assert COURSE.deal_back(Moment(3, 2)) == (3, 0)
    assert COURSE.deal_back(Moment(3, 0)) == (2, 0)
    assert COURSE.deal_back(Moment(1, 0)) == (1, 0)


def test_given_a_deal_without_a_bid_when_walked_then_it_has_one_moment() -> None:
    course = Course({1: Length(0, 0)})

    assert course.first == course.last == course.card_on(course.first) == course.trick_on(course.first) == (1, 0)
    assert course.deal_on(course.first) == (1, 0)
