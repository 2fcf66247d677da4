"""How late the moves of computer players are while many tables play, without and with what takes long beside them.

One process, as embedded tasks run it: fifty tables of one person and three normal computers, each with its open socket
(the site's own consumers, without the network), and then one more table whose computers are hard, or the analysis of
one deal after another (``--beside analyses``). A move's lateness is how long after its time, which was drawn
beforehand, it was committed. The delay of the event loop is how much longer than asked a pause of 10 ms took. The
ratios of the second part to the first make figures from different machines comparable. Run it with
``python -m benchmarks.live_tables``.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

_folder = tempfile.TemporaryDirectory(prefix="live-tables-")
os.environ.update(
    BELOTE_DB=str(Path(_folder.name) / "tables.sqlite3"),
    BELOTE_TASKS="embedded",
    BELOTE_LOG_LEVEL="WARNING",
    # Its sockets stand for people without a browser.
    BELOTE_CONTRIBUTION_SECONDS="0",
    BELOTE_ANALYSIS_LIMIT="100000/hour",
    DJANGO_SETTINGS_MODULE="belote_site.settings",
)

# Django has to be set up before models are imported, which loading the application does.
from belote_site.asgi import application  # isort: skip

from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.dispatch import receiver
from django.test import Client
from django.utils import timezone

from accounts.models import User
from belote_site.background import EmbeddedTasks
from games import selectors
from games.ai.player import PLAYERS
from games.engine.commands import Next
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.view import table_view
from games.models import DealAnalysis, Match
from games.services import analyses, matches, rooms
from games.sockets import in_thread

ME = Seat.SOUTH
PERSON_TAKES_SECONDS = 1.0
LOOP_PAUSE_SECONDS = 0.01
ANALYSES = "analyses"


class Lateness:
    """When each match's computer was to move, and how late it did, by the level of the table."""

    def __init__(self) -> None:
        self.levels: dict[UUID, Occupant] = {}
        self.seconds: dict[Occupant, list[float]] = {}
        self._due: dict[UUID, tuple[int, datetime | None]] = {}

    def note(self, match_id: UUID, version: int, due_at: datetime | None) -> None:
        """A match has changed; what is prompted again at the same version keeps its first time."""
        known, was_due = self._due.get(match_id, (0, None))
        if version == known:
            return
        if was_due is not None and match_id in self.levels:
            late = (timezone.now() - was_due).total_seconds()
            self.seconds.setdefault(self.levels[match_id], []).append(late)
        self._due[match_id] = version, due_at

    def take(self, level: Occupant) -> list[float]:
        """Return and forget what was measured at the tables of a level."""
        return self.seconds.pop(level, [])


lateness = Lateness()


@receiver(matches.match_changed)
def _note(*, match_id: UUID, version: int, due_at: datetime | None, **_: object) -> None:
    transaction.on_commit(lambda: lateness.note(match_id, version, due_at))


def open_table(level: Occupant) -> tuple[Match, str]:
    """Seat a new guest among three computers; return the match and the cookie of the guest's session."""
    user = User.objects.create_guest()
    client = Client()
    client.force_login(user)
    match = rooms.play_now(user, level, 2000)
    lateness.levels[match.pk] = level
    return match, f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def answer_for_person(match_id: UUID) -> bool:
    """Play like normal for the person, when they are asked; tell whether they were."""
    state = selectors.current_state(match_id)
    if state.phase is Phase.SUMMARY:
        matches.submit(match_id, ME, Next(state.deal_number), state.version)
    elif state.turn is ME:
        command = PLAYERS[Occupant.NORMAL].choose(table_view(state, ME))
        matches.submit(match_id, ME, command, state.version)
    else:
        return False
    return True


def play_whole_match() -> tuple[User, Match]:
    """Play a match at once, everybody like easy; return its person as well."""
    user = User.objects.create_guest()
    match = rooms.play_now(user, Occupant.EASY, 2000)
    while (state := selectors.current_state(match.pk)).phase is not Phase.OVER:
        if state.turn is None:
            matches.submit(match.pk, ME, Next(state.deal_number), state.version)
        else:
            command = PLAYERS[Occupant.EASY].choose(table_view(state, state.turn))
            matches.submit(match.pk, state.turn, command, state.version)
    return user, match


def ask_for_analyses(user: User, match: Match) -> None:
    """Ask for the analysis of every deal of a match that was not thrown in."""
    for result in selectors.current_state(match.pk).results:
        if result.score is not None:
            analyses.request(user, match.pk, result.number)


async def play(match: Match, cookie: str) -> None:
    """Keep the person's page open, and answer whenever the table asks them."""
    headers = [(b"cookie", cookie.encode()), (b"host", b"localhost"), (b"origin", b"http://localhost")]
    page: Any = WebsocketCommunicator(application, f"/ws/match/{match.pk}/", headers)
    is_open, _ = await page.connect(timeout=30)
    if not is_open:
        raise AssertionError("the site refused a socket to its own table")
    try:
        while True:
            text = await page.receive_from(timeout=60)
            if 'data-my-turn="yes"' in text or 'data-command="next"' in text:
                await asyncio.sleep(PERSON_TAKES_SECONDS)
                await in_thread(answer_for_person, match.pk)
    finally:
        await page.disconnect()


async def watch_loop(delays: list[float]) -> None:
    """Note for ever how much longer than asked a short pause takes."""
    loop = asyncio.get_running_loop()
    while True:
        before = loop.time()
        await asyncio.sleep(LOOP_PAUSE_SECONDS)
        delays.append(loop.time() - before - LOOP_PAUSE_SECONDS)


def in_ms(seconds: Iterable[float]) -> tuple[float, float, float]:
    """Return median, 95th percentile and maximum in milliseconds."""
    sorted_ms = sorted(second * 1000 for second in seconds)
    return statistics.median(sorted_ms), sorted_ms[int(len(sorted_ms) * 0.95)], sorted_ms[-1]


def report(name: str, seconds: list[float]) -> tuple[float, float, float]:
    """Print and return the figures of one kind of measurement."""
    figures = in_ms(seconds)
    print(f"{name:<46} median {figures[0]:6.1f}  p95 {figures[1]:6.1f}  max {figures[2]:7.1f} ms  ({len(seconds)})")
    return figures


async def measure(tables: int, seconds: float, beside: str) -> None:
    """Play, measure and print."""
    played = [await in_thread(play_whole_match) for _ in range(math.ceil(seconds / 15) if beside == ANALYSES else 0)]
    tasks = EmbeddedTasks()
    await asyncio.to_thread(tasks.start)
    delays: list[float] = []
    running = [asyncio.create_task(watch_loop(delays))]

    async def part(name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        lateness.seconds.clear()
        delays.clear()
        spent = os.times()
        for _ in range(int(seconds)):
            await asyncio.sleep(1)
            print(".", end="", file=sys.stderr, flush=True)
            for task in running:
                if task.done():
                    task.result()
        print(file=sys.stderr)
        now = os.times()
        print(f"{name}: {(now.user + now.system - spent.user - spent.system) / seconds:.0%} of a core in this process")
        late = report(f"  {tables} tables: a move is late by", lateness.take(Occupant.NORMAL))
        loop = report("  the event loop is late by", delays)
        return late, loop

    try:
        for _ in range(tables):
            running.append(asyncio.create_task(play(*await in_thread(open_table, Occupant.NORMAL))))
        await asyncio.sleep(5)
        without = await part("alone")
        if beside == ANALYSES:
            for user, match in played:
                await in_thread(ask_for_analyses, user, match)
            with_it = await part("beside an analysis")
            done = DealAnalysis.objects.filter(status=DealAnalysis.Status.DONE)
            waiting = DealAnalysis.objects.filter(status=DealAnalysis.Status.WAITING)
            print(f"  {await in_thread(done.count)} deals analysed, {await in_thread(waiting.count)} wait")
        else:
            level = Occupant(beside)
            running.append(asyncio.create_task(play(*await in_thread(open_table, level))))
            await asyncio.sleep(2)
            with_it = await part(f"beside a table of three {level} computers")
            if level is not Occupant.NORMAL:
                report(f"  the {level} table: a move is late by", lateness.take(level))
        for name, before, after in zip(("a move", "the event loop"), without, with_it, strict=True):
            ratios = [b / a if a > 0 else float("nan") for a, b in zip(before, after, strict=True)]
            print(f"ratio, {name}: median {ratios[0]:.2f}, p95 {ratios[1]:.2f}, max {ratios[2]:.2f}")
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.to_thread(tasks.stop)


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="tables of normal computers (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=30, help="length of each part (default: %(default)s)")
    parser.add_argument(
        "--beside",
        default="hard",
        choices=["normal", "hard", ANALYSES],
        help="a table of this level, or analyses of deals (default: %(default)s)",
    )
    options = parser.parse_args()
    if options.tables < 1 or options.seconds < 1:
        parser.error("--tables and --seconds must be at least 1")
    call_command("migrate", verbosity=0)
    asyncio.run(measure(options.tables, options.seconds, options.beside))


if __name__ == "__main__":
    main()
