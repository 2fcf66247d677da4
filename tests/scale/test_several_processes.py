"""Several processes on Postgres and Redis: people on different web processes play one match, whatever is killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.site_process import PATIENCE_SECONDS, ROOT, Site, free_port, wait_until_open
from tests.web.browserless import Person

pytestmark = pytest.mark.scale

PACE = "0.02"


class Redis:
    """A Redis server of its own, which keeps its port over `kill` and `start`."""

    def __init__(self, program: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        wait_until_open(self.port, self._process)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


class Worker:
    """A worker process with its children."""

    def __init__(self, site: Site, log: Path) -> None:
        self._site, self._log = site, log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "dj_queue"],
                cwd=ROOT,
                env=self._site.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE_SECONDS)
            self._process = None


class Deployment:
    """Two web processes and a worker on one database and one Redis."""

    def __init__(self, folder: Path, database: str, redis: Redis) -> None:
        self.redis = redis
        environment = {
            "DATABASE_URL": database,
            "REDIS_URL": redis.url,
            "WEB_PROCESSES": "2",
            "BELOTE_COMPUTER_PACE": PACE,
        }
        self.webs = [Site(_made(folder / name), **environment) for name in ("one", "two")]
        self.worker = Worker(self.webs[0], folder / "worker.log")
        self.logs = [*(web.log for web in self.webs), folder / "worker.log"]

    def start(self) -> None:
        self.redis.start()
        self.worker.start()
        for web in self.webs:
            web.start()

    def kill(self) -> None:
        self.worker.kill()
        for web in self.webs:
            web.kill()
        self.redis.kill()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def deployment(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: str, redis_program: str
) -> Iterator[Deployment]:
    name = f"belote_{free_port()}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    folder = tmp_path_factory.mktemp("deployment")
    deployment = Deployment(folder, postgres_server.rsplit("/", 1)[0] + f"/{name}", Redis(redis_program, folder))
    deployment.start()
    yield deployment
    deployment.kill()


@pytest.fixture
async def four(deployment: Deployment) -> AsyncIterator[list[Person]]:
    """Two people on each web process, at one table."""
    one, two = deployment.webs
    people = [Person(one), Person(two), Person(one), Person(two)]
    invite = await people[0].new_room()
    for person in people[1:]:
        await person.join(invite)
    match_id = await people[0].start()
    for person in people:
        person.match_id, person.takes = match_id, True
        await person.sit_down()
    yield people
    for person in people:
        await person.get_up()


async def play_until_deal(people: list[Person], deal: int) -> None:
    """Everybody plays what the page offers until everybody sees a deal; each hears as it comes."""
    await asyncio.gather(*[person.play_until(lambda person=person: person.deal >= deal) for person in people])


async def log_of(person: Person) -> str:
    """The match's events as the database has them: their sequence numbers and types."""
    code = (
        "from games.models import GameEvent\n"
        f"rows = GameEvent.objects.filter(match_id='{person.match_id}').order_by('sequence')\n"
        "print(*[f\"{e.sequence}:{e.payload['type']}:{e.payload.get('card', '')}\" for e in rows])"
    )
    return await asyncio.to_thread(person.site.manage, "shell", "--verbosity", "0", "--command", code)


async def test_four_people_on_two_web_processes_play_a_deal(deployment: Deployment, four: list[Person]) -> None:
    # when
    await play_until_deal(four, 2)
    # then all see the same scores, and the log has every event once and 32 cards a deal
    scores = {person.regions["score-sheet"].count("<tr") for person in four}
    assert len(scores) == 1
    events = [event.split(":") for event in (await log_of(four[0])).split()]
    assert [int(sequence) for sequence, _, _ in events] == list(range(1, len(events) + 1))
    cards = [card for _, kind, card in events if kind == "card_played"]
    assert len(set(cards[:32])) == 32
    for log in deployment.logs:
        assert '"level": "ERROR"' not in log.read_text()


async def test_with_redis_gone_play_goes_on_and_everybody_catches_up(
    deployment: Deployment, four: list[Person]
) -> None:
    # given a deal in progress
    mover = await all_hold_eight_cards(four)
    # when Redis is killed, and a card is played
    deployment.redis.kill()
    await mover.act()
    # then the heartbeats bring everybody to that version
    await hear_of(four, mover.version)
    # and whoever opens the table now gets it as well
    await four[0].get_up()
    await four[0].sit_down()
    assert four[0].version == mover.version
    # and with Redis back, the deal is played to its end
    deployment.redis.start()
    await play_until_deal(four, 2)


async def test_a_web_process_that_is_killed_loses_nothing(deployment: Deployment, four: list[Person]) -> None:
    # given a deal in progress
    await all_hold_eight_cards(four)
    held = [person.held for person in four]
    # when
    deployment.webs[1].kill()
    deployment.webs[1].start()
    for person in (four[1], four[3]):
        tab = person.tab
        await person.get_up()
        await person.sit_down(tab)
    # then everybody has the hand that they had, and the deal goes on
    assert [person.held for person in four] == held
    await play_until_deal(four, 2)


async def test_a_computers_turn_survives_the_worker(deployment: Deployment) -> None:
    # given two people and two computers
    one, two = (Person(web) for web in deployment.webs)
    invite = await one.new_room()
    await two.join(invite)
    await one.request(f"{one.room}computers/easy/", {})
    match_id = await one.start()
    for person in (one, two):
        person.match_id = match_id
        await person.sit_down()
    # when the worker is killed and started again
    deployment.worker.kill()
    deployment.worker.start()
    # then the match goes on
    await play_until_deal([one, two], 2)
    for person in (one, two):
        await person.get_up()


async def hear_of(people: list[Person], version: int) -> None:
    """Until everybody has seen a version."""
    await asyncio.gather(*[person.hear_until(lambda person=person: person.version >= version) for person in people])


async def all_hold_eight_cards(people: list[Person]) -> Person:
    """Until the cards are dealt out; return who is on turn."""
    await asyncio.gather(*[person.play_until(lambda person=person: len(person.held) == 8) for person in people])
    await hear_of(people, max(person.version for person in people))
    return next(person for person in people if person.my_turn)
