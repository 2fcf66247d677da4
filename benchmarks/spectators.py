"""What one move costs while nobody, a hundred and five hundred people watch the table, as ratios from one run.

A real server process, four people at a table of their own and every spectator with a real socket. Cards are played at a
steady pace; per card two things are measured:

- the processor time of the server, less what it spends on as many idle spectators in the same time;
- the time from sending the card to having the answer, at the socket of the person who plays it.

Each is the median of blocks of eight cards, with the lowest and the highest block. The numbers of spectators take
turns, so that a machine that is busy for a while is so for all of them. It needs Linux (it reads /proc) and what the
tests need to be installed. Run it with ``python -m benchmarks.spectators``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

_folder = tempfile.TemporaryDirectory(prefix="spectators-")
os.environ.update(
    BELOTE_DB=str(Path(_folder.name) / "site.sqlite3"),
    BELOTE_LOG_LEVEL="WARNING",
    DJANGO_SETTINGS_MODULE="belote_site.settings",
)

import django

django.setup()

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games import selectors
from games.ai.player import PLAYERS
from games.engine.commands import PlayCard, Take
from games.engine.notation import CARD_NAMES, format_suit
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.view import table_view
from games.models import Match, Room
from games.services import rooms, seating
from games.sockets import in_thread

CARDS_IN_A_BLOCK = 8
ARRIVING_AT_ONCE = 25
VERSION = re.compile(r'<div id="table-version"[^>]* data-version="(\d+)"')


class Server:
    """The site in a process of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        command = [sys.executable, "-m", "belote_site.server", "--port", str(port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 (our own program)

    async def is_open(self) -> None:
        """Wait until it listens."""
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError as error:
                if self.process.poll() is not None:
                    raise SystemExit(f"the server ended before it listened; is port {self.port} free?") from error
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return

    def cpu_seconds(self) -> float:
        """The time that its threads have spent on a processor so far."""
        spent = 0
        for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
            with suppress(FileNotFoundError):
                spent += int((thread / "schedstat").read_text().split()[0])
        return spent / 1e9


class Page:
    """The table's socket of one person, who notes when each version of the match arrived first."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.seen: dict[int, float] = {}
        self.heard = asyncio.Event()

    async def open(self, server: Server, match_id: UUID) -> None:
        self.socket: ClientConnection = await connect(
            f"ws://127.0.0.1:{server.port}/ws/match/{match_id}/",
            additional_headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}"},
            origin=f"http://127.0.0.1:{server.port}",  # type: ignore[arg-type]
            max_size=None,
        )
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self.socket:
                found = VERSION.search(str(message))
                if found:
                    self.seen.setdefault(int(found[1]), time.perf_counter())
                    self.heard.set()

    async def has(self, version: int) -> float:
        """Wait until a version, or a newer one, is there; return when it came."""
        async with asyncio.timeout(30):
            while not any(seen >= version for seen in self.seen):
                self.heard.clear()
                await self.heard.wait()
        return min(at for seen, at in self.seen.items() if seen >= version)

    async def close(self) -> None:
        await self.socket.close()
        await self.reading


def session_of(user: User) -> str:
    """Log a user in; return the key of the session."""
    store = SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def new_table() -> tuple[Match, dict[Seat, str]]:
    """A match of four people in a public room, and their sessions."""
    people = [User.objects.create_guest() for _ in Seat]
    options = {"visibility": Room.Visibility.PUBLIC, "clock": 60, "target": 2000}
    room = rooms.create(people[0], Room(**options))
    for person in people[1:]:
        seating.sit(person, room.pk)
    match = rooms.start(people[0], room.pk)
    rows = match.seats.select_related("user")
    return match, {Seat(row.seat): session_of(row.user) for row in rows if row.user is not None}


class Players:
    """Four people with their pages open, who play like normal."""

    def __init__(self, match: Match, pages: dict[Seat, Page]) -> None:
        self.match, self.pages = match, pages

    async def move(self) -> float | None:
        """Let whoever is asked act; return how long the answer took when a card was played, None otherwise."""
        state = await in_thread(selectors.current_state, self.match.pk)
        if state.phase is Phase.OVER:
            raise SystemExit("the match is over: measure fewer cards")
        if state.phase is not Phase.SUMMARY and state.turn is None:
            await asyncio.sleep(0.05)
            return None
        seat = state.turn
        if seat is None:
            seat = next(seat for seat in Seat if seat not in state.next_said)
            frame: dict[str, object] = {"type": "next", "deal": state.deal_number}
        else:
            command = PLAYERS[Occupant.NORMAL].choose(table_view(state, seat))
            if isinstance(command, PlayCard):
                frame = {"type": "play", "card": CARD_NAMES[command.card]}
            elif isinstance(command, Take):
                frame = {"type": "take", "suit": format_suit(command.suit)}
            else:
                frame = {"type": "pass"}
        page = self.pages[seat]
        await page.has(state.version)
        sent_at = time.perf_counter()
        await page.socket.send(json.dumps({**frame, "version": state.version, "action_id": str(uuid4())}))
        answered_at = await page.has(state.version + 1)
        return answered_at - sent_at if frame["type"] == "play" else None


class Figures:
    """What was measured with one number of spectators, a value for each block."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.answer: list[float] = []
        self.last_spectator: list[float] = []
        self.idle: list[float] = []
        self.arrival: list[float] = []


async def measure_block(server: Server, players: Players, crowd: list[Page], pace: float, into: Figures) -> None:
    """Play a block of cards at a steady pace."""
    loop = asyncio.get_running_loop()
    spent, answers, late = 0.0, [], []
    while len(answers) < CARDS_IN_A_BLOCK:
        before, begun_at = server.cpu_seconds(), loop.time()
        sent_at = time.perf_counter()
        answer = await players.move()
        if answer is None:
            continue
        if crowd:
            version = (await in_thread(selectors.current_state, players.match.pk)).version
            late.append(max(await asyncio.gather(*[page.has(version) for page in crowd])) - sent_at)
        await asyncio.sleep(begun_at + pace - loop.time())
        spent += server.cpu_seconds() - before - into.idle[-1] * (loop.time() - begun_at)
        answers.append(answer)
    into.cpu.append(spent / CARDS_IN_A_BLOCK)
    into.answer.append(statistics.median(answers))
    if late:
        into.last_spectator.append(statistics.median(late))


async def arrive(server: Server, match: Match, sessions: list[str], into: Figures) -> list[Page]:
    """Open a page for each session, some at a time."""
    before = server.cpu_seconds()
    crowd = [Page(session) for session in sessions]
    for start in range(0, len(crowd), ARRIVING_AT_ONCE):
        await asyncio.gather(*[page.open(server, match.pk) for page in crowd[start : start + ARRIVING_AT_ONCE]])
    await asyncio.gather(*[page.has(0) for page in crowd])
    if crowd:
        into.arrival.append((server.cpu_seconds() - before) / len(crowd))
    return crowd


async def measure(server: Server, counts: list[int], rounds: int, blocks: int, pace: float) -> dict[int, Figures]:
    """Let the numbers of spectators take turns, and return what was measured with each."""
    await server.is_open()
    match, sessions = await in_thread(new_table)
    watching = await in_thread(lambda: [session_of(User.objects.create_guest()) for _ in range(max(counts))])
    pages = {seat: Page(session) for seat, session in sessions.items()}
    for page in pages.values():
        await page.open(server, match.pk)
    players = Players(match, pages)
    figures = {count: Figures() for count in counts}
    for number in range(rounds):
        for count in counts:
            print(f"\rround {number + 1}/{rounds}, {count} spectators   ", end="", file=sys.stderr, flush=True)
            into = figures[count]
            crowd = await arrive(server, match, watching[:count], into)
            await asyncio.sleep(2)
            # Two heartbeats of everybody.
            before = server.cpu_seconds()
            await asyncio.sleep(10)
            into.idle.append((server.cpu_seconds() - before) / 10)
            for _ in range(blocks):
                await measure_block(server, players, crowd, pace, into)
            await asyncio.gather(*[page.close() for page in crowd])
            await asyncio.sleep(2)
    print(file=sys.stderr)
    for page in pages.values():
        await page.close()
    return figures


def report(name: str, values: list[float], base: list[float] | None = None) -> None:
    """Print one kind of figure in milliseconds, and as a ratio to ``base``."""
    if not values:
        return
    middle, lowest, highest = (1000 * value for value in (statistics.median(values), min(values), max(values)))
    ratio = f"   {statistics.median(values) / statistics.median(base):5.2f} times" if base else ""
    print(f"  {name:<44} {middle:7.2f} ms (from {lowest:.2f} to {highest:.2f}){ratio}")


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, nargs="+", default=[100, 500], help="besides none (default: 100 500)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each number (default: %(default)s)")
    parser.add_argument("--blocks", type=int, default=4, help="blocks of eight cards a turn (default: %(default)s)")
    parser.add_argument("--pace", type=float, default=0.6, help="seconds from card to card (default: %(default)s)")
    parser.add_argument(
        "--port", type=int, default=20000 + secrets.randbelow(20000), help="of the server (default: any)"
    )
    options = parser.parse_args()
    if min(options.rounds, options.blocks, *options.spectators) < 1 or options.pace <= 0:
        parser.error("--spectators, --rounds and --blocks must be at least 1, and --pace more than 0")
    call_command("migrate", verbosity=0)
    server = Server(options.port)
    counts = [0, *options.spectators]
    try:
        figures = asyncio.run(measure(server, counts, options.rounds, options.blocks, options.pace))
    finally:
        server.process.send_signal(signal.SIGINT)
        server.process.wait()
    base = figures[0]
    for count in counts:
        print(f"{count} spectators")
        of = figures[count]
        report("server CPU for one move", of.cpu, base.cpu if count else None)
        report("time until who plays has the answer", of.answer, base.answer if count else None)
        report("time until the last spectator has it", of.last_spectator)
        report("server CPU a second while nobody moves", of.idle)
        report("server CPU for one that arrives", of.arrival)


if __name__ == "__main__":
    main()
