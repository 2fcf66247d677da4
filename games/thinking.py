"""Computer players that take long think in processes of their own: no table and no page waits for them.

Those processes import this module, the computer players and the engine, nothing of Django or the server. What goes to
them is what the seat may know and the name of its level; an answer comes back. They end with the process that started
them, whatever ends it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from time import monotonic

from games.ai.player import LIVE_PLAYERS
from games.engine.commands import Pass, PlayCard, Take
from games.engine.seats import Occupant
from games.engine.view import TableView
from games.side_by_side import end_with_parent, kill_processes

logger = logging.getLogger(__name__)

type Answer = Take | Pass | PlayCard

TAKES_LONG = frozenset({Occupant.HARD})
"""The others answer in less time than it takes to ask another process."""

NICENESS = 5
"""On a busy machine pages come first."""

ATTEMPTS = 2

PATIENCE_SECONDS = 5
"""Far more than all threads of tasks together can ask for."""

GRACE_SECONDS = 1
"""What is being thought out when the site stops is done within it; whatever is not hangs."""


class ThinkingFailed(Exception):
    """A level gave no answer. Says which kind of fault it was and where, and quotes nothing: a hand might be in it."""


class Thinkers:
    """A few processes that think; made when they are first needed, and again when one of them was killed."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def choose(self, level: Occupant, view: TableView) -> Answer:
        """Return a level's answer for the seat on turn; may take as long as the level does.

        Raises:
            ThinkingFailed: a process that thought failed, was killed time and again, or did not answer.
        """
        if level not in TAKES_LONG:
            return LIVE_PLAYERS[level].choose(view)
        for _ in range(ATTEMPTS):
            pool, thought = self._ask(level, view)
            try:
                fault = thought.exception(PATIENCE_SECONDS)
            except TimeoutError:
                # One that hangs would keep every later question waiting as well.
                kill_processes()
                break
            if fault is None:
                return thought.result()
            if not isinstance(fault, BrokenProcessPool):
                raise ThinkingFailed(kind_and_places(fault))
            self._give_up(pool)
        raise ThinkingFailed(f"its processes do not stay alive, or gave no answer in {PATIENCE_SECONDS} s")

    def warm_up(self) -> None:
        """Start the processes, without waiting for them."""
        pool = self._pool_now()
        with interrupts_kept_from_children():
            for _ in range(self._processes):
                pool.submit(os.getpid)

    def stop(self) -> None:
        """End the processes; what is not thought out yet is not wanted any more."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
            end = monotonic() + GRACE_SECONDS
            for process in multiprocessing.active_children():
                process.join(max(0.0, end - monotonic()))
            kill_processes()

    def _ask(self, level: Occupant, view: TableView) -> tuple[ProcessPoolExecutor, Future[Answer]]:
        pool = self._pool_now()
        try:
            # Processes start when something is submitted that they are needed for.
            with interrupts_kept_from_children():
                return pool, pool.submit(_think, level, view)
        except BrokenProcessPool as fault:
            broken: Future[Answer] = Future()
            broken.set_exception(fault)
            return pool, broken

    def _pool_now(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # A copy of a process with threads may hang, so none is forked.
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._processes, mp_context=spawn, initializer=_begin)
            return self._pool

    def _give_up(self, broken: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._pool is not broken:
                return
            self._pool = None
        logger.warning("a process in which computer players think has ended; new ones are started")
        broken.shutdown(wait=False)


def _think(level: Occupant, view: TableView) -> Answer:
    return LIVE_PLAYERS[level].choose(view)


@contextmanager
def interrupts_kept_from_children() -> Iterator[None]:
    """Let processes that start meanwhile never see Ctrl-C: it is for their parent, which ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Set up a process that thinks."""
    os.nice(NICENESS)
    end_with_parent()


def kind_and_places(fault: BaseException) -> str:
    """Return an exception's type and the places it came through in the other process, without its text."""
    places = re.findall(r'^  File "(.+)", line (\d+), in (\w+)$', str(fault.__cause__), re.MULTILINE)
    return " ".join([type(fault).__qualname__, *[f"{file}:{line} {name}" for file, line, name in places]])
