"""What every socket of the site does: who may have it, limits, heartbeat, the end of a session.

Every message is made whole from what is stored; what a message said before is never built upon.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import OperationalError
from django.utils import translation
from django.utils.translation import gettext

from accounts import decisions, networks
from accounts.addresses import address_of_scope
from accounts.language import language_of_scope
from accounts.models import User
from accounts.sessions import group_of_user, is_signed_in
from belote_site import groups
from games import rendering, wire

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5
MESSAGES_PER_SECOND = 10
MESSAGE_BURST = 30

PAGES_AT_ONCE = 30
"""Open pages of one person, or of the visitors from one address, in a process."""

CLOSE_TOO_BIG = 1009
CLOSE_TRY_LATER = 1013
CLOSE_SIGNED_OUT = 4401
CLOSE_REFUSED = 4403
CLOSE_RETIRED = 4409
CLOSE_REMOVED = 4410
CLOSE_TOO_MANY = 4429


async def in_thread[T](function: Callable[..., T], *arguments: object, **named: object) -> T:
    """Run database work on a pool thread: on Channels' one sensitive thread the tables would queue for each other."""
    return await database_sync_to_async(function, thread_sensitive=False)(*arguments, **named)


class _Allowance:
    """What the open pages of one person, or of visitors from one address, share in this process."""

    def __init__(self) -> None:
        self.pages = 0
        self._messages = float(MESSAGE_BURST)
        self._counted_at = time.monotonic()

    def take(self, cost: float) -> bool:
        now = time.monotonic()
        self._messages = min(MESSAGE_BURST, self._messages + (now - self._counted_at) * MESSAGES_PER_SECOND)
        self._counted_at = now
        self._messages -= cost
        return self._messages >= 0


_allowances: WeakValueDictionary[str, _Allowance] = WeakValueDictionary()


def _allowance_of(user: User | None, scope: Mapping[str, Any]) -> _Allowance:
    who = f"visitors from {address_of_scope(scope)}" if user is None else f"user {user.pk}"
    return _allowances.setdefault(who, _Allowance())


class PageSocket(AsyncWebsocketConsumer, ABC):
    """The socket of one page in one tab. A subclass says who is admitted, what is shown, and what is heard.

    ``user`` is None for a visitor. A socket never acts for a session that has ended: the session is checked before
    every action, with every heartbeat, and when the account's group is told to.
    """

    channel_groups: ClassVar[tuple[str, ...]] = ()
    user: User | None
    language: str
    is_closing = False
    _is_joined = False
    _was_open = False
    heart: asyncio.Task[None] | None = None

    @abstractmethod
    async def admit(self) -> bool:
        """Tell whether this person may have this page now; asked at the handshake and again on ``access.check``."""

    @abstractmethod
    def groups_to_join(self) -> list[str]:
        """Return the channel groups of the page."""

    @abstractmethod
    async def open(self) -> None:
        """Show the page; the socket is open."""

    @abstractmethod
    async def beat(self) -> None:
        """Do what the page does every `HEARTBEAT_SECONDS`."""

    @abstractmethod
    async def hear(self, asked: wire.Asked) -> None:
        """Do what the page asks."""

    @abstractmethod
    async def gone(self) -> None:
        """Tidy up; the socket was open and has closed."""

    async def connect(self) -> None:
        user = self.scope["user"]
        self.user = user if isinstance(user, User) else None
        self.language = language_of_scope(self.scope)
        if not await self.admit():
            await self.close()
            return
        groups.serve_on(asyncio.get_running_loop())
        await self.accept()
        self._allowance = _allowance_of(self.user, self.scope)
        self._allowance.pages += 1
        if self._allowance.pages > PAGES_AT_ONCE:
            await self.cut_off(CLOSE_TOO_MANY)
            return
        self._wanted = self.groups_to_join() + ([group_of_user(self.user.pk)] if self.user is not None else [])
        await self.join()
        # Only now: of what ended the session before it had joined, nobody has told this socket. A refusal of the banned
        # would leave the page trying again; this code has it loaded anew, and there is the reason.
        if self.user is not None and not await in_thread(self._is_welcome, self.user):
            await self.cut_off(CLOSE_SIGNED_OUT)
            return
        self._was_open = True
        await self.open()
        if not self.is_closing:
            self.start_heart()

    def _is_welcome(self, user: User) -> bool:
        """Tell whether the session holds, and write down from where it is used. On a pool thread."""
        holds = is_signed_in(self.scope)
        if holds:
            networks.saw(user, address_of_scope(self.scope))
        return holds

    def start_heart(self) -> None:
        """Begin to `beat`; where one heart beats for many sockets, that is overridden."""
        self.heart = asyncio.create_task(self._beat())

    async def dispatch(self, message: dict[str, Any]) -> None:
        # The original closes old connections with a thread hop before every message. All use of the database here goes
        # through `in_thread`, which does that itself.
        await getattr(self, get_handler_name(message))(message)

    async def disconnect(self, code: int) -> None:
        self.is_closing = True
        if hasattr(self, "_allowance"):
            self._allowance.pages -= 1
        if self.heart is not None:
            self.heart.cancel()
        if not hasattr(self, "_wanted"):
            return
        with suppress(*groups.LAYER_IS_DEAD):
            for group in self._wanted:
                await self.channel_layer.group_discard(group, self.channel_name)
        if self._was_open:
            await self.gone()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.is_closing:
            return
        if len(text_data or "") > wire.MAX_FRAME or bytes_data is not None:
            await self.cut_off(CLOSE_TOO_BIG)
            return
        if not self.within_limit():
            await self.cut_off(CLOSE_TRY_LATER)
            return
        try:
            asked = wire.parse(text_data or "")
        except wire.WireError as error:
            await self.tell(rendering.fault_text, error.fault)
            return
        try:
            await self.hear(asked)
        except OperationalError as error:
            logger.error("%s: the database did not take what was asked: %s", self.page, error)
            await self.tell(_try_again_text)

    async def session_check(self, message: dict[str, Any]) -> None:
        """The account's sessions have changed; this one may have ended."""
        if self.user is not None and not await in_thread(is_signed_in, self.scope):
            await self.cut_off(CLOSE_SIGNED_OUT)

    async def access_check(self, message: dict[str, Any]) -> None:
        """Somebody's rights have changed; this person may be refused now."""
        if not await self.admit():
            await self.cut_off(CLOSE_REFUSED)

    async def decisions_anew(self, message: dict[str, Any]) -> None:
        """Staff have decided something about this person, or lifted it."""
        if not self.is_closing:
            await self.send(await in_thread(self._decisions))

    def _decisions(self) -> str:
        with translation.override(self.language):
            return decisions.line_html(self.scope["user"])

    async def room_invited(self, message: dict[str, Any]) -> None:
        """Somebody has been invited; a page that shows invitations overrides this."""

    async def talk_anew(self, message: dict[str, Any]) -> None:
        """Lines may read otherwise now: the person has muted somebody, or one was deleted or its author renamed; a
        page with talk overrides this."""

    async def tell(self, words: Callable[..., str], *arguments: object) -> None:
        """Show one sentence to this person alone."""
        with translation.override(self.language):
            text = rendering.notice(words(*arguments), "refusal")
        await self.send(text)

    async def cut_off(self, code: int) -> None:
        """Close the socket for a reason that its page understands."""
        # What is still in the queue behind the frame that went too far is not acted upon.
        if self.is_closing:
            return
        self.is_closing = True
        logger.info("closed a socket of %s with code %d", self.page, code)
        await self.close(code)

    def within_limit(self, cost: float = 1) -> bool:
        """Count a message, and tell whether this person's pages send no more than they may."""
        return self._allowance.take(cost)

    @property
    def page(self) -> str:
        """What the log calls this page: its address."""
        return str(self.scope["path"])

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            try:
                await self.session_check({})
                if self.is_closing:
                    return
                await self.join()
                await self.beat()
            except OperationalError as error:
                logger.warning("heartbeat of %s missed: %s", self.page, error)

    async def join(self) -> None:
        """Listen to the groups of the page, unless it does. While the channel layer is dead, the heartbeat keeps it up
        to date."""
        if self._is_joined:
            return
        try:
            for group in self._wanted:
                await self.channel_layer.group_add(group, self.channel_name)
            self._is_joined = True
        except groups.LAYER_IS_DEAD as error:
            logger.warning("%s hears of changes by its heartbeat only: %s", self.page, error)


def _try_again_text() -> str:
    return gettext("The table could not be reached for a moment. Nothing was played; please try again.")
