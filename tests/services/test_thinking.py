"""Hard thinks in processes of its own: small ones, which may be killed, which tell nothing, and which end in time."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from multiprocessing.connection import wait

import pytest

from games import tasks, thinking
from games.ai.player import LIVE_PLAYERS
from games.engine.cards import mask_of
from games.engine.commands import PlayCard
from games.engine.seats import Occupant
from games.engine.view import TableView
from games.thinking import Thinkers, ThinkingFailed
from tests.ai.given import playing
from tests.services.telltale import Telltale
from tests.site_process import PATIENCE_SECONDS, ROOT

HAND = "JS 9S AS AH TH KC QC 7D"

PARENT = """
import multiprocessing, sys
from games.thinking import Thinkers
thinkers = Thinkers(2)
thinkers.warm_up()
print(*[child.pid for child in multiprocessing.active_children()], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    """Two processes that run and are idle, and no others."""
    tasks.thinkers.stop()
    thinkers = Thinkers(2)
    thinkers.warm_up()
    thinkers.choose(Occupant.HARD, a_view())
    yield thinkers
    thinkers.stop()
    # One that the pool's own thread is just putting away still counts as active, though it has ended.
    assert all(wait([process.sentinel], PATIENCE_SECONDS) for process in multiprocessing.active_children())


def a_view() -> TableView:
    return playing(HAND, "N: 8H QH")


def children() -> list[int]:
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def hang() -> list[int]:
    """Let the processes go on with nothing, and return them."""
    hanging = children()
    for process in hanging:
        os.kill(process, signal.SIGSTOP)
    return hanging


def assert_ends(process: int) -> None:
    """Wait until a process has ended, our child or not."""
    try:
        watched = os.pidfd_open(process)
    except ProcessLookupError:
        return
    ended, _, _ = select.select([watched], [], [], PATIENCE_SECONDS)
    os.close(watched)
    assert ended, f"process {process} goes on"


def most_memory_kb(process: int) -> int:
    with open(f"/proc/{process}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def test_given_a_view_when_hard_is_asked_then_it_answers_with_a_legal_card(thinkers: Thinkers) -> None:
    # given
    view = a_view()
    # when
    answer = thinkers.choose(Occupant.HARD, view)
    # then
    assert isinstance(answer, PlayCard)
    assert mask_of([answer.card]) & view.legal


def test_given_processes_that_have_thought_then_each_stays_below_120_mb(thinkers: Thinkers) -> None:
    for _ in range(4):
        thinkers.choose(Occupant.HARD, a_view())

    assert len(children()) == 2
    assert max(map(most_memory_kb, children())) < 120_000


def test_given_the_module_that_processes_load_then_it_needs_neither_django_nor_the_server() -> None:
    code = "import games.thinking, sys; print(*{name.partition('.')[0] for name in sys.modules})"

    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)

    assert "games" in loaded.stdout.split()
    assert not {"django", "twisted", "daphne", "belote_site", "accounts"} & set(loaded.stdout.split())


def test_given_a_killed_process_when_hard_is_asked_then_new_ones_answer(
    thinkers: Thinkers, caplog: pytest.LogCaptureFixture
) -> None:
    # given
    before = children()
    os.kill(before[0], signal.SIGKILL)
    # when
    answer = thinkers.choose(Occupant.HARD, a_view())
    # then
    assert isinstance(answer, PlayCard)
    assert caplog.messages == ["a process in which computer players think has ended; new ones are started"]
    # and the other one of before goes as well
    for process in before:
        assert_ends(process)


def test_given_a_process_that_is_killed_while_it_thinks_then_the_answer_comes_all_the_same(thinkers: Thinkers) -> None:
    # given processes that have work and do not go on with it
    hanging = hang()
    answers: list[object] = []
    asked = threading.Thread(target=lambda: answers.append(thinkers.choose(Occupant.HARD, a_view())))
    asked.start()
    # when
    for process in hanging:
        os.kill(process, signal.SIGKILL)
    # then
    asked.join(PATIENCE_SECONDS)
    assert len(answers) == 1


def test_given_processes_that_do_not_answer_when_hard_is_asked_then_it_is_told_so_and_new_ones_answer_the_next(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given
    monkeypatch.setattr(thinking, "PATIENCE_SECONDS", 0.1)
    before = hang()
    # when
    with pytest.raises(ThinkingFailed, match="no answer"):
        thinkers.choose(Occupant.HARD, a_view())
    # then
    monkeypatch.undo()
    assert isinstance(thinkers.choose(Occupant.HARD, a_view()), PlayCard)
    for process in before:
        assert_ends(process)


def test_given_processes_that_hang_when_the_site_stops_then_it_does_not_wait_for_them(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "GRACE_SECONDS", 0.1)
    before = hang()

    thinkers.stop()

    for process in before:
        assert_ends(process)


def test_given_an_error_that_quotes_a_hand_when_it_leaves_its_process_then_kind_and_place_are_left(
    thinkers: Thinkers,
) -> None:
    # given
    view = a_view()._replace(trick=Telltale(HAND))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=HAND):
        LIVE_PLAYERS[Occupant.HARD].choose(view)
    # when
    with pytest.raises(ThinkingFailed) as failed:
        thinkers.choose(Occupant.HARD, view)
    # then
    told = "".join(traceback.format_exception(failed.value))
    assert HAND not in told
    assert "ValueError" in str(failed.value)
    assert "telltale.py" in str(failed.value)
    # and the process goes on
    assert isinstance(thinkers.choose(Occupant.HARD, a_view()), PlayCard)


def test_given_a_parent_that_is_killed_then_its_processes_end() -> None:
    # given
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    processes = [int(word) for word in parent.stdout.readline().split()]
    assert len(processes) == 2
    # when
    parent.kill()
    parent.communicate()
    # then
    for process in processes:
        assert_ends(process)


def test_given_ctrl_c_in_a_terminal_when_processes_get_it_as_well_then_they_go_on_until_they_are_stopped(
    thinkers: Thinkers,
) -> None:
    before = children()
    for process in before:
        os.kill(process, signal.SIGINT)

    assert isinstance(thinkers.choose(Occupant.HARD, a_view()), PlayCard)
    assert children() == before
