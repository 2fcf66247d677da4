"""The analysis of a deal on the page of its replay: asked for, waited for, and what it says of each card."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.deal_analysis import AnalysedMove
from games.engine.cards import cards_in
from games.engine.notation import format_card
from games.engine.seats import Seat
from games.models import DealAnalysis, Match
from games.replays import replay_of
from games.services import analyses
from tests.services.past import finished_match
from tests.web.fragments import text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
DEAL, THROWN_IN = 1, 10
MARK = re.compile(r'class="open-mark[^>]*>(★|−\d+)<')


@pytest.fixture
def match() -> Match:
    return finished_match({Seat.SOUTH: User.objects.create(username="Kadri")})


@pytest.fixture
def guest() -> Client:
    client = Client()
    client.force_login(User.objects.create_guest())
    return client


def moves(match: Match) -> list[AnalysedMove]:
    """Made up: the lowest legal card is worth 100, each next one a point less; hard plays the lowest."""
    found = replay_of(match.pk).end_of(DEAL).plays
    return [
        AnalysedMove(
            play.seat,
            play.card,
            {card: 100 - place for place, card in enumerate(cards_in(play.legal))},
            min(cards_in(play.legal)),
        )
        for play in found
    ]


def analysed(match: Match) -> list[AnalysedMove]:
    analyses.request(User.objects.create_guest(), match.pk, DEAL)
    work = analyses.take_up()
    assert work is not None
    made_up = moves(match)
    analyses.finish(work, made_up)
    return made_up


def shown(client: Client, match: Match, query: str) -> str:
    return client.get(f"/replay/{match.pk}/moment/{query}").content.decode()


def ask(client: Client, match: Match, deal: object = DEAL, **headers: str) -> object:
    return client.post(f"/replay/{match.pk}/analysis/", {"deal": str(deal)}, headers=headers)


def test_given_a_deal_that_nobody_has_asked_for_then_a_guest_may_and_a_visitor_is_told_how(
    match: Match, guest: Client
) -> None:
    visitors, guests = shown(Client(), match, "?deal=1"), shown(guest, match, "?deal=1")

    assert 'form="analyse"' in guests
    assert 'form="analyse"' not in visitors
    assert "Log in, or play a match as a guest" in text(visitors)
    assert (
        Client().post(f"/replay/{match.pk}/analysis/", {"deal": "1"}).headers["Location"].startswith("/account/login/")
    )
    assert not DealAnalysis.objects.exists()


def test_given_a_deal_that_was_thrown_in_then_there_is_nothing_to_ask_for(match: Match, guest: Client) -> None:
    assert 'class="analysis"' not in shown(guest, match, f"?deal={THROWN_IN}")
    for deal in (THROWN_IN, 99, "", "x", "-1", "01", "9" * 5000):
        assert ask(guest, match, deal).status_code == 404
        assert guest.get(f"/replay/{match.pk}/analysis/?deal={deal}").status_code == 404
    assert not DealAnalysis.objects.exists()


def test_when_asked_for_by_the_page_then_its_part_comes_back_and_asks_how_far_it_is(
    match: Match, guest: Client
) -> None:
    answer = ask(guest, match, **HTMX).content.decode()

    assert "Analysed: 0 of 32 cards" in text(answer)
    assert f'hx-get="/replay/{match.pk}/analysis/?deal=1" hx-trigger="every 2s"' in answer
    # and further on
    work = analyses.take_up()
    assert work is not None
    analyses.go_on(work, 12)
    again = guest.get(f"/replay/{match.pk}/analysis/?deal=1")
    assert "Analysed: 12 of 32 cards" in text(again.content.decode())
    assert 'max="32" value="12"' in again.content.decode()
    assert "HX-Trigger-After-Swap" not in again.headers


def test_when_asked_for_without_a_script_then_the_replay_is_shown_with_what_came_of_it(
    match: Match, guest: Client
) -> None:
    answer = ask(guest, match)

    assert answer.headers["Location"] == f"/replay/{match.pk}/?deal=1"
    assert "Analysed: 0 of 32" in text(guest.get(answer.headers["Location"]).content.decode())


def test_given_an_analysis_that_is_done_then_the_page_hears_it_once_and_stops_asking(match: Match) -> None:
    analysed(match)

    answer = Client().get(f"/replay/{match.pk}/analysis/?deal=1")

    assert "analysed" in answer.headers["HX-Trigger-After-Swap"]
    assert "hx-get" not in answer.content.decode()


def test_given_an_analysis_that_is_done_then_every_seat_has_its_sum(match: Match) -> None:
    made_up = analysed(match)

    html = shown(Client(), match, "?deal=1")
    sums = [sum(move.cost for move in made_up if move.seat is seat) for seat in Seat]
    assert sum(sums) > 0

    assert [int(points) for points in re.findall(r"<dd>(\d+)</dd>", html)] == sums


def test_given_an_analysis_that_is_done_then_each_card_that_may_be_played_says_what_it_would_cost(match: Match) -> None:
    made_up = analysed(match)
    found = replay_of(match.pk)
    assert found.course is not None
    bids = found.course.lengths[DEAL].bids

    for place in (0, 9, 30):
        html = shown(Client(), match, f"?deal=1&step={bids + place}")
        best = max(made_up[place].values.values())
        costs = {format_card(card): best - value for card, value in made_up[place].values.items()}
        marks = {card[:2]: MARK.search(card) for card in html.split('<li id="open-')[1:]}
        shown_costs = {card: int(mark[1].replace("★", "0").replace("−", "")) for card, mark in marks.items() if mark}
        assert shown_costs == costs
        assert html.count("best with open hands") == list(costs.values()).count(0)


def test_given_an_analysis_that_is_done_then_each_card_played_says_what_it_cost_and_what_hard_plays(
    match: Match,
) -> None:
    made_up = analysed(match)

    html = shown(Client(), match, "?deal=1&step=0")
    lines = re.findall(r'<li id="move-\d+".*?</li>', html, re.DOTALL)[-32:]

    for line, move in zip(lines, made_up, strict=True):
        assert ("gave away" in line) == bool(move.cost)
        if move.cost:
            assert re.search(rf"gave away {move.cost} points?\b", line)
        assert ("Hard plays:" in line) == (move.hard != move.card)


def test_given_the_card_that_was_just_played_then_it_is_also_said_that_no_other_was_better(match: Match) -> None:
    made_up = analysed(match)
    found = replay_of(match.pk)
    assert found.course is not None
    bids = found.course.lengths[DEAL].bids

    def told(place: int) -> str:
        html = shown(Client(), match, f"?deal=1&step={bids + place + 1}")
        return words(html[html.index('class="told"') : html.index('class="moves-part"')])

    good = next(place for place, move in enumerate(made_up) if not move.cost and len(move.values) > 1)
    forced = next(place for place, move in enumerate(made_up) if len(move.values) == 1)
    bad = next(place for place, move in enumerate(made_up) if move.cost > 1)
    assert "No card was better. Hard plays the same." in told(good)
    assert "There was no other card to play." in told(forced)
    assert f"gave away {made_up[bad].cost} points" in told(bad)
    assert "Best:" in told(bad)


def test_given_an_analysis_that_has_failed_then_it_can_be_asked_for_once_more(match: Match, guest: Client) -> None:
    ask(guest, match)
    work = analyses.take_up()
    assert work is not None
    analyses.fail(work)

    html = shown(guest, match, "?deal=1")

    assert "This analysis has failed" in text(html)
    assert 'form="analyse"' in html


def test_given_somebody_who_asks_all_the_time_then_they_are_told_when_they_may_again(
    match: Match, guest: Client, settings: Settings
) -> None:
    settings.ANALYSIS_LIMIT = "1/hour"
    ask(guest, match)

    by_htmx = ask(guest, match, 2, **HTMX)
    plain = guest.post(f"/replay/{match.pk}/analysis/", {"deal": "2"}, follow=True)

    for answer in (by_htmx, plain):
        assert re.search(r"You have asked for many analyses\. Please try again in \d+ minutes\.", text_of(answer))
    assert DealAnalysis.objects.count() == 1


def text_of(answer: object) -> str:
    return words(answer.content.decode())  # type: ignore[attr-defined]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", html).split())


def test_given_very_many_that_wait_then_it_is_said_kindly(
    match: Match, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "MOST_WAITING", 0)

    assert "Very many deals are being analysed" in text_of(ask(guest, match, **HTMX))
