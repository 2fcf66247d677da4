"""After a commit, a nudge to every socket of the table: a match id and a version, never a state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from datetime import datetime
from typing import Any
from uuid import UUID

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.dispatch import receiver

from games.services import match_changed, people_changed

logger = logging.getLogger(__name__)

_server_loop: asyncio.AbstractEventLoop | None = None


def group_of(match_id: UUID) -> str:
    """Return the channel group of a match's table."""
    return f"match.{match_id.hex}"


def serve_on(loop: asyncio.AbstractEventLoop) -> None:
    """Remember the loop that this process's sockets live on: a nudge from a thread reaches them at once through it."""
    global _server_loop
    _server_loop = loop


@receiver(match_changed)
def nudge_after_commit(*, match_id: UUID, version: int, due_at: datetime | None, **_: object) -> None:
    message = {"type": "table.nudge", "version": version}
    transaction.on_commit(lambda: _tell_table(match_id, message), robust=True)


@receiver(people_changed)
def tell_of_people_after_commit(*, match_id: UUID, **_: object) -> None:
    transaction.on_commit(lambda: _tell_table(match_id, {"type": "table.people"}), robust=True)


def _tell_table(match_id: UUID, message: dict[str, Any]) -> None:
    sending = get_channel_layer().group_send(group_of(match_id), message)
    if _server_loop is not None and _server_loop.is_running():
        asyncio.run_coroutine_threadsafe(_send(sending, match_id), _server_loop)
    else:
        async_to_sync(_send)(sending, match_id)


async def _send(sending: Awaitable[None], match_id: UUID) -> None:
    try:
        await sending
    except OSError as error:
        # The heartbeat brings every socket up to date; a dead channel layer costs time, not moves.
        logger.warning("nudge for match %s not sent: %s", match_id, error)
