"""The pages of play: one click from the front page to a hand, and what a page refuses."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from accounts.models import User
from games.models import Match, Seating
from games.rulebook import SECTIONS

pytestmark = pytest.mark.django_db


def test_one_click_makes_a_guest_a_table_and_a_hand(client: Client) -> None:
    # given nothing but the front page, which makes no row
    assert client.get("/").status_code == 200
    assert not User.objects.exists()
    # when
    answer = client.post("/play/", follow=True)
    # then
    match = Match.objects.get()
    assert answer.redirect_chain == [(f"/table/{match.pk}/", 302)]
    assert answer.content.decode().count('data-command="play"') == 5
    assert match.room.target == 1000
    assert sorted(Seating.objects.values_list("level", flat=True)) == ["", "normal", "normal", "normal"]
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_level_and_target_can_be_chosen(client: Client, level: str) -> None:
    assert f'name="level" value="{level}"' in client.get("/").content.decode()
    client.post("/play/", {"level": level, "target": "2000"})
    assert Match.objects.get().room.target == 2000
    assert Seating.objects.filter(level=level).count() == 3


@pytest.mark.parametrize("form", [{"level": "best"}, {"level": "person"}, {"target": "1"}, {"target": "x' OR 1"}])
def test_what_the_page_does_not_offer_is_told_and_makes_nothing(client: Client, form: dict[str, str]) -> None:
    # when
    answer = client.post("/play/", form, follow=True)
    # then
    assert "cannot be set up" in answer.content.decode()
    assert not Match.objects.exists()
    assert not User.objects.exists()


@pytest.mark.parametrize("path", ["/play/", "/table/{}/leave/", "/table/{}/again/"])
def test_a_link_or_a_prefetch_starts_and_ends_nothing(client: Client, path: str) -> None:
    client.post("/play/")
    match = Match.objects.get()
    answer = client.get(path.format(match.pk))
    assert answer.status_code == 405
    assert "No such page" in answer.content.decode()
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_a_form_without_its_token_is_refused() -> None:
    answer = Client(enforce_csrf_checks=True).post("/play/")
    assert answer.status_code == 403
    assert not User.objects.exists()


def test_a_second_click_or_another_open_tab_leads_to_the_same_table() -> None:
    # given a form that was loaded before the guest was made
    browser = Client(enforce_csrf_checks=True)
    browser.get("/")
    token = browser.cookies["csrftoken"].value
    first = browser.post("/play/", {"csrfmiddlewaretoken": token})
    # when
    second = browser.post("/play/", {"csrfmiddlewaretoken": token})
    # then
    assert second.status_code == 302
    assert second.headers["Location"] == first.headers["Location"]
    assert User.objects.count() == 1


def test_too_many_guests_from_one_address_are_told_when_to_come_back(settings: Settings) -> None:
    # given
    settings.GUEST_LIMIT = "2/hour"
    for _ in range(2):
        assert Client().post("/play/").status_code == 302
    # when
    answer = Client().post("/play/")
    # then
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert User.objects.count() == 2


def test_every_page_leads_back_to_the_running_match(client: Client) -> None:
    client.post("/play/")
    link = f'href="/table/{Match.objects.get().pk}/"'
    for page in ("/", "/rules/", "/account/preferences/"):
        assert link in client.get(page).content.decode(), page


def test_pressing_play_again_while_a_match_runs_returns_to_it(client: Client) -> None:
    client.post("/play/")
    client.post("/play/")
    assert Match.objects.count() == 1


def test_somebody_elses_table_is_not_found(client: Client) -> None:
    # given
    client.post("/play/")
    match = Match.objects.get()
    stranger = Client()
    stranger.post("/play/")
    # when / then: the same answer as for a table that does not exist
    for visitor in (Client(), stranger):
        assert visitor.get(f"/table/{match.pk}/").status_code == 404
        assert visitor.post(f"/table/{match.pk}/leave/").status_code == 404
        assert visitor.post(f"/table/{match.pk}/again/").status_code == 404
    assert client.get("/table/00000000-0000-4000-8000-000000000000/").status_code == 404
    match.refresh_from_db()
    assert match.status == Match.Status.RUNNING


def test_leaving_ends_the_match_and_says_so(client: Client) -> None:
    # given
    client.post("/play/")
    match = Match.objects.get()
    # when
    answer = client.post(f"/table/{match.pk}/leave/", follow=True)
    # then
    assert "You have left the table" in answer.content.decode()
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    # and a second click is no error
    assert client.post(f"/table/{match.pk}/leave/").status_code == 302
    # and the table still shows how it ended, and another match can start there
    assert client.get(f"/table/{match.pk}/").status_code == 200
    assert client.post(f"/table/{match.pk}/again/").status_code == 302
    assert Match.objects.count() == 2


def test_leaving_and_playing_again_has_the_limit_of_making_rooms(client: Client, settings: Settings) -> None:
    # given
    settings.ROOM_LIMIT = "2/hour"
    client.post("/play/")
    match = Match.objects.get()
    client.post(f"/table/{match.pk}/leave/")
    again = client.post(f"/table/{match.pk}/again/").headers["Location"]
    client.post(f"{again}leave/")
    # when
    answer = client.post(f"{again}again/")
    # then
    assert answer.status_code == 429
    assert Match.objects.count() == 2


@pytest.mark.parametrize("language", ["en", "fr", "et", "th"])
def test_the_rules_page_has_every_rule_in_every_language(client: Client, language: str) -> None:
    # when
    page = client.get("/rules/", headers={"Accept-Language": language}).content.decode()
    # then
    assert f'<html lang="{language}"' in page
    for section in SECTIONS:
        for rule in section.rules:
            assert f'id="{rule.number}"' in page
    with translation.override("en"):
        english = str(SECTIONS[0].title)
    with translation.override(language):
        title = str(SECTIONS[0].title)
    assert title in page
    assert (title == english) == (language == "en")


def test_the_site_says_that_it_is_well(client: Client) -> None:
    assert client.get("/health/").json() == {"status": "ok"}
