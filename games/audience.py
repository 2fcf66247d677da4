"""All spectators that one process has at a table: what they see is read and rendered once, and then only sent.

A spectator's socket belongs to the `Audience` of its match. That listens to the match in its place, and looks after
sessions, rights and presence of them all with the few queries that one of them would need.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Set
from contextlib import suppress
from itertools import batched
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import DatabaseError
from django.utils import translation

from accounts.sessions import are_signed_in
from belote_site import groups
from games import announcer, rendering, selectors, talk
from games.services import matches, presence
from games.shared_rendering import Eyes, SharedRendering
from games.sockets import CLOSE_REFUSED, CLOSE_SIGNED_OUT, CLOSE_TRY_LATER, HEARTBEAT_SECONDS, in_thread
from games.talk_socket import TalkSocket

PACE_SECONDS = 0.1
"""Changes that come together are shown together, and to those who play first."""

PEOPLE_PACE_SECONDS = 1.0
"""So often at most is told who comes and goes, and read who is there: hundreds may come at once."""

SETTLE_SECONDS = 0.2
"""Those who come within so long are written down together."""

SENT_IN_A_ROW = 20
"""After so many messages everybody else in the process has a turn."""

LED_ON_AT_ONCE = 50
LED_ON_PAUSE_SECONDS = 0.25
"""Spectators who are led to the next table load its page: not all of them in the same moment."""

logger = logging.getLogger(__name__)


class Spectator(TalkSocket):
    """What an audience knows of a socket: whose it is, how it is to be rendered, where to send."""

    match_id: UUID
    eyes: Eyes

    @property
    def user_id(self) -> int | None:
        """Whose it is; None for a visitor."""
        return self.user.pk if self.user is not None else None


class Audience:
    """The spectators of a match. It lives, on the loop of the sockets, from the coming of the first one to the going of
    the last."""

    def __init__(self, match_id: UUID, room_id: UUID) -> None:
        self.match_id = match_id
        self.room_id = room_id
        self._members: set[Spectator] = set()
        self._newcomers: set[Spectator] = set()
        self._gone: set[str] = set()
        self._rendering = SharedRendering(match_id)
        self._people_timer: asyncio.TimerHandle | None = None
        self._said: list[int] = []
        self._reads_anew = False
        self._next_match: str | None = None
        self._beats = 1
        self._is_joined = False
        self._changed = asyncio.Event()
        self._came_or_went = asyncio.Event()
        self._life = asyncio.create_task(self._live())

    def take_in(self, spectator: Spectator) -> None:
        """Count a socket in: soon it is shown the whole table, and then whatever changes."""
        self._members.add(spectator)
        self._came_or_went.set()
        self.show_whole(spectator)

    def show_whole(self, spectator: Spectator) -> None:
        """Show the whole table to one of them, with everybody else who asks for it."""
        self._newcomers.add(spectator)
        self._changed.set()

    def let_go(self, spectator: Spectator) -> None:
        """A socket has closed."""
        self._members.discard(spectator)
        self._newcomers.discard(spectator)
        self._gone.add(spectator.channel_name)
        self._came_or_went.set()

    # Its life

    async def _live(self) -> None:
        layer = get_channel_layer()
        channel = await layer.new_channel()
        try:
            await self._join(channel)
            async with asyncio.TaskGroup() as tasks:
                work = (self._listen(channel), self._paint(), self._beat(channel))
                others = [tasks.create_task(each) for each in work]
                await self._record()
                # At once: who comes now begins another audience.
                self._close()
                for task in others:
                    task.cancel()
        finally:
            # Whatever has ended it, the pages that are left come back.
            self._close()
            for spectator in list(self._members):
                await spectator.cut_off(CLOSE_TRY_LATER)
            with suppress(*groups.LAYER_IS_DEAD):
                for group in self._groups:
                    await layer.group_discard(group, channel)

    def _close(self) -> None:
        if _audiences.get(self.match_id) is self:
            del _audiences[self.match_id]
        if self._people_timer is not None:
            self._people_timer.cancel()

    async def _record(self) -> None:
        """Write down who has come and gone, until nobody is left."""
        while True:
            await self._came_or_went.wait()
            self._came_or_went.clear()
            await asyncio.sleep(SETTLE_SECONDS)
            here = {one.channel_name: one.user_id for one in self._members}
            gone, self._gone = self._gone, set()
            try:
                await in_thread(presence.watch, self.room_id, self.match_id, here, gone)
            except DatabaseError as error:
                # The next heartbeat tries again; the presence of a page that has closed ends by itself.
                logger.warning("who watches match %s was not written: %s", self.match_id, error)
            if not self._members:
                return
            await asyncio.sleep(PEOPLE_PACE_SECONDS - SETTLE_SECONDS)

    async def _beat(self, channel: str) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self._join(channel)
            members = list(self._members)
            try:
                signed_in, allowed = await in_thread(self._rights_of, members)
                version = await in_thread(matches.version_of, self.match_id) if allowed else 0
            except DatabaseError as error:
                logger.warning("heartbeat of the audience of match %s missed: %s", self.match_id, error)
                continue
            for spectator in members:
                if spectator not in signed_in:
                    await spectator.cut_off(CLOSE_SIGNED_OUT)
                elif spectator.user_id not in allowed:
                    await spectator.cut_off(CLOSE_REFUSED)
                else:
                    await spectator.join()
            self._beats += 1
            # The presence counts on, and what was lost on its way is seen.
            self._came_or_went.set()
            self._rendering.forget_company()
            self._changed.set()
            await self._send(dict.fromkeys(members, rendering.heartbeat(version, self._beats, 0)))

    def _rights_of(self, members: list[Spectator]) -> tuple[set[Spectator], Set[int | None]]:
        """Return whose session holds still, and which people may watch. On a pool thread."""
        named = [spectator for spectator in members if spectator.user is not None]
        holds = are_signed_in([spectator.scope for spectator in named])
        ended = {spectator for spectator, is_held in zip(named, holds, strict=True) if not is_held}
        user_ids = {spectator.user_id for spectator in members}
        return set(members) - ended, selectors.who_may_watch(self.match_id, user_ids)

    # What it hears

    @property
    def _groups(self) -> list[str]:
        return [announcer.group_of(self.match_id), announcer.room_group(self.room_id)]

    async def _join(self, channel: str) -> None:
        if self._is_joined:
            return
        try:
            for group in self._groups:
                await get_channel_layer().group_add(group, channel)
            self._is_joined = True
        except groups.LAYER_IS_DEAD as error:
            logger.warning("the audience of match %s hears by its heartbeat only: %s", self.match_id, error)

    async def _listen(self, channel: str) -> None:
        """Take in the messages of `announcer`; those about seats, and about the room's own page, are for others."""
        loop = asyncio.get_running_loop()
        while True:
            message = await get_channel_layer().receive(channel)
            match message["type"]:
                case "table.nudge" if message["version"] > self._rendering.version:
                    self._changed.set()
                case "table.people" if self._people_timer is None:
                    self._people_timer = loop.call_later(PEOPLE_PACE_SECONDS, self._people_changed)
                case "room.talk":
                    self._said.append(message["line_id"])
                    self._changed.set()
                case "talk.anew":
                    self._reads_anew = True
                    self._changed.set()
                case "room.match" if message["match_id"] != str(self.match_id):
                    self._next_match = message["match_id"]
                    self._changed.set()

    def _people_changed(self) -> None:
        self._people_timer = None
        self._rendering.forget_company()
        self._changed.set()

    # What it shows

    async def _paint(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(PACE_SECONDS)
            self._changed.clear()
            newcomers, self._newcomers = self._newcomers, set()
            others = self._members - newcomers
            said, self._said = self._said, []
            reads_anew, self._reads_anew = self._reads_anew, False
            try:
                eyes, new_eyes = {one.eyes for one in others}, {one.eyes for one in newcomers}
                sights = await in_thread(self._rendering.look, eyes, new_eyes)
                heard = await in_thread(self._lines, others, None if reads_anew else said)
                talk_so_far = await in_thread(self._lines, newcomers, None)
            except DatabaseError as error:
                # The next heartbeat shows everything.
                logger.warning("match %s was not shown to its audience: %s", self.match_id, error)
                self._newcomers |= self._members
                continue
            await self._send({one: sights[one.eyes].change for one in others})
            await self._send(heard)
            await self._send({one: sights[one.eyes].whole for one in newcomers})
            await self._send(talk_so_far)
            await self._send(dict.fromkeys(newcomers, rendering.heartbeat(self._rendering.version, self._beats, 0)))
            if self._next_match is not None:
                await self._lead_on(rendering.next_table(f"/table/{self._next_match}/"))
                self._next_match = None

    def _lines(self, readers: Set[Spectator], line_ids: list[int] | None) -> dict[Spectator, str]:
        """Render lines of the room's talk, or the whole list, once for all who read alike. On a pool thread."""
        if not readers or line_ids == []:
            return {}
        apart = talk.readers_apart(self.room_id)
        read: dict[tuple[str, bool, int | None], str] = {}
        texts = {}
        for reader in readers:
            user = reader.user
            alike = reader.language, user is None, reader.user_id if reader.user_id in apart else None
            if alike not in read:
                with translation.override(reader.language):
                    if line_ids is None:
                        html = talk.lines_html(self.room_id, user)
                        read[alike] = html if "<li" in html else ""
                    else:
                        read[alike] = "".join([talk.line_html(line_id, user) for line_id in line_ids])
            texts[reader] = read[alike]
        return texts

    async def _lead_on(self, text: str) -> None:
        """Lead everybody to another page, some after the others."""
        for spectators in batched(list(self._members), LED_ON_AT_ONCE):
            await self._send(dict.fromkeys(spectators, text))
            await asyncio.sleep(LED_ON_PAUSE_SECONDS)

    async def _send(self, texts: Mapping[Spectator, str]) -> None:
        for number, (spectator, text) in enumerate(texts.items()):
            if number % SENT_IN_A_ROW == 0:
                await asyncio.sleep(0)
            if text and spectator in self._members and not spectator.is_closing:
                await spectator.send(text)


_audiences: dict[UUID, Audience] = {}


def audience_of(match_id: UUID, room_id: UUID) -> Audience:
    """Return the audience of a match in this process, on the loop of the sockets; a new one when there is none."""
    if match_id not in _audiences:
        _audiences[match_id] = Audience(match_id, room_id)
    return _audiences[match_id]
