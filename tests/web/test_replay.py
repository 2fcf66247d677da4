"""The replay of a match that is over, over HTTP; what a replay never gives is in tests/secrecy/test_replay.py."""

from __future__ import annotations

import json
import re
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.deletion import delete_account
from accounts.models import User
from games import codec
from games.engine.cards import cards_in
from games.engine.events import BidMade, CardPlayed, DealStarted, Event
from games.engine.evolve import evolve
from games.engine.notation import format_card
from games.engine.seats import Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import table_view
from games.models import GameEvent, Match, MatchSeat, Room
from games.selectors import current_state
from games.services import matches, rooms
from tests.services.past import finished_match
from tests.site_process import ROOT
from tests.web.fragments import elements, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return finished_match({Seat.SOUTH: User.objects.create(username="Kadri")})


def match_from(name: str) -> Match:
    """A match that is over, from one of the golden logs; a person without an account sits where the log has one."""
    log = json.loads((ROOT / "tests" / "golden" / name).read_text())
    room = Room.objects.create(host=None)
    match = Match.objects.create(
        room=room, status=Match.Status.WON, version=len(log["events"]), ended_at=timezone.now()
    )
    GameEvent.objects.bulk_create(
        GameEvent(match=match, sequence=sequence, schema=log["schema"], payload=payload)
        for sequence, payload in enumerate(log["events"], 1)
    )
    for seat, occupant in zip(Seat, current_state(match.pk).occupants, strict=True):
        level = "" if occupant == "person" else occupant.value
        MatchSeat.objects.create(match=match, seat=seat, level=level)
    return match


def events_of(match: Match) -> list[Event]:
    rows = match.events.order_by("sequence").values_list("schema", "payload")
    return [codec.decode(payload, schema) for schema, payload in rows]


def shown(client: Client, match: Match, query: str = "") -> str:
    answer = client.get(f"/replay/{match.pk}/moment/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def region(html: str, name: str) -> str:
    """The part of a fragment from the element with an id to the end of it."""
    start = html.index(f'id="{name}"')
    start = html.rindex("<", 0, start)
    depth = 0
    for tag in re.finditer(r"<(/?)(\w+)[^>]*?(/?)>", html[start:]):
        if tag[3] or tag[2] in ("path", "use", "line", "circle", "polyline"):
            continue
        depth += -1 if tag[1] else 1
        if not depth:
            return html[start : start + tag.end()]
    raise AssertionError(f"{name} is not closed")


def hands_of(html: str) -> dict[str, set[str]]:
    return {
        position: set(re.findall(r'id="open-(\w\w)"', region(html, f"seat-{position}")))
        for position in ("top", "right", "me", "left")
    }


def legal_in(html: str) -> set[str]:
    return set(re.findall(r'id="open-(\w\w)" class="open-card open-legal"', html))


def test_given_a_match_that_is_over_then_everybody_who_has_the_address_may_see_it(match: Match) -> None:
    # given a room by link, and somebody who has nothing to do with it
    assert match.room.visibility == Room.Visibility.LINK
    stranger = Client()
    stranger.force_login(User.objects.create(username="Stranger"))

    for client in (Client(), stranger):
        page = client.get(f"/replay/{match.pk}/").content.decode()
        assert "Kadri" in text(page)
        assert "North–South win the match, 1149 : 661" in text(page)


def test_the_page_has_the_region_that_a_step_brings_alone(client: Client, match: Match) -> None:
    for query in ("", "?deal=2&step=13", "?at=deal-3-trick-5", "?at=deal-11-trick-8", "?deal=99"):
        page = client.get(f"/replay/{match.pk}/{query}").content.decode()

        assert shown(client, match, query).strip() in page


def test_given_a_step_then_all_hands_are_open_and_what_the_seat_on_turn_may_play_is_marked(
    client: Client, match: Match
) -> None:
    state: MatchState | None = None
    compared = 0
    for event in events_of(match):
        state = evolve(state, event)
        deal = state.deal
        if (
            deal is None
            or deal.number != 2
            or not isinstance(event, BidMade | CardPlayed | DealStarted)
            or deal.moves % 3
        ):
            continue
        html = shown(client, match, f"?deal=2&step={deal.moves}")
        held = dict(zip(("top", "right", "me", "left"), deal.hands, strict=True))
        assert hands_of(html) == {
            position: {format_card(card) for card in cards_in(hand)} for position, hand in held.items()
        }
        legal = 0 if state.turn is None else table_view(state, state.turn).legal
        assert legal_in(html) == {format_card(card) for card in cards_in(legal)}
        assert ("may be played" in html) == bool(legal)
        compared += 1

    assert compared > 10


def test_each_card_of_the_list_says_what_might_have_been_played_and_by_which_rule(client: Client, match: Match) -> None:
    html = shown(client, match, "?deal=2")
    state: MatchState | None = None
    for event in events_of(match):
        before, state = state, evolve(state, event)
        if not isinstance(event, CardPlayed) or before is None or before.deal is None or before.deal.number != 2:
            continue
        view = table_view(before, event.seat)
        line = region(html, f"move-{before.deal.moves + 1}")
        assert line.count('class="small-card"') == view.legal.bit_count()
        assert line.count('class="legal-played"') == 1
        assert view.duty is not None
        assert f'/rules/#{view.duty.rule}"' in line


def test_given_the_end_of_a_deal_then_its_score_and_reasons_show_and_only_there(client: Client, match: Match) -> None:
    end = text(shown(client, match, "?at=deal-1-trick-8"))
    before = text(shown(client, match, "?at=deal-1-trick-8-card-3"))

    assert "Card points" in end
    assert "Total15428" in end
    assert "(R6.2)" in end
    assert "Card points" not in before


def test_given_the_last_moment_then_it_says_who_has_won(client: Client, match: Match) -> None:
    assert "The match ends 1149 to 661." in text(shown(client, match, "?at=deal-11-trick-8"))


def test_given_any_moment_then_the_deals_and_the_score_sheet_are_whole(client: Client, match: Match) -> None:
    page = client.get(f"/replay/{match.pk}/").content.decode()

    assert len(re.findall('class="deal-row', page)) == 11
    assert "All passed twice: the deal is thrown in" in text(page)
    assert 'class="chart-us"' in page
    assert "Total1149661" in text(page)


def test_the_steps_lead_to_the_neighbours_and_the_name_is_of_the_moment(client: Client, match: Match) -> None:
    html = shown(client, match, "?at=deal-2-trick-1")
    ways = {e.attributes["id"]: e.attributes for e in elements(html) if "way" in e.attributes.get("class", "").split()}

    assert re.search(r'data-name="deal-2-trick-1"', html)
    here = int(ways["way-card-on"]["href"].removeprefix("?deal=2&step=")) - 1
    assert ways["way-card-back"]["href"] == f"?deal=2&step={here - 1}"
    assert ways["way-trick-on"]["href"] == f"?deal=2&step={here + 4}"
    assert ways["way-trick-back"]["href"] == f"?deal=2&step={here - 4}"
    assert ways["way-deal-on"]["href"] == "?deal=3&step=0"
    assert ways["way-deal-back"]["href"] == "?deal=2&step=0"
    assert ways["way-first"]["href"] == "?deal=1&step=0"
    assert ways["way-last"]["href"].startswith("?deal=11&step=")
    assert not any("aria-disabled" in way for way in ways.values())


def test_given_the_first_and_the_last_moment_then_ways_that_lead_nowhere_say_so(client: Client, match: Match) -> None:
    def off(query: str) -> set[str]:
        return {e.attributes["id"] for e in elements(shown(client, match, query)) if "aria-disabled" in e.attributes}

    assert off("") == {"way-first", "way-card-back", "way-trick-back", "way-deal-back"}
    assert off("?at=deal-11-trick-8") == {"way-last", "way-card-on", "way-trick-on", "way-deal-on"}


@pytest.mark.parametrize("query", ["?at=deal-77", "?at=%00", "?deal=-1", "?deal=1&step=999", "?step=3", "?deal=²"])
def test_given_an_address_of_no_moment_then_the_start_is_shown(client: Client, match: Match, query: str) -> None:
    assert 'data-name="deal-1"' in shown(client, match, query)


def test_given_computers_that_played_for_people_then_it_is_said_where_they_did(client: Client) -> None:
    match = match_from("stand_ins.json")

    told = " ".join(text(shown(client, match, f"?deal={deal}")) for deal in range(1, 6))

    assert "Time ran out: the computer plays for" in told
    assert "is back and plays again" in told
    assert "who has left the table" in told or "whose time ran out twice" in told


def test_given_a_seat_whose_account_is_gone_then_its_name_is_as_at_the_table(client: Client, match: Match) -> None:
    delete_account(User.objects.get(username="Kadri"))

    page = text(client.get(f"/replay/{match.pk}/").content.decode())

    assert "Kadri" not in page
    assert "Deleted account" in page


def test_given_a_hostile_name_then_it_is_escaped_everywhere(client: Client, match: Match) -> None:
    User.objects.filter(username="Kadri").update(username="<b>&amp;\"'")

    page = client.get(f"/replay/{match.pk}/").content.decode()

    assert "<b>" not in page
    assert "<bdi>&lt;b&gt;&amp;amp;&quot;&#x27;</bdi>" in page


def test_given_a_match_that_was_broken_off_in_its_first_deal_then_it_can_be_seen_so_far(client: Client) -> None:
    user = User.objects.create_guest()
    match = rooms.play_now(user, Occupant.EASY, 501)
    matches.end(match.pk)

    page = text(client.get(f"/replay/{match.pk}/").content.decode())

    assert "The match is void" in page
    assert "The deal was broken off" in page


def test_given_a_match_that_ended_before_a_deal_then_the_page_says_so_and_has_no_moments(client: Client) -> None:
    match = finished_match({Seat.SOUTH: User.objects.create_guest()})
    first = match.events.get(sequence=1)
    match.events.all().delete()
    ended = {"type": "match_ended", "winner": None}
    GameEvent.objects.bulk_create(
        GameEvent(match=match, sequence=sequence, schema=first.schema, payload=payload)
        for sequence, payload in enumerate((first.payload, ended), 1)
    )
    Match.objects.filter(pk=match.pk).update(version=2, status=Match.Status.VOID)

    assert "before any card was dealt" in text(client.get(f"/replay/{match.pk}/").content.decode())
    assert client.get(f"/replay/{match.pk}/moment/").status_code == 404


def test_given_a_match_that_is_running_or_unknown_then_there_is_no_replay(client: Client) -> None:
    match = rooms.play_now(User.objects.create_guest(), Occupant.EASY, 501)

    for match_id in (match.pk, UUID(int=5)):
        assert client.get(f"/replay/{match_id}/").status_code == 404
        assert client.get(f"/replay/{match_id}/moment/").status_code == 404


def test_given_a_moment_that_was_loaded_before_then_it_is_not_sent_again(client: Client, match: Match) -> None:
    answer = client.get(f"/replay/{match.pk}/moment/?deal=2")

    again = client.get(f"/replay/{match.pk}/moment/?deal=2", headers={"If-None-Match": answer.headers["ETag"]})
    other = client.get(f"/replay/{match.pk}/moment/?deal=3", headers={"If-None-Match": answer.headers["ETag"]})

    assert (again.status_code, other.status_code) == (304, 200)
    assert "private" in answer.headers["Cache-Control"]
    assert "no-cache" in answer.headers["Cache-Control"]


def test_given_a_replay_that_this_process_knows_then_a_step_does_not_read_its_log(client: Client, match: Match) -> None:
    shown(client, match)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        shown(client, match, "?deal=3&step=20")

    assert not any("games_gameevent" in query["sql"] for query in queries)


def test_given_another_language_and_other_letters_then_the_cards_are_named_so(client: Client, match: Match) -> None:
    html = client.get(f"/replay/{match.pk}/moment/?deal=1", headers={"Accept-Language": "fr"}).content.decode()

    assert "dame de trèfle" in html
    assert re.search(r'<span aria-hidden="true">D<svg class="suit', html)


def test_story_of_the_table_when_the_match_is_over_then_it_leads_to_the_replay(client: Client, match: Match) -> None:
    client.force_login(User.objects.get(username="Kadri"))

    page = client.get(f"/table/{match.pk}/").content.decode()

    assert f'id="watch-replay" method="get" action="/replay/{match.pk}/"' in page
    assert re.search(r'form="watch-replay"[^>]*>Watch the replay<', page)


def test_a_rated_match_says_so(client: Client, match: Match) -> None:
    assert "· Rated" not in client.get(f"/replay/{match.pk}/").content.decode()

    Match.objects.update(is_rated=True)

    assert "· Rated" in client.get(f"/replay/{match.pk}/").content.decode()
