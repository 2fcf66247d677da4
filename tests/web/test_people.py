"""The pages about other people: lists, decisions, invitations, reports, and what nobody gets to see there."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import relations
from accounts.models import Relation, User
from games.engine.seats import Occupant
from games.models import Admission, ChatLine, Match, MatchSeat, Report, Room
from games.services import matches, rooms, seating
from games.services import talk as saying
from tests.web.fragments import elements, text

pytestmark = pytest.mark.django_db

HOSTILE = ("<img src=x onerror=alert(1)>", "<div hx-get=/play/ hx-trigger=load hx-swap-oob=true>boo</div>")


def account(name: str) -> User:
    return User.objects.create_user(name)


@pytest.fixture
def mari() -> User:
    return account("mari")


@pytest.fixture
def luc() -> User:
    return account("luc")


@pytest.fixture
def browser(client: Client, mari: User) -> Client:
    """Mari's."""
    client.force_login(mari)
    return client


def public_room(*people: User, name: str = "") -> Room:
    room = rooms.create(people[0], Room(visibility=Room.Visibility.PUBLIC, clock=30, name=name))
    for person in people[1:]:
        seating.sit(person, room.pk)
    return room


def match_of(*people: User) -> Match:
    room = public_room(*people)
    rooms.fill(people[0], room.pk, Occupant.EASY)
    return rooms.start(people[0], room.pk)


def act(browser: Client, act: str, person: User, **more: str) -> int:
    answer = browser.post("/people/act/", {"person": str(person.public_id), "act": act, **more})
    return answer.status_code


def page(browser: Client, path: str = "/people/") -> str:
    answer = browser.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


# Lists


def test_a_visitor_is_asked_to_log_in(client: Client, luc: User) -> None:
    for path in ("/people/", f"/people/{luc.public_id}/report/"):
        assert client.get(path).status_code == 302
    assert act(client, "block", luc) == 302
    assert not Relation.objects.exists()


def test_the_people_of_the_last_matches_are_listed_with_what_came_of_it(browser: Client, mari: User, luc: User) -> None:
    # given a match that is over, and one that runs
    match = match_of(mari, luc)
    matches.end(match.pk)
    MatchSeat.objects.filter(match=match, user=mari).update(outcome=MatchSeat.Outcome.WON)
    # when
    shown = text(page(browser))
    # then
    assert "luc as your partner · Won" in shown
    # and not when blocked
    relations.block(mari, luc)
    assert "as your partner" not in text(page(browser))


def test_whom_one_follows_is_found_at_a_table_that_one_may_watch(browser: Client, mari: User, luc: User) -> None:
    # given
    match = match_of(luc)
    relations.follow(mari, luc)
    # when, then
    assert f'href="/table/{match.pk}/">Watch' in page(browser)
    # and a table that is not to be watched is only told of
    Room.objects.update(has_spectators=False)
    html = page(browser)
    assert "Playing" in text(html)
    assert f"/table/{match.pk}/" not in html


def test_whom_one_follows_is_joined_in_a_room_that_one_may_enter(browser: Client, mari: User, luc: User) -> None:
    # given
    room = public_room(luc)
    relations.follow(mari, luc)
    # when, then
    assert f'href="/room/{room.pk}/">Join' in page(browser)
    # and a private room stays closed until somebody invites
    Room.objects.update(visibility=Room.Visibility.LINK)
    assert f"/room/{room.pk}/" not in page(browser)
    seating.invite(luc, mari, room.pk)
    assert f'href="/room/{room.pk}/">Join' in page(browser)


# Decisions


@pytest.mark.parametrize(("kind", "undo"), [("follow", "unfollow"), ("mute", "unmute"), ("block", "unblock")])
def test_a_decision_is_made_and_taken_back(browser: Client, mari: User, luc: User, kind: str, undo: str) -> None:
    # when
    assert act(browser, kind, luc) == 302
    # then
    assert list(Relation.objects.values_list("owner", "other", "kind")) == [(mari.pk, luc.pk, kind)]
    assert f'value="{undo}"' in page(browser)
    # and back
    assert act(browser, undo, luc) == 302
    assert not Relation.objects.exists()


def test_nothing_is_decided_about_oneself_or_nobody_or_in_ways_that_do_not_exist(browser: Client, mari: User) -> None:
    luc = account("luc")
    assert act(browser, "block", mari) == 404
    assert act(browser, "promote", luc) == 404
    assert act(browser, "__init__", luc) == 404
    assert browser.post("/people/act/", {"person": "1", "act": "block"}).status_code == 404
    assert browser.get("/people/act/").status_code == 405
    User.objects.filter(pk=luc.pk).update(is_active=False)
    assert act(browser, "block", luc) == 404
    assert not Relation.objects.exists()


@pytest.mark.parametrize(
    "address",
    ["people", "//evil.example", "/\\evil.example", "javascript:alert(1)", "https://evil.example", "\t//e", "/\n/e"],
)
def test_one_is_not_sent_away_from_the_site(browser: Client, luc: User, address: str) -> None:
    answer = browser.post("/people/act/", {"person": str(luc.public_id), "act": "follow", "next": address})
    assert answer.headers["Location"] == "/people/"


def test_one_comes_back_to_the_page_that_one_was_on(browser: Client, luc: User) -> None:
    answer = browser.post("/people/act/", {"person": str(luc.public_id), "act": "follow", "next": "/lobby/?free=1"})
    assert answer.headers["Location"] == "/lobby/?free=1"


def test_the_blocked_one_sees_no_difference(client: Client, mari: User, luc: User) -> None:
    # given luc's page about mari
    client.force_login(luc)
    before = text(page(client, f"/people/{mari.public_id}/"))
    # when
    relations.block(mari, luc)
    relations.mute(mari, luc)
    # then
    assert text(page(client, f"/people/{mari.public_id}/")) == before
    assert "mari" not in text(page(client))


def test_a_blocked_spectator_is_refused_the_pages(client: Client, mari: User, luc: User) -> None:
    # given
    match = match_of(mari)
    client.force_login(luc)
    paths = (f"/table/{match.pk}/", f"/room/{match.room_id}/")
    assert [client.get(path).status_code for path in paths] == [200, 200]
    # when
    relations.block(mari, luc)
    # then
    assert [client.get(path).status_code for path in paths] == [404, 404]


def test_muting_from_the_talk_answers_with_what_is_read_from_now_on(browser: Client, mari: User, luc: User) -> None:
    # given
    room = public_room(mari, luc)
    saying.say(luc, room.pk, None, text="bla bla")
    form = {"person": str(luc.public_id), "act": "mute", "room": str(room.pk)}
    # when
    answer = browser.post("/people/act/", form, headers={"HX-Request": "true"})
    # then
    html = answer.content.decode()
    assert 'id="talk-lines"' in html
    assert "bla bla" not in html
    assert "You do not read luc any more" in html
    # and a room that is not for them is not read this way
    hidden = rooms.create(account("aino"), Room())
    answer = browser.post("/people/act/", {**form, "room": str(hidden.pk)}, headers={"HX-Request": "true"})
    assert answer.status_code == 404


# Invitations


def test_an_invitation_reaches_the_list_and_is_answered_there(browser: Client, mari: User, luc: User) -> None:
    # given
    room = rooms.create(luc, Room(name=HOSTILE[0]))
    invited = Client()
    invited.force_login(luc)
    assert 'value="invite"' in page(invited, f"/people/{mari.public_id}/")
    # when
    assert act(invited, "invite", mari) == 302
    # then
    html = page(browser)
    assert f"luc invites you to “{HOSTILE[0]}”" in text(html)
    # and every other page tells of it
    assert f"luc invites you to “{HOSTILE[0]}”" in text(page(browser, "/"))
    assert "<img" not in html
    # and is answered
    assert browser.post(f"/room/{room.pk}/invitation/", {"answer": "decline"}).status_code == 302
    assert "invites you" not in text(page(browser))


def test_an_invitation_needs_a_room_and_does_not_reach_the_blocked(browser: Client, mari: User, luc: User) -> None:
    assert act(browser, "invite", luc) == 404
    public_room(mari)
    relations.block(luc, mari)
    # when: mari is told the same as ever
    assert act(browser, "invite", luc) == 302
    # then
    assert not Admission.objects.filter(user=luc).exists()


def test_invitations_are_limited(browser: Client, mari: User, luc: User) -> None:
    public_room(mari)
    for _ in range(30):
        assert act(browser, "invite", luc) == 302
    assert act(browser, "invite", luc) == 429


# Reports


def test_a_report_shows_what_goes_with_it_and_is_sent(browser: Client, mari: User, luc: User) -> None:
    # given
    match = match_of(mari, luc)
    saying.say(luc, match.room_id, match.pk, text="you idiot")
    path = f"/people/{luc.public_id}/report/?room={match.room_id}"
    assert "luc (your partner)you idiot" in text(page(browser, path))
    # when
    answer = browser.post(path, {"ground": "insults", "text": HOSTILE[1]}, follow=True)
    # then
    assert "A moderator will look" in answer.content.decode()
    report = Report.objects.get()
    assert (report.text, report.match) == (HOSTILE[1], match)
    assert [line["text"] for line in report.lines] == ["you idiot"]
    # and a second one is thanked for as well
    assert "A moderator will look" in browser.post(path, {"ground": "spam"}, follow=True).content.decode()
    assert Report.objects.count() == 1


def test_a_report_needs_a_ground_and_gives_back_what_was_written(browser: Client, luc: User) -> None:
    answer = browser.post(f"/people/{luc.public_id}/report/", {"ground": "", "text": HOSTILE[0]})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert "<img" not in html
    assert "&lt;img src=x" in html
    assert not Report.objects.exists()


def test_a_report_shows_nothing_of_a_room_that_one_was_never_in(browser: Client, mari: User, luc: User) -> None:
    room = rooms.create(luc, Room())
    saying.say(luc, room.pk, None, text="a secret")
    assert browser.get(f"/people/{luc.public_id}/report/?room={room.pk}").status_code == 404
    assert browser.get(f"/people/{luc.public_id}/report/?room=1").status_code == 404
    assert browser.get(f"/people/{mari.public_id}/report/").status_code == 404


@pytest.mark.parametrize("hostile", HOSTILE)
def test_markup_in_names_rooms_and_lines_is_text_on_every_page(
    browser: Client, mari: User, luc: User, hostile: str
) -> None:
    # given a name, a room's name and a line that would do something
    User.objects.filter(pk=luc.pk).update(username=hostile)
    luc.refresh_from_db()
    room = public_room(luc, mari, name=hostile[:40])
    ChatLine.objects.create(room=room, author=luc, text=hostile)
    relations.follow(mari, luc)
    relations.mute(mari, account("aino"))
    seating.invite(luc, mari, room.pk)
    # when
    for path in (
        "/people/",
        f"/people/{luc.public_id}/",
        f"/people/{luc.public_id}/report/?room={room.pk}",
        f"/room/{room.pk}/",
    ):
        html = page(browser, path)
        # then
        assert hostile in text(html)
        assert not [e for e in elements(html) if e.attributes.get("src") == "x" or "onerror" in e.attributes]
        assert not [e for e in elements(html) if "hx-get" in e.attributes or "hx-swap-oob" in e.attributes]
