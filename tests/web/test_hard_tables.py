"""Tables of hard computers on a real server with its real processes, beside other tables and whatever is killed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.services.test_thinking import assert_ends, most_memory_kb
from tests.site_process import Site
from tests.web.browserless import Person

MAY_BE_LOGGED = re.compile(
    r"a process in which computer players think has ended; new ones are started"
    r"|computer hard in match [0-9a-f-]{36}: normal plays for it, "
    r"its processes do not stay alive, or gave no answer in 5 s"
)


@pytest.fixture(scope="module")
def site(make_site: Callable[..., Site]) -> Site:
    return make_site(BELOTE_COMPUTER_PACE="0.05", BELOTE_THINKING_PROCESSES="2", BELOTE_LOG_LEVEL="WARNING")


@pytest.fixture(autouse=True)
def _runs(site: Site) -> None:
    if site.process is None:
        site.start()


@pytest.fixture
async def hard_table(site: Site) -> AsyncIterator[Person]:
    """A person among three hard computers."""
    person = Person(site)
    await person.play_now(level="hard")
    await person.sit_down()
    yield person
    await person.get_up()


@pytest.fixture
async def other_table(site: Site) -> AsyncIterator[Person]:
    """A person among three normal computers."""
    person = Person(site)
    await person.play_now(level="normal")
    await person.sit_down()
    yield person
    await person.get_up()


def thinking(site: Site) -> list[int]:
    """The processes in which the server's computer players think."""
    assert site.process is not None
    found: list[int] = []
    for thread in Path(f"/proc/{site.process.pid}/task").iterdir():
        # Threads and processes may end while one looks.
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in (thread / "children").read_text().split():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.append(int(child))
    return found


def tell(processes: Iterable[int], what: signal.Signals) -> None:
    """Send a signal; with one process that is killed, the server ends the others itself."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, what)


def loaded_libraries(process: int) -> str:
    return Path(f"/proc/{process}/maps").read_text()


def assert_nothing_leaked(site: Site) -> None:
    """The log says only what it may, and no job has failed with a stored error."""
    for line in site.log.read_text().splitlines():
        assert line.startswith(("{", "Belote is at")), line
        if line.startswith("{"):
            assert MAY_BE_LOGGED.fullmatch(json.loads(line)["message"]), line
    with closing(sqlite3.connect(site.environment["BELOTE_DB"])) as database:
        assert database.execute("SELECT count(*) FROM dj_queue_failed_executions").fetchone() == (0,)


async def test_given_three_hard_computers_then_a_whole_deal_is_played_in_small_processes(
    site: Site, hard_table: Person
) -> None:
    # when
    hard_table.takes = True
    await hard_table.play_until(lambda: 'data-command="next"' in hard_table.regions["actions"])
    # then
    processes = thinking(site)
    assert len(processes) == 2
    assert max(map(most_memory_kb, processes)) < 120_000
    assert not [process for process in processes if "_sqlite3" in loaded_libraries(process)]
    assert_nothing_leaked(site)


async def test_given_processes_that_are_busy_when_another_table_is_played_then_it_goes_on(
    site: Site, hard_table: Person, other_table: Person
) -> None:
    # given thoughts that do not end
    await hard_table.play_until(lambda: hard_table.my_turn)
    tell(thinking(site), signal.SIGSTOP)
    await hard_table.act()
    before, stuck = other_table.version, hard_table.version
    # when
    other_table.takes = True
    await other_table.play_until(lambda: other_table.version >= before + 12)
    # then the hard table has waited meanwhile, and goes on
    tell(thinking(site), signal.SIGCONT)
    await hard_table.play_until(lambda: hard_table.version >= stuck + 6)
    assert_nothing_leaked(site)


async def test_given_processes_that_are_killed_again_and_again_then_the_table_goes_on(
    site: Site, hard_table: Person
) -> None:
    hard_table.takes = True
    for later in (5, 10, 15, 20):
        tell(thinking(site), signal.SIGKILL)

        await hard_table.play_until(lambda version=later: hard_table.version >= version)

    assert "new ones are started" in site.log.read_text()
    assert_nothing_leaked(site)


@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_given_a_table_of_hard_computers_when_the_server_ends_then_so_do_its_processes(
    site: Site, hard_table: Person, how: str
) -> None:
    # given
    await hard_table.play_until(lambda: hard_table.my_turn)
    processes = thinking(site)
    assert processes
    # when a terminal sends Ctrl-C to all of them, or the server is killed
    began = time.monotonic()
    if how == "stop":
        tell(processes, signal.SIGINT)
    await asyncio.to_thread(getattr(site, how))
    # then
    assert time.monotonic() - began < 10
    for process in processes:
        assert_ends(process)
    assert "Traceback" not in site.log.read_text()
