"""Background jobs: computer turns, clocks, the end of a summary, abandoned matches, seats that nobody came back to,
analyses of deals, ratings, hints for moderators.

A job is only a prompt. What is due stands on the match, every job does nothing on a stale version, and the heartbeat
of an open table prompts again what a killed worker left behind.
"""

from __future__ import annotations

import logging
import time
from contextlib import closing
from datetime import datetime, timedelta
from uuid import UUID

from dj_queue.hooks import on_start, on_worker_exit, on_worker_start, on_worker_stop
from dj_queue.models import Process
from django.conf import settings
from django.dispatch import receiver
from django.tasks import task
from django.utils import timezone

from games import selectors
from games.analysing import AnalysisFailed, AnalysisInterrupted, Analyst
from games.deal_analysis import AnalysedMove
from games.engine.rules import Phase
from games.engine.seats import Occupant
from games.engine.view import TableView, table_view
from games.models import Match
from games.services import analyses, hints, matches, presence, ratings, results, rooms
from games.thinking import TAKES_LONG, Answer, Thinkers, ThinkingFailed

logger = logging.getLogger(__name__)

HEAD_START = timedelta(milliseconds=150)
"""A job runs this long before something is due, so that neither the queue nor thinking shows in its time."""

LONG_HEAD_START = timedelta(milliseconds=600)
"""The same for levels that think for long, and perhaps wait for one another."""

LATEST_WAIT = timedelta(seconds=1)
"""A job that comes earlier was overtaken by a change: another one will come."""

PROGRESS_SECONDS = 1
"""So often the row of an analysis says how far it is."""

thinkers = Thinkers(settings.THINKING_PROCESSES)
analyst = Analyst()


@receiver(matches.match_changed)
def enqueue_what_is_due(
    *, match_id: UUID, version: int, due_at: datetime | None, acting: Occupant | None, **_: object
) -> None:
    """Enqueue, in the transaction of the change, the job that acts when nobody else does."""
    if due_at is not None:
        head_start = LONG_HEAD_START if acting in TAKES_LONG else HEAD_START
        act_when_due.using(run_after=due_at - head_start).enqueue(str(match_id), version)


@task
def act_when_due(match_id: str, version: int) -> None:
    """Play for the computer or the late person on turn, start the next deal, or deal its cards.

    Nothing when the match has moved on, is paused, or was given more time.
    """
    match = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING, version=version).first()
    if match is None or match.due_at is None or match.due_at - timezone.now() > LATEST_WAIT:
        return
    if not selectors.anyone_present(match.pk):
        return
    state = selectors.current_state(match.pk)
    if state.version != version:
        return
    seat = state.turn
    if state.phase is Phase.SUMMARY:
        _wait_until(match.due_at)
        matches.start_next_deal(match.pk, version)
    elif state.phase is Phase.COMMITTED:
        _wait_until(match.due_at)
        matches.deal_cards(match.pk, version)
    elif seat is not None and state.acting(seat) is Occupant.PERSON:
        _wait_until(match.due_at)
        matches.play_lapsed_turn(match.pk, version)
    elif seat is not None:
        command = _answer(state.acting(seat), table_view(state, seat), match_id)
        _wait_until(match.due_at)
        answer = matches.submit(match.pk, seat, command, version)
        if answer.status is matches.Status.REFUSED:
            logger.error("computer %s in match %s was refused: %s", seat.name, match_id, answer.reason)


@task
def sweep_rooms() -> None:
    """Free the seats of people who have been away from a waiting room; rooms without people close."""
    freed = rooms.sweep()
    if freed:
        logger.info("freed %d seats in waiting rooms", freed)


@task
def end_abandoned_matches() -> None:
    """End the matches that no person has been at for a day."""
    ended = presence.end_abandoned_matches()
    if ended:
        logger.info("ended %d abandoned matches", ended)


@receiver(analyses.analysis_requested)
def enqueue_analysis(**_: object) -> None:
    """Enqueue, in the transaction of the request, a job for whatever waits."""
    analyse_deals.enqueue()


@task(queue_name=settings.ANALYSIS_QUEUE)
def analyse_deals() -> None:
    """Analyse the deals that wait and that nobody is at, one after another."""
    while not analyst.has_stopped and (work := analyses.take_up()) is not None:
        try:
            _analyse(work)
        except AnalysisFailed as fault:
            logger.error("deal %s of match %s is not analysed: %s", work.deal, work.match_id, fault)
            analyses.fail(work)
        except AnalysisInterrupted:
            # Else the deal itself may be what ends its process: that attempt counts, and another one comes later.
            if analyst.has_stopped:
                analyses.lay_down(work)
            return


def _analyse(work: analyses.Work) -> None:
    try:
        moves = analyses.moves_to_analyse(work)
    except ValueError:
        raise AnalysisFailed("its log is damaged") from None
    found: list[AnalysedMove] = []
    told = time.monotonic()
    with closing(analyst.analyse(moves)) as analysis:
        for move in analysis:
            if move is not None:
                found.append(move)
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                if not analyses.go_on(work, len(found)):
                    return
    analyses.finish(work, reversed(found))


@receiver(matches.match_ended)
def enqueue_rating(*, match_id: UUID, **_: object) -> None:
    """Enqueue, in the transaction in which a rated match ends, the job that rates it."""
    if Match.objects.filter(pk=match_id, is_rated=True, status=Match.Status.WON).exists():
        rate.enqueue()


@receiver(ratings.match_annulled)
def enqueue_rating_anew(**_: object) -> None:
    """Enqueue, in the transaction in which a match is annulled, the job that rates those after it."""
    rate.enqueue()


@task
def rate() -> None:
    """Rate the matches that have not been rated yet."""
    ratings.bring_up_to_date()


BOOKED_IN_ONE_RUN = 500


@task
def sweep_results() -> None:
    """Book and rate what was missed: matches that ended before results were kept, or whose job was lost."""
    booked = results.book_missing(BOOKED_IN_ONE_RUN)
    rated = ratings.bring_up_to_date()
    if booked or rated:
        logger.info("booked %d matches and rated %d that had been missed", booked, rated)


MEASURED_IN_ONE_RUN = 500


@task(queue_name=settings.ANALYSIS_QUEUE)
def measure_hints() -> None:
    """Measure what is striking about how people have played since, and draw deals for the next time."""
    measured = hints.measure(MEASURED_IN_ONE_RUN)
    drawn = hints.draw_sample()
    if measured or drawn:
        logger.info("measured hints of %d people and drew %d deals to be analysed", measured, drawn)


@on_start
def _give_time_after_a_stop(supervisor: object) -> None:
    if settings.EMBEDDED_TASKS:
        # The only process of the site: whatever was open before it started is gone.
        presence.begin_anew()
    presence.grant_time()


@on_worker_start
def _start_processes(worker: Process) -> None:
    if _analyses(worker):
        analyst.start()
    else:
        thinkers.warm_up()


@on_worker_stop
def _stop_analyst(worker: Process) -> None:
    if _analyses(worker):
        analyst.stop()


@on_worker_exit
def _stop_thinkers(worker: Process) -> None:
    if not _analyses(worker):
        thinkers.stop()


def _analyses(worker: Process) -> bool:
    """Tell whether a worker is the one that analyses deals, and plays nothing."""
    return settings.ANALYSIS_QUEUE in worker.metadata["queues"]


def _wait_until(due_at: datetime) -> None:
    left = (due_at - timezone.now()).total_seconds()
    if left > 0:
        time.sleep(left)


def _answer(level: Occupant, view: TableView, match_id: str) -> Answer:
    """Return what a level answers; normal does when it fails, so that the table goes on."""
    try:
        return thinkers.choose(level, view)
    except ThinkingFailed as fault:
        logger.error("computer %s in match %s: normal plays for it, %s", level, match_id, str(fault))
        return thinkers.choose(Occupant.NORMAL, view)
