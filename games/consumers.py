"""The socket of one seat at one table: parse, call a service, send what rendering made.

Every message is made whole from the newest stored state; what a message said before is never built upon.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import OperationalError
from django.utils import translation
from django.utils.translation import gettext

from accounts.language import language_of_scope
from accounts.preferences import preferences_of
from accounts.sessions import is_signed_in
from belote_site import groups
from games import announcer, rendering, selectors, wire
from games.engine.seats import BySeat, Seat
from games.engine.view import table_view
from games.services import matches
from games.tables import reading_of, sitters_of

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5
MESSAGES_PER_SECOND = 10
MESSAGE_BURST = 30
RESYNC_COSTS = 4
"""Messages that one whole table counts for besides its own."""

TOO_LATE_SECONDS = 15
"""A command that was given so long before it arrives was held back by a network that was down: it is not wanted now."""

CLOSE_TOO_BIG = 1009
CLOSE_TRY_LATER = 1013
CLOSE_SIGNED_OUT = 4401
CLOSE_TOO_MANY_TABS = 4429


async def in_thread[T](function: Callable[..., T], *arguments: object) -> T:
    """Run database work on a pool thread: on Channels' one sensitive thread the tables would queue for each other."""
    return await database_sync_to_async(function, thread_sensitive=False)(*arguments)


class TableConsumer(AsyncWebsocketConsumer):
    """One browser tab of a seated person."""

    match_id: UUID
    seat: Seat
    shown: rendering.Frame | None = None
    has_notice = False
    heart: asyncio.Task[None] | None = None
    is_closing = False

    async def connect(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        self.group = announcer.group_of(self.match_id)
        user = self.scope["user"]
        try:
            self.seat = await in_thread(selectors.seat_of, self.match_id, user.pk)
        except selectors.MatchNotFound:
            await self.close()
            return
        self.language = language_of_scope(self.scope)
        self.reading = reading_of(preferences_of(user, self.language))
        self.showing = asyncio.Lock()
        groups.serve_on(asyncio.get_running_loop())
        await self.accept()
        try:
            await in_thread(matches.arrive, self.match_id, self.seat, self.channel_name)
        except matches.TooManyTabs:
            await self._cut_off(CLOSE_TOO_MANY_TABS)
            return
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self._load_sitters()
        await self._show()
        self.beats: dict[int, float] = {}
        self.next_beat = 1
        await self._send_beat(self.shown.view.version if self.shown else 0)
        self._tokens = float(MESSAGE_BURST)
        self._counted_at = asyncio.get_running_loop().time()
        self.heart = asyncio.create_task(self._beat())

    async def dispatch(self, message: dict[str, Any]) -> None:
        # The original closes old connections with a thread hop before every message. All use of the database here goes
        # through `in_thread`, which does that itself.
        await getattr(self, get_handler_name(message))(message)

    async def disconnect(self, code: int) -> None:
        if self.heart is None:
            return
        self.heart.cancel()
        await self.channel_layer.group_discard(self.group, self.channel_name)
        await in_thread(matches.depart, self.match_id, self.seat, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_closing:
            return
        if len(text_data or "") > wire.MAX_FRAME or bytes_data is not None:
            await self._cut_off(CLOSE_TOO_BIG)
            return
        if not self._within_limit():
            await self._cut_off(CLOSE_TRY_LATER)
            return
        try:
            asked = wire.parse(text_data or "")
        except wire.WireError as error:
            await self._tell(rendering.fault_text, error.fault)
            return
        if isinstance(asked, wire.Resync):
            self._tokens -= RESYNC_COSTS
            await self._show(whole=True)
            return
        if self._is_late(asked.beat):
            await self._refuse_stale()
            return
        try:
            answer = await in_thread(self._submit, asked)
        except OperationalError as error:
            logger.error("match %s: the database did not take a command: %s", self.match_id, error)
            await self._tell(_try_again_text)
            return
        if answer is None:
            await self._cut_off(CLOSE_SIGNED_OUT)
        elif answer.status is matches.Status.ACCEPTED:
            await self._show(version=answer.version, clear_notice=True)
        elif answer.status is matches.Status.STALE:
            await self._refuse_stale()
        else:
            await self._tell(rendering.refusal_text, answer.reason)

    def _submit(self, asked: wire.Action) -> matches.Answer | None:
        """Return what became of a command, None when the session has ended and nothing was asked. On a pool thread."""
        if not is_signed_in(self.scope):
            return None
        return matches.submit(self.match_id, self.seat, asked.command, asked.version, asked.action_id)

    async def _refuse_stale(self) -> None:
        await self._show(whole=True)
        await self._tell(rendering.stale_text)

    async def _cut_off(self, code: int) -> None:
        # What is still in the queue behind the frame that went too far is not acted upon.
        self.is_closing = True
        logger.warning("closed a socket of seat %s in match %s with code %d", self.seat.name, self.match_id, code)
        await self.close(code)

    async def table_nudge(self, message: dict[str, Any]) -> None:
        """A nudge of `announcer`: somebody has changed the match."""
        if self.shown is None or message["version"] > self.shown.view.version:
            await self._show(version=message["version"])

    async def table_people(self, message: dict[str, Any]) -> None:
        """Somebody came or went."""
        await self._load_sitters()
        await self._show()

    async def _show(self, *, version: int | None = None, whole: bool = False, clear_notice: bool = False) -> None:
        """Send the regions that differ from what the browser shows, or all of them.

        A state of ``version`` or newer that this process knows already is not read again.
        """
        # One at a time: two of them that crossed could send the older state last.
        async with self.showing:
            state = selectors.states.get(self.match_id)
            if state is None or version is None or state.version < version:
                state = await in_thread(selectors.current_state, self.match_id)
            frame = rendering.Frame(table_view(state, self.seat), self.sitters, self.reading)
            before = None if whole else self.shown
            with translation.override(self.language):
                text = rendering.update(frame, before) if frame != before else ""
                if clear_notice and self.has_notice:
                    text += rendering.notice("", "info")
                    self.has_notice = False
            self.shown = frame
            if text:
                await self.send(text)

    async def _tell(self, words: Callable[..., str], *arguments: object) -> None:
        with translation.override(self.language):
            text = rendering.notice(words(*arguments), "refusal")
        self.has_notice = True
        await self.send(text)

    async def _load_sitters(self) -> None:
        people = await in_thread(selectors.people_at, self.match_id)
        with translation.override(self.language):
            self.sitters: BySeat[rendering.Sitter] = sitters_of(people, self.seat)

    async def _beat(self) -> None:
        """Say every few seconds which version is the newest, and catch up with a nudge that was lost."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                if not await in_thread(is_signed_in, self.scope):
                    await self._cut_off(CLOSE_SIGNED_OUT)
                    return
                version = await in_thread(matches.stay, self.match_id, self.seat, self.channel_name)
                if self.shown is None or version > self.shown.view.version:
                    await self._show()
            except OperationalError as error:
                logger.warning("heartbeat of match %s missed: %s", self.match_id, error)
                continue
            await self._send_beat(version)

    async def _send_beat(self, version: int) -> None:
        self.beats[self.next_beat] = asyncio.get_running_loop().time()
        self.beats.pop(self.next_beat - TOO_LATE_SECONDS // HEARTBEAT_SECONDS - 1, None)
        await self.send(rendering.heartbeat(version, self.next_beat))
        self.next_beat += 1

    def _is_late(self, beat: int | None) -> bool:
        if beat is None:
            return False
        sent_at = self.beats.get(beat)
        return sent_at is None or asyncio.get_running_loop().time() - sent_at > TOO_LATE_SECONDS

    def _within_limit(self) -> bool:
        now = asyncio.get_running_loop().time()
        self._tokens = min(MESSAGE_BURST, self._tokens + (now - self._counted_at) * MESSAGES_PER_SECOND)
        self._counted_at = now
        self._tokens -= 1
        return self._tokens >= 0


def _try_again_text() -> str:
    return gettext("The table could not be reached for a moment. Nothing was played; please try again.")
