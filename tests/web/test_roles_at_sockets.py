"""Who may open which socket, in one table; and that a socket acts for its own seat alone, whatever it says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from belote_site.asgi import application
from tests.site_process import Site
from tests.web.browserless import Person
from tests.web.roles import NOT_THERE, PLACES, ROLES, address_of

TABLE = """
#    address               room          anon. guest acct. host  seat. spec. block else. staff
/ws/match/<match_id>/      public        101   101   101   101   101   101   403   101   101
/ws/match/<match_id>/      closed        403   403   403   101   101   403   403   403   403
/ws/match/<match_id>/      private       403   403   403   101   101   101   403   403   403
/ws/room/<room_id>/        public,closed 101   101   101   101   101   101   403   101   101
/ws/room/<room_id>/        private       403   403   403   101   101   101   403   403   403
/ws/lobby/                 any           101   101   101   101   101   101   101   101   101
/ws/nothing/               any           403   403   403   403   403   403   403   403   403
"""

MAKE_WORLDS = """
import json
from tests.web.roles import PLACES, world_of
worlds = {place: world_of(place, f"-{number}", "!") for number, place in enumerate(PLACES)}
print("WORLDS", json.dumps({place: world.values | {"sessions": world.sessions} for place, world in worlds.items()}))
"""

type Worlds = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("roles"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


@pytest.fixture(scope="module")
def worlds(site: Site) -> Worlds:
    """A room of every kind, with everybody of `ROLES`."""
    output = site.manage("shell", "-v", "0", "-c", MAKE_WORLDS)
    line = next(line for line in output.splitlines() if line.startswith("WORLDS "))
    made: Worlds = json.loads(line.removeprefix("WORLDS "))
    return made


def somebody(site: Site, world: dict[str, Any], role: str) -> Person:
    person = Person(site)
    person.match_id = world["match_id"]
    if world["sessions"][role]:
        person.cookies["sessionid"] = world["sessions"][role]
    return person


async def knock(person: Person, address: str) -> tuple[int, bytes]:
    """Ask for a socket; return the status and the body of the answer, 101 when it opens."""
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in person.cookies.items())}
    url = person.site.url.replace("http", "ws") + address
    try:
        async with connect(url, additional_headers=headers, origin=person.site.url):  # type: ignore[arg-type]
            return 101, b""
    except InvalidStatus as refusal:
        return refusal.response.status_code, bytes(refusal.response.body)


def rows() -> list[tuple[str, list[str], dict[str, int]]]:
    """Address, kinds of rooms, and the status for each role."""
    lines = [line.split() for line in TABLE.splitlines() if line and not line.startswith("#")]
    kinds = {place.split()[0] for place in PLACES}
    return [
        (route, sorted(kinds) if which == "any" else which.split(","), dict(zip(ROLES, map(int, words), strict=True)))
        for route, which, *words in lines
    ]


def test_every_socket_stands_in_the_table() -> None:
    # given
    inner: Any = application.application_mapping["websocket"]
    while not hasattr(inner, "routes"):
        inner = getattr(inner, "application", None) or inner.inner
    # when
    there = {"/" + str(route.pattern).replace("<uuid:", "<") for route in inner.routes} - {"/"}
    # then
    assert there == {route for route, *_ in rows()} - {"/ws/nothing/"}


@pytest.mark.parametrize("place", PLACES)
async def test_each_role_opens_the_sockets_that_the_table_says(site: Site, worlds: Worlds, place: str) -> None:
    """What is refused gets the same answer as what is not there."""
    world = worlds[place]
    for route, kinds, statuses in rows():
        if place.split()[0] in kinds:
            # when
            people = [somebody(site, world, role) for role in ROLES]
            answers = await asyncio.gather(*[knock(person, address_of(route, world)) for person in people])
            nothing = await asyncio.gather(*[knock(person, address_of(route, world | NOT_THERE)) for person in people])
            # then
            got = dict(zip(ROLES, (status for status, _ in answers), strict=True))
            assert got == statuses, route
            for (status, body), (status_of_nothing, body_of_nothing) in zip(answers, nothing, strict=True):
                assert (status_of_nothing, status) in ((403, 101), (403, 403)) or route == "/ws/lobby/"
                assert status == 101 or body == body_of_nothing


ACTIONS: list[dict[str, object]] = [
    {"type": "take", "suit": "S"},
    {"type": "pass"},
    {"type": "play", "card": "JS"},
    {"type": "next", "deal": 1},
    {"type": "play_for"},
    {"type": "back"},
]


@pytest.mark.parametrize("role", ["anonymous", "guest", "account", "spectator", "elsewhere", "staff"])
async def test_a_spectator_never_acts(site: Site, worlds: Worlds, role: str) -> None:
    # given a table at which nobody moves, since nobody who plays there is there
    watcher = somebody(site, worlds["public playing"], role)
    await watcher.sit_down()
    version, table = watcher.version, watcher.regions["felt"]
    for number, action in enumerate(ACTIONS):
        # when
        watcher.regions.pop("notice", None)
        await watcher.say(**action, seat=number % 4, user=1, tab=1)
        await watcher.hear_until(lambda: watcher.notice)
        # then
        assert "You are watching this table" in watcher.notice, action
    # and all that there is to see is as it was
    watcher.regions.clear()
    await watcher.say(type="resync")
    await watcher.hear_until(lambda: "felt" in watcher.regions)
    assert (watcher.version, watcher.regions["felt"]) == (version, table)
    await watcher.get_up()


async def on_turn_and_not(one: Person, other: Person) -> tuple[Person, Person]:
    """Wait until one of two people at a table is asked for something; return them, who is on turn first."""

    async def listen(person: Person) -> None:
        await person.hear_until(lambda: one.my_turn or other.my_turn)

    async with asyncio.TaskGroup() as group:
        listening = [group.create_task(listen(person)) for person in (one, other)]
        await asyncio.wait(listening, return_when=asyncio.FIRST_COMPLETED)
        for task in listening:
            task.cancel()
    return (one, other) if one.my_turn else (other, one)


async def test_a_seat_in_a_frame_or_an_address_is_ignored(site: Site, worlds: Worlds) -> None:
    # given two people at one table, who are told nothing of seats but their own
    host, seated = (somebody(site, worlds["private playing"], role) for role in ("host", "seated"))
    await host.sit_down()
    await seated.sit_down()
    player, waiting = await on_turn_and_not(host, seated)
    await waiting.hear_until(lambda: waiting.version >= player.version)
    seats = {host: 2, seated: 0}
    version, hand = player.version, waiting.held
    bids = 'data-command="pass"' in player.regions["actions"]
    theirs, own = ({"type": "pass"} if bids else {"type": "play", "card": cards[0]} for cards in (hand, player.legal))
    # when the one who waits moves in the other's name
    await waiting.say(**theirs, version=version, seat=seats[player], actor=seats[player], user="host-5")
    await waiting.hear_until(lambda: waiting.notice)
    # then it is taken as their own move, and refused
    assert "not your turn" in waiting.notice
    assert player.my_turn
    # and when they open the other's seat, it is their own
    tab = waiting.tab
    await waiting.get_up()
    await waiting.sit_down(f"{tab}&seat={seats[player]}&user=host-5")
    assert (waiting.held, waiting.tab) == (hand, tab)
    # and what the one on turn does for another seat is done for their own
    await player.say(**own, seat=seats[waiting])
    await player.hear_until(lambda: player.version > version)
    assert not player.my_turn
    await host.get_up()
    await seated.get_up()


async def test_the_number_of_a_tab_is_about_ones_own_seat_alone(site: Site, worlds: Worlds) -> None:
    # given a seat that was opened in more tabs than another
    host, seated = (somebody(site, worlds["closed playing"], role) for role in ("host", "seated"))
    await seated.sit_down()
    own = int(seated.tab)
    while int(host.tab or 0) < own + 2:
        await host.get_up()
        await host.sit_down()
    # when the second person claims to be one of the first one's tabs, or none that there can be
    for claimed, given in ((host.tab, 1), (f"{own + 1}", 1), ("99", 2), ("-1", 3), ("3 OR 1", 4), ("", 5)):
        await seated.get_up()
        await seated.sit_down(quote(claimed))
        # then it is a tab of their own seat
        assert int(seated.tab) == own + given
    # and an older tab of their own is told so
    await seated.get_up()
    with pytest.raises(ConnectionClosed) as refused:
        await seated.sit_down(f"{own}")
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == 4409
    # and the first one's tab plays on
    host.regions.clear()
    await host.say(type="resync")
    await host.hear_until(lambda: "hand" in host.regions)
    await host.get_up()
    await seated.get_up()
