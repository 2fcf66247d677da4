"""Pieces of work done in several processes side by side, for commands that compute for minutes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait


def side_by_side[W, R](do: Callable[[W], R], work: Sequence[W], jobs: int) -> Generator[R, None, None]:
    """Yield what comes of each piece of work, in the order of the work; with one job it is done in this process.

    Whoever stops early closes the iterator: the processes are then ended in the middle of what they do.

    Args:
        do: a function of a module that the processes can import without Django; it and what it returns are pickled.

    Raises:
        BrokenProcessPool: something else has ended one of the processes.
    """
    if jobs == 1:
        yield from map(do, work)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield from pool.map(do, work)
    except (KeyboardInterrupt, GeneratorExit):
        # They would finish what they are at, which takes a minute where a player thinks long.
        kill_processes()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def kill_processes() -> None:
    """End the processes that this one has started, also those that hang or are stopped."""
    started = multiprocessing.active_children()
    for process in started:
        process.kill()
    for process in started:
        process.join(1)


def _begin() -> None:
    """Set up a process that works: it ends with its parent, which alone hears Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def end_with_parent() -> None:
    """Let this process end when the one that started it does, whatever ends that one."""
    threading.Thread(target=_end_with_parent, name="ends-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
