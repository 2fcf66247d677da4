"""Story 29: a data export with holes. What it holds is compared with the models."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.utils import timezone

import accounts.export
import games.own_data
from accounts.models import Relation, User
from games.engine.seats import Seat
from games.hints import Play, Signal, Table
from games.models import Admission, ChatLine, Hint, Presence, Report, Room, Seating
from tests.services.past import SECRET_DECK, TOTALS, finished_match, running_match

PARTS = (accounts.export, games.own_data)
EXPORTED: dict[str, dict[str, str]] = {label: f for part in PARTS for label, f in part.EXPORTED.items()}
WITHHELD: dict[str, str] = {label: reason for part in PARTS for label, reason in part.WITHHELD.items()}
FOLLOWED = frozenset().union(*(part.FOLLOWED for part in PARTS))


def models_about_people() -> list[type[models.Model]]:
    """User, and every model that points at it, or at a model that does, and so on."""
    about: list[type[models.Model]] = [User]
    while True:
        more = [
            model
            for model in apps.get_models()
            if model not in about
            and any(field.is_relation and field.related_model in about for field in own_fields(model))
        ]
        if not more:
            return about
        about += more


def own_fields(model: type[models.Model]) -> list[models.Field]:
    return [*model._meta.concrete_fields, *model._meta.local_many_to_many]


def test_story_29_every_field_about_a_person_is_exported_or_said_not_to_be() -> None:
    forgotten = [
        f"{model._meta.label}.{field.name}"
        for model in models_about_people()
        if model._meta.label not in WITHHELD
        for field in own_fields(model)
        if field.name not in EXPORTED.get(model._meta.label, {}) and f"{model._meta.label}.{field.name}" not in WITHHELD
    ]

    assert forgotten == []


def test_every_relation_to_a_person_is_followed_or_said_not_to_be() -> None:
    relations = {relation.get_accessor_name() for relation in User._meta.related_objects}

    withheld = {name for name in relations if f"accounts.User.{name}" in WITHHELD}
    assert relations - FOLLOWED == withheld
    assert relations >= FOLLOWED


def test_nothing_is_listed_that_is_not_there_or_both_exported_and_withheld() -> None:
    known = {model._meta.label: {field.name for field in own_fields(model)} for model in apps.get_models()}
    known["accounts.User"] |= {relation.get_accessor_name() for relation in User._meta.related_objects}

    for label, fields in EXPORTED.items():
        assert {name for name, lookup in fields.items() if "__" not in lookup} <= known[label]
        assert not [name for name in fields if f"{label}.{name}" in WITHHELD]
    for name in WITHHELD:
        assert name in known or name.rpartition(".")[2] in known[name.rpartition(".")[0]]


@pytest.fixture
def marie(db: None) -> User:
    return User.objects.create_user("marie", "marie@belote.example", "a pass phrase of mine")


def downloaded(client: Client, user: User) -> dict[str, Any]:
    client.force_login(user)
    answer = client.get("/account/data/")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="belote-own-data.json"'
    assert answer.headers["Content-Type"] == "application/json"
    assert "no-store" in answer.headers["Cache-Control"]
    return json.loads(answer.content)


def test_the_file_names_its_format_and_the_account(client: Client, marie: User) -> None:
    data = downloaded(client, marie)

    assert (data["format"], data["version"]) == ("belote-own-data", 1)
    assert data["account"]["username"] == "marie"
    assert data["account"]["email"] == "marie@belote.example"
    assert data["account"]["public_id"] == str(marie.public_id)
    assert marie.password not in json.dumps(data)


def test_it_holds_what_a_person_did_said_and_decided(client: Client, marie: User) -> None:
    # given
    jaan = User.objects.create_user("jaan", "jaan@belote.example")
    won = finished_match({Seat.SOUTH: marie, Seat.NORTH: jaan})
    room = Room.objects.create(host=marie, name="Kolmas laud")
    Seating.objects.create(room=room, seat=Seat.EAST, user=marie)
    Admission.objects.create(room=room, user=jaan, inviter=marie)
    Presence.objects.create(room=room, user=marie, channel="secret-channel", seen_until=timezone.now())
    ChatLine.objects.create(room=room, author=marie, text="Tere õhtust")
    Report.objects.create(
        reporter=marie, reported=jaan, ground="stalling", text="Went away", lines=[{"text": "what jaan said"}]
    )
    Relation.objects.create(owner=marie, other=jaan, kind=Relation.Kind.MUTE)
    # when
    data = downloaded(client, marie)
    # then
    games_part = data["games"]
    assert [match["id"] for match in games_part["matches"]] == [str(won.pk)]
    assert games_part["matches"][0]["score"] == TOTALS
    assert (games_part["matches"][0]["target"], games_part["matches"][0]["litige"]) == (1000, "held")
    assert games_part["match_seats"][0]["outcome"] in {"won", "lost"}
    assert {room["name"] for room in games_part["hosted_rooms"]} == {"By the stove", "Kolmas laud"}
    assert games_part["seating"][0]["seat"] == Seat.EAST
    assert games_part["invitations_sent"][0]["user"] == str(jaan.public_id)
    assert games_part["presences"][0]["room"] == str(room.pk)
    assert games_part["lines"][0]["text"] == "Tere õhtust"
    assert games_part["reports_filed"][0]["reported"] == str(jaan.public_id)
    assert [(row["other"], row["kind"]) for row in data["relations"]] == [(str(jaan.public_id), "mute")]
    # and nothing of others
    everything = json.dumps(data)
    for secret in ("jaan@belote.example", "what jaan said", "secret-channel"):
        assert secret not in everything


def test_a_match_in_which_a_guest_sat_who_is_the_account_now_is_in_it_once(client: Client, marie: User) -> None:
    # given
    match = finished_match({Seat.SOUTH: marie, Seat.NORTH: User.objects.create_guest()})
    match.seats.filter(seat=Seat.NORTH).update(user=marie, person=marie.public_id)
    # when
    games_part = downloaded(client, marie)["games"]
    # then
    assert [one["id"] for one in games_part["matches"]] == [str(match.pk)]
    assert len(games_part["match_seats"]) == 2


def test_what_others_said_or_decided_about_a_person_is_not_told(client: Client, marie: User) -> None:
    jaan = User.objects.create_user("jaan")
    Report.objects.create(reporter=jaan, reported=marie, ground="spam", text="a denunciation")
    Relation.objects.create(owner=jaan, other=marie, kind=Relation.Kind.BLOCK)

    data = downloaded(client, marie)

    assert data["relations"] == data["games"]["reports_filed"] == []
    assert "denunciation" not in json.dumps(data)


def test_hints_tell_a_person_about_their_play_and_nothing_about_partners_or_reporters(
    client: Client, marie: User
) -> None:
    numbers = {**dict.fromkeys((*Table._fields, *Play._fields, "reporters", "striking"), 3), "better": 17, "near": 11}
    flags = {f"is_{signal}": True for signal in Signal}
    Hint.objects.create(user=marie, computed_at=timezone.now(), **numbers, **flags)

    (hint,) = downloaded(client, marie)["games"]["hint"]

    assert (hint["better"], hint["left"], hint["is_leaving"]) == (17, 3, True)
    assert not {"near", "compared", "near_partners", "is_near", "reporters", "is_reported", "striking"} & set(hint)


def test_no_card_of_a_running_match_is_in_it(client: Client, marie: User) -> None:
    match = running_match({Seat.SOUTH: marie})

    data = downloaded(client, marie)

    assert data["games"]["matches"][0]["id"] == str(match.pk)
    assert data["games"]["matches"][0]["score"] is None
    everything = json.dumps(data)
    assert '"deck"' not in everything
    assert SECRET_DECK[:8] not in everything


def test_a_guest_downloads_its_data_too(client: Client, db: None) -> None:
    guest = User.objects.create_guest()

    assert downloaded(client, guest)["account"]["guest_number"] == guest.guest_number


def test_nobody_else_gets_anything(client: Client, marie: User) -> None:
    assert client.get("/account/data/").status_code == 302
    client.force_login(marie)
    assert client.post("/account/data/").status_code == 405
