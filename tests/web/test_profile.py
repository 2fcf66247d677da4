"""The page of a person, for oneself and for others."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from games import charts, results, selectors
from games.engine.events import Cause
from games.engine.rules import Phase
from games.engine.seats import Seat
from games.models import Match, MatchSeat
from games.ratings import Rating
from games.services import matches, ratings
from games.services import results as booking
from tests.services.given import four_people
from tests.services.past import TOTALS, WINNER, finished_match, running_match
from tests.services.rated import NOON, accounts, ranked, rated_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def marie() -> User:
    return User.objects.create_user("marie", "marie@belote.example")


def test_the_final_scores_are_those_of_the_log(marie: User) -> None:
    match = finished_match({Seat.SOUTH: marie})

    assert results.final_scores([match.pk]) == {match.pk: selectors.current_state(match.pk).totals}


def test_everybody_sees_name_results_and_the_last_matches_of_an_account(client: Client, marie: User) -> None:
    # given
    jaan = User.objects.create_user("jaan")
    guest = User.objects.create_guest()
    match = finished_match({Seat.SOUTH: marie, Seat.NORTH: jaan, Seat.WEST: guest})
    # when
    page = client.get(f"/people/{marie.public_id}/").content.decode()
    # then
    assert "<bdi>marie</bdi>" in page
    assert f'href="/people/{jaan.public_id}/"' in page
    assert f"<bdi>{guest.display_name}</bdi>" in page
    assert str(guest.public_id) not in page
    ours, theirs = TOTALS[Seat.SOUTH.team], TOTALS[Seat.SOUTH.team.other]
    assert f"{ours} : {theirs}" in page
    assert f'href="/replay/{match.pk}/"' in page
    # and nothing that is hers alone
    for private in ("marie@belote.example", "/account/data/", "/account/delete/"):
        assert private not in page


def test_won_lost_and_left_are_counted_and_void_and_running_matches_are_not(marie: User) -> None:
    # given
    winner, loser = (Seat.NORTH, Seat.EAST) if WINNER is Seat.NORTH.team else (Seat.EAST, Seat.NORTH)
    finished_match({winner: marie})
    finished_match({winner: marie})
    finished_match({loser: marie})
    finished_match({winner: marie}, outcome=MatchSeat.Outcome.LEFT)
    finished_match({winner: marie}, outcome=MatchSeat.Outcome.VOID)
    running_match({winner: marie})
    # when
    found = results.statistics_of(marie)
    # then
    assert (found.won, found.lost, found.left, found.win_rate) == (2, 1, 1, "50%")
    assert len(results.last_results(marie)) == 4


def test_a_match_that_was_left_shows_only_when_it_is_over(marie: User) -> None:
    match = running_match({Seat.SOUTH: marie})
    MatchSeat.objects.filter(match=match, user=marie).update(outcome=MatchSeat.Outcome.LEFT, is_playing=False)
    assert results.last_results(marie) == []

    Match.objects.update(status=Match.Status.VOID, ended_at=match.started_at)
    booking.book(match.pk)

    assert [(result.ours, result.theirs) for result in results.last_results(marie)] == [(None, None)]


def test_the_newest_matches_come_first_and_the_page_asks_the_database_a_few_times_only(
    marie: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    days = [3, 1, 2]
    by_day = {day: finished_match({Seat.SOUTH: marie}, ago=timedelta(days=day)) for day in days}

    with django_assert_max_num_queries(3):
        found = results.last_results(marie, count=2)

    assert [result.match_id for result in found] == [by_day[1].pk, by_day[2].pk]


def test_ones_own_page_leads_to_all_that_can_be_changed(client: Client, marie: User) -> None:
    client.force_login(marie)

    page = client.get("/people/me/").content.decode()

    own = ["preferences", "email", "password/change", "data", "delete"]
    for address in (f"/account/{name}/" for name in own):
        assert f'href="{address}"' in page
    assert client.get(f"/people/{marie.public_id}/").headers["Location"] == "/people/me/"


def test_a_guest_has_a_page_for_itself_alone(client: Client) -> None:
    guest = User.objects.create_guest()

    assert client.get(f"/people/{guest.public_id}/").status_code == 404
    client.force_login(guest)
    page = client.get("/people/me/").content.decode()
    assert "You are a guest" in page
    assert 'href="/account/signup/"' in page


def test_nobody_has_no_page(client: Client, marie: User) -> None:
    marie.is_active = False
    marie.save()

    assert client.get(f"/people/{marie.public_id}/").status_code == 404
    assert client.get(f"/people/{uuid4()}/").status_code == 404
    assert client.get("/people/me/").status_code == 302


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_page_counts_contracts_capots_and_belotes_and_tells_with_whom(client: Client, marie: User) -> None:
    # given matches with an account, a guest, a computer, and somebody who is barred from the site
    jaan, barred = User.objects.create_user("jaan"), User.objects.create_user("barred", is_active=False)
    for partner in (jaan, barred, User.objects.create_guest(), None):
        finished_match({Seat.SOUTH: marie} | ({} if partner is None else {Seat.NORTH: partner}))
    # when
    page = client.get(f"/people/{marie.public_id}/").content.decode()
    # then the numbers are four times those of South (tests/services/test_results)
    text = text_of(page)
    for told in (
        "Win rate 100%",
        "Contracts taken 12 30% of the deals",
        "Contracts made 8 67%",
        "Contracts failed 0 0%",
        "Capots made 4",
        "Capots suffered 0",
        "Own belotes 4",
        "Deals played 40",
        "Average of a deal 114.9",
        "Average of a match 1149",
        "jaan 1 100%",
        "barred 1 100%",
        "Guests 1 100%",
        "Computers 1 100%",
    ):
        assert told in text, told
    assert f'href="/people/{jaan.public_id}/"' in page
    assert str(barred.public_id) not in page
    # and it is asked of the database in a few questions, however many matches there are
    with CaptureQueriesContext(connection) as asked:
        client.get(f"/people/{marie.public_id}/")
    assert len(asked) < 25


def test_a_rated_match_shows_the_rating_and_a_chart_with_its_table(client: Client) -> None:
    # given
    people = accounts()
    for minute in range(3):
        rated_match(people, minute=minute)
    ratings.bring_up_to_date()
    points = [rating.points for _, rating in results.ratings_of(people[0])]
    # when
    page = client.get(f"/people/{people[0].public_id}/").content.decode()
    # then
    assert f"Rating {points[-1]} provisional" in text_of(page)
    assert "After 3 rated matches, 3 of them won." in text_of(page)
    assert f"from {points[0]} to {points[-1]}" in page
    table = re.findall(r"<td>(\d+) <span", page)
    assert table == [str(number) for number in reversed(points)]
    assert f"Rated: {points[-1]}" in page
    assert "Won 3 of the last 3 matches" in page
    assert "style=" not in page


def test_the_lines_of_the_rating_chart_are_round_and_hold_the_curve() -> None:
    history = [(NOON, Rating(25 + step, 6)) for step in (0, 1.1, -0.5)]

    chart = charts.rating_chart(history)

    assert chart is not None
    assert [rating.points for _, rating in history] == [1210, 1243, 1195]
    assert [line["points"] for line in chart["lines"]] == [1260, 1240, 1220, 1200, 1180]
    assert chart["curve"] == "0.0,62.5 150.0,21.2 300.0,81.2"
    assert charts.rating_chart(history[:1]) is None


def test_equal_ratings_are_a_line_in_the_middle_of_nothing() -> None:
    chart = charts.rating_chart([(NOON, Rating(25, 6))] * 2)

    assert chart is not None
    assert [line["points"] for line in chart["lines"]] == [1220, 1210]
    assert chart["curve"] == "0.0,100.0 300.0,100.0"


def test_the_form_is_up_down_or_hollow_from_the_oldest_on() -> None:
    outcomes = [MatchSeat.Outcome.WON, MatchSeat.Outcome.LOST, MatchSeat.Outcome.LEFT]

    chart = charts.form_chart([(NOON, outcome) for outcome in outcomes])

    assert chart is not None
    assert chart["bars"] == [
        {"x": 1, "outcome": "won"},
        {"x": 11, "outcome": "lost"},
        {"x": 21, "outcome": "left"},
    ]
    assert chart["label"] == "Won 1 of the last 3 matches"


def test_a_running_match_changes_no_page_about_its_people(client: Client, settings: Settings) -> None:
    """Neither its cards nor its scores: profile and leaderboard are byte for byte the same from its start on."""
    # given four accounts with a past
    settings.COMPUTER_PACE = 0
    people = accounts()
    ranked(people)

    def pages() -> list[str]:
        addresses = [f"/people/{person.public_id}/" for person in people[:2]] + ["/leaderboard/"]
        found = [client.get(address).content.decode() for address in addresses]
        return [re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", page) for page in found]

    before = pages()
    # when they play another one
    table = four_people(users=people, visibility="public", is_rated=True)
    table.play_until(lambda state: state.deal is not None and state.deal.tricks)
    assert pages() == before
    table.play_until(lambda state: state.phase is Phase.SUMMARY)
    assert pages() == before
    # and somebody leaves it
    matches.take_over(table.match.pk, Seat.EAST, Cause.LEFT)
    table.play_until(lambda state: state.deal_number == 2 and state.deal is not None and state.deal.tricks)
    # then
    assert pages() == before
    # and when it is over, they are not
    table.play_until(lambda state: state.phase is Phase.OVER)
    ratings.bring_up_to_date()
    assert all(now != then for now, then in zip(pages(), before, strict=True))
