"""Watching a table: one rendering for all who watch, some of their names, and the lobby's list of matches."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games import lobby, selectors
from games.engine.commands import Next
from games.engine.rules import Phase
from games.models import Match, Presence, Room
from games.selectors import WATCHERS_NAMED
from games.services import matches, presence
from tests.services.given import ME, new_table, play_on
from tests.site_process import Site
from tests.web.browserless import Person
from tests.web.fragments import text
from tests.web.roomgoers import Roomgoer


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("watching"), BELOTE_COMPUTER_PACE="0.02", BELOTE_LOG_LEVEL="DEBUG")
    site.start()
    yield site
    site.kill()
    assert '"level": "ERROR"' not in site.log.read_text()


@pytest.fixture
async def visitor(site: Site) -> AsyncIterator[Callable[..., Awaitable[Roomgoer]]]:
    """Make visitors who read a language."""
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


async def host_at_a_table(visitor: Callable[..., Awaitable[Roomgoer]], name: str) -> Roomgoer:
    """Somebody who plays with computers in a public room, their page open, and is asked for something."""
    host = await visitor()
    await host.new_room(visibility="public", name=name)
    _, body, location = await host.request(f"{host.room}start/", {"level": "hard"})
    assert location.startswith("/table/"), body
    host.match_id = location.removeprefix("/table/").rstrip("/")
    await host.sit_down()
    await host.hear_until(lambda: host.my_turn)
    return host


async def watch(person: Person, host: Person) -> None:
    person.match_id = host.match_id
    await person.sit_down()
    await person.hear_until(lambda: person.version >= host.version)


def tables_in(messages: list[str], after: int) -> list[str]:
    """The messages with a newer version of the table than one."""
    found = [(re.search(r'id="table-version"[^>]* data-version="(\d+)"', message), message) for message in messages]
    return [message for version, message in found if version is not None and int(version[1]) > after]


async def test_a_move_is_rendered_once_for_each_language_and_all_who_read_it_get_the_same_bytes(
    site: Site,
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    # given five who read English and one who reads French
    host = await host_at_a_table(visitor, "Same bytes")
    mari, *others, luc = crowd = [await visitor(language) for language in ("en", "en", "en", "en", "en", "fr")]
    for person in crowd:
        await watch(person, host)
    before = host.version
    # when
    await host.act()
    await host.hear_until(lambda: host.my_turn)
    for person in crowd:
        await person.hear_until(lambda person=person: person.version >= host.version)
    # then
    for person in others:
        assert tables_in(person.heard, before) == tables_in(mari.heard, before)
    rendered = re.findall(rf"match {host.match_id} at version (\d+): rendered for (\d+) kinds", site.log.read_text())
    assert {int(kinds) for version, kinds in rendered if int(version) > before} == {2}
    assert tables_in(mari.heard, before) != tables_in(luc.heard, before)
    assert "Your turn" not in "".join(mari.heard)
    assert "Nord-Sud" in "".join(luc.heard)
    assert "North–South" not in "".join(luc.heard)
    # and they have no hand
    assert not {"hand"} & (mari.regions.keys() | luc.regions.keys())


async def test_who_watches_is_told_to_players_and_spectators_and_who_goes_is_not_any_more(
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    # given
    host = await host_at_a_table(visitor, "Come and go")
    watchers = [await visitor() for _ in range(3)]
    # when
    for person in watchers:
        await watch(person, host)
    # then
    for person in (host, *watchers):
        await person.hear_until(lambda person=person: "3 people watch" in text(person.regions.get("watchers", "")))
    # and when
    await watchers[0].get_up()
    for person in (host, *watchers[1:]):
        await person.hear_until(lambda person=person: "2 people watch" in text(person.regions["watchers"]))
    # and when the last one goes, nobody is left over
    for person in watchers[1:]:
        await person.get_up()
    await host.hear_until(lambda: not text(host.regions["watchers"]))
    assert host.my_turn


async def test_a_match_is_listed_as_playing_with_its_public_score_until_it_is_over(
    visitor: Callable[..., Awaitable[Roomgoer]],
) -> None:
    # given a lobby with everything, and one with what waits
    everything, waiting = await visitor("fr"), await visitor()
    await everything.listen("/ws/lobby/")
    await waiting.listen("/ws/lobby/?status=waiting")
    # when
    host = await host_at_a_table(visitor, "Free to watch")
    address = f'href="/table/{host.match_id}/"'
    # then
    await everything.hear_until(lambda: address in everything.lobby_html)
    assert "Donne 1" in text(everything.lobby_html)
    # and when somebody watches
    await watch(await visitor(), host)
    await everything.hear_until(lambda: "1 regarde" in text(everything.lobby_html))
    # and when the match ends
    await host.request(f"/table/{host.match_id}/leave/", {})
    await everything.hear_until(lambda: address not in everything.lobby_html)
    assert address not in "".join(waiting.heard)


# What is shown, without a server


@pytest.mark.django_db
def test_of_many_who_watch_some_are_named_accounts_first_and_the_others_counted() -> None:
    # given twenty with an account, thirty guests, one of them twice, and four visitors
    _, match = new_table()
    accounts = [User.objects.create(username=f"name{number:02}") for number in range(20)]
    guests = [User.objects.create_guest() for _ in range(30)]
    here: dict[str, int | None] = {f"tab {user.pk}": user.pk for user in (*guests, *accounts)}
    here |= {"another tab": guests[0].pk} | {f"visitor {number}": None for number in range(4)}
    # when
    presence.watch(match.room_id, match.pk, here)
    company = selectors.company_at(match.pk)
    # then
    assert [user.username for user in company.watchers] == [f"name{number:02}" for number in range(WATCHERS_NAMED)]
    assert (company.more, company.visitors) == (50 - WATCHERS_NAMED, 4)
    # and the page says so
    Room.objects.update(visibility=Room.Visibility.PUBLIC, clock=30)
    page = Client().get(f"/table/{match.pk}/").content.decode()
    told = re.search(r'<div id="watchers".*?</div>', page, re.S)
    assert told is not None
    assert "54 people watch: name00, name01," in text(told[0])
    assert text(told[0]).endswith("name11 and 42 more")


@pytest.mark.django_db
def test_presence_of_a_crowd_is_written_at_once_and_not_again_until_it_fades(
    django_assert_max_num_queries: Callable[..., Any],
) -> None:
    # given
    _, match = new_table()
    user = User.objects.create_guest()
    told: list[object] = []
    presence.people_changed.connect(lambda **of: told.append(of), weak=False, dispatch_uid="test")
    here: dict[str, int | None] = {f"visitor {number}": None for number in range(300)} | {"theirs": user.pk}
    # when they come, stay, and one of them goes
    with django_assert_max_num_queries(12):
        presence.watch(match.room_id, match.pk, here)
    with django_assert_max_num_queries(1):
        presence.watch(match.room_id, match.pk, here)
    del here["theirs"]
    presence.watch(match.room_id, match.pk, here, {"theirs", "somebody of whom nobody knew"})
    presence.people_changed.disconnect(dispatch_uid="test")
    # then players are told twice
    assert len(told) == 2
    assert Presence.objects.filter(match=match, seat=None).count() == 300


def over_a_deal(match: Match) -> None:
    """Play, everybody like easy, until a deal has been scored and the next one begun."""
    is_scored = False
    while not is_scored:
        state = play_on(match.pk, Phase.SUMMARY)
        is_scored = state.results[-1].score is not None
        matches.submit(match.pk, ME, Next(state.deal_number), state.version)


@pytest.mark.django_db
def test_the_lobby_shows_the_score_that_everybody_may_know(settings: Settings) -> None:
    # given a match after its first scored deal
    settings.COMPUTER_PACE = 0
    _, match = new_table(target=2000)
    Room.objects.update(visibility=Room.Visibility.PUBLIC, clock=30)
    over_a_deal(match)
    state = selectors.current_state(match.pk)
    # when
    (table,) = lobby.tables(lobby.Filter(), None)
    # then
    assert [side.points for side in table.sides] == list(state.totals)
    assert sum(state.totals) > 0
    assert (table.deal, table.target) == (f"Deal {state.deal_number}", 2000)
    assert [player.kind for side in table.sides for player in side.players].count("computer") == 3
