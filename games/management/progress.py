"""A progress bar for commands that take minutes."""

from __future__ import annotations

import sys

WIDTH = 30


class ProgressBar:
    """One line that is drawn over itself; where nobody watches (no terminal) a line for each tenth."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.stream = sys.stderr
        self._tenth = 0

    def show(self, done: int, note: str = "") -> None:
        """Draw the bar with so much done."""
        if self.stream.isatty():
            bar = "#" * (WIDTH * done // self.total)
            self.stream.write(f"\r[{bar:<{WIDTH}}] {done}/{self.total} {note}\x1b[K" + "\n" * (done >= self.total))
            self.stream.flush()
        elif (tenth := 10 * done // self.total) > self._tenth:
            self._tenth = tenth
            self.stream.write(f"{done}/{self.total} {note}".rstrip() + "\n")
            self.stream.flush()
