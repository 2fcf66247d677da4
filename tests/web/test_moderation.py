"""What staff do at tables reaches every open page at once: acts in another process, pages over real sockets."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from games.sockets import CLOSE_REMOVED
from tests.scale.test_several_processes import Redis
from tests.site_process import Site
from tests.web.test_talk import Talker

STAFF = """
from django.contrib.auth.models import Group
from accounts.models import User
from games.engine.seats import Seat
from games.models import Match
from games.services import moderation
staff, _ = User.objects.get_or_create(username="moderator", is_staff=True)
staff.groups.set(Group.objects.filter(name="moderator"))
match = Match.objects.get(pk="{match_id}")
room = match.room
"""
WHILE_IT_RUNS = """
moderation.delete_line(staff, room.lines.get(phrase="hello").pk, "it was no greeting")
moderation.rename_room(staff, room.pk, "Decent", "the other name was not")
moderation.replace_seat(staff, match.pk, Seat.NORTH, "stalling")
"""
TO_THE_END = """
moderation.end_match(staff, match.pk, "nobody is left who plays in earnest")
moderation.close_room(staff, room.pk, "the same")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, redis_program: str) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("moderation")
    redis = Redis(redis_program, folder)
    redis.start()
    site = Site(folder, REDIS_URL=redis.url, BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    redis.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


@pytest.fixture
async def people(site: Site) -> AsyncIterator[list[Talker]]:
    """The host of a public room, one who plays with them, one who watches, and one on the room's own page."""
    people = [Talker(site) for _ in range(4)]
    host, player, watcher, onlooker = people
    invite = await host.new_room(visibility="public", name="Indecent")
    await player.join(invite)
    _, body, location = await host.request(f"{host.room}start/", {"level": "easy"})
    assert location.startswith("/table/"), body
    for person in people:
        person.room, person.match_id = host.room, location.removeprefix("/table/").rstrip("/")
    for person in (watcher, onlooker):
        await person.request(host.room)
    for person in (host, player, watcher):
        await person.sit_down()
    await onlooker.enter_room()
    yield people
    for person in people:
        await person.get_up()


def read(person: Talker) -> str:
    """The list of lines as it was last shown whole."""
    return re.sub(r"<[^>]+>", "", person.regions.get("talk-lines", ""))


async def test_what_staff_do_reaches_every_page_of_the_room(site: Site, people: list[Talker]) -> None:
    # given a line that everybody has read
    host, player, watcher, onlooker = people
    await player.say(type="say", phrase="hello")
    for person in people:
        await person.hear_until(lambda person=person: "Hello!" in person.lines)
    # when
    staff = STAFF.format(match_id=host.match_id)
    site.manage("shell", "-v", "0", "-c", staff + WHILE_IT_RUNS)
    # then nobody reads the line any more
    for person in (host, watcher, onlooker):
        await person.hear_until(lambda person=person: "A moderator has deleted this line." in read(person))
        assert "Hello!" not in read(person)
    # and the one whose seat was given away is told so, and has it no more
    with pytest.raises(ConnectionClosed) as closed:
        await player.hear_until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CLOSE_REMOVED
    for person in (host, watcher):
        await person.hear_until(lambda person=person: "whom a moderator has removed" in person.regions["play-log"])
    await onlooker.hear_until(lambda: "Decent" in onlooker.regions["room"])
    # and when it is ended, the table and the room tell of it
    site.manage("shell", "-v", "0", "-c", staff + TO_THE_END)
    for person in (host, watcher):
        await person.hear_until(lambda person=person: "A moderator ended the match" in person.regions["summary"])
    await onlooker.hear_until(lambda: "This room is closed." in onlooker.regions["room"])
