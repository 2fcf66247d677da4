"""During a deal no address of the site, whoever asks, yields a hidden card, a seed or a deck."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from games import selectors
from games.engine.cards import cards_in
from games.engine.notation import CARD_NAMES, format_cards
from games.engine.seats import Seat
from games.engine.state import DealState
from games.models import DealSeed
from tests.web.fragments import cards_named_in
from tests.web.roles import World, address_of, routes, world_of

pytestmark = pytest.mark.django_db(transaction=True)

ROLES = ("anonymous", "account", "seated", "staff")
"""One of each kind of rights."""

SEATS = {"host": Seat.SOUTH, "seated": Seat.NORTH}


def deal_of(world: World) -> DealState:
    deal = selectors.current_state(world.match.pk).deal
    assert deal is not None
    return deal


def secrets_of(world: World) -> Iterator[str]:
    """Yield the seeds and the decks of the running deals, as somebody might write them."""
    for seed in map(bytes, DealSeed.objects.values_list("seed", flat=True)):
        yield from (seed.hex(), seed.hex().upper(), seed.hex(" ", 2), base64.b64encode(seed).decode(), repr(seed))
    for match in (world.match, world.other_match):
        deal = selectors.current_state(match.pk).deal
        assert deal is not None
        yield from (format_cards(deal.deck), format_cards(deal.deck[:5]), str(list(deal.deck)), str(deal.deck))


def seen_by(role: str, world: World) -> set[str]:
    """Return the cards that somebody may see: the turned one, and the own hand."""
    deal = deal_of(world)
    own = cards_in(deal.hands[SEATS[role]]) if role in SEATS else ()
    return {CARD_NAMES[card] for card in (deal.turn_up, *own)}


def leaks(role: str, world: World, address: str, secrets: list[str]) -> list[str]:
    """Return what an address gives away to somebody."""
    answer: Any = world.ask(role, "GET", address)
    body = (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode("utf-8", "replace")
    told = body + str(answer.headers)
    found = [f"{address} as {role}: {secret}" for secret in secrets if secret in told]
    if str(world.match.pk) in address and (hidden := cards_named_in(body) - seen_by(role, world)):
        found.append(f"{address} as {role}: {sorted(hidden)}")
    return found


def addresses_for(role: str, world: World) -> Iterator[str]:
    """Yield every address of the site; those of the admin for staff alone, since others are led away.

    Its lists and rows have a test of their own (test_staff_pages).
    """
    for route in routes():
        if not route.startswith("/admin/") or (role == "staff" and "<object_id>" not in route):
            yield address_of(route, world.values)


def test_given_running_deals_when_every_address_is_asked_for_then_none_gives_anything_away() -> None:
    world = world_of("public playing")
    secrets = list(secrets_of(world))

    found = [leak for role in ROLES for at in addresses_for(role, world) for leak in leaks(role, world, at, secrets)]

    assert not found, "\n".join(found)


def test_given_a_page_that_leaks_when_it_is_asked_for_then_it_is_caught() -> None:
    world = world_of("public playing")
    deal = deal_of(world)
    hidden = CARD_NAMES[next(cards_in(deal.hands[Seat.EAST]))]

    assert cards_named_in(f"<p>{hidden}</p>") - seen_by("host", world) == {hidden}
    assert any(secret in format_cards(deal.deck) for secret in secrets_of(world))
    assert leaks("host", world, f"/table/{world.match.pk}/", ["Belote"]) != []
