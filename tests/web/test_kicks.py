"""A socket does not outlive the session or the right that it was opened with, and never acts without it."""

from __future__ import annotations

import asyncio
import json
import logging
import quopri
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from games.sockets import CLOSE_REFUSED, CLOSE_SIGNED_OUT, HEARTBEAT_SECONDS
from tests.site_process import Site
from tests.web.browserless import Person
from tests.web.roles import PASSWORD

logger = logging.getLogger(__name__)

CEILING_SECONDS = 10
"""Ten times what is promised, for a machine that is busy; what it took is recorded."""

TEXT = "You called Marie names on Tuesday."

NEW_PASSWORD = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}

WORLDS = 14
MAKE_WORLDS = """
import json
from accounts.models import User
from django.contrib.auth.hashers import make_password
from tests.web.roles import PASSWORD, session_of, world_of
secret = make_password(PASSWORD)
for number in range({worlds}):
    world = world_of("public playing", f"-{{number}}", secret)
    elsewhere = {{role: session_of(user) for role, user in world.users.items()}}
    people = {{role: str(user.public_id) for role, user in world.users.items()}}
    ids = {{role: user.pk for role, user in world.users.items()}}
    for role, user in world.users.items():
        User.objects.filter(pk=user.pk).update(email=f"{{role}}-{{number}}@example.org")
    found = {{"number": number, "sessions": world.sessions, "elsewhere": elsewhere, "people": people, "ids": ids}}
    print("WORLD", json.dumps(world.values | found))
"""

END_SESSIONS = """
from django.contrib.sessions.models import Session
Session.objects.filter(pk__in={keys}).delete()
"""

BLOCK = """
from accounts.models import Relation
Relation.objects.create(owner_id={owner}, other_id={other}, kind=Relation.Kind.BLOCK)
"""


NETWORKS_OF = """
from accounts.models import SeenNetwork
print("SEEN", SeenNetwork.objects.filter(user_id={pk}).count())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("kicks"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


@pytest.fixture(scope="module")
def worlds(site: Site) -> list[dict[str, Any]]:
    """Rooms in which a match runs, each for one test."""
    output = site.manage("shell", "-v", "0", "-c", MAKE_WORLDS.format(worlds=WORLDS))
    return [json.loads(line.removeprefix("WORLD ")) for line in output.splitlines() if line.startswith("WORLD ")]


@pytest.fixture
async def table(site: Site, worlds: list[dict[str, Any]]) -> AsyncIterator[Table]:
    """A match of two people, one of them on turn, with a spectator; all have everything open."""
    table = Table(site, worlds.pop())
    await table.open()
    yield table
    for person in (table.on_turn, table.waiting, table.spectator):
        await person.go()


class Somebody(Person):
    """A person with a table, a room's page and the lobby open, and another session in another browser."""

    def __init__(self, site: Site, world: dict[str, Any], role: str) -> None:
        super().__init__(site)
        self.match_id, self.room = world["match_id"], f"/room/{world['room_id']}/"
        self.cookies["sessionid"] = world["sessions"][role]
        self.elsewhere = Person(site)
        self.elsewhere.cookies["sessionid"] = world["elsewhere"][role]
        self.public_id, self.pk = world["people"][role], world["ids"][role]
        self.name = f"{role}-{world['number']}"
        self.email = f"{role}-{world['number']}@example.org"
        self.others: list[ClientConnection] = []

    @property
    def sockets(self) -> list[ClientConnection]:
        assert self.socket is not None
        return [self.socket, *self.others]

    async def open_everything(self) -> None:
        await self.sit_down()
        self.others = [await self.open(address) for address in (f"/ws{self.room}", "/ws/lobby/")]

    async def open(self, address: str) -> ClientConnection:
        return await connect(
            self.site.url.replace("http", "ws") + address,
            additional_headers={"Cookie": self._cookie_header()},
            origin=self.site.url,  # type: ignore[arg-type]
        )

    async def is_served(self) -> bool:
        """Tell whether table, room and lobby answer still."""
        self.regions.pop("felt", None)
        await self.say(type="resync")
        await self.hear_until(lambda: "felt" in self.regions)
        for socket in self.others:
            await socket.send('{"type": "resync"}')
            async with asyncio.timeout(CEILING_SECONDS):
                while 'id="heartbeat"' in str(await socket.recv()):
                    pass
        return True

    async def go(self) -> None:
        await self.get_up()
        for socket in self.others:
            await socket.close()


class Table:
    """The two people of a match, a spectator, and a member of staff."""

    def __init__(self, site: Site, world: dict[str, Any]) -> None:
        roles = ("host", "seated", "spectator", "staff")
        self.on_turn, self.waiting, self.spectator, self.staff = (Somebody(site, world, role) for role in roles)
        self.site = site

    async def open(self) -> None:
        for person in (self.on_turn, self.waiting, self.spectator):
            await person.open_everything()
        while not (self.on_turn.my_turn or self.waiting.my_turn):
            # The computers are to move, and everybody hears of it.
            await asyncio.gather(self.on_turn.hear(), self.waiting.hear())
        if self.waiting.my_turn:
            self.on_turn, self.waiting = self.waiting, self.on_turn
        await self.waiting.hear_until(lambda: self.waiting.version >= self.on_turn.version)


async def codes_of(*sockets: ClientConnection) -> list[int]:
    """Wait until sockets have been closed, and return with which codes."""

    async def code_of(socket: ClientConnection) -> int:
        with suppress(ConnectionClosed):
            async for _ in socket:
                pass
        assert socket.close_code is not None
        return socket.close_code

    async with asyncio.timeout(CEILING_SECONDS):
        return list(await asyncio.gather(*map(code_of, sockets)))


async def closed_since_heartbeat(socket: ClientConnection) -> float:
    """Wait until a socket that was opened just now has been closed; return how long its last heartbeat was ago.

    A heartbeat looks at the session as well: what it closes had its last one `HEARTBEAT_SECONDS` ago.
    """
    beat_at = time.monotonic()
    with suppress(ConnectionClosed):
        async for message in socket:
            if 'id="heartbeat"' in str(message):
                beat_at = time.monotonic()
    return time.monotonic() - beat_at


async def log_out(table: Table, person: Somebody) -> None:
    await person.request("/")
    status, _, _ = await person.request("/account/logout/", {})
    assert status == 302


async def change_the_password(table: Table, person: Somebody) -> None:
    await person.elsewhere.request("/account/password/change/")
    form = {"oldpassword": PASSWORD, **NEW_PASSWORD}
    status, body, _ = await person.elsewhere.request("/account/password/change/", form)
    assert status == 302, body


async def reset_the_password(table: Table, person: Somebody) -> None:
    forgetful = Person(table.site)
    await forgetful.request("/account/password/reset/")
    await forgetful.request("/account/password/reset/", {"email": person.email})
    # The mail of a site on one's own machine is in what the server writes.
    written = quopri.decodestring(table.site.log.read_bytes()).decode()
    link = re.findall(r"/account/password/reset/key/[\w-]+/", written)[-1]
    _, _, form = await forgetful.request(link)
    await forgetful.request(form)
    status, body, _ = await forgetful.request(form, NEW_PASSWORD)
    assert status == 302, body


async def decide(table: Table, person: Somebody, act: str, **form: str) -> None:
    """Have staff decide something about a person."""
    address = f"/admin/accounts/user/{person.pk}/act/{act}/"
    await table.staff.request(address)
    status, body, _ = await table.staff.request(address, {"ground": "insults", "text": TEXT, "why": "seen it", **form})
    assert status == 302, body


async def ban(table: Table, person: Somebody) -> None:
    await decide(table, person, "ban", length="1d")


async def delete_the_account(table: Table, person: Somebody) -> None:
    await person.elsewhere.request("/account/delete/")
    status, body, _ = await person.elsewhere.request("/account/delete/", {"password": PASSWORD})
    assert status == 302, body


type End = Callable[[Table, Somebody], Awaitable[None]]


@pytest.mark.parametrize("end", [log_out, change_the_password, reset_the_password, ban, delete_the_account])
async def test_the_end_of_a_session_closes_all_its_sockets_within_a_second(table: Table, end: End) -> None:
    # given somebody on turn
    person, other = table.on_turn, table.waiting
    version = person.version
    action = {"type": "pass", "version": version, "action_id": "11111111-2222-4333-8444-555555555555"}
    closing = asyncio.create_task(codes_of(*person.sockets))
    newest = asyncio.create_task(closed_since_heartbeat(await person.open("/ws/lobby/")))
    # when
    await end(table, person)
    ended_at = time.monotonic()
    # and their page acts in the same moment
    with suppress(ConnectionClosed):
        await person.sockets[0].send(json.dumps(action))
    # then
    assert await closing == [CLOSE_SIGNED_OUT] * 3
    assert await newest < HEARTBEAT_SECONDS
    logger.info("%s: closed after %.3f s", end.__name__, time.monotonic() - ended_at)
    # and nobody else's sockets
    assert await other.is_served()
    assert await table.spectator.is_served()
    if end in (delete_the_account, ban):
        # A computer plays on for who has gone.
        await other.hear_until(lambda: other.version > version)
    else:
        assert other.version == version


async def test_the_match_goes_on_without_whoever_was_put_out(table: Table) -> None:
    # given somebody who is not on turn
    version = table.on_turn.version
    # when
    await ban(table, table.waiting)
    # then
    assert await codes_of(*table.waiting.sockets) == [CLOSE_SIGNED_OUT] * 3
    await table.on_turn.act()
    await table.spectator.hear_until(lambda: table.spectator.version > version)


async def test_whoever_was_banned_gets_the_reason_in_the_place_of_page_and_socket(table: Table) -> None:
    # given
    person = table.waiting
    # when
    await ban(table, person)
    # then
    assert await codes_of(*person.sockets) == [CLOSE_SIGNED_OUT] * 3
    status, body, _ = await person.request(f"/table/{person.match_id}/")
    assert status == 403
    assert TEXT in body
    # and a page that opens its socket all the same is told nothing but to load anew
    for address in (f"/ws/match/{person.match_id}/", f"/ws{person.room}", "/ws/lobby/"):
        socket = await person.open(address)
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == CLOSE_SIGNED_OUT


async def test_a_decision_shows_on_open_pages_at_once_and_a_mute_bars_talk(table: Table) -> None:
    # given
    person, spectator = table.on_turn, table.spectator
    # when
    for somebody in (person, spectator):
        await decide(table, somebody, "mute", scope="talk", length="1h")
    # then
    for somebody in (person, spectator):
        for socket in somebody.others:
            async with asyncio.timeout(CEILING_SECONDS):
                while "Insults or hate" not in str(await socket.recv()):
                    pass
        await somebody.hear_until(lambda somebody=somebody: "Insults or hate" in "".join(somebody.heard))
        await somebody.say(type="say", phrase="hello")
        await somebody.hear_until(lambda somebody=somebody: "You are muted until" in "".join(somebody.heard))
    # and nobody else hears of it
    assert await table.waiting.is_served()
    assert "Hello" not in "".join(table.waiting.heard)
    assert "Insults" not in "".join(table.waiting.heard)


async def test_a_name_that_is_taken_away_is_gone_from_tables_rooms_and_talk_at_once(table: Table) -> None:
    # given somebody with an offensive name, who has said something
    person, other, spectator = table.on_turn, table.waiting, table.spectator
    old = person.name
    await person.say(type="say", phrase="hello")
    for one in (other, spectator):
        await one.hear_until(lambda one=one: "Hello" in "".join(one.heard))
        assert old in one.regions["status"]
    # when
    await decide(table, person, "take-name")
    # then the table
    for one in (other, spectator):
        await one.hear_until(lambda one=one: "Player-" in one.regions["status"])
        assert old not in one.regions["seat-top"] + one.regions["status"] + one.regions["fair-deal"]
        await one.hear_until(lambda one=one: "Player-" in one.regions.get("talk-lines", ""))
        # and the page of the room
        async with asyncio.timeout(CEILING_SECONDS):
            while "Player-" not in str(await one.others[0].recv()):
                pass


async def test_from_where_somebody_looks_on_is_written_down_as_for_those_who_play(table: Table) -> None:
    # given a spectator, whose sockets have been open since they came
    assert await table.spectator.is_served()
    # when
    code = NETWORKS_OF.format(pk=table.spectator.pk)
    output = await asyncio.to_thread(table.site.manage, "shell", "-v", "0", "-c", code)
    # then
    assert "SEEN 1" in output


async def test_a_spectator_whom_a_seated_person_blocks_is_put_out_and_nobody_else_is(table: Table) -> None:
    # given
    spectator, seated = table.spectator, table.waiting
    at_table, in_room, in_lobby = spectator.sockets
    closing = asyncio.create_task(codes_of(at_table, in_room))
    await seated.request("/people/")
    newest = asyncio.create_task(closed_since_heartbeat(await spectator.open(f"/ws/match/{spectator.match_id}/")))
    # when
    await seated.request("/people/act/", {"person": spectator.public_id, "act": "block"})
    blocked_at = time.monotonic()
    # then
    assert await closing == [CLOSE_REFUSED] * 2
    assert await newest < HEARTBEAT_SECONDS
    logger.info("blocked: closed after %.3f s", time.monotonic() - blocked_at)
    # and the lobby is everybody's
    await in_lobby.send('{"type": "resync"}')
    async with asyncio.timeout(CEILING_SECONDS):
        while 'id="heartbeat"' in str(await in_lobby.recv()):
            pass
    assert await seated.is_served()
    assert await table.on_turn.is_served()


async def test_when_word_of_the_end_is_lost_the_next_action_is_refused_and_the_heartbeat_closes_the_rest(
    table: Table,
) -> None:
    # given sessions that end in another process, of which this one hears nothing
    person, spectator = table.on_turn, table.spectator
    version = person.version
    keys = [one.cookies["sessionid"] for one in (person, spectator)]
    await asyncio.to_thread(table.site.manage, "shell", "-v", "0", "-c", END_SESSIONS.format(keys=keys))
    # when
    # Where the other process took its time, a heartbeat has been faster.
    with suppress(ConnectionClosed):
        await person.say(type="pass")
    with suppress(ConnectionClosed):
        await person.others[0].send('{"type": "say", "phrase": "hello"}')
    # then
    assert await codes_of(*person.sockets, *spectator.sockets) == [CLOSE_SIGNED_OUT] * 6
    assert await table.waiting.is_served()
    assert table.waiting.version == version
    assert "Hello" not in "".join(table.waiting.heard)


async def test_when_word_of_a_block_is_lost_the_heartbeat_closes_the_sockets_of_the_blocked(table: Table) -> None:
    # given a block that another process stores
    at_table, in_room, _ = table.spectator.sockets
    pair = {"owner": table.waiting.pk, "other": table.spectator.pk}
    # when
    await asyncio.to_thread(table.site.manage, "shell", "-v", "0", "-c", BLOCK.format(**pair))
    # then
    assert await codes_of(at_table, in_room) == [CLOSE_REFUSED] * 2
    assert await table.waiting.is_served()


async def test_whoever_leaves_the_table_does_not_see_the_hand_of_that_seat_any_longer(table: Table) -> None:
    # given somebody who keeps the socket of the table
    leaver, other = table.waiting, table.on_turn
    # when they leave in another browser
    await leaver.elsewhere.request("/")
    status, _, _ = await leaver.elsewhere.request(f"/table/{leaver.match_id}/leave/", {})
    assert status == 302
    # then
    assert await codes_of(leaver.sockets[0]) == [CLOSE_REFUSED]
    # and what they may see from now on is what a spectator sees
    tab = leaver.tab
    leaver.regions.clear()
    await leaver.sit_down()
    assert "felt" in leaver.regions
    assert "hand" not in leaver.regions
    # and the page of the seat, which still shows the hand, does not come back as if nothing had happened
    await leaver.get_up()
    with pytest.raises(ConnectionClosed) as refused:
        await leaver.sit_down(tab)
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == CLOSE_REFUSED
    assert await other.is_served()
