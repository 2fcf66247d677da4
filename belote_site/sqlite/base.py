"""Django's SQLite, with the transactions of one process in a queue.

SQLite has one writer at a time. Whoever finds the database taken sleeps, for up to a tenth of a second, and looks
again; with fifty tables in one process the unlucky ones met a taken database for seconds. Threads of this process wait
for each other with a lock instead, which wakes the next one at once. Other processes meet them as before.
"""

from __future__ import annotations

import threading

from django.db.backends.sqlite3 import base

PATIENCE_SECONDS = 10
"""After that SQLite itself is asked, and says that the database is locked."""

_turn = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that begins a transaction when the one before it in this process has ended."""

    _has_turn = False

    def _start_transaction_under_autocommit(self) -> None:
        self._has_turn = _turn.acquire(timeout=PATIENCE_SECONDS)
        try:
            super()._start_transaction_under_autocommit()
        finally:
            self._pass_on_when_ended()

    def _commit(self) -> None:
        try:
            super()._commit()
        finally:
            self._pass_on_when_ended()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._pass_on_when_ended()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._pass_on()

    def _pass_on_when_ended(self) -> None:
        if self.connection is None or not self.connection.in_transaction:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._has_turn:
            self._has_turn = False
            _turn.release()
