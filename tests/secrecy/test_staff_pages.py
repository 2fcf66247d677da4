"""During a deal the pages of staff tell a superuser nothing hidden: no card, seed or deck stands on any of them.

Each is the same, byte for byte, however else the hidden cards may lie: so no search, filter or order tells of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import unquote_plus, urlencode

import pytest
from django.contrib import admin
from django.db.models import Model
from django.http import HttpResponse
from django.urls import reverse
from pytest_django import Settings

from accounts import audit
from accounts.models import StaffAct
from games import codec, selectors
from games.engine.cards import cards_in
from games.engine.notation import CARD_NAMES, format_cards
from games.engine.seats import Seat
from games.engine.view import table_view
from games.models import ChatLine, GameEvent, Match, Report
from games.services import moderation
from games.wording import card_names
from tests.secrecy.redeal import consistent_redeals
from tests.secrecy.test_every_address import secrets_of
from tests.services.given import Table
from tests.web.fragments import cards_named_in
from tests.web.roles import World, comparable, world_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _computers_act_at_once(settings: Settings) -> None:
    settings.COMPUTER_PACE = 0


PLAYED = 7
"""So many bids and cards of the deal are public."""

ROWS_ASKED_FOR = 2
REFUSED_LOOKUPS = (
    "payload__icontains",
    "payload__deck__startswith",
    "events__payload__contains",
    "match__events__payload__icontains",
    "matches__events__payload__icontains",
    "room__matches__seeds__seed__isnull",
    "seeds__seed__startswith",
    "match__seeds__deal",
    "match_seats__match__events__payload__icontains",
    "hosted_rooms__matches__events__payload__icontains",
    "author__match_seats__match__events__payload__icontains",
)


def given_running_deals() -> World:
    """Two running deals, and a row of everything that staff have pages for; they have looked at both matches."""
    world = world_of("public playing")
    staff, host, seated = (world.users[name] for name in ("staff", "host", "seated"))
    play(world.match)
    ChatLine.objects.create(room=world.room, match=world.match, author=host, text="Good evening")
    Report.objects.create(reporter=host, reported=seated, ground="spam", room=world.room, match=world.match)
    audit.record(staff, StaffAct.Act.WARN, StaffAct.Subject.PERSON, seated.public_id, why="spam")
    for match in (world.match, world.other_match):
        moderation.open_match(staff, match.pk)
    return world


def play(match: Match) -> None:
    """Let four people and computers bid and play a little, and go."""
    table = Table(match)
    for seat in table.people:
        table.arrive(seat)
    table.play_until(lambda state: state.deal is not None and state.deal.moves >= PLAYED)
    for seat in table.people:
        table.depart(seat)


def public_cards(world: World) -> set[str]:
    """Return the cards that lie open in the two deals."""
    known = set()
    for match in (world.match, world.other_match):
        view = table_view(selectors.current_state(match.pk), None)
        tricks = [won.trick for won in view.tricks] + ([view.trick] if view.trick else [])
        known |= {CARD_NAMES[card] for trick in tricks for card in trick.cards}
        known |= {CARD_NAMES[view.turn_up]} if view.turn_up is not None else set()
    return known


def lists(world: World) -> Iterator[str]:
    """Yield every list, narrowed, sorted and searched in all the ways that its pages offer, and in some they refuse."""
    deal = selectors.current_state(world.match.pk).deal
    assert deal is not None
    card = next(cards_in(deal.hands[Seat.EAST]))
    guesses = [f'"{format_cards(deal.deck[:2])}"', CARD_NAMES[card], card_names()[card], str(world.match.pk)]
    words = [urlencode({"q": guess}) for guess in guesses]
    for model in admin.site._registry:
        base = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield from (base, base + "?_facets=True", base + "?all=", base + "?_popup=1", base + "?_to_field=payload")
        yield from (f"{base}?{word}" for word in words)
        yield from (f"{base}?{lookup}={CARD_NAMES[card]}" for lookup in REFUSED_LOOKUPS)
        if model is GameEvent:
            for match in (world.match, world.other_match):
                of_match = f"{base}?match__id__exact={match.pk}"
                yield from (of_match, of_match + "&_facets=True", of_match + "&o=-1")
                yield from (f"{of_match}&{word}" for word in words)
        first = str(world.ask("staff", "GET", base).content.decode())
        yield from sorted({base + unescape(query) for query in re.findall(r'href="(\?[^"]+)"', first)})


def rows(world: World) -> Iterator[str]:
    """Yield every page of some rows of every kind: of the events all of a match."""
    for model, pages in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found = some_of(model, world)
        yield from (reverse(f"{name}_change", args=[row.pk]) for row in found)
        for row in found[:1]:
            yield from (reverse(f"{name}_{view}", args=[row.pk]) for view in ("history", "delete"))
            yield from (reverse(f"{name}_act", args=[row.pk, act.name]) for act in pages.acts)
        yield reverse(f"{name}_add")
    yield from ("/admin/", "/admin/games/", "/admin/jsi18n/", "/admin/autocomplete/")
    yield "/admin/autocomplete/?term=a&app_label=games&model_name=gameevent&field_name=match"


def some_of(model: type[Model], world: World) -> list[Any]:
    if model is GameEvent:
        return list(GameEvent.objects.filter(match=world.match))
    return list(model._default_manager.order_by("-pk")[:ROWS_ASKED_FOR])


def redeal(match: Match) -> None:
    """Let the hidden cards of a running deal lie otherwise."""
    stored = list(GameEvent.objects.filter(match=match).order_by("sequence"))
    log = [codec.decode(row.payload, row.schema) for row in stored]
    other = consistent_redeals(log, None, random.Random(1), 1)[0]
    assert other != log
    for row, event in zip(stored, other, strict=True):
        GameEvent.objects.filter(pk=row.pk).update(payload=codec.encode(event))
    selectors.states.clear()


def test_given_running_deals_when_a_superuser_asks_for_everything_then_nothing_hidden_can_be_told() -> None:
    # given
    world = given_running_deals()
    secrets, known = list(secrets_of(world)), public_cards(world)
    addresses = [*dict.fromkeys([*lists(world), *rows(world)])]

    # when
    answers = {address: world.ask("staff", "GET", address) for address in addresses}

    # then
    for address, answer in answers.items():
        body = answer.content.decode()
        assert not any(secret in body + str(answer.headers) for secret in secrets), address
        assert not cards_named_in(body) - known - cards_named_in(unquote_plus(address)), address
    for address in addresses:
        if any(f"?{lookup}=" in address for lookup in REFUSED_LOOKUPS):
            assert answers[address].status_code in (302, 400), address

    # when the cards lie otherwise
    for match in (world.match, world.other_match):
        redeal(match)

    # then
    for address in filter(may_depend_on_a_deal, addresses):
        assert shown(world.ask("staff", "GET", address)) == shown(answers[address]), address


def may_depend_on_a_deal(address: str) -> bool:
    """All but the many filters and orders of lists of people, of what they said and of what was decided about them."""
    of_deals = ("/admin/games/gameevent/", "/admin/games/match/", "/admin/games/room/")
    return address.startswith(of_deals) or "?" not in address or "q=" in address


def shown(answer: HttpResponse) -> tuple[object, ...]:
    status, _headers, _cookies, body = comparable(answer)
    return status, answer.headers.get("Location"), body


def test_given_a_running_deal_when_anything_is_posted_then_no_answer_names_a_hidden_card() -> None:
    world = given_running_deals()
    secrets, known = list(secrets_of(world)), public_cards(world)

    for address in dict.fromkeys(address.partition("?")[0] for address in [*lists(world), *rows(world)]):
        body = world.ask("staff", "POST", address, {"action": "delete_selected", "seat": "9"}).content.decode()

        assert not any(secret in body for secret in secrets), address
        assert not cards_named_in(body) - known, address
