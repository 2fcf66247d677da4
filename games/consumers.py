"""The sockets of a table, a seat's and a spectator's, of one tab each: parse, call a service, send the rendering."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.security.websocket import WebsocketDenier
from django.db import OperationalError
from django.utils import translation

from accounts.preferences import preferences_of
from accounts.sessions import is_signed_in
from games import announcer, rendering, selectors, wire
from games.audience import Audience, Spectator, audience_of
from games.engine.commands import Contribute
from games.engine.seats import Seat
from games.engine.stand_ins import Cause
from games.engine.state import MatchState
from games.engine.view import table_view
from games.services import matches, presence
from games.shared_rendering import Eyes
from games.sockets import CLOSE_REFUSED, CLOSE_REMOVED, CLOSE_RETIRED, CLOSE_SIGNED_OUT, HEARTBEAT_SECONDS, in_thread
from games.tables import frame_of, has_clocks, reading_of
from games.talk_socket import TalkSocket

RESYNC_COSTS = 4
"""Messages that one whole table counts for besides its own."""

PEOPLE_SETTLE_SECONDS = 0.3

TOO_LATE_SECONDS = 15
"""A command that was given so long before it arrives was held back by a network that was down: it is not wanted now."""


logger = logging.getLogger(__name__)


class TableConsumer(TalkSocket):
    """One tab of a seat."""

    match_id: UUID
    seat: Seat
    tab = 0
    company: selectors.Company
    is_company_known = False
    timing: selectors.Timing | None = None
    shown: rendering.Frame | None = None
    has_notice = False
    settling: asyncio.Task[None] | None = None

    async def admit(self) -> bool:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        self.room_id, self.seat = self.scope["place"]
        return True

    def groups_to_join(self) -> list[str]:
        return [announcer.group_of(self.match_id), announcer.room_group(self.room_id)]

    async def open(self) -> None:
        self.reading = reading_of(preferences_of(self.scope["user"], self.language))
        self.showing = asyncio.Lock()
        self.beats: dict[int, float] = {}
        self.next_beat = 1
        asked = parse_qs(self.scope["query_string"].decode("latin-1")).get("tab", [""])[0]
        tab = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else None
        try:
            self.tab = await in_thread(presence.arrive, self.match_id, self.seat, self.channel_name, tab)
        except presence.Retired:
            await self.cut_off(CLOSE_RETIRED)
            return
        await self._show()
        await self.show_talk()
        await self._send_beat(self.shown.view.version if self.shown else 0)

    async def gone(self) -> None:
        if self.settling is not None:
            self.settling.cancel()
        await in_thread(presence.depart, self.match_id, self.seat, self.channel_name)

    async def beat(self) -> None:
        """Say which version is the newest, and catch up with a nudge that was lost, or with the loss of a right."""
        await self.access_check({})
        if self.is_closing:
            return
        try:
            version = await in_thread(presence.stay, self.match_id, self.seat, self.channel_name, self.tab)
        except presence.Retired:
            await self.cut_off(CLOSE_RETIRED)
            return
        await self._show()
        await self._send_beat(version)

    async def access_check(self, message: dict[str, Any]) -> None:
        """The page of a seat that its person has left, or was removed from, has to go."""
        code = await in_thread(self._loss)
        if code is not None:
            await self.cut_off(code)

    async def hear(self, asked: wire.Asked) -> None:
        if isinstance(asked, wire.Resync):
            self.within_limit(RESYNC_COSTS)
            await self._show(whole=True)
            await self.show_talk()
        elif isinstance(asked, wire.Say):
            await self.say(asked)
        elif isinstance(asked, wire.Action | wire.PlayForAbsent) and self._is_late(asked.beat):
            await self._refuse_stale()
        else:
            await self._act(asked)

    async def _act(self, asked: wire.Action | Contribute | wire.Back | wire.PlayForAbsent) -> None:
        answer = await in_thread(self._ask, asked)
        if isinstance(answer, int):
            await self.cut_off(answer)
        elif isinstance(asked, Contribute):
            # Nobody has clicked anything: what came too late or a second time is not in the deal that is shown.
            await self._show(version=answer.version)
        elif answer.status is matches.Status.ACCEPTED:
            await self._show(version=answer.version, clear_notice=True)
        elif answer.status is matches.Status.STALE:
            await self._refuse_stale()
        else:
            await self._tell(rendering.refusal_text, answer.reason)

    def _loss(self) -> int | None:
        """Return the code to close with when the person does not have the seat any more. On a pool thread."""
        try:
            selectors.seat_of(self.match_id, self.user and self.user.pk)
        except selectors.MatchNotFound:
            was_removed = selectors.current_state(self.match_id).stand_ins[self.seat] is Cause.REMOVED
            return CLOSE_REMOVED if was_removed else CLOSE_REFUSED
        return None

    def _ask(self, asked: wire.Action | Contribute | wire.Back | wire.PlayForAbsent) -> matches.Answer | int:
        """Return what became of a command, or the code to close with when nothing was asked. On a pool thread."""
        seat = self.seat
        if not is_signed_in(self.scope):
            return CLOSE_SIGNED_OUT
        if not presence.is_newest(self.match_id, seat, self.tab):
            return CLOSE_RETIRED
        if isinstance(asked, Contribute):
            return matches.contribute(self.match_id, seat, asked.deal, asked.bits)
        if isinstance(asked, wire.PlayForAbsent):
            return matches.play_for_absent(self.match_id, seat, asked.version)
        if selectors.current_state(self.match_id).stand_ins[seat] is not None:
            back = matches.give_back(self.match_id, seat)
            # What was clicked while the computer had the seat was meant for another table than the one there is now.
            return back if isinstance(asked, wire.Back) else replace(back, status=matches.Status.STALE)
        if isinstance(asked, wire.Back):
            return matches.Answer(matches.Status.ACCEPTED, matches.version_of(self.match_id))
        return matches.submit(self.match_id, seat, asked.command, asked.version, asked.action_id)

    async def _refuse_stale(self) -> None:
        await self._show(whole=True)
        await self._tell(rendering.stale_text)

    async def table_nudge(self, message: dict[str, Any]) -> None:
        """A nudge of `announcer`: somebody has changed the match."""
        if self.shown is None or message["version"] > self.shown.view.version:
            await self._show(version=message["version"])

    async def table_people(self, message: dict[str, Any]) -> None:
        """Somebody came or went, or clocks were moved. Many who come at once are shown at once."""
        if self.settling is None or self.settling.done():
            self.settling = asyncio.create_task(self._show_people())

    async def _show_people(self) -> None:
        await asyncio.sleep(PEOPLE_SETTLE_SECONDS)
        self.is_company_known = False
        try:
            await self.access_check({})
            await self._show()
        except OperationalError as error:
            logger.warning("who is at match %s was not read: %s", self.match_id, error)

    async def table_tab(self, message: dict[str, Any]) -> None:
        """A seat was opened in another tab: the newest one plays."""
        if message["seat"] == self.seat and message["tab"] > self.tab:
            await self.cut_off(CLOSE_RETIRED)

    async def room_match(self, message: dict[str, Any]) -> None:
        """The next match has started in this room: everybody at the table goes there."""
        if message["match_id"] != str(self.match_id):
            await self.send(rendering.next_table(f"/table/{message['match_id']}/"))

    async def room_nudge(self, message: dict[str, Any]) -> None:
        """Somebody came or went in the room, which the table shows through ``table.people``."""

    async def _show(self, *, version: int | None = None, whole: bool = False, clear_notice: bool = False) -> None:
        """Send the regions that differ from what the browser shows, or all of them.

        A state of ``version`` or newer that this process knows already is not read again.
        """
        # One at a time: two of them that crossed could send the older state last.
        async with self.showing:
            state = selectors.states.get(self.match_id)
            is_enough = state is not None and version is not None and state.version >= version
            if not is_enough or not self.is_company_known or has_clocks(state):
                state = await in_thread(self._load)
            with translation.override(self.language):
                frame = frame_of(table_view(state, self.seat), self.company, self.timing, self.reading)
                before = None if whole else self.shown
                text = rendering.update(frame, before) if frame != before else ""
                if clear_notice and self.has_notice:
                    text += rendering.notice("", "info")
                    self.has_notice = False
            self.shown = frame
            if text and not self.is_closing:
                await self.send(text)

    def _load(self) -> MatchState:
        state = selectors.current_state(self.match_id)
        if not self.is_company_known:
            # Before it is read: whoever comes meanwhile makes it unknown again.
            self.is_company_known = True
            self.company = selectors.company_at(self.match_id)
        if has_clocks(state):
            self.timing = selectors.timing_of(self.match_id)
        return state

    async def _tell(self, words: Callable[..., str], *arguments: object) -> None:
        self.has_notice = True
        await self.tell(words, *arguments)

    async def _send_beat(self, version: int) -> None:
        self.beats[self.next_beat] = asyncio.get_running_loop().time()
        self.beats.pop(self.next_beat - TOO_LATE_SECONDS // HEARTBEAT_SECONDS - 1, None)
        await self.send(rendering.heartbeat(version, self.next_beat, self.tab))
        self.next_beat += 1

    def _is_late(self, beat: int | None) -> bool:
        if beat is None:
            return False
        sent_at = self.beats.get(beat)
        return sent_at is None or asyncio.get_running_loop().time() - sent_at > TOO_LATE_SECONDS


class SpectatorConsumer(Spectator):
    """One tab of somebody who watches. What it is shown, and whether it may stay, its audience sees to."""

    audience: Audience | None = None

    async def admit(self) -> bool:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        self.room_id, _ = self.scope["place"]
        return True

    def groups_to_join(self) -> list[str]:
        return []

    async def open(self) -> None:
        if b"tab=" in self.scope["query_string"]:
            # A page of a seat, which its person has left meanwhile.
            await self.cut_off(CLOSE_REFUSED)
            return
        self.eyes = Eyes(self.language, preferences_of(self.scope["user"], self.language).index_letters)
        self.audience = audience_of(self.match_id, self.room_id)
        self.audience.take_in(self)

    def start_heart(self) -> None:
        """The heart of the audience beats for all."""

    async def beat(self) -> None:
        """The heart of the audience beats for all."""

    async def gone(self) -> None:
        if self.audience is not None:
            self.audience.let_go(self)

    async def access_check(self, message: dict[str, Any]) -> None:
        try:
            await in_thread(selectors.place_at, self.match_id, self.user and self.user.pk)
        except selectors.MatchNotFound:
            await self.cut_off(CLOSE_REFUSED)

    async def hear(self, asked: wire.Asked) -> None:
        if isinstance(asked, wire.Resync):
            self.within_limit(RESYNC_COSTS)
            if self.audience is not None:
                self.audience.show_whole(self)
        elif isinstance(asked, wire.Say):
            await self.say(asked)
        else:
            await self.tell(rendering.spectator_text)


async def table_socket(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Give whoever opens the socket of a table the one of their seat, or a spectator's; nobody else gets any."""
    inner: Any = WebsocketDenier
    try:
        scope["place"] = await in_thread(selectors.place_at, scope["url_route"]["kwargs"]["match_id"], scope["user"].pk)
    except selectors.MatchNotFound:
        logger.info("refused a socket of %s", scope["path"])
    else:
        inner = SpectatorConsumer if scope["place"][1] is None else TableConsumer
    await inner.as_asgi()(scope, receive, send)
