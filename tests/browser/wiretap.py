"""What a browser receives of a table, and which cards that gives away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Page, WebSocket

from tests.site_process import Site
from tests.web.fragments import cards_named_in

_TAP = """document.addEventListener("readystatechange", () => {
    if (document.readyState === "interactive") window.tap(document.documentElement.outerHTML);
});"""
"""The page as it was received: parsed, and no script of its own has run."""

_VERSION = re.compile(r'id="table-version"[^>]*\sdata-version="(\d+)"')


class Shown(NamedTuple):
    """A page or a frame as it was received, and the version of the table that the browser shows with it."""

    version: int
    html: str


class Wiretap:
    """Every page of a table, and every frame of every socket, that a browser context receives from now on."""

    def __init__(self, context: BrowserContext) -> None:
        self.received: list[Shown] = []
        context.expose_function("tap", self._open)
        context.add_init_script(_TAP)
        for page in context.pages:
            self._tap(page)
        context.on("page", self._tap)

    def _tap(self, page: Page) -> None:
        page.on("websocket", self._listen)

    def _open(self, html: str) -> None:
        # The front page has cards for show.
        if _VERSION.search(html):
            self._note(html)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._note)

    def _note(self, html: str | bytes) -> None:
        assert isinstance(html, str)
        found = _VERSION.search(html)
        before = self.received[-1].version if self.received else 0
        self.received.append(Shown(int(found[1]) if found else before, html))


class Truth(NamedTuple):
    """Which cards were public at a version of a match, and what the four seats held."""

    public: frozenset[str]
    hands: tuple[frozenset[str], ...]


NOTHING = Truth(frozenset(), (frozenset(),) * 4)
"""Before the first event."""

_TRUTHS_OF = """
import json
from games import codec
from games.engine.cards import cards_in
from games.engine.evolve import evolve
from games.engine.notation import CARD_NAMES
from games.models import GameEvent

state, public, truths = None, [], []
for row in GameEvent.objects.filter(match_id="{match}").order_by("sequence"):
    state = evolve(state, codec.decode(row.payload, row.schema))
    if row.payload["type"] == "deal_started":
        public = [row.payload["deck"].split()[20]]
    elif row.payload["type"] == "card_played":
        public = [*public, row.payload["card"]]
    hands = state.deal.hands if state.deal else [0] * 4
    truths.append([public, [[CARD_NAMES[card] for card in cards_in(hand)] for hand in hands]])
print("TRUTHS " + json.dumps(truths))
"""


def truths_of(site: Site, match: str) -> list[Truth]:
    """Return the truth at each version of a match, from its stored log."""
    output = site.manage("shell", "-v", "0", "-c", _TRUTHS_OF.format(match=match))
    line = next(line for line in output.splitlines() if line.startswith("TRUTHS "))
    rows = json.loads(line.removeprefix("TRUTHS "))
    return [NOTHING, *(Truth(frozenset(public), tuple(map(frozenset, hands))) for public, hands in rows)]


def hidden_cards_in(received: Iterable[Shown], truths: list[Truth], seat: int | None) -> list[tuple[int, set[str]]]:
    """Return what gives away cards that were neither public nor in this seat's hand: version and cards."""
    found = []
    for version, html in received:
        truth = truths[version]
        own = frozenset() if seat is None else truth.hands[seat]
        hidden = cards_named_in(html) - truth.public - own
        if hidden:
            found.append((version, hidden))
    return found
