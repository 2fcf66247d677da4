"""Messages to the sockets of a group, from whatever thread or process something happened in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

LAYER_IS_DEAD = (OSError, RedisError)
"""What a channel layer raises whose Redis cannot be reached."""

_server_loop: asyncio.AbstractEventLoop | None = None


def serve_on(loop: asyncio.AbstractEventLoop) -> None:
    """Remember the loop of this process's sockets: a message from a thread reaches them at once through it."""
    global _server_loop
    _server_loop = loop


def tell_after_commit(group: str, message: dict[str, Any]) -> None:
    """Send a message to a group once the transaction has been committed; it holds ids and versions, never a state."""
    transaction.on_commit(lambda: _tell(group, message), robust=True)


def _tell(group: str, message: dict[str, Any]) -> None:
    sending = get_channel_layer().group_send(group, message)
    if _server_loop is not None and _server_loop.is_running():
        asyncio.run_coroutine_threadsafe(_send(sending, group), _server_loop)
    else:
        async_to_sync(_send)(sending, group)


async def _send(sending: Awaitable[None], group: str) -> None:
    try:
        await sending
    except LAYER_IS_DEAD as error:
        # The heartbeat brings every socket up to date; a dead channel layer costs time, not moves.
        logger.warning("message to group %s not sent: %s", group, error)
