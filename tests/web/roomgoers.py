"""A person without a browser in a room or in the lobby: its live region over a real socket."""

from __future__ import annotations

import re

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.web.browserless import Person


class Roomgoer(Person):
    """Somebody with the page of a room, or the lobby, open."""

    async def listen(self, path: str) -> None:
        """Open the socket of a page and wait for the first region."""
        self.socket = await connect(
            f"ws://127.0.0.1:{self.site.port}{path}",
            additional_headers={"Cookie": self._cookie_header()},
            origin=self.site.url,  # type: ignore[arg-type]
            max_size=None,
        )
        await self.hear_until(lambda: self.room_html or self.lobby_html)

    async def is_refused(self, path: str) -> bool:
        """Tell whether the socket of a page does not open."""
        try:
            await self.listen(path)
        except InvalidStatus as refusal:
            return refusal.response.status_code == 403
        return False

    @property
    def room_html(self) -> str:
        return self._region("room")

    @property
    def lobby_html(self) -> str:
        return self._region("lobby")

    @property
    def seats(self) -> dict[str, str]:
        """Who sits in the room, by the number of the seat, clockwise from North."""
        found = re.findall(r'<li id="place-(\d)".*?<p class="place-name"><bdi>(.*?)</bdi>', self.room_html, re.S)
        return dict(found)

    def _region(self, name: str) -> str:
        # `hear` cuts a message at each element that is swapped; a region is the whole rest of its message.
        return self.regions.get(name, "")
