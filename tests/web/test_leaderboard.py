"""The leaderboard: who stands on it, in which order, and where its reader does."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from accounts.deletion import delete_account
from accounts.models import User
from games import leaderboard
from games.models import Standing
from games.ratings import PROVISIONAL_ABOVE
from games.services import ratings
from tests.services.rated import accounts, ranked, rated_match

pytestmark = pytest.mark.django_db


def standing(name: str, points: int, *, is_provisional: bool = False) -> User:
    user = User.objects.create(username=name)
    Standing.objects.create(user=user, mu=25, sigma=5, points=points, is_provisional=is_provisional, matches=40, won=10)
    return user


def rows_of(page: str) -> list[list[str]]:
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]
        for row in re.findall(r"<tr.*?</tr>", body)
    ]


def test_accounts_stand_by_their_rating_once_it_is_not_provisional(client: Client) -> None:
    # given
    people = accounts()
    ranked(people)
    newcomers = accounts()
    rated_match(newcomers, minute=100)
    ratings.bring_up_to_date()
    # when
    rows = rows_of(client.get("/leaderboard/").content.decode())
    # then the winners of most matches, who are as good as each other, share the first place
    best, worst = Standing.objects.get(user=people[0]).points, Standing.objects.get(user=people[1]).points
    assert rows == [
        ["1", people[0].username, str(best), "32", "75%"],
        ["1", people[2].username, str(best), "32", "75%"],
        ["3", people[1].username, str(worst), "32", "25%"],
        ["3", people[3].username, str(worst), "32", "25%"],
    ]
    assert Standing.objects.get(user=newcomers[0]).sigma > PROVISIONAL_ABOVE


def test_who_is_barred_or_gone_does_not_stand_there(client: Client) -> None:
    standing("Mari", 1500)
    barred, gone = standing("Barred", 1600), standing("Gone", 1700)
    User.objects.filter(pk=barred.pk).update(is_active=False)
    delete_account(gone)

    assert [row[:2] for row in rows_of(client.get("/leaderboard/").content.decode())] == [["1", "Mari"]]


def test_the_reader_finds_their_own_row_also_far_down(client: Client) -> None:
    # given
    for number in range(60):
        standing(f"player {number}", 2000 - 10 * number)
    me = standing("Mari", 1450)
    client.force_login(me)
    # when
    first = client.get("/leaderboard/").content.decode()
    # then
    assert "You are at place 56 with 1450 points." in re.sub(r"<[^>]+>", "", first)
    assert 'class="rank-me"' not in first
    assert 'href="?page=2#me"' in first
    assert "Page 1 of 2" in first
    # when
    second = client.get("/leaderboard/?page=2").content.decode()
    # then one who is as good was there first
    assert [row[:2] for row in rows_of(second)][4:7] == [["55", "player 54"], ["56", "player 55"], ["56", "Mari You"]]
    assert second.count('class="rank-me"') == 1
    assert "You are at place" not in second
    # and a page that is not there is the first or the last one
    assert rows_of(client.get("/leaderboard/?page=nonsense").content.decode()) == rows_of(first)
    assert rows_of(client.get("/leaderboard/?page=99").content.decode()) == rows_of(second)


def test_a_provisional_rating_is_told_to_its_owner_alone(client: Client) -> None:
    me = standing("Mari", 1450, is_provisional=True)
    assert "Mari" not in client.get("/leaderboard/").content.decode()

    client.force_login(me)

    assert "Your rating is 1450 and still provisional." in client.get("/leaderboard/").content.decode()


def test_an_empty_leaderboard_says_how_to_get_on_it(client: Client) -> None:
    page = client.get("/leaderboard/").content.decode()

    assert "Nobody has played enough rated matches yet" in page
    assert 'href="/rooms/new/"' in page


def test_a_page_is_a_few_questions_to_an_index(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(60):
        me = standing(f"player {number}", 2000 - 10 * number)

    with django_assert_max_num_queries(6):
        leaderboard.page_of("1", me)

    with CaptureQueriesContext(connection) as asked:
        leaderboard.page_of("1", None)
    listing = asked.captured_queries[-2]["sql"]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {listing}")
            plan = [row[3] for row in cursor.fetchall()]
        assert plan[0].startswith("SCAN games_standing USING INDEX leaderboard"), plan
        assert not [step for step in plan if "TEMP B-TREE" in step], plan
