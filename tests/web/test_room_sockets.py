"""The sockets of a room's page and of the lobby, over a real server: live, in each reader's language."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from tests.site_process import Site
from tests.web.roomgoers import Roomgoer

RELATE = """
from accounts.models import Relation
from games.models import Room, Seating
room = Room.objects.get(pk="{room}")
owner, other = (Seating.objects.get(room=room, seat=seat).user for seat in ({owner}, {other}))
Relation.objects.create(owner=owner, other=other, kind="block")
room.seatings.filter(seat={other}).delete()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in Path(site.log).read_text()


@pytest.fixture
async def visitor(site: Site) -> AsyncIterator[Callable[..., Awaitable[Roomgoer]]]:
    """Make visitors who have seen the front page."""
    made: list[Roomgoer] = []

    async def make(language: str = "en") -> Roomgoer:
        person = Roomgoer(site)
        person.cookies["belote_language"] = language
        await person.request("/")
        made.append(person)
        return person

    yield make
    for person in made:
        await person.get_up()


async def host_of(visitor: Callable[..., Awaitable[Roomgoer]], **options: str) -> tuple[Roomgoer, str]:
    """A host with the page of a new room open, and the invite link."""
    host = await visitor()
    invite = await host.new_room(**options)
    await host.listen(f"/ws{host.room}")
    return host, invite


async def test_everybody_in_a_room_sees_a_seat_change_in_their_language(
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    # given
    host, invite = await host_of(visitor)
    luc = await visitor("fr")
    await luc.join(invite)
    await luc.listen(f"/ws{luc.room}")
    await host.hear_until(lambda: host.seats["0"] != "Free seat")
    # when
    await luc.request(f"{luc.room}sit/", {"seat": "1"})
    # then
    await host.hear_until(lambda: host.seats["1"].startswith("Guest") and host.seats["0"] == "Free seat")
    await luc.hear_until(lambda: luc.seats["1"].startswith("Invité") and "place-mine" in luc.room_html)
    # and a form is never in what a socket sends: the token stays in the page
    assert "csrfmiddlewaretoken" not in "".join(host.heard + luc.heard)
    assert "<form" not in "".join(host.heard + luc.heard)


async def test_the_start_leads_everybody_to_the_table(visitor: Callable[..., Awaitable[Roomgoer]]) -> None:
    # given
    host, invite = await host_of(visitor)
    luc = await visitor()
    await luc.join(invite)
    await luc.listen(f"/ws{luc.room}")
    assert 'data-table=""' in luc.room_html
    # when
    _, _, location = await host.request(f"{host.room}start/", {"level": "easy"})
    # then
    await luc.hear_until(lambda: f'data-table="{location}"' in luc.room_html)


async def test_a_closed_page_shows_as_away_and_a_new_one_as_back(visitor: Callable[..., Awaitable[Roomgoer]]) -> None:
    # given
    host, invite = await host_of(visitor)
    luc = await visitor()
    await luc.join(invite)
    await luc.listen(f"/ws{luc.room}")
    await host.hear_until(lambda: "mark-away" not in host.room_html and host.seats["0"] != "Free seat")
    # when / then
    await luc.get_up()
    await host.hear_until(lambda: "mark-away" in host.room_html)
    await luc.listen(f"/ws{luc.room}")
    await host.hear_until(lambda: "mark-away" not in host.room_html)


async def test_a_room_by_link_has_no_socket_for_strangers(visitor: Callable[..., Awaitable[Roomgoer]]) -> None:
    # given
    host, _ = await host_of(visitor)
    stranger, nobody = await visitor(), await visitor()
    await stranger.new_room()
    # when / then
    for person in (stranger, nobody):
        assert await person.is_refused(f"/ws{host.room}")
        assert await person.is_refused("/ws/room/00000000-0000-4000-8000-000000000000/")


async def test_who_is_blocked_meanwhile_is_cut_off(site: Site, visitor: Callable[..., Awaitable[Roomgoer]]) -> None:
    # given
    host, invite = await host_of(visitor)
    foe = await visitor()
    await foe.join(invite)
    await foe.listen(f"/ws{foe.room}")
    # when
    site.manage("shell", "-v", "0", "-c", RELATE.format(room=host.room.split("/")[2], owner=2, other=0))
    # then the next heartbeat ends it, and it does not open again
    assert foe.socket is not None
    await foe.socket.wait_closed()
    assert foe.socket.close_code == 4403
    assert await foe.is_refused(f"/ws{foe.room}")


async def test_the_lobby_shows_public_rooms_as_they_come_and_go_and_no_others(
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    # given one visitor for all rooms and one for those with a fast clock
    everything, fast = await visitor(), await visitor()
    await everything.listen("/ws/lobby/")
    await fast.listen("/ws/lobby/?clock=15&nonsense=1")
    # when
    private, _ = await host_of(visitor)
    public, _ = await host_of(visitor, visibility="public", name="Open to all")
    # then
    await everything.hear_until(lambda: "Open to all" in everything.lobby_html)
    await public.request(f"{public.room}start/", {"level": "easy"})
    await everything.hear_until(lambda: "row-playing" in everything.lobby_html)
    sent = "".join(everything.heard)
    assert private.room.split("/")[2] not in sent
    assert not re.search(r"/join/", sent)
    assert "Open to all" not in "".join(fast.heard)


async def test_a_room_in_which_nobody_is_any_more_leaves_the_lobby(
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    watcher = await visitor()
    host, _ = await host_of(visitor, visibility="public", name="Soon gone")
    await watcher.listen("/ws/lobby/")
    await watcher.hear_until(lambda: "Soon gone" in watcher.lobby_html)
    await host.request(f"{host.room}leave/", {})
    await watcher.hear_until(lambda: "Soon gone" not in watcher.lobby_html)
