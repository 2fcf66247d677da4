"""Stories of failure from other sites about people, rooms and coming back, each as what happens here instead.

Stories 2, 4, 6 and 7 are told in tests/services/test_leavers.py, 3, 17 and 27 in tests/services/test_rooms.py, 29 in
test_own_data.py, and those that need eyes in tests/browser.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import product
from uuid import uuid4

import pytest
from django.utils.html import escape
from pytest_django import Settings
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from accounts.models import User
from games import selectors
from games.engine.cards import Suit
from games.engine.commands import Next, Pass, PlayCard, SeatCommand, Take
from games.engine.rules import Phase
from games.engine.view import table_view
from games.models import ChatLine, Match, Presence, Room
from games.services import matches, presence
from tests.services.given import Table, four_people
from tests.site_process import Site
from tests.web.browserless import Person
from tests.web.roles import world_of

END_MATCH = """
from uuid import UUID
from games.services import matches
matches.end(UUID("{match_id}"))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("stories"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


@pytest.fixture
async def pair(site: Site) -> AsyncIterator[tuple[Person, Person]]:
    """Two guests at one table with two computers in a public room; who is on turn first."""
    host, friend = Person(site), Person(site)
    invite = await host.new_room(visibility="public")
    await friend.join(invite)
    await host.request(f"{host.room}computers/easy/", {})
    friend.match_id = await host.start()
    for person in (host, friend):
        await person.sit_down()
    while not (host.my_turn or friend.my_turn):
        await one_hears(host, friend)
    yield (host, friend) if host.my_turn else (friend, host)
    await host.get_up()
    await friend.get_up()


@pytest.fixture
def table(db: None, settings: Settings) -> Iterator[Table]:
    """Three people and a computer that takes no time, in a public room."""
    settings.COMPUTER_PACE = 0
    selectors.states.clear()
    yield four_people(computers=1, visibility=Room.Visibility.PUBLIC)
    selectors.states.clear()


def seconds_left(person: Person) -> float:
    found = re.search(r'data-ends-in="(-?\d+)"', "".join(person.regions.values()))
    assert found is not None
    return int(found[1]) / 1000


async def spectator_of(person: Person) -> Person:
    """Somebody new who watches."""
    watcher = Person(person.site)
    watcher.match_id = person.match_id
    await watcher.request("/")
    await watcher.sit_down()
    return watcher


def cards_shown(html: str) -> list[str]:
    """The codes of the cards whose faces are in a text."""
    return re.findall(r"#([2-9TJQKA][SHDC])\"", html)


async def one_hears(*people: Person) -> None:
    """Wait until one of several people has taken a message in."""
    hearing = [asyncio.create_task(person.hear()) for person in people]
    await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    for task in hearing:
        task.cancel()
    await asyncio.gather(*hearing, return_exceptions=True)


async def is_refused(person: Person, address: str) -> bool:
    try:
        async with connect(
            person.site.url.replace("http", "ws") + address,
            additional_headers={"Cookie": f"sessionid={person.cookies.get('sessionid', '')}"},
            origin=person.site.url,  # type: ignore[arg-type]
        ):
            return False
    except InvalidStatus as refusal:
        return refusal.response.status_code == 403


async def test_story_01_a_reload_restores_seat_hand_and_clock(pair: tuple[Person, Person]) -> None:
    # given somebody on turn, whose clock runs
    person, _ = pair
    shown, left = dict(person.regions), seconds_left(person)
    # when
    await person.get_up()
    status, page, _ = await person.request(f"/table/{person.match_id}/")
    await person.sit_down()
    # then
    assert status == 200
    assert all(f'id="hand-{card}"' in page for card in re.findall(r'id="hand-(\w\w)"', shown["hand"]))
    for region in ("hand", "felt", "actions", "status"):
        assert person.regions[region].strip() == shown[region].strip()
    assert person.my_turn
    assert left - 15 < seconds_left(person) < left
    # and the seat can be played
    await person.act()


async def test_story_05_after_a_lost_connection_the_whole_table_is_there_again(pair: tuple[Person, Person]) -> None:
    # given somebody whose network is gone, without a word
    player, lost = pair
    assert lost.socket is not None
    lost.socket.transport.abort()
    # then that shows at their seat
    await player.hear_until(lambda: "seat-away" in "".join(player.regions.values()))
    # when a move is made meanwhile, and they come back as the page does by itself
    await player.act()
    tab = lost.tab
    lost.regions.clear()
    await lost.sit_down(tab)
    # then they see all that there is, and are seen
    assert lost.version >= player.version
    assert {"felt", "hand", "status", "actions", "play-log"} <= lost.regions.keys()
    await player.hear_until(lambda: "seat-away" not in "".join(player.regions.values()))


async def test_story_15_no_card_reaches_a_spectator_before_it_is_played(pair: tuple[Person, Person]) -> None:
    # given a spectator, and two people who hold eight cards each
    watcher = await spectator_of(pair[0])
    turned_up = set(cards_shown(watcher.regions["felt"]))
    for person in pair:
        person.takes = True
    while True:
        # Both know the same before anybody plays: a computer may have taken, and one of them may not have heard of it.
        newest = max(person.version for person in pair)
        for person in pair:
            await person.hear_until(lambda person=person, newest=newest: person.version >= newest)
        if all(len(person.held) == 8 for person in pair):
            break
        on_turn = [person for person in pair if person.my_turn]
        await (on_turn[0].act() if on_turn else one_hears(*pair))
    await watcher.hear_until(lambda: watcher.version >= max(person.version for person in pair))
    # when
    _, page, _ = await watcher.request(f"/table/{watcher.match_id}/")
    seen = set(cards_shown(page + "".join(watcher.heard)))
    # then the card that all have seen is the only one of theirs
    for person in pair:
        assert set(cards_shown(person.regions["hand"])) == set(person.held)
        assert not seen & (set(person.held) - turned_up)
    assert turned_up <= seen
    await watcher.get_up()


async def test_story_16_a_stranger_is_refused_a_private_table_by_page_and_socket(site: Site) -> None:
    # given a match in a room by link, and others
    host, guest, anonymous = Person(site), Person(site), Person(site)
    await host.new_room()
    await host.request(f"{host.room}computers/easy/", {})
    match_id = await host.start()
    await guest.play_now()
    for stranger in (guest, anonymous):
        # when / then
        for address in (host.room, f"/table/{match_id}/"):
            status, _, _ = await stranger.request(address)
            assert status == 404
        assert await is_refused(stranger, f"/ws{host.room}")
        assert await is_refused(stranger, f"/ws/match/{match_id}/")
        _, page, _ = await stranger.request("/lobby/")
        assert host.room not in page
    assert not await is_refused(host, f"/ws/match/{match_id}/")


def test_story_18_a_spectator_comes_and_goes_and_nothing_changes_for_the_players(table: Table) -> None:
    # given
    match = Match.objects.get(pk=table.match.pk)
    before = (Match.objects.filter(pk=match.pk).values().get(), [table.row(seat).absent_since for seat in table.people])
    # when
    presence.watch(match.room_id, match.pk, {"first": None, "second": None})
    presence.watch(match.room_id, match.pk, {"second": None}, {"first"})
    presence.watch(match.room_id, match.pk, {}, {"second"})
    assert not Presence.objects.filter(match=match, seat=None).exists()
    # then neither move, clock, seat nor room
    after = (Match.objects.filter(pk=match.pk).values().get(), [table.row(seat).absent_since for seat in table.people])
    assert after == before
    assert Room.objects.get(pk=match.room_id).closed_at is None
    table.play_until(lambda state: state.phase is Phase.SUMMARY)


async def test_story_19_a_rematch_takes_the_spectators_along(pair: tuple[Person, Person]) -> None:
    # given a match that is over, and somebody who has watched it
    host = pair[0]
    watcher = await spectator_of(host)
    await asyncio.to_thread(host.site.manage, "shell", "-v", "0", "-c", END_MATCH.format(match_id=host.match_id))
    # when both want another
    for person in pair:
        status, _, address = await person.request(f"/table/{person.match_id}/again/", {})
        assert status == 302
    # then the spectator is led there too, and watches
    await watcher.hear_until(lambda: "data-href" in watcher.regions.get("next-table", ""))
    assert f'data-href="{address}"' in watcher.regions["next-table"]
    assert address != f"/table/{watcher.match_id}/"
    await watcher.get_up()
    watcher.match_id = address.removeprefix("/table/").rstrip("/")
    assert (await watcher.request(address))[0] == 200
    await watcher.sit_down()
    assert "felt" in watcher.regions
    await watcher.get_up()


async def test_story_08_after_a_server_restart_cards_choices_and_turn_are_as_they_were(
    make_site: Callable[..., Site],
) -> None:
    # given somebody on turn with eight cards and a trump
    site = make_site(BELOTE_COMPUTER_PACE="0.02")
    site.start()
    person = Person(site)
    await person.play_now()
    await person.sit_down()
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    shown, version = dict(person.regions), person.version
    # when
    site.kill()
    await person.get_up()
    site.start()
    await person.sit_down()
    # then
    assert (person.version, person.my_turn) == (version, True)
    for region in ("hand", "felt", "actions", "status", "table-topbar", "play-log", "score-sheet"):
        assert person.regions[region].strip() == shown[region].strip(), region
    await person.get_up()


def test_story_11_a_script_plays_no_card_that_is_not_held_or_not_legal_and_nothing_out_of_turn(table: Table) -> None:
    # given a deal, whenever one of its people is on turn
    player = table.people[0]
    commands: list[SeatCommand] = [*map(PlayCard, range(32)), *map(Take, Suit), Pass(), Next(7)]
    while table.state.phase is not Phase.SUMMARY:
        state, events = table.state, table.match.events.count()
        view = table_view(state, player)
        for seat, command in product(table.people if state.turn is player else (), commands):
            if seat is player and view.phase is not Phase.PLAY and isinstance(command, Take | Pass):
                # A bid, which `tests/engine/test_auction.py` is about.
                continue
            if seat is player and isinstance(command, PlayCard) and view.legal >> command.card & 1:
                continue
            # when
            answer = matches.submit(table.match.pk, seat, command, state.version, uuid4())
            # then
            assert answer.status is matches.Status.REFUSED, (seat, command)
            assert answer.reason is not None
        assert (table.state, table.match.events.count()) == (state, events)
        table.act()


@pytest.mark.django_db
def test_story_26_a_script_in_a_name_or_in_the_talk_is_text() -> None:
    # given
    script = "<script>alert(1)</script>"
    world = world_of("public playing", secret="!")
    User.objects.filter(pk=world.users["seated"].pk).update(username=script)
    ChatLine.objects.create(room=world.room, match=world.match, author=world.users["seated"], text=script)
    for role, address in (("host", f"/table/{world.match.pk}/"), ("anonymous", f"/room/{world.room.pk}/")):
        # when
        answer = world.ask(role, "GET", address)
        page = answer.content.decode()
        # then it is shown twice, as a name and as a line, and a browser would not run it if it were a script
        assert script not in page
        assert page.count(escape(script)) >= 2
        assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]
