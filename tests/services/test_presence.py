"""A match pauses while no person is at it and goes on with the first return; what fell due is prompted again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import selectors, tasks
from games.engine.rules import Phase
from games.models import Match, Presence
from games.services import matches, presence
from tests.services.given import ME, four_people, my_answer, new_table, play_on

pytestmark = pytest.mark.django_db


def a_computer_on_turn() -> tuple[Match, str]:
    user, match = new_table()
    while True:
        state = play_on(match.pk, Phase.PLAY)
        matches.submit(match.pk, ME, my_answer(state), state.version)
        state = selectors.current_state(match.pk)
        if state.phase is Phase.PLAY and state.turn is not ME:
            match.refresh_from_db()
            return match, f"tab-of-{user.pk}"


def test_no_computer_moves_while_the_person_is_away() -> None:
    # given
    match, tab = a_computer_on_turn()
    presence.depart(match.pk, ME, tab)
    # when
    tasks.act_when_due.call(str(match.pk), match.version)
    # then
    assert selectors.load_state(match.pk).version == match.version


def test_a_server_that_was_killed_leaves_no_ghost() -> None:
    # given a socket that nobody closed
    match, _ = a_computer_on_turn()
    Presence.objects.update(seen_until=timezone.now() - timedelta(seconds=1))
    # when / then
    assert not selectors.anyone_present(match.pk)


def test_the_return_prompts_what_fell_due() -> None:
    # given
    match, tab = a_computer_on_turn()
    presence.depart(match.pk, ME, tab)
    Match.objects.update(due_at=timezone.now() - timedelta(minutes=5))
    prompts: list[int] = []
    matches.match_changed.connect(lambda version, **_: prompts.append(version), weak=False, dispatch_uid="test")
    # when
    presence.arrive(match.pk, ME, "another tab")
    matches.match_changed.disconnect(dispatch_uid="test")
    # then
    assert prompts == [match.version]
    match.refresh_from_db()
    assert match.due_at is not None
    assert match.due_at > timezone.now() - timedelta(seconds=5)


def test_the_heartbeats_prompt_an_overdue_turn_once() -> None:
    # given a job that was lost with its worker, and three people at the table
    table = four_people(computers=1)
    table.play_until(lambda state: state.turn is table.computers[0])
    Match.objects.update(due_at=timezone.now() - timedelta(seconds=3))
    prompts: list[int] = []
    matches.match_changed.connect(lambda version, **_: prompts.append(version), weak=False, dispatch_uid="test")
    # when
    for seat in table.people:
        table.stay(seat)
    matches.match_changed.disconnect(dispatch_uid="test")
    # then
    assert prompts == [table.state.version]


def test_five_prompts_make_one_move() -> None:
    # given
    match, _ = a_computer_on_turn()
    # when
    for _ in range(5):
        tasks.act_when_due.call(str(match.pk), match.version)
    # then
    log = match.events.filter(sequence__gt=match.version, payload__type="card_played")
    assert log.count() == 1


def test_a_match_that_nobody_came_back_to_ends_void_after_a_day() -> None:
    # given three matches: abandoned, abandoned but with someone there, and left an hour ago
    abandoned, abandoned_tab = a_computer_on_turn()
    watched, _ = a_computer_on_turn()
    recent, recent_tab = a_computer_on_turn()
    presence.depart(abandoned.pk, ME, abandoned_tab)
    presence.depart(recent.pk, ME, recent_tab)
    a_day_ago = timezone.now() - timedelta(hours=25)
    Match.objects.filter(pk__in=[abandoned.pk, watched.pk]).update(last_seen_at=a_day_ago)
    # when
    ended = presence.end_abandoned_matches()
    # then
    assert ended == 1
    statuses = dict(Match.objects.values_list("pk", "status"))
    assert statuses == {
        abandoned.pk: Match.Status.VOID,
        watched.pk: Match.Status.RUNNING,
        recent.pk: Match.Status.RUNNING,
    }
