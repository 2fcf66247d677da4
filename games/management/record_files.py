"""Files of records, read one record at a time: never more than one of them is in memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import CommandError
from django.db import DatabaseError

from games import record
from games.management.progress import ProgressBar
from games.record import MOST_BYTES, BadRecord, Record

WORTH_A_BAR = 1024 * 1024
"""Bytes that take long enough to read for somebody to wonder."""

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Found:
    """What stands at one place of a file: a record, or none and the ``problem`` with it."""

    where: str
    record: Record | None
    problem: str = ""


def records_in(names: Iterable[str], *, with_bar: bool) -> Iterator[Found]:
    """Yield what stands in some files, one record or problem after the other, and draw a bar if they are long.

    A file holds one record, over as many lines as it likes, or one record a line (JSON Lines): the latter if its first
    line ends with ``}``. The name ``-`` is what comes in.
    """
    names = list(names)
    total = sum(_size_of(name) for name in names)
    bar = ProgressBar(total) if with_bar and total >= WORTH_A_BAR else None
    done = count = 0
    for name in names:
        try:
            with nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb") as stream:
                for where, text, size in _texts_in(stream, "standard input" if name == STDIN else name):
                    yield _read(where, text)
                    done, count = done + size, count + 1
                    if bar is not None and name != STDIN:
                        bar.show(min(done, total), f"bytes, {count} records")
        except OSError as error:
            yield Found(name, None, f"it cannot be read: {error.strerror or error}.")
    if bar is not None and done < total:
        bar.show(total, f"bytes, {count} records")


@contextmanager
def faults_told(if_broken_off: str) -> Iterator[None]:
    """Say in a sentence what kept a command from its end: Ctrl-C, the database, or where its output goes."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise CommandError(if_broken_off, returncode=130) from error
    except DatabaseError as error:
        raise CommandError(
            f"The database cannot be used: {error}. See BELOTE_DB or DATABASE_URL, and run manage.py migrate."
        ) from error
    except BrokenPipeError as error:
        # Python writes what is left once more as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise CommandError(f"Nobody reads on. {if_broken_off}") from error
    except OSError as error:
        raise CommandError(f"The output cannot be written: {error.strerror or error}.") from error


def _size_of(name: str) -> int:
    try:
        return Path(name).stat().st_size if name != STDIN and Path(name).is_file() else 0
    except OSError:
        # Told when it is its turn.
        return 0


def _read(where: str, text: bytes) -> Found:
    try:
        return Found(where, record.read(text))
    except BadRecord as problem:
        return Found(where, None, str(problem))


def _texts_in(stream: BinaryIO, name: str) -> Iterator[tuple[str, bytes, int]]:
    """Yield where a text stands, the text, or the beginning of one that is too long, and the bytes it takes."""
    is_first = True
    number = blank = 0
    while line := stream.readline(MOST_BYTES + 2):
        number += 1
        size = len(line)
        text = line.strip()
        if not text:
            blank += size
            continue
        if not line.endswith(b"\n") and size > MOST_BYTES:
            text = line
            while rest := stream.readline(MOST_BYTES):
                size += len(rest)
                if rest.endswith(b"\n"):
                    break
        elif is_first and not text.endswith(b"}"):
            text += b"\n" + stream.read(MOST_BYTES + 1 - len(text))
            yield name, text, blank + len(text)
            return
        yield f"{name}, line {number}", text, blank + size
        is_first, blank = False, 0
    if is_first:
        yield name, b"", 0
