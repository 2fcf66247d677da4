"""The part of a socket in which the people of one room talk: what its page says, and what others say there."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext

from accounts.sessions import is_signed_in
from belote_site import rates
from games import talk, wire
from games.services import talk as saying
from games.sockets import CLOSE_SIGNED_OUT, PageSocket, in_thread


class TalkSocket(PageSocket):
    """The socket of a page with a room's talk; ``match_id`` is None on the room's own page."""

    room_id: UUID
    match_id: UUID | None = None

    async def say(self, asked: wire.Say) -> None:
        """Say what the page asks; a refusal is shown to this person alone, below the lines."""
        refusal = await in_thread(self._say, asked)
        if refusal is None:
            await self.cut_off(CLOSE_SIGNED_OUT)
        elif refusal:
            await self.send(refusal)

    async def show_talk(self) -> None:
        """Send the whole list of lines when there is one: some may have been said since the page was made."""
        lines = await in_thread(self._lines)
        if "<li" in lines:
            await self.send(lines)

    async def room_talk(self, message: dict[str, Any]) -> None:
        """Somebody has said something in the room."""
        line = await in_thread(self._line, message["line_id"])
        if line:
            await self.send(line)

    async def talk_anew(self, message: dict[str, Any]) -> None:
        """The reader has decided, here or elsewhere, whose lines they read, or a moderator has deleted one or renamed
        its author."""
        await self.send(await in_thread(self._lines))

    def _say(self, asked: wire.Say) -> str | None:
        """Return the message with a refusal, '' without one, None when the session has ended. On a pool thread."""
        if self.user is not None and not is_signed_in(self.scope):
            return None
        with translation.override(self.language):
            if self.user is None:
                return talk.notice_html(gettext("Play a match or log in to join in."))
            try:
                saying.say(self.user, self.room_id, self.match_id, phrase=asked.phrase, text=asked.text)
            except rates.TooOften as refusal:
                return talk.notice_html(talk.wait_text(refusal.retry_after))
            except saying.MayNotSpeak:
                return talk.notice_html(gettext("You cannot talk here any more."))
            except saying.BadLine as refusal:
                return talk.notice_html(str(refusal.sentence))
        return ""

    def _line(self, line_id: int) -> str:
        with translation.override(self.language):
            return talk.line_html(line_id, self.user)

    def _lines(self) -> str:
        with translation.override(self.language):
            return talk.lines_html(self.room_id, self.user)
