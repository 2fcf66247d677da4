"""Background jobs: computer turns, the end of a summary, abandoned matches.

A job is only a prompt. What is due stands on the match, every job does nothing on a stale version, and the heartbeat
of an open table prompts again what a killed worker left behind.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from uuid import UUID

from django.dispatch import receiver
from django.tasks import task
from django.utils import timezone

from games import selectors
from games.ai.player import PLAYERS
from games.engine.rules import Phase
from games.engine.view import table_view
from games.models import Match
from games.services import matches

logger = logging.getLogger(__name__)

HEAD_START = timedelta(milliseconds=150)
"""A move is computed this long before it is due, so that thinking does not show in its time."""


@receiver(matches.match_changed)
def enqueue_what_is_due(*, match_id: UUID, version: int, due_at: datetime | None, **_: object) -> None:
    """Enqueue, in the transaction of the change, the job that acts when nobody else does."""
    if due_at is not None:
        act_when_due.using(run_after=due_at - HEAD_START).enqueue(str(match_id), version)


@task
def act_when_due(match_id: str, version: int) -> None:
    """Play for the computer on turn, or start the next deal; nothing when the match has moved on or is paused."""
    match = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING, version=version).first()
    if match is None or match.due_at is None or not selectors.anyone_present(match.pk):
        return
    state = selectors.current_state(match.pk)
    if state.version != version:
        return
    if state.phase is Phase.SUMMARY:
        _wait_until(match.due_at)
        matches.start_next_deal(match.pk, version)
        return
    seat = state.turn
    if seat is None or state.occupants[seat] not in PLAYERS:
        return
    command = PLAYERS[state.occupants[seat]].choose(table_view(state, seat))
    _wait_until(match.due_at)
    answer = matches.submit(match.pk, seat, command, version)
    if answer.status is matches.Status.REFUSED:
        logger.error("computer %s in match %s was refused: %s", seat.name, match_id, answer.reason)


@task
def end_abandoned_matches() -> None:
    """End the matches that no person has been at for a day."""
    ended = matches.end_abandoned_matches()
    if ended:
        logger.info("ended %d abandoned matches", ended)


def _wait_until(due_at: datetime) -> None:
    left = (due_at - timezone.now()).total_seconds()
    if 0 < left <= HEAD_START.total_seconds() * 2:
        time.sleep(left)
