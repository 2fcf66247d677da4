"""Talk over real sockets: who hears what, in which language, and who is refused at once."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

import pytest
from django.utils import translation
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from games.phrases import PHRASES
from games.sockets import CLOSE_REMOVED
from tests.site_process import Site
from tests.web.browserless import Person
from tests.web.signed_in import new_account

END_SESSION = """
from django.contrib.sessions.models import Session
Session.objects.filter(pk="{key}")._raw_delete("default")
"""

HOSTILE = ("<img src=x onerror=alert(1)>", "<div hx-get=/play/ hx-trigger=load hx-swap-oob=true>boo</div>")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("talk"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


class Talker(Person):
    """A person with an account, or a guest, who talks."""

    public_id = ""

    async def enter_room(self) -> None:
        """Open the socket of the room's own page."""
        self.socket = await connect(
            f"ws://127.0.0.1:{self.site.port}/ws{self.room}",
            additional_headers={"Cookie": self._cookie_header()},
            origin=self.site.url,  # type: ignore[arg-type]
        )
        await self.hear_until(lambda: "room" in self.regions)

    @property
    def lines(self) -> list[str]:
        """What was said since the socket was opened, by single lines and whole lists alike, without the names."""
        heard = "".join(message for message in self.heard if "talk-line" in message)
        return re.findall(r'<bdi class="talk-words">(.*?)</bdi>', heard)

    @property
    def list_of_lines(self) -> str:
        """The list as it was last shown whole."""
        return re.sub(r"<[^>]+>", "", self.regions.get("talk-lines", ""))

    @property
    def refusal(self) -> str:
        return re.sub(r"<[^>]+>", "", self.regions.get("talk-notice", "")).strip()


def account(site: Site, name: str, language: str = "en") -> Talker:
    talker = Talker(site)
    talker.cookies["sessionid"], talker.public_id = new_account(site, name, language)
    return talker


async def at_a_table(host: Talker, *watchers: Talker) -> None:
    """The host plays with computers in a public room, and the others watch; all have their sockets open."""
    await host.new_room(visibility="public")
    _, body, location = await host.request(f"{host.room}start/", {"level": "easy"})
    assert location.startswith("/table/"), body
    host.match_id = location.removeprefix("/table/").rstrip("/")
    await host.sit_down()
    for watcher in watchers:
        watcher.match_id, watcher.room = host.match_id, host.room
        status, _, _ = await watcher.request(f"/table/{host.match_id}/")
        assert status == 200
        await watcher.sit_down()


@pytest.fixture
async def pair(site: Site, request: pytest.FixtureRequest) -> AsyncIterator[tuple[Talker, Talker]]:
    """Somebody who plays, and a French account that watches."""
    number = request.node.name.translate({ord(sign): None for sign in "_[]<>=-/()1 "})[-14:]
    host, watcher = account(site, f"h{number}"), account(site, f"w{number}", "fr")
    await at_a_table(host, watcher)
    yield host, watcher
    await host.get_up()
    await watcher.get_up()


async def test_a_phrase_is_heard_by_each_in_their_own_language(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    # when
    await host.say(type="say", phrase="well-played")
    await watcher.hear_until(lambda: watcher.lines)
    await host.hear_until(lambda: host.lines)
    # then
    with translation.override("fr"):
        assert watcher.lines == [str(PHRASES["well-played"])]
    with translation.override("en"):
        assert host.lines == ["Well played!"]


async def test_the_room_s_page_and_its_table_hear_each_other(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    await watcher.get_up()
    await watcher.enter_room()
    # when
    await watcher.say(type="say", text="salut à tous")
    await host.hear_until(lambda: host.lines)
    await host.say(type="say", text="come in")
    await watcher.hear_until(lambda: len(watcher.lines) == 2)
    # then
    assert host.lines[0] == "salut à tous"
    assert watcher.lines == ["salut à tous", "come in"]


async def test_who_comes_later_reads_what_was_said(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    await watcher.get_up()
    await host.say(type="say", text="is anybody there?")
    await host.hear_until(lambda: host.lines)
    # when
    await watcher.sit_down()
    # then
    assert watcher.lines == ["is anybody there?"]


async def test_a_guest_writes_nothing_of_their_own(site: Site) -> None:
    # given
    guest = Talker(site)
    await at_a_table(guest)
    # when
    await guest.say(type="say", text="hello")
    await guest.hear_until(lambda: guest.refusal)
    # then
    assert "Sign up" in guest.refusal
    assert not guest.lines
    # and a phrase is said
    await guest.say(type="say", phrase="hello")
    await guest.hear_until(lambda: guest.lines)
    await guest.get_up()


async def test_a_visitor_reads_and_says_nothing(pair: tuple[Talker, Talker], site: Site) -> None:
    # given
    host, _ = pair
    visitor = Talker(site)
    visitor.match_id = host.match_id
    await visitor.sit_down()
    # when
    await visitor.say(type="say", phrase="hello")
    await visitor.hear_until(lambda: visitor.refusal)
    await host.say(type="say", phrase="hello")
    await visitor.hear_until(lambda: visitor.lines)
    # then
    assert visitor.lines == ["Hello!"]
    await visitor.get_up()


async def test_who_says_too_much_is_told_how_long_to_wait(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    # when
    for number in range(6):
        await host.say(type="say", text=f"line {number}")
    await host.hear_until(lambda: host.refusal)
    # then
    assert re.search(r"again in \d+ second", host.refusal)
    await watcher.hear_until(lambda: len(watcher.lines) == 5)


@pytest.mark.parametrize("text", HOSTILE)
async def test_markup_arrives_as_text(pair: tuple[Talker, Talker], text: str) -> None:
    # given
    host, watcher = pair
    # when
    await host.say(type="say", text=text)
    await watcher.hear_until(lambda: watcher.lines)
    # then
    (line,) = watcher.lines
    assert "<" not in line
    assert line.startswith("&lt;")


async def test_whoever_is_muted_is_not_read_from_then_on(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    await watcher.say(type="say", text="bla")
    await host.hear_until(lambda: host.lines)
    # when
    await host.request("/people/act/", {"person": watcher.public_id, "act": "mute"})
    await host.hear_until(lambda: "talk-lines" in host.regions)
    # then the open page has lost the line
    assert "bla" not in host.regions["talk-lines"]
    # and hears nothing more of them, while they hear themselves
    await watcher.say(type="say", text="bla bla")
    await watcher.hear_until(lambda: "bla bla" in watcher.lines)
    await host.say(type="say", text="peace")
    await host.hear_until(lambda: "peace" in host.lines)
    assert "bla bla" not in host.lines


async def test_a_blocked_spectator_is_put_out_at_once_and_stays_out(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    # when
    await host.request("/people/act/", {"person": watcher.public_id, "act": "block"})
    with pytest.raises(ConnectionClosed) as closed:
        await watcher.hear_until(lambda: False)
    # then
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403
    assert (await watcher.request(f"/table/{host.match_id}/"))[0] == 404
    assert await watcher.handshake(host.match_id) == 403
    # and comes back when the block is taken back
    await host.request("/people/act/", {"person": watcher.public_id, "act": "unblock"})
    assert (await watcher.request(f"/table/{host.match_id}/"))[0] == 200


async def test_nothing_is_said_for_a_session_that_has_ended(pair: tuple[Talker, Talker]) -> None:
    # given
    host, watcher = pair
    end = (
        f"from django.contrib.sessions.models import Session; Session.objects.filter(pk='{host.cookies['sessionid']}')"
    )
    # when: the row goes without a signal, as when another process lets it expire
    host.site.manage("shell", "-v", "0", "-c", f"{end}._raw_delete('default')")
    await host.say(type="say", text="still me")
    with pytest.raises(ConnectionClosed) as closed:
        await host.hear_until(lambda: False)
    # then
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    assert watcher.lines == []


@pytest.mark.parametrize("frame", [{"phrase": "royal-flush"}, {"text": "\u202e"}, {"text": "x" * 300}])
async def test_what_cannot_be_said_is_told_below_the_lines(pair: tuple[Talker, Talker], frame: dict[str, str]) -> None:
    host, _ = pair
    await host.say(type="say", **frame)
    await host.hear_until(lambda: host.refusal)
    assert not host.lines


# What staff do


async def do(staff: Talker, address: str, **form: str) -> None:
    """Do an act of staff, as its page does."""
    await staff.request(address)
    status, body, _ = await staff.request(address, {"why": "the rules", **form})
    assert status == 302, body


async def test_what_staff_do_reaches_every_page_of_the_room(site: Site) -> None:
    # given two who play, one who watches, one on the room's own page, and a line that all have read
    host, player, watcher, onlooker = people = [Talker(site) for _ in range(4)]
    staff = Talker(site)
    staff.cookies["sessionid"], _ = new_account(site, "staff", staff=True)
    await player.join(await host.new_room(visibility="public", name="Indecent"))
    _, _, location = await host.request(f"{host.room}start/", {"level": "easy"})
    for person in people:
        person.room, person.match_id = host.room, location.removeprefix("/table/").rstrip("/")
    for person in (host, player, watcher):
        await person.sit_down()
    await onlooker.enter_room()
    await player.say(type="say", phrase="hello")
    for person in people:
        await person.hear_until(lambda person=person: "Hello!" in person.lines)
    # when the line is deleted, and the seat of who said it given to the computer
    number = re.findall(r'id="talk-line-(\d+)"', "".join(host.heard))[-1]
    match, room = f"/admin/games/match/{host.match_id}", f"/admin/games{host.room}".rstrip("/")
    await do(staff, f"/admin/games/chatline/{number}/act/delete/")
    await do(staff, f"{match}/act/replace/", seat="0")
    # then nobody reads it any more
    for person in (host, watcher, onlooker):
        await person.hear_until(lambda person=person: "A moderator has deleted this line." in person.list_of_lines)
        assert "Hello!" not in person.list_of_lines
    # and the seat has gone, which the others are told of
    with pytest.raises(ConnectionClosed) as closed:
        await player.hear_until(lambda: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CLOSE_REMOVED
    for person in (host, watcher):
        await person.hear_until(lambda person=person: "whom a moderator has removed" in person.regions["play-log"])
    # and when the match is ended, the room renamed and closed, all of that shows as well
    await do(staff, f"{match}/act/end/")
    for person in (host, watcher):
        await person.hear_until(lambda person=person: "A moderator ended the match" in person.regions["summary"])
    await do(staff, f"{room}/act/rename/", name="Decent")
    await onlooker.hear_until(lambda: "<bdi>Decent</bdi>" in onlooker.regions["room"])
    await do(staff, f"{room}/act/close/")
    await onlooker.hear_until(lambda: "This room is closed." in onlooker.regions["room"])
    for person in people:
        await person.get_up()
