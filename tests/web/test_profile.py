"""The page of a person, for oneself and for others."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import results, selectors
from games.engine.seats import Seat
from games.models import Match, MatchSeat
from tests.services.past import TOTALS, WINNER, finished_match, running_match

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
    finished_match({Seat.SOUTH: marie, Seat.NORTH: jaan, Seat.WEST: guest})
    # when
    page = client.get(f"/people/{marie.public_id}/").content.decode()
    # then
    assert "<bdi>marie</bdi>" in page
    assert f'href="/people/{jaan.public_id}/"' in page
    assert f"<bdi>{guest.display_name}</bdi>" in page
    assert str(guest.public_id) not in page
    ours, theirs = TOTALS[Seat.SOUTH.team], TOTALS[Seat.SOUTH.team.other]
    assert f"{ours} : {theirs}" in page
    # and nothing that is hers alone
    for private in ("marie@belote.example", "/account/data/", "/account/delete/"):
        assert private not in page


def test_won_lost_and_left_are_counted_and_void_and_running_matches_are_not(marie: User) -> None:
    # given
    winner, loser = (Seat.NORTH, Seat.EAST) if WINNER is Seat.NORTH.team else (Seat.EAST, Seat.NORTH)
    finished_match({winner: marie})
    finished_match({winner: marie})
    finished_match({loser: marie})
    left, void = finished_match({winner: marie}), finished_match({winner: marie})
    MatchSeat.objects.filter(match=left, user=marie).update(outcome=MatchSeat.Outcome.LEFT)
    MatchSeat.objects.filter(match=void, user=marie).update(outcome=MatchSeat.Outcome.VOID)
    running_match({winner: marie})
    # then
    assert results.tally_of(marie) == results.Tally(won=2, lost=1, left=1)
    assert len(results.last_results(marie)) == 4


def test_a_match_that_was_left_shows_only_when_it_is_over(marie: User) -> None:
    match = running_match({Seat.SOUTH: marie})
    MatchSeat.objects.filter(match=match, user=marie).update(outcome=MatchSeat.Outcome.LEFT, is_playing=False)
    assert results.last_results(marie) == []

    Match.objects.update(status=Match.Status.VOID, ended_at=match.started_at)

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
