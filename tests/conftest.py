"""What all tests share: the optional parts of the machine, and databases and servers of their own."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import AppConfig, apps
from django.core.cache import cache
from django.db import connection
from django.db.models.signals import post_migrate
from django.dispatch import receiver
from pytest_django import Settings

from accounts import networks
from belote_site import rates
from belote_site.staff_groups import set_up_groups
from games import selectors
from tests.site_process import ROOT, Site, free_port, wait_until_open


@receiver(post_migrate)
def _bring_the_groups_back(sender: AppConfig, **_: object) -> None:
    """What a migration has made once is gone when the tables were emptied after a test with transactions."""
    if sender.label == "games":
        set_up_groups(apps)


CHROMIUM = Path("/usr/bin/chromium")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def require(found: object, missing: str) -> None:
    """Skip the test when an optional part of the machine was not found; with BELOTE_REQUIRE_ALL=1, fail it."""
    if found:
        return
    if os.environ.get("BELOTE_REQUIRE_ALL") == "1":
        pytest.fail(f"BELOTE_REQUIRE_ALL is set, but {missing}")
    pytest.skip(missing)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last: Playwright leaves an event loop running, in which no asynchronous test can start."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(autouse=True)
def _no_browsers(settings: Settings) -> None:
    """Deal at once in this process: no browser contributes to its deals."""
    settings.CONTRIBUTION_SECONDS = 0


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    """Hash passwords in no time: what makes guessing slow has no part in what tests ask."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Forget in this process what other tests did: their users and matches had the same numbers."""
    rates._limiter.cache_clear()
    networks._written.clear()
    cache.clear()
    selectors.states.clear()


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Debian's Chromium, for playwright's `executable_path`."""
    require(CHROMIUM.exists(), f"there is no {CHROMIUM} (Debian package chromium)")
    return CHROMIUM


@pytest.fixture(scope="session")
def axe_script() -> str:
    """The source of axe-core, to be injected into a page."""
    require(AXE.exists(), "axe-core is not there (npm install --no-save axe-core)")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give SQLite a file of this run: threads and other processes cannot share a database in memory."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(scope="module")
def make_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Site]]:
    """Make sites, not started yet, each on a new database; keywords are environment variables of the server."""
    made: list[Site] = []

    def make(**environment: str) -> Site:
        site = Site(tmp_path_factory.mktemp("site"), **environment)
        made.append(site)
        return site

    yield make
    for site in made:
        site.kill()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The DATABASE_URL of a PostgreSQL server that lives as long as the tests."""
    binaries = _postgres_binaries()
    require(binaries, "there is no PostgreSQL server (Debian package postgresql)")
    assert binaries is not None
    # Not among pytest's folders: another run of pytest takes those away from everybody but its own user.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    user = getpass.getuser()
    identity: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        user = "postgres"
        identity |= {"user": user, "group": user, "extra_groups": []}
        shutil.chown(folder, user)
    data, port = folder / "data", free_port()
    subprocess.run(
        [binaries / "initdb", "-D", data, "-A", "trust", "-U", user, "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        **identity,
    )
    options = ["-c", f"port={port}", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([binaries / "postgres", "-D", data, *options], stdout=log, stderr=log, **identity)
    wait_until_open(port, process)
    # It listens before it answers.
    ready = [binaries / "pg_isready", "--quiet", "--host", "127.0.0.1", "--port", str(port)]
    while subprocess.run(ready).returncode and process.poll() is None:
        pass
    yield f"postgresql://{user}@127.0.0.1:{port}/postgres"
    process.terminate()
    process.wait()
    shutil.rmtree(folder)


def _postgres_binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    path = shutil.which("initdb")
    return Path(path).resolve().parent if path else None


@pytest.fixture(scope="session")
def redis_program() -> str:
    """The redis-server to start."""
    program = shutil.which("redis-server")
    require(program, "there is no redis-server (Debian package redis-server)")
    assert program is not None
    return program
