"""The record on the pages: who gets it and when; the head that is stored; what an imported match shows."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps
from django.test import Client
from django.utils import translation

from accounts.models import User
from games import archive, record, selectors
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.models import Match, Result
from games.services import matches, records, rooms
from games.services import results as book_results
from games.verification import verify
from tests.records.given import stored

pytestmark = pytest.mark.django_db


def table() -> Match:
    return rooms.play_now(User.objects.create_guest(), Occupant.EASY, 501)


def test_given_a_match_that_runs_then_nobody_gets_a_record_and_no_head_is_stored(client: Client) -> None:
    # given
    match = table()
    client.force_login(User.objects.create_superuser("staff"))
    # then
    answer = client.get(f"/replay/{match.pk}/record/")
    assert answer.status_code == 404
    assert match.record_head == ""
    with pytest.raises(selectors.MatchNotFound):
        archive.record_of(match.pk)


def test_given_a_match_that_is_over_then_whoever_has_its_address_downloads_a_record_that_verifies(
    client: Client,
) -> None:
    # given
    match = table()
    matches.end(match.pk)
    # when
    answer = client.get(f"/replay/{match.pk}/record/")
    # then
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="belote-{match.pk}.json"'
    found = record.read(answer.content)
    verdict = verify(found)
    assert verdict.fault is None
    assert verdict.state is not None
    assert verdict.state.phase is Phase.OVER
    # and its head was stored with the end of the match
    match.refresh_from_db()
    assert match.record_head == found.head
    # and nobody is named
    assert User.objects.get().username.encode() not in answer.content
    assert str(User.objects.get().public_id).encode() not in answer.content


def test_given_a_match_that_ended_before_heads_were_stored_then_the_migration_stores_the_same() -> None:
    # given
    ended, running = table(), table()
    matches.end(ended.pk)
    ended.refresh_from_db()
    head = ended.record_head
    Match.objects.update(record_head="")
    # when
    importlib.import_module("games.migrations.0008_records").compute_heads(apps, None)
    # then
    assert Match.objects.get(pk=ended.pk).record_head == head != ""
    assert Match.objects.get(pk=running.pk).record_head == ""


def test_given_an_imported_match_then_its_seats_stand_for_names_and_it_is_marked(client: Client) -> None:
    # given
    records.take_in(stored())
    match = Match.objects.get()
    # then
    people = selectors.people_at(match.pk)
    assert [people[seat].name(seat) for seat in Seat] == ["North", "East", "South", "West"]
    with translation.override("fr"):
        assert [people[seat].name(seat) for seat in Seat] == ["Nord", "Est", "Sud", "Ouest"]
    page = client.get(f"/replay/{match.pk}/").content.decode()
    assert "<strong>Imported</strong>" in page
    assert "This match was not played here" in page
    # and nobody has a result of it
    assert match.is_booked
    assert not Result.objects.exists()
    assert book_results.missing() == 0


def test_the_replay_offers_the_record_and_shows_its_head(client: Client) -> None:
    # given
    match = table()
    matches.end(match.pk)
    match.refresh_from_db()
    # when
    page = client.get(f"/replay/{match.pk}/").content.decode()
    # then
    assert f'href="/replay/{match.pk}/record/"' in page
    assert match.record_head in page
    assert "Imported" not in page
