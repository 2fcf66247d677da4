"""Two writers on one version: one event, one "stale" answer. Runs on SQLite and, by test_on_postgres, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import connection

from accounts.models import User
from games import selectors
from games.engine.cards import cards_in
from games.engine.commands import PlayCard
from games.engine.rules import Phase
from games.engine.seats import Occupant
from games.engine.view import table_view
from games.models import GameEvent, Match
from games.services import matches, rooms
from games.services.matches import Answer, Status
from tests.services.given import ME, my_answer, new_table, play_on

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 12


def at_once[T](*calls: Callable[[], T]) -> list[T]:
    """Run calls on threads of their own that start together."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        barrier.wait(timeout=10)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, call) for call in calls]]


def a_choice_of_two(match: Match) -> tuple[int, list[int]]:
    """Play on until the person has two legal cards; return the version and the cards."""
    while True:
        state = play_on(match.pk, Phase.PLAY)
        legal = list(cards_in(table_view(state, ME).legal))
        if len(legal) > 1:
            return state.version, legal[:2]
        matches.submit(match.pk, ME, my_answer(state), state.version)


def test_two_cards_on_one_version_are_one_event_and_one_stale_answer() -> None:
    _, match = new_table()
    for _ in range(ROUNDS):
        # given
        version, (one, other) = a_choice_of_two(match)

        def play(card: int, version: int = version, match_id: UUID = match.pk) -> Answer:
            return matches.submit(match_id, ME, PlayCard(card), version, uuid4())

        # when
        answers = at_once(lambda one=one: play(one), lambda other=other: play(other))  # type: ignore[misc]
        # then
        assert sorted(answer.status for answer in answers) == [Status.ACCEPTED, Status.STALE]
        played = GameEvent.objects.filter(match=match, sequence=version + 1)
        assert played.count() == 1
        selectors.states.clear()
        assert selectors.load_state(match.pk).version >= version + 1


def test_one_action_sent_twice_at_once_is_one_event_and_two_equal_answers() -> None:
    _, match = new_table()
    for _ in range(ROUNDS):
        # given
        version, (card, _) = a_choice_of_two(match)
        action = uuid4()

        def play(card: int = card, version: int = version, action: UUID = action, match_id: UUID = match.pk) -> Answer:
            return matches.submit(match_id, ME, PlayCard(card), version, action)

        # when
        answers = at_once(play, play)
        # then
        assert [answer.status for answer in answers] == [Status.ACCEPTED, Status.ACCEPTED]
        assert GameEvent.objects.filter(match=match, action_id=action).count() == 1


def test_two_clicks_on_play_now_are_one_match() -> None:
    # given
    user = User.objects.create_guest()

    def click() -> UUID:
        return rooms.play_now(user, Occupant.EASY, 501).pk

    # when
    first, second = at_once(click, click)
    # then
    assert first == second
    assert Match.objects.count() == 1
