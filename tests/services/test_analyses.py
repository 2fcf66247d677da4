"""Analyses of deals: asked for once, stored once, and finished whatever is killed meanwhile."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from dj_queue.hooks import fire_hooks
from dj_queue.models import Job, Process
from django.conf import settings as site_settings
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from belote_site.rates import TooOften
from games import tasks
from games.analyses import Analysis, analysis_of
from games.analysing import Analyst
from games.deal_analysis import CARDS_OF_A_DEAL, AnalysedMove, analyse
from games.engine.seats import Seat
from games.models import DealAnalysis, GameEvent, Match
from games.services import analyses
from games.services.analyses import NoSuchDeal, TooManyWaiting, Work
from tests.services.past import finished_match, running_match
from tests.services.test_thinking import assert_ends, children

pytestmark = pytest.mark.django_db

DEAL, OTHER, THROWN_IN = 2, 4, 10
FAILED = Analysis(is_done=False, has_failed=True, moves_done=0, moves=())
WAITING = Analysis(is_done=False, has_failed=False, moves_done=0, moves=())


@pytest.fixture
def marie() -> User:
    return User.objects.create_user("marie")


@pytest.fixture
def match(marie: User) -> Match:
    return finished_match({Seat.SOUTH: marie})


@pytest.fixture
def analyst(monkeypatch: pytest.MonkeyPatch) -> Iterator[Analyst]:
    """One of these tests, which may have processor time while other tests run."""
    analyst = Analyst(niceness=0)
    monkeypatch.setattr(tasks, "analyst", analyst)
    yield analyst
    analyst.stop()


def taken_up() -> Work:
    work = analyses.take_up()
    assert work is not None
    return work


def let_the_hold_expire() -> None:
    DealAnalysis.objects.update(held_until=F("held_until") - analyses.HELD_FOR - timedelta(seconds=1))


def end_of_deal(work: Work) -> list[AnalysedMove]:
    return list(analyse(analyses.moves_to_analyse(work)[-8:]))[::-1]


def test_given_a_finished_match_when_somebody_asks_then_a_job_on_a_queue_of_its_own_and_nothing_about_anybody(
    marie: User, match: Match
) -> None:
    # when
    analyses.request(marie, match.pk, DEAL)
    # then
    assert analysis_of(match.pk, DEAL) == WAITING
    assert analysis_of(match.pk, OTHER) is None
    job = Job.objects.get(task_path="games.tasks.analyse_deals")
    assert (job.queue_name, job.payload["args"], job.payload["kwargs"]) == ("analysis", [], {})
    # and no thread that plays turns takes it
    queues = [worker["queues"] for worker in site_settings.TASKS["default"]["OPTIONS"]["workers"]]
    assert queues == ["default", "analysis"]


def test_given_the_worker_that_analyses_when_it_starts_and_ends_then_the_processes_that_think_stay_as_they_are(
    analyst: Analyst,
) -> None:
    # given
    tasks.thinkers.stop()
    plays, analyses_deals = (Process(metadata={"queues": [queue]}) for queue in ("default", "analysis"))
    # when
    fire_hooks("worker.start", analyses_deals)
    # then
    assert children() == []
    # and while the other one runs
    fire_hooks("worker.start", plays)
    thinking = children()
    assert thinking
    fire_hooks("worker.stop", analyses_deals)
    fire_hooks("worker.exit", analyses_deals)
    assert (children(), analyst.has_stopped) == (thinking, True)
    # and back again
    fire_hooks("worker.start", analyses_deals)
    assert not analyst.has_stopped
    fire_hooks("worker.stop", plays)
    assert not analyst.has_stopped
    fire_hooks("worker.exit", plays)
    for pid in thinking:
        assert_ends(pid)


def test_given_an_analysis_when_it_is_asked_for_again_then_it_is_the_same_and_stays_as_it_is(
    marie: User, match: Match
) -> None:
    # given
    first = analyses.request(marie, match.pk, DEAL)
    assert analyses.request(User.objects.create_guest(), match.pk, DEAL) == first
    work = taken_up()
    found = end_of_deal(work)
    analyses.finish(work, found)
    # when
    again = analyses.request(marie, match.pk, DEAL)
    # then
    assert again == first
    assert DealAnalysis.objects.count() == 1
    assert analyses.take_up() is None
    assert analysis_of(match.pk, DEAL) == Analysis(
        is_done=True, has_failed=False, moves_done=8, moves=tuple(found), moves_total=CARDS_OF_A_DEAL
    )


def test_given_a_match_that_is_still_played_then_none_of_its_deals_is_analysed(marie: User) -> None:
    match = running_match({Seat.SOUTH: marie})

    for deal in (1, 2):
        with pytest.raises(NoSuchDeal):
            analyses.request(marie, match.pk, deal)
    assert not DealAnalysis.objects.exists()
    assert not Job.objects.filter(task_path="games.tasks.analyse_deals").exists()


@pytest.mark.parametrize("deal", [0, THROWN_IN, 99])
def test_given_a_deal_that_was_not_played_out_then_it_is_refused(marie: User, match: Match, deal: int) -> None:
    with pytest.raises(NoSuchDeal):
        analyses.request(marie, match.pk, deal)


def test_given_no_such_match_then_it_is_refused(marie: User) -> None:
    with pytest.raises(NoSuchDeal):
        analyses.request(marie, uuid4(), DEAL)


def test_given_as_many_as_may_wait_then_no_other_is_taken_but_those_that_are_there_are_shown(
    marie: User, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    monkeypatch.setattr(analyses, "MOST_WAITING", 1)
    first = analyses.request(marie, match.pk, DEAL)
    # then
    with pytest.raises(TooManyWaiting):
        analyses.request(marie, match.pk, OTHER)
    assert analyses.request(marie, match.pk, DEAL) == first
    # and later there is room
    analyses.finish(taken_up(), [])
    analyses.request(marie, match.pk, OTHER)


def test_given_somebody_who_asks_all_the_time_then_they_wait_and_others_do_not(
    marie: User, match: Match, settings: Settings
) -> None:
    settings.ANALYSIS_LIMIT = "1/hour"
    analyses.request(marie, match.pk, DEAL)
    analyses.request(marie, match.pk, DEAL)

    with pytest.raises(TooOften):
        analyses.request(marie, match.pk, OTHER)
    analyses.request(User.objects.create_guest(), match.pk, OTHER)


def test_given_several_that_wait_then_the_oldest_is_taken_up_first_and_each_once(marie: User, match: Match) -> None:
    for deal in (OTHER, DEAL):
        analyses.request(marie, match.pk, deal)

    assert (taken_up().deal, taken_up().deal) == (OTHER, DEAL)
    assert analyses.take_up() is None


def test_given_work_that_a_killed_process_left_behind_then_it_is_taken_up_again_and_the_dead_change_nothing(
    marie: User, match: Match
) -> None:
    # given
    analyses.request(marie, match.pk, DEAL)
    killed = taken_up()
    assert analyses.go_on(killed, 20)
    let_the_hold_expire()
    # when
    work = taken_up()
    # then
    assert (work.analysis_id, work.attempt) == (killed.analysis_id, 2)
    assert analysis_of(match.pk, DEAL) == WAITING
    # and one that was only thought to be dead
    assert not analyses.go_on(killed, 21)
    analyses.finish(killed, end_of_deal(killed))
    analyses.fail(killed)
    assert analysis_of(match.pk, DEAL) == WAITING
    # and whoever is at it keeps it
    assert analyses.go_on(work, 3)
    assert analyses.take_up() is None


def test_given_work_that_is_laid_down_time_and_again_then_the_next_takes_it_up_at_once(
    marie: User, match: Match
) -> None:
    analyses.request(marie, match.pk, DEAL)

    for _ in range(analyses.MOST_ATTEMPTS + 1):
        analyses.lay_down(taken_up())

    assert taken_up().attempt == 1


def test_given_a_deal_that_ends_every_process_then_it_has_failed_and_can_be_asked_for_again(
    marie: User, match: Match
) -> None:
    # given
    analyses.request(marie, match.pk, DEAL)
    for _ in range(analyses.MOST_ATTEMPTS):
        taken_up()
        let_the_hold_expire()
    # then
    assert analyses.take_up() is None
    assert analysis_of(match.pk, DEAL) == FAILED
    # when
    Job.objects.all().delete()
    analyses.request(marie, match.pk, DEAL)
    # then
    assert analysis_of(match.pk, DEAL) == WAITING
    assert Job.objects.filter(task_path="games.tasks.analyse_deals").count() == 1
    assert taken_up().attempt == 1


def test_given_deals_that_wait_when_the_job_runs_then_all_of_them_are_analysed_in_another_process(
    marie: User, match: Match, analyst: Analyst
) -> None:
    # given one that another process has left behind
    analyses.request(marie, match.pk, DEAL)
    taken_up()
    let_the_hold_expire()
    # when
    tasks.analyse_deals.call()
    # then
    found = analysis_of(match.pk, DEAL)
    assert found is not None
    assert (found.is_done, found.moves_done) == (True, found.moves_total)
    assert found.moves[-8:] == tuple(end_of_deal(Work(0, 0, match.pk, DEAL)))
    assert [move.seat for move in found.moves[:4]] == list(found.moves[0].seat.order())
    stored = DealAnalysis.objects.get()
    assert (stored.held_until, stored.attempts) == (None, 2)
    assert stored.finished_at is not None
    assert stored.finished_at <= timezone.now()


def test_given_a_site_that_stops_in_the_middle_then_the_deal_waits_for_the_next_start_as_before(
    marie: User, match: Match, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    analyses.request(marie, match.pk, DEAL)
    monkeypatch.setattr(tasks, "PROGRESS_SECONDS", 0)
    told: list[int] = []

    def stop_at_the_second_move(work: Work, moves_done: int) -> bool:
        told.append(moves_done)
        if moves_done == 2:
            analyst.stop()
        return go_on(work, moves_done)

    go_on = analyses.go_on
    monkeypatch.setattr(analyses, "go_on", stop_at_the_second_move)
    # when
    tasks.analyse_deals.call()
    # then
    assert told[-1] == 2
    assert taken_up().attempt == 1
    # and nothing more is begun
    let_the_hold_expire()
    tasks.analyse_deals.call()
    assert taken_up().attempt == 2


def test_given_a_process_that_is_killed_when_the_job_runs_then_the_attempt_counts_and_the_deal_waits(
    marie: User, match: Match, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    analyses.request(marie, match.pk, DEAL)
    monkeypatch.setattr(tasks, "PROGRESS_SECONDS", 0)
    before = children()

    def kill_at_the_second_move(work: Work, moves_done: int) -> bool:
        if moves_done == 2:
            (process,) = set(children()) - set(before)
            os.kill(process, signal.SIGKILL)
        return go_on(work, moves_done)

    go_on = analyses.go_on
    monkeypatch.setattr(analyses, "go_on", kill_at_the_second_move)
    # when
    tasks.analyse_deals.call()
    # then
    assert analyses.take_up() is None
    let_the_hold_expire()
    assert taken_up().attempt == 2


def test_given_a_damaged_log_when_the_job_runs_then_it_fails_and_the_log_line_names_the_deal_and_no_card(
    marie: User, match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    # given
    analyses.request(marie, match.pk, DEAL)
    GameEvent.objects.filter(match=match, payload__type="deal_started", payload__deal=DEAL).update(
        payload={"type": "deal_started", "deal": DEAL, "dealer": 0, "deck": "JS JS"}
    )
    # when
    with caplog.at_level(logging.INFO):
        tasks.analyse_deals.call()
    # then
    assert analysis_of(match.pk, DEAL) == FAILED
    assert [(r.levelname, r.getMessage(), r.exc_info) for r in caplog.records if r.name == "games.tasks"] == [
        ("ERROR", f"deal {DEAL} of match {match.pk} is not analysed: its log is damaged", None)
    ]
