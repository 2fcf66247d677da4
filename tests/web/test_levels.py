"""Whoever chooses the computers' level, in a room or on the front page, finds all three and is told how they play."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match, Room
from games.waiting_room import COMPUTERS_OFFERED_AFTER
from tests.web.fragments import text

pytestmark = pytest.mark.django_db

LEVELS = ["easy", "normal", "hard"]
TOLD = [
    "Easy plays the lowest card it may.",
    "Normal weighs each trick and supports its partner.",
    "Hard remembers every card and works out who may hold what.",
]


def page(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def public_room(client: Client) -> Room:
    options = {"target": "501", "clock": "30", "visibility": "public", "undertrump": "must", "belote": "auto"}
    client.post("/rooms/new/", {**options, "litige": "held", "has_spectators": "on"})
    return Room.objects.get()


@pytest.mark.parametrize("level", LEVELS)
def test_the_host_seats_a_computer_of_the_level_that_a_button_names(client: Client, level: str) -> None:
    # given
    room = public_room(client)
    buttons = page(client, f"/room/{room.pk}/").count(f'formaction="/room/{room.pk}/computers/{level}/"')
    assert buttons == 4, "one at each of three free seats, and one for all of them"
    # when
    client.post(f"/room/{room.pk}/computers/{level}/", {"seat": "0"})
    # then
    assert room.seatings.get(user=None).level == level
    for path in (f"/room/{room.pk}/", "/lobby/"):
        assert f"Computer: {level.capitalize()}" in text(page(Client(), path))


@pytest.mark.parametrize("level", LEVELS)
def test_who_waits_alone_for_a_quick_match_plays_with_computers_of_a_level(client: Client, level: str) -> None:
    # given
    client.post("/lobby/quick/")
    Room.objects.update(created_at=timezone.now() - COMPUTERS_OFFERED_AFTER - timedelta(seconds=1))
    room = Room.objects.get()
    assert f'formaction="/room/{room.pk}/start/" name="level" value="{level}"' in page(client, f"/room/{room.pk}/")
    # when
    client.post(f"/room/{room.pk}/start/", {"level": level})
    # then
    assert sorted(Match.objects.get().seats.values_list("level", flat=True)) == ["", level, level, level]


def test_whoever_chooses_is_told_how_each_level_plays_and_nobody_else(client: Client) -> None:
    # given
    room = public_room(client)
    # when
    front, hosts, others = (
        text(page(reader, path))
        for reader, path in ((client, "/"), (client, f"/room/{room.pk}/"), (Client(), f"/room/{room.pk}/"))
    )
    # then
    for sentence in TOLD:
        assert sentence in front
        assert sentence in hosts
        assert sentence not in others
