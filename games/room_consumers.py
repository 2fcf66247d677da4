"""The sockets of the pages around play, a room's own page and the lobby: rendered for each reader."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import abstractmethod
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from django.db import OperationalError
from django.template.loader import render_to_string
from django.utils import translation

from games import announcer, lobby, selectors, waiting_room, wire
from games.services import presence
from games.sockets import CLOSE_REFUSED, PageSocket, in_thread
from games.talk_socket import TalkSocket

logger = logging.getLogger(__name__)


class RegionSocket(PageSocket):
    """A page with one live region, rendered anew when something of it may have changed.

    ``pace``: so many seconds pass at least between two renderings. Every heartbeat looks as well, so that a message
    that was lost costs a few seconds and nothing else.
    """

    pace: ClassVar[float]
    shown = ""

    @abstractmethod
    def region(self) -> tuple[str, float | None]:
        """Return the region as a message, and in how many seconds it looks different by itself. On a pool thread.

        Raises:
            selectors.RoomNotFound: the page is not for this person to see any more.
        """

    async def open(self) -> None:
        self.changed = asyncio.Event()
        self.changed.set()
        self.painter = asyncio.create_task(self._paint())

    async def beat(self) -> None:
        await self.send(render_to_string("games/partials/beat.html"))
        self.changed.set()

    async def hear(self, asked: wire.Asked) -> None:
        if isinstance(asked, wire.Resync):
            self.shown = ""
            self.changed.set()

    async def gone(self) -> None:
        self.painter.cancel()

    async def room_nudge(self, message: dict[str, Any]) -> None:
        """The room has changed."""
        self.changed.set()

    async def _paint(self) -> None:
        again_in: float | None = None
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(again_in):
                    await self.changed.wait()
            self.changed.clear()
            try:
                html, again_in = await in_thread(self._region_in_their_language)
            except selectors.RoomNotFound:
                await self.cut_off(CLOSE_REFUSED)
                return
            except OperationalError as error:
                # The next heartbeat tries again.
                logger.warning("%s not rendered: %s", self.page, error)
                continue
            if html != self.shown:
                self.shown = html
                await self.send(html)
            await asyncio.sleep(self.pace)

    def _region_in_their_language(self) -> tuple[str, float | None]:
        with translation.override(self.language):
            return self.region()


class RoomConsumer(RegionSocket, TalkSocket):
    """One tab with the page of a room, of somebody who sits there or looks on."""

    pace = 0.2

    async def admit(self) -> bool:
        self.room_id = self.scope["url_route"]["kwargs"]["room_id"]
        try:
            await in_thread(selectors.room_for, self.room_id, self.user and self.user.pk)
        except selectors.RoomNotFound:
            return False
        return True

    def groups_to_join(self) -> list[str]:
        return [announcer.room_group(self.room_id)]

    async def open(self) -> None:
        await self._look_in()
        await super().open()
        await self.show_talk()

    async def hear(self, asked: wire.Asked) -> None:
        if isinstance(asked, wire.Say):
            await self.say(asked)
            return
        await super().hear(asked)
        await self.show_talk()

    async def beat(self) -> None:
        await self._look_in()
        await super().beat()

    async def gone(self) -> None:
        await super().gone()
        await in_thread(presence.look_away, self.room_id, self.channel_name)

    async def room_match(self, message: dict[str, Any]) -> None:
        """A match has started: the region tells the page where."""
        self.changed.set()

    def region(self) -> tuple[str, float | None]:
        return waiting_room.region(self.room_id, self.user, self._origin)

    async def _look_in(self) -> None:
        await in_thread(presence.look_in, self.room_id, self.user, self.channel_name)

    @property
    def _origin(self) -> str:
        """The site's address as the page knows it; `belote_site.origins` has checked that it is one of ours."""
        return dict(self.scope["headers"]).get(b"origin", b"").decode("latin-1")


class LobbyConsumer(RegionSocket):
    """One tab with the lobby, of anybody; the filter stands in the query of its address as in that of the page."""

    pace = 1.0

    async def admit(self) -> bool:
        query = dict(parse_qsl(self.scope["query_string"].decode("latin-1")))
        self.wanted = lobby.Filter.from_query(query)
        return True

    def groups_to_join(self) -> list[str]:
        return [announcer.LOBBY_GROUP]

    async def lobby_nudge(self, message: dict[str, Any]) -> None:
        """A room has changed."""
        self.changed.set()

    async def room_invited(self, message: dict[str, Any]) -> None:
        self.changed.set()

    def region(self) -> tuple[str, float | None]:
        return lobby.region(self.wanted, self.user and self.user.pk), None
