"""The table's socket against a real server: play, refusals, bad frames, coming back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.site_process import Site
from tests.web.browserless import CEILING_SECONDS, Person


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("socket"), BELOTE_COMPUTER_PACE="0.02")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


CLOSE_SESSION = """
from django.contrib.sessions.models import Session
Session.objects.filter(pk="{key}").delete()
"""


async def seated(site: Site) -> Person:
    person = Person(site)
    await person.play_now()
    await person.sit_down()
    return person


@pytest.fixture
async def person(site: Site) -> AsyncIterator[Person]:
    person = await seated(site)
    yield person
    await person.get_up()


async def on_turn_with_an_illegal_card(person: Person) -> str:
    """Play until a card of the hand may not be played; return it."""
    await person.play_until(
        lambda: (
            person.my_turn
            and 0 < len(person.legal) < len(person.held)
            and 'data-command="pass"' not in person.regions["actions"]
        )
    )
    return next(card for card in person.held if card not in person.legal)


async def test_a_deal_is_played_over_the_socket(person: Person) -> None:
    # when
    await person.play_until(lambda: person.deal == 2 and person.held)
    # then
    assert len(person.held) == 5


async def test_what_the_browser_contributed_is_in_the_deal_and_a_late_one_changes_nothing(person: Person) -> None:
    # given
    await person.hear_until(lambda: 'data-dealt="yes"' in person.regions["fair-deal"])
    assert f'data-own="{person.bits}"' in person.regions["fair-deal"]
    before = person.version
    # when
    await person.say(type="contribute", deal=1, bits="ab" * 16)
    await person.say(type="contribute", deal=2, bits="cd" * 16)
    await person.say(type="resync")
    person.regions.pop("fair-deal")
    await person.hear_until(lambda: "fair-deal" in person.regions)
    # then
    assert f'data-own="{person.bits}"' in person.regions["fair-deal"]
    assert person.notice == ""
    assert person.version >= before


async def test_only_regions_that_changed_are_sent(person: Person) -> None:
    # given
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    person.heard.clear()
    # when
    await person.act()
    # then the first message after a card has no score sheet
    first = next(message for message in person.heard if 'id="felt"' in message)
    assert 'id="score-sheet"' not in first
    assert 'id="hand"' in first


async def test_an_illegal_card_is_refused_with_its_rule_and_the_socket_goes_on(person: Person) -> None:
    # given
    illegal = await on_turn_with_an_illegal_card(person)
    version = person.version
    # when
    await person.say(type="play", card=illegal)
    await person.hear_until(lambda: person.notice)
    # then
    assert re.search(r"R4\.\d", person.notice)
    assert person.version == version
    # and it is cleared by a legal one
    await person.act()
    await person.hear_until(lambda: not person.notice)


async def test_a_stale_version_is_answered_with_the_whole_table(person: Person) -> None:
    # given
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    version, card = person.version, person.legal[0]
    person.regions.clear()
    # when
    await person.say(type="play", card=card, version=version - 1)
    await person.hear_until(lambda: person.notice)
    # then
    assert person.version == version
    assert card in person.legal


async def test_a_click_sent_twice_is_one_event(person: Person) -> None:
    # given
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    version = person.version
    action = {
        "type": "play",
        "card": person.legal[0],
        "version": version,
        "action_id": "11111111-2222-4333-8444-555555555555",
    }
    # when
    for _ in range(3):
        await person.say(**action)
    await person.hear_until(lambda: person.version > version and person.my_turn)
    # then: one card gone, and no complaint
    assert len(person.held) == 7
    assert not person.notice


async def test_out_of_turn_is_refused(person: Person) -> None:
    # given a table whose computers take their time
    await person.play_until(lambda: not person.my_turn and person.held)
    # when the card is not asked for
    await person.say(type="next", deal=99)
    await person.hear_until(lambda: person.notice)
    # then
    assert person.notice


@pytest.mark.parametrize(
    "frame",
    ["", "{", "[" * 3000, "9" * 5000, "[]", '{"type": "start_deal"}', '{"type": "play", "card": "1S"}', "\\ud800"],
)
async def test_a_malformed_frame_is_told_and_the_socket_goes_on(person: Person, frame: str) -> None:
    # given
    await person.play_until(lambda: person.my_turn)
    version = person.version
    assert person.socket is not None
    # when
    await person.socket.send(frame)
    await person.hear_until(lambda: person.notice)
    # then
    assert person.version == version
    await person.act()


@pytest.mark.parametrize("frame", ["x" * 8193, b"binary"], ids=["8 kB and one", "binary"])
async def test_an_oversized_frame_closes_the_socket_and_changes_nothing(person: Person, frame: str | bytes) -> None:
    # given
    await person.play_until(lambda: person.my_turn)
    version = person.version
    assert person.socket is not None
    # when
    await person.socket.send(frame)
    with pytest.raises(ConnectionClosed) as closed:
        await person.hear_until(lambda: False)
    # then
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    person.regions.clear()
    await person.sit_down()
    assert person.version == version


async def test_a_flood_closes_the_socket(person: Person) -> None:
    # given
    assert person.socket is not None

    # when
    async def flood() -> None:
        assert person.socket is not None
        for _ in range(100):
            await person.socket.send('{"type": "resync"}')
        await person.hear_until(lambda: False)

    with pytest.raises(ConnectionClosed) as closed:
        await flood()
    # then
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013


async def test_a_command_from_before_a_break_is_answered_stale(person: Person) -> None:
    # given a beat that is not one of the last few of this connection
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    version = person.version
    # when
    await person.say(type="play", card=person.legal[0], beat=999)
    await person.hear_until(lambda: person.notice)
    # then
    assert person.version == version
    assert len(person.held) == 8
    # and a command with the newest beat is played
    beat = re.search(r'data-beat="(\d+)"', person.regions["heartbeat"])
    assert beat is not None
    await person.say(type="play", card=person.legal[0], beat=beat[1])
    await person.hear_until(lambda: person.version > version)


async def test_a_socket_does_not_act_for_a_session_that_has_ended(person: Person) -> None:
    # given
    await person.play_until(lambda: person.my_turn)
    version = person.version
    person.site.manage("shell", "-v", "0", "-c", CLOSE_SESSION.format(key=person.cookies["sessionid"]))
    # when
    await person.say(type="pass")
    with pytest.raises(ConnectionClosed) as closed:
        await person.hear_until(lambda: False)
    # then
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4401
    assert person.version == version


async def open_lobby(person: Person) -> ClientConnection:
    cookies = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    return await connect(
        f"ws://127.0.0.1:{person.site.port}/ws/lobby/",
        additional_headers={"Cookie": cookies},
        origin=person.site.url,  # type: ignore[arg-type]
        max_size=None,
    )


async def test_one_person_has_only_so_many_pages_open(person: Person) -> None:
    # given a table and 29 more pages
    pages = [await open_lobby(person) for _ in range(29)]
    # when
    one_more = await open_lobby(person)
    with pytest.raises(ConnectionClosed) as closed:
        await one_more.recv()
    # then that one is closed, and when another has gone there is room again
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4429
    await pages.pop().close()
    pages.append(await open_lobby(person))
    assert await pages[-1].recv()
    for page in pages:
        await page.close()


async def test_what_the_pages_of_one_person_send_counts_together(person: Person) -> None:
    # given
    one, other = await open_lobby(person), await open_lobby(person)
    # when each sends fewer messages than a page may, and both together send more
    for _ in range(25):
        await one.send('{"type": "resync"}')
        await other.send('{"type": "resync"}')
    closings = [asyncio.ensure_future(page.wait_closed()) for page in (one, other)]
    await asyncio.wait(closings, timeout=CEILING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    # then
    assert 1013 in {one.close_code, other.close_code}
    await one.close()
    await other.close()


async def test_a_stranger_gets_neither_page_nor_socket(site: Site, person: Person) -> None:
    # given
    owner, stranger, anonymous = person, Person(site), Person(site)
    await stranger.play_now()
    for other in (stranger, anonymous):
        # when
        status, _, _ = await other.request(f"/table/{owner.match_id}/")
        # then
        assert status == 404
        assert await other.handshake(owner.match_id) == 403


async def test_story_09_the_newest_tab_plays_and_the_older_one_is_told(site: Site) -> None:
    # given
    older = await seated(site)
    newer = Person(site)
    newer.cookies, newer.match_id = older.cookies, older.match_id
    # when
    await newer.sit_down()
    with pytest.raises(ConnectionClosed) as closed:
        await older.hear_until(lambda: False)
    # then
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4409
    await newer.play_until(lambda: newer.my_turn)
    # and the older one cannot take the seat back by reconnecting, but a page opened anew can
    with pytest.raises(ConnectionClosed) as refused:
        await older.sit_down(older.tab)
    assert refused.value.rcvd is not None
    assert refused.value.rcvd.code == 4409
    await older.sit_down()
    await older.play_until(lambda: older.my_turn)
    await older.get_up()
    await newer.get_up()


async def test_a_new_socket_after_any_move_shows_the_same_table(person: Person) -> None:
    # given
    for _ in range(6):
        await person.play_until(lambda: person.my_turn)
        shown = dict(person.regions)
        # when
        await person.get_up()
        await person.sit_down()
        # then
        for region in ("hand", "felt", "actions", "status"):
            assert person.regions[region].strip() == shown[region].strip()
        await person.act()


async def test_the_match_pauses_while_its_person_is_away(person: Person) -> None:
    # given the computers are to move
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    assert person.socket is not None
    await person.say(type="play", card=person.legal[0])
    await person.get_up()
    # when they come back
    await person.sit_down()
    # then the match goes on
    await person.play_until(lambda: person.my_turn and len(person.held) == 7)


async def test_killed_in_mid_trick_and_started_again_nothing_is_lost(make_site: Callable[..., Site]) -> None:
    # given a card that the socket has shown as played, and computers still to answer
    site = make_site(BELOTE_COMPUTER_PACE="0.2")
    site.start()
    person = await seated(site)
    await person.play_until(lambda: person.my_turn and len(person.held) == 8)
    card = person.legal[0]
    await person.say(type="play", card=card)
    await person.hear_until(lambda: card not in person.held)
    # when
    site.kill()
    site.start()
    person.regions.clear()
    await person.sit_down()
    # then
    assert len(person.held) == 7
    assert card not in person.held
    await person.play_until(lambda: person.my_turn and len(person.held) == 7)
    await person.get_up()
