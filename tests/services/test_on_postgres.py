"""The tests of storage once more, on PostgreSQL: its locks and its isolation are not SQLite's."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.db import connection

from tests.site_process import ROOT

pytestmark = pytest.mark.scale

APART = (
    *("test_on_postgres.py", "test_analysing.py", "test_codec.py", "test_hint_numbers.py", "test_sqlite.py"),
    *("test_thinking.py", "test_clocks.py", "test_leavers.py", "test_presence.py", "test_talk.py"),
)
"""Of the tests of services, this one, those that store nothing, and those that ask of the database what others do."""


@pytest.mark.skipif(connection.vendor == "postgresql", reason="this is the run on PostgreSQL")
def test_storage_holds_on_postgres(postgres_server: str) -> None:
    # when
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/services"]
        + [f"--ignore=tests/services/{name}" for name in APART],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgres_server, "BELOTE_TASKS": "embedded"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # then
    assert run.returncode == 0, run.stdout[-4000:]
    assert " passed" in run.stdout
