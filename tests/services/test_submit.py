"""`services`: one door for writes, harmless when something comes twice, late or wrong."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import User
from games import selectors
from games.engine.cards import cards_in
from games.engine.commands import Next, Pass, PlayCard
from games.engine.errors import ReasonCode
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.shuffle import commitment_of
from games.engine.view import table_view
from games.models import DealSeed, GameEvent, Match
from games.services import matches, rooms, seating
from games.services.matches import Status
from tests.services.given import ME, computers_play, my_answer, new_table, play_on

pytestmark = pytest.mark.django_db


def log_of(match: Match) -> list[tuple[int, dict[str, object]]]:
    return list(GameEvent.objects.filter(match=match).order_by("sequence").values_list("sequence", "payload"))


def test_a_new_match_begins_with_commitment_and_seed_row() -> None:
    # when
    _, match = new_table()
    # then
    types = [payload["type"] for _, payload in log_of(match)]
    assert types[:3] == ["match_started", "deal_committed", "deal_started"]
    seed = DealSeed.objects.get(match=match)
    committed = log_of(match)[1][1]["commitment"]
    assert commitment_of(bytes(seed.seed)).hex() == committed


def test_a_whole_match_is_stored_gapless_and_replays_to_the_live_state() -> None:
    # given
    _, match = new_table(target=501)
    # when
    state = play_on(match.pk, Phase.OVER)
    # then
    match.refresh_from_db()
    assert match.status == Match.Status.WON
    assert match.ended_at is not None
    assert match.due_at is None
    assert [sequence for sequence, _ in log_of(match)] == list(range(1, match.version + 1))
    selectors.states.clear()
    assert selectors.load_state(match.pk) == state
    # and every seed is public now and every played deal's came with its score
    assert all(result.seed is not None for result in state.results)
    types = [payload["type"] for _, payload in log_of(match)]
    for place, kind in enumerate(types):
        if kind == "deal_scored":
            assert "seed_revealed" in types[place + 1 : place + 3]


def test_the_same_action_again_gives_the_same_answer_and_no_second_event() -> None:
    # given
    _, match = new_table()
    state = play_on(match.pk, Phase.PLAY)
    action, command = uuid4(), my_answer(state)
    first = matches.submit(match.pk, ME, command, state.version, action)
    events = GameEvent.objects.count()
    # when
    again = matches.submit(match.pk, ME, command, state.version, action)
    # then
    assert first == again
    assert first.status is Status.ACCEPTED
    assert GameEvent.objects.count() == events


def test_a_stale_version_is_answered_stale_and_changes_nothing() -> None:
    # given
    _, match = new_table()
    state = play_on(match.pk, Phase.PLAY)
    before = log_of(match)
    # when
    answer = matches.submit(match.pk, ME, my_answer(state), state.version - 1, uuid4())
    # then
    assert answer == matches.Answer(Status.STALE, state.version)
    assert log_of(match) == before


def test_an_illegal_card_is_refused_with_its_rule_and_changes_nothing() -> None:
    # given a position in which some card is illegal
    _, match = new_table()
    while True:
        state = play_on(match.pk, Phase.PLAY)
        view = table_view(state, ME)
        illegal = list(cards_in(view.hand & ~view.legal))
        if illegal:
            break
        matches.submit(match.pk, ME, my_answer(state), state.version)
    before = log_of(match)
    # when
    answer = matches.submit(match.pk, ME, PlayCard(illegal[0]), state.version, uuid4())
    # then
    assert answer.status is Status.REFUSED
    assert answer.reason is not None
    assert answer.reason.rule.startswith("R4.")
    assert log_of(match) == before


@pytest.mark.parametrize("seat", [Seat.NORTH, Seat.EAST, Seat.WEST])
def test_a_seat_that_is_not_on_turn_is_refused(seat: Seat) -> None:
    # given
    _, match = new_table()
    state = computers_play(match.pk)
    # when
    command = Pass() if state.phase is Phase.AUCTION else PlayCard(0)
    answer = matches.submit(match.pk, seat, command, state.version)
    # then
    assert answer.reason is not None
    assert answer.reason.code is ReasonCode.NOT_YOUR_TURN


def test_next_names_its_deal_and_needs_no_newest_version() -> None:
    # given
    _, match = new_table()
    state = play_on(match.pk, Phase.SUMMARY)
    # when
    late = matches.submit(match.pk, ME, Next(state.deal_number), state.version - 3, uuid4())
    again = matches.submit(match.pk, ME, Next(state.deal_number), state.version, uuid4())
    # then the next deal is on the table, once
    assert late.status is Status.ACCEPTED
    assert again.status is Status.REFUSED
    assert selectors.load_state(match.pk).deal_number == state.deal_number + 1


def test_the_summary_ends_by_itself_only_at_its_version() -> None:
    # given
    _, match = new_table()
    state = play_on(match.pk, Phase.SUMMARY)
    # when / then
    assert matches.start_next_deal(match.pk, state.version - 1).status is Status.STALE
    assert matches.start_next_deal(match.pk, state.version).status is Status.ACCEPTED
    assert selectors.load_state(match.pk).phase is Phase.AUCTION


def test_the_summary_has_a_clock_only_where_others_wait() -> None:
    # given
    _, match = new_table()
    alone = play_on(match.pk, Phase.SUMMARY)
    match.refresh_from_db()
    # when / then
    assert match.due_at is None
    two = alone._replace(occupants=alone.occupants.put(Seat.NORTH, Occupant.PERSON))
    assert matches.due_after(two, None, [60.0] * 4, timezone.now()) is not None


def test_play_now_twice_is_one_match() -> None:
    # given
    user, match = new_table()
    # when
    again = rooms.play_now(user, Occupant.NORMAL, 1000)
    # then
    assert again == match


def test_leaving_ends_the_match_void_and_frees_the_person() -> None:
    # given
    user, match = new_table()
    play_on(match.pk, Phase.PLAY)
    # when
    seating.leave(match.pk, user)
    seating.leave(match.pk, user)
    # then
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert selectors.running_match(user.pk) is None
    assert all(result.seed is not None for result in selectors.load_state(match.pk).results)


def test_play_again_starts_a_new_match_at_the_same_table() -> None:
    # given
    user, match = new_table()
    play_on(match.pk, Phase.OVER)
    # when
    second = rooms.rematch(user, match.pk)
    # then
    assert second != match
    assert second.room == match.room
    assert rooms.rematch(user, match.pk) == second


def test_a_stranger_has_no_seat() -> None:
    # given
    _, match = new_table()
    stranger = User.objects.create_guest()
    # when / then
    with pytest.raises(selectors.MatchNotFound):
        selectors.seat_of(match.pk, stranger.pk)
    with pytest.raises(selectors.MatchNotFound):
        seating.leave(match.pk, stranger)
    with pytest.raises(selectors.MatchNotFound):
        rooms.rematch(stranger, match.pk)
