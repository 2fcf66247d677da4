"""What spectators are sent, and what the lobby tells of a match, is the same for every redeal of the hidden cards."""

from __future__ import annotations

import random
from uuid import UUID

import pytest
from django.test import Client

from accounts.models import User
from games import lobby, selectors
from games.engine.cards import cards_in
from games.engine.events import Event
from games.engine.notation import format_hand
from games.engine.rules import RuleSet
from games.engine.seats import Occupant, Seat
from games.models import Match, Room
from games.services import rooms
from games.shared_rendering import Eyes, SharedRendering
from tests.secrecy.redeal import consistent_redeals
from tests.secrecy.test_html import some_of_every_phase, time_stands_still
from tests.secrecy.test_view import random_log, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(time_stands_still.__name__)]

EYES = {Eyes("en", "JQKA"), Eyes("fr", "VDRA")}


@pytest.fixture
def match_id() -> UUID:
    """A match in a public room; its own log is younger than any position of a test, which is known instead of it."""
    match = rooms.play_now(User.objects.create_guest(), Occupant.EASY, 1000)
    Match.objects.update(version=0)
    match.events.all().delete()
    Room.objects.update(visibility=Room.Visibility.PUBLIC, clock=30)
    return match.pk


def make_known(match_id: UUID, log: list[Event]) -> None:
    selectors.states.clear()
    selectors.states.put(match_id, state_of(log))


def sent(match_id: UUID, log: list[Event]) -> str:
    """What the socket of a spectator is sent first, and then by the last event of a log, in two languages."""
    shared = SharedRendering(match_id)
    make_known(match_id, log[:-1])
    first = shared.look(set(), EYES)
    make_known(match_id, log)
    then = shared.look(EYES, EYES)
    return "".join(first[eyes].whole + then[eyes].change + then[eyes].whole for eyes in sorted(EYES))


def listed(match_id: UUID, log: list[Event]) -> str:
    make_known(match_id, log)
    region = lobby.region(lobby.Filter(), None)
    assert f"/table/{match_id}/" in region
    return region


def pages(match_id: UUID, log: list[Event]) -> str:
    """The pages of the table and of the lobby, for a visitor, without what is drawn anew for every page."""
    make_known(match_id, log)
    browser = Client()
    html = "".join(browser.get(path).content.decode() for path in (f"/table/{match_id}/", "/lobby/"))
    return "\n".join(line for line in html.splitlines() if "nonce=" not in line and "csrfmiddlewaretoken" not in line)


def everything(match_id: UUID, log: list[Event]) -> str:
    return sent(match_id, log) + listed(match_id, log)


def a_score_that_counts_what_is_held(match_id: UUID, log: list[Event]) -> str:
    deal = state_of(log).deal
    held = 0 if deal is None else sum(cards_in(deal.hands[Seat.NORTH]))
    return listed(match_id, log).replace("<strong", f'<strong data-held="{held % 2}"')


def the_hand_of_west(match_id: UUID, log: list[Event]) -> str:
    deal = state_of(log).deal
    return sent(match_id, log) + ("" if deal is None else format_hand(deal.hands[Seat.WEST]))


def tells(output: object, match_id: UUID, log: list[Event], rng: random.Random) -> bool:
    """Tell whether an output depends on cards that nobody without a seat can see."""
    shown = output(match_id, log)  # type: ignore[operator]
    return any(output(match_id, redeal) != shown for redeal in consistent_redeals(log, None, rng, 2))  # type: ignore[operator]


def test_given_positions_of_every_phase_when_the_hidden_cards_are_redealt_then_nothing_that_is_sent_changes(
    match_id: UUID,
) -> None:
    rng = random.Random(81)
    positions = some_of_every_phase([random_log(rng, RuleSet()) for _ in range(4)], rng)

    for position in positions[::2]:
        assert not tells(everything, match_id, position, rng), position
    for position in positions[::6]:
        assert not tells(pages, match_id, position, rng), position


@pytest.mark.parametrize("leak", [a_score_that_counts_what_is_held, the_hand_of_west])
def test_given_a_planted_leak_when_the_hidden_cards_are_redealt_then_it_is_caught(leak: object, match_id: UUID) -> None:
    rng = random.Random(82)
    log = random_log(rng, RuleSet(), deals=1)

    assert any(tells(leak, match_id, log[:length], rng) for length in range(3, len(log), 4))
