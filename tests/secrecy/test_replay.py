"""No address of a replay yields anything while its match is played, whoever asks for it."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client

from accounts.models import User
from games import replay_views, replays
from games.engine import view
from games.engine.seats import Seat
from games.engine.state import MatchState
from games.engine.view import OpenView
from games.models import Match
from games.moments import Course, Length
from games.replays import Replay
from games.selectors import load_state
from tests.services.past import running_match

pytestmark = pytest.mark.django_db

QUERIES = ["", "?deal=1", "?deal=1&step=36", "?deal=2", "?at=deal-1-trick-5", "?at=deal-2"]
ADDRESSES = ["/replay/{}/", "/replay/{}/moment/"]


@pytest.fixture
def match() -> Match:
    """Its first deal is over and scored, its second one dealt."""
    match = running_match({seat: User.objects.create(username=f"Seated {seat.name}") for seat in Seat})
    match.room.visibility, match.room.clock = "public", 30
    match.room.save()
    return match


def visitors(match: Match) -> list[Client]:
    """Every seat, somebody who watches, a member of staff, nobody."""
    people = list(User.objects.filter(match_seats__match=match))
    people += [User.objects.create_guest(), User.objects.create(username="Staff", is_staff=True, is_superuser=True)]
    clients = [Client(raise_request_exception=False) for _ in people]
    for client, person in zip(clients, people, strict=True):
        client.force_login(person)
    return [*clients, Client(raise_request_exception=False)]


def yields(match: Match) -> bool:
    """Tell whether anybody gets anything but a refusal, which is the same for all and for a match that is not there."""
    for client in visitors(match):
        for address in ADDRESSES:
            nothing = client.get(address.format(UUID(int=7)))
            for query in QUERIES:
                answer = client.get(address.format(match.pk) + query)
                if answer.status_code not in (404, 500) or len(answer.content) > len(nothing.content) + 200:
                    return True
    return False


def test_given_a_running_match_then_no_address_of_its_replay_yields_anything_to_anybody(match: Match) -> None:
    assert not yields(match)


def every_match(match_id: UUID) -> Replay:
    """A look-up that does not ask whether the match is over."""
    state = load_state(match_id)
    assert state.deal is not None
    return Replay(state, Course({state.deal.number: Length(0, 0)}), {state.deal.number: [state]})


def opened_to_all(final: MatchState, moment: MatchState) -> OpenView:
    """A projection that does not ask it either."""
    assert moment.deal is not None
    return OpenView(view.table_view(moment, None), moment.deal.hands, (), 0, None, ())


def test_given_a_look_up_that_asks_nothing_then_the_projection_refuses_still(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_views, "replay_of", every_match)

    assert not yields(match)


def test_given_a_projection_that_asks_nothing_then_the_look_up_refuses_still(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "open_view", opened_to_all)

    assert not yields(match)


def test_given_a_row_that_says_too_early_that_the_match_is_over_then_nothing_is_yielded_still(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status=Match.Status.WON)

    assert not yields(match)


def test_given_neither_guard_then_it_is_noticed_here(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_views, "replay_of", every_match)
    monkeypatch.setattr(replays, "open_view", opened_to_all)

    assert yields(match)
