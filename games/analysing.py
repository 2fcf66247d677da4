"""Deals are analysed in a process of their own, one deal at a time, that gets the time which nobody else wants.

It is made for a deal and ends with it, so its memory is given back. It imports this module, the computer players and
the engine, nothing of Django or the server, and ends with the process that started it, whatever ends that one.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from time import monotonic

from games.deal_analysis import AnalysedMove, Move, analyse
from games.side_by_side import end_with_parent
from games.thinking import interrupts_kept_from_children, kind_and_places

NICENESS = 19

MOST_MEMORY = 512 * 1024 * 1024
"""Bytes. The worst of 150 deals took a fifth of it."""

MOST_SECONDS = 300
"""Of a processor. The worst of 150 deals took eight."""

BREATH_SECONDS = 1
"""So often whoever waits hears that it goes on."""

PATIENCE_SECONDS = 600
"""For one move, on a machine that has no time to spare."""


class AnalysisFailed(Exception):
    """A deal cannot be analysed. Says which kind of fault it was and where, and quotes nothing of the deal."""


class AnalysisInterrupted(Exception):
    """The process was ended from outside; another one may do better."""


class Analyst:
    """Analyses deals in other processes, one at a time."""

    def __init__(self, niceness: int = NICENESS) -> None:
        self._niceness = niceness
        self._lock = threading.Lock()
        self._process: int | None = None
        self.has_stopped = False

    def analyse(self, moves: Sequence[Move]) -> Generator[AnalysedMove | None, None, None]:
        """Yield what `deal_analysis.analyse` does, and None whenever a second has passed without anything new.

        Closing the generator ends the process.

        Raises:
            AnalysisFailed: something is wrong with the deal or the program, or nothing came for ten minutes.
            AnalysisInterrupted: the process was killed, as the system does when one takes too much, or by `stop`.
        """
        if self.has_stopped:
            raise AnalysisInterrupted
        # A copy of a process with threads may hang, so none is forked.
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(1, spawn, initializer=_begin, initargs=(moves, self._niceness))
        try:
            with interrupts_kept_from_children():
                asked = pool.submit(os.getpid)
            yield from self._breathe(asked)
            with self._lock:
                self._process = asked.result()
                if self.has_stopped:
                    raise AnalysisInterrupted
            for _ in moves:
                answer = pool.submit(_next)
                yield from self._breathe(answer)
                yield answer.result()
        except BrokenProcessPool as broken:
            raise AnalysisInterrupted from broken
        finally:
            self._end()
            pool.shutdown()

    def start(self) -> None:
        """Allow analyses again after `stop`."""
        self.has_stopped = False

    def stop(self) -> None:
        """End the process in the middle of what it does, and start no other."""
        with self._lock:
            self.has_stopped = True
            self._kill()

    def _breathe(self, answer: Future[int] | Future[AnalysedMove]) -> Iterator[None]:
        """Wait for an answer; raise what came in its place."""
        end = monotonic() + PATIENCE_SECONDS
        while True:
            try:
                fault = answer.exception(BREATH_SECONDS)
            except TimeoutError:
                if monotonic() > end:
                    raise AnalysisFailed(f"no answer in {PATIENCE_SECONDS} s") from None
                yield None
                continue
            if fault is not None and not isinstance(fault, BrokenProcessPool):
                raise AnalysisFailed(kind_and_places(fault))
            return

    def _end(self) -> None:
        with self._lock:
            self._kill()
            self._process = None

    def _kill(self) -> None:
        for process in multiprocessing.active_children():
            if process.pid == self._process:
                process.kill()


_analysis: Iterator[AnalysedMove]


def _begin(moves: Sequence[Move], niceness: int) -> None:
    """Set up a process that analyses one deal."""
    global _analysis
    os.setpriority(os.PRIO_PROCESS, 0, niceness)
    for what, most in ((resource.RLIMIT_DATA, MOST_MEMORY), (resource.RLIMIT_CPU, MOST_SECONDS)):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    end_with_parent()
    _analysis = analyse(moves)


def _next() -> AnalysedMove:
    return next(_analysis)
