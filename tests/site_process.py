"""The site as a process of its own, for tests that need a real server: started, killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import closing
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 30


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return once something listens on the port; fail when the process that should is gone or takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"the server ended with code {process.returncode} before it listened")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"nothing listens on port {port} after {PATIENCE_SECONDS} s")


@cache
def _migrated() -> bytes:
    """An SQLite database with the site's tables and nobody in it; made once in this process, since it takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "site.sqlite3"
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "BELOTE_DB": str(database)}, check=True)
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return database.read_bytes()


class Site:
    """One server on one database. It keeps its port and its data over `kill` and `start`.

    `environment` is added to this process's own. The database is made, with its tables, when the site is.
    """

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.environment = {
            **os.environ,
            "BELOTE_DB": str(folder / "site.sqlite3"),
            "BELOTE_GUEST_LIMIT": "1000/minute",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None
        if "DATABASE_URL" in self.environment:
            self.manage("migrate", "--verbosity", "0")
        else:
            Path(self.environment["BELOTE_DB"]).write_bytes(_migrated())

    def manage(self, *arguments: str) -> str:
        """What a management command writes, run on the site's database."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "belote_site.server", "--port", str(self.port)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        wait_until_open(self.port, self.process)

    def kill(self) -> None:
        """End the server as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """End the server as Ctrl-C would, and give its exit code."""
        return self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE_SECONDS)
        self.process = None
        return code

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and body of a page, for an anonymous visitor."""
        request = urllib.request.Request(self.url + path, headers=headers)  # noqa: S310 (our own http address)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
