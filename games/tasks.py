"""Background jobs: computer turns, clocks, the end of a summary, abandoned matches, seats that nobody came back to.

A job is only a prompt. What is due stands on the match, every job does nothing on a stale version, and the heartbeat
of an open table prompts again what a killed worker left behind.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from uuid import UUID

from dj_queue.hooks import on_start, on_worker_exit, on_worker_start
from django.conf import settings
from django.dispatch import receiver
from django.tasks import task
from django.utils import timezone

from games import selectors
from games.engine.rules import Phase
from games.engine.seats import Occupant
from games.engine.view import TableView, table_view
from games.models import Match
from games.services import matches, presence, rooms
from games.thinking import TAKES_LONG, Answer, Thinkers, ThinkingFailed

logger = logging.getLogger(__name__)

HEAD_START = timedelta(milliseconds=150)
"""A job runs this long before something is due, so that neither the queue nor thinking shows in its time."""

LONG_HEAD_START = timedelta(milliseconds=600)
"""The same for levels that think for long, and perhaps wait for one another."""

LATEST_WAIT = timedelta(seconds=1)
"""A job that comes earlier was overtaken by a change: another one will come."""

thinkers = Thinkers(settings.THINKING_PROCESSES)


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


@on_start
def _give_time_after_a_stop(supervisor: object) -> None:
    if settings.EMBEDDED_TASKS:
        # The only process of the site: whatever was open before it started is gone.
        presence.begin_anew()
    presence.grant_time()


@on_worker_start
def _start_thinkers(worker: object) -> None:
    thinkers.warm_up()


@on_worker_exit
def _stop_thinkers(worker: object) -> None:
    thinkers.stop()


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
