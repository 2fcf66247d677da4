"""The pages of rooms and of the lobby: what they show and refuse, and that everything unknown is the same 404."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Relation, User
from games.engine.seats import Seat
from games.models import Admission, Match, Room, Seating
from games.services import moderation, seating

pytestmark = pytest.mark.django_db

OPTIONS = {
    "name": "Chez Mari",
    "target": "701",
    "clock": "60",
    "visibility": "public",
    "has_spectators": "on",
    "undertrump": "may",
    "belote": "manual",
    "litige": "fail",
}
UNKNOWN = "/room/00000000-0000-4000-8000-000000000000/"
ACTS = {
    "sit/": {"seat": "0"},
    "computers/easy/": {},
    "clear/": {"seat": "0"},
    "start/": {},
    "ready/": {},
    "leave/": {},
    "invitation/": {"answer": "accept"},
    "options/": OPTIONS,
}


def create(client: Client, **options: str) -> Room:
    answer = client.post("/rooms/new/", {**OPTIONS, **options})
    assert answer.status_code == 302, answer.content.decode()
    return Room.objects.get(pk=answer.headers["Location"].split("/")[2])


def text_of(answer: object) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", answer.content.decode()))  # type: ignore[attr-defined]


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


# A new room


def test_the_form_makes_a_guest_and_a_room_of_all_its_options(client: Client) -> None:
    # given
    assert client.get("/rooms/new/").status_code == 200
    assert not User.objects.exists()
    # when
    room = create(client)
    # then
    stored = {name: getattr(room, name) for name in OPTIONS}
    assert stored == {**OPTIONS, "target": 701, "clock": 60, "has_spectators": True}
    assert Seating.objects.get(room=room).user == user_of(client) == room.host


def test_the_defaults_of_the_form_are_what_a_room_needs(client: Client) -> None:
    page = client.get("/rooms/new/").content.decode()
    checked = re.findall(r'name="(\w+)" value="(\w*)"[^>]* checked', page)
    assert checked == [("target", "1000"), ("clock", "30"), ("visibility", "link")]
    room = create(client, name="", clock="", visibility="link")
    assert room.clock is None


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"clock": ""}, "Only a room by link can do without a clock"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"target": "1"}, "Select a valid choice"),
        ({"clock": "7"}, "Select a valid choice"),
        ({"is_rated": "on", "visibility": "link"}, "Only a room that everybody finds can be rated"),
        ({"undertrump": "never"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_told_at_its_field_and_nothing_is_lost(
    client: Client, wrong: dict[str, str], told: str
) -> None:
    # when
    answer = client.post("/rooms/new/", {**OPTIONS, **wrong})
    # then
    assert answer.status_code == 422
    page = answer.content.decode()
    assert told in page
    assert ('value="Chez Mari"' in page) == ("name" not in wrong)
    assert not Room.objects.exists()
    assert not User.objects.exists()


def test_a_rated_room_says_so_in_the_lobby_and_what_is_missing_for_a_rated_match(client: Client) -> None:
    # given
    accounts = [User.objects.create(username=f"mari-{number}") for number in range(4)]
    client.force_login(accounts[0])
    room = create(client, is_rated="on")
    address = f"/room/{room.pk}/"
    # then
    assert room.is_rated
    assert "<span>Rated</span>" in client.get("/lobby/").content.decode()
    assert "Rated when four people with an account sit here at the start." in text_of(client.get(address))
    # when a guest comes, then a computer, then only people with an account
    guest = seating.sit(User.objects.create_guest(), room.pk, Seat.EAST).seatings.get(seat=Seat.EAST).user
    assert "Not rated with a guest at the table" in text_of(client.get(address))
    assert guest is not None
    seating.get_up(guest, room.pk)
    client.post(f"{address}computers/easy/", {"seat": "1"})
    assert "Not rated with a computer at the table" in text_of(client.get(address))
    client.post(f"{address}clear/", {"seat": "1"})
    for account in accounts[1:]:
        seating.sit(account, room.pk)
    assert "the match will be rated" in text_of(client.get(address))
    # and when they play
    client.post(f"{address}start/")
    assert "This match is rated." in text_of(client.get(address))


def test_an_unrated_room_says_nothing_of_ratings_but_in_its_options(client: Client) -> None:
    room = create(client)

    page = text_of(client.get(f"/room/{room.pk}/"))

    assert "Not rated" in page
    assert "with an account" not in page


def test_who_plays_makes_no_room_and_keeps_what_was_typed(client: Client) -> None:
    client.post("/play/")
    answer = client.post("/rooms/new/", OPTIONS)
    assert answer.status_code == 422
    assert "You are in the middle of a match" in text_of(answer)
    assert 'value="Chez Mari"' in answer.content.decode()


def test_too_many_guests_are_told_by_every_way_in(settings: Settings) -> None:
    # given
    settings.GUEST_LIMIT = "1/hour"
    room = create(Client())
    # when / then
    for path, form in {
        "/rooms/new/": OPTIONS,
        "/lobby/quick/": {},
        f"/join/{room.invite}/": {},
        f"/room/{room.pk}/sit/": {},
    }.items():
        assert Client().post(path, form).status_code == 429, path
    assert User.objects.count() == 1


# Who may see and do what


@pytest.mark.parametrize("act", ["", *ACTS])
def test_a_room_by_link_and_one_that_does_not_exist_are_the_same_404(client: Client, act: str) -> None:
    # given
    room = create(client, visibility="link")
    stranger = Client()
    stranger.post("/rooms/new/", {**OPTIONS, "visibility": "link"})
    form = ACTS.get(act)
    # when / then
    for visitor in (Client(), stranger):
        answers = []
        for address in (f"/room/{room.pk}/{act}", f"{UNKNOWN}{act}"):
            answer = visitor.get(address) if form is None else visitor.post(address, form)
            answers.append(
                (answer.status_code, re.sub(r"[0-9a-f-]{36}|value=\"\w{64}\"|nonce-\S+", "", text_of(answer)))
            )
        assert answers[0] == answers[1]
        assert answers[0][0] == 404
    assert room.seatings.count() == 1
    assert User.objects.count() == 2


@pytest.mark.parametrize("act", ["computers/easy/", "clear/", "start/", "options/"])
def test_who_is_not_the_host_is_told_so_on_the_same_page(client: Client, act: str) -> None:
    # given
    room = create(client)
    member = Client()
    member.post(f"/room/{room.pk}/sit/")
    # when
    answer = member.post(f"/room/{room.pk}/{act}", ACTS[act], follow=True)
    # then
    assert answer.redirect_chain == [(f"/room/{room.pk}/", 302)]
    assert "Only the host of this room can do that." in text_of(answer)
    room.refresh_from_db()
    assert (room.target, room.seatings.count()) == (701, 2)


@pytest.mark.parametrize("act", ["computers/easy/", "clear/", "start/", "ready/", "leave/", "invitation/"])
def test_a_visitor_can_only_sit_down(client: Client, act: str) -> None:
    room = create(client)
    assert Client().post(f"/room/{room.pk}/{act}", ACTS[act]).status_code == 404
    assert User.objects.count() == 1


@pytest.mark.parametrize("act", ACTS)
def test_a_link_or_a_prefetch_does_nothing(client: Client, act: str) -> None:
    room = create(client)
    answer = client.get(f"/room/{room.pk}/{act}")
    assert answer.status_code == (200 if act == "options/" else 405)
    assert room.seatings.count() == 1


@pytest.mark.parametrize("path", ["/lobby/quick/", "/rooms/new/", "/join/AAAAAAAAAAAAAAAA/", f"{UNKNOWN}sit/"])
def test_forms_without_their_token_are_refused(path: str) -> None:
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403


@pytest.mark.parametrize(
    ("act", "form"),
    [
        ("sit/", {"seat": "4"}),
        ("sit/", {"seat": "x"}),
        ("clear/", {}),
        ("computers/best/", {}),
        ("computers/person/", {}),
        ("start/", {"level": "best"}),
        ("start/", {"level": "person"}),
    ],
)
def test_what_no_button_sends_is_not_found(client: Client, act: str, form: dict[str, str]) -> None:
    room = create(client)
    assert client.post(f"/room/{room.pk}/{act}", form).status_code == 404
    assert room.seatings.count() == 1


def test_story_17_who_is_blocked_finds_the_same_404_as_for_nothing(client: Client) -> None:
    # given
    room = create(client)
    staller = Client()
    other = create(staller)
    Relation.objects.create(owner=user_of(client), other=user_of(staller), kind=Relation.Kind.BLOCK)
    # when / then
    assert staller.get(f"/room/{room.pk}/").status_code == 404
    assert staller.post(f"/room/{room.pk}/sit/").status_code == 404
    assert staller.get(f"/join/{room.invite}/").status_code == 404
    assert staller.post(f"/join/{room.invite}/").status_code == 404
    listed = staller.get("/lobby/").content.decode()
    assert str(room.pk) not in listed
    assert str(other.pk) in listed


# In the room


def test_the_page_shows_seats_options_and_link_and_only_its_people_see_the_link(client: Client) -> None:
    # given
    room = create(client)
    # when
    mine, visitors = client.get(f"/room/{room.pk}/"), Client().get(f"/room/{room.pk}/")
    # then
    for page in (mine, visitors):
        for words in (
            "Chez Mari",
            "701 points",
            "60 seconds a turn",
            "3 seats are free.",
            user_of(client).display_name,
        ):
            assert words in text_of(page), words
        assert "no-store" in page.headers["Cache-Control"]
    assert f"http://testserver/join/{room.invite}/" in mine.content.decode()
    assert "data:image/svg+xml" in mine.content.decode()
    assert room.invite not in visitors.content.decode()
    assert "Start the match" not in text_of(visitors)
    assert "Sit here" in text_of(visitors)


def test_a_visitor_who_sits_down_in_a_public_room_is_a_guest(client: Client) -> None:
    room = create(client)
    visitor = Client()
    answer = visitor.post(f"/room/{room.pk}/sit/", {"seat": "1"})
    assert answer.headers["Location"] == f"/room/{room.pk}/"
    assert Seating.objects.get(room=room, seat=1).user == user_of(visitor)


def test_a_seat_that_is_taken_is_told(client: Client) -> None:
    room = create(client)
    answer = Client().post(f"/room/{room.pk}/sit/", {"seat": "2"}, follow=True)
    assert "That seat is taken. Choose another one." in text_of(answer)


def test_staff_who_have_opened_the_match_are_told_when_they_may_sit_down(client: Client) -> None:
    # given
    room = create(client)
    client.post(f"/room/{room.pk}/start/", {"level": "easy"})
    staff = Client()
    staff.force_login(User.objects.create_user("moderator", is_staff=True))
    moderation.open_match(user_of(staff), Match.objects.get().pk)
    # when
    answer = staff.post(f"/room/{room.pk}/sit/", {"seat": "1"}, follow=True)
    # then
    assert "you can sit down here when it is over" in text_of(answer)
    assert not Seating.objects.filter(user=user_of(staff)).exists()


def test_the_page_with_a_script_is_told_without_a_new_page(client: Client) -> None:
    # given
    room = create(client)
    # when
    refused = client.post(f"/room/{room.pk}/start/", headers={"HX-Request": "true"})
    moved = client.post(f"/room/{room.pk}/sit/", {"seat": "0"}, headers={"HX-Request": "true"})
    client.post(f"/room/{room.pk}/computers/easy/", headers={"HX-Request": "true"})
    started = client.post(f"/room/{room.pk}/start/", headers={"HX-Request": "true"})
    # then
    assert "That is not possible now" in text_of(refused)
    assert moved.content.decode().startswith('<div id="notice"') or 'id="notice"' in moved.content.decode()
    assert text_of(moved).strip() == ""
    assert started.headers["HX-Redirect"] == f"/table/{Match.objects.get().pk}/"


def test_the_start_is_offered_and_refused_until_four_sit_there(client: Client) -> None:
    room = create(client)
    start = re.compile(r'<button[^>]*aria-disabled="true" data-reason="A match starts when all four seats are taken')
    assert start.search(client.get(f"/room/{room.pk}/").content.decode())
    client.post(f"/room/{room.pk}/computers/normal/")
    assert not start.search(client.get(f"/room/{room.pk}/").content.decode())
    answer = client.post(f"/room/{room.pk}/start/")
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/table/{match.pk}/"
    # and the page of the room leads to the table now
    page = client.get(f"/room/{room.pk}/").content.decode()
    assert f'data-table="/table/{match.pk}/"' in page
    assert "A match is being played here." in page


def test_the_host_changes_the_options_and_a_wrong_one_is_told_there(client: Client) -> None:
    # given
    room = create(client)
    # when
    wrong = client.post(f"/room/{room.pk}/options/", {**OPTIONS, "name": "New", "clock": ""})
    right = client.post(f"/room/{room.pk}/options/", {**OPTIONS, "name": "New", "clock": "", "visibility": "link"})
    # then
    assert wrong.status_code == 422
    assert "Only a room by link can do without a clock" in text_of(wrong)
    assert 'value="New"' in wrong.content.decode()
    assert right.headers["Location"] == f"/room/{room.pk}/"
    room.refresh_from_db()
    assert (room.name, room.clock, room.visibility) == ("New", None, "link")


def test_leaving_closes_an_empty_room_and_its_page_says_so(client: Client) -> None:
    room = create(client)
    answer = client.post(f"/room/{room.pk}/leave/", follow=True)
    assert answer.redirect_chain == [("/lobby/", 302)]
    assert "You have left the room." in text_of(answer)
    page = client.get(f"/room/{room.pk}/")
    assert "This room is closed." in text_of(page)
    assert 'href="/lobby/"' in page.content.decode()
    assert "Sit here" not in text_of(page)


def test_after_a_match_the_page_shows_who_wants_a_rematch(client: Client) -> None:
    # given
    room = create(client)
    luc = Client()
    luc.post(f"/room/{room.pk}/sit/", {"seat": "0"})
    client.post(f"/room/{room.pk}/start/", {"level": "easy"})
    Match.objects.update(status="won")
    Match.objects.get().seats.update(is_playing=False)
    # when
    assert "I want a rematch" in text_of(client.get(f"/room/{room.pk}/"))
    client.post(f"/room/{room.pk}/ready/")
    # then
    assert "I want a rematch" not in text_of(client.get(f"/room/{room.pk}/"))
    assert "Wants a rematch" in text_of(luc.get(f"/room/{room.pk}/"))
    answer = luc.post(f"/room/{room.pk}/ready/")
    assert answer.headers["Location"] == f"/table/{Match.objects.get(status='running').pk}/"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\u202egnp", "gnp"),
        ("two\nlines", "two lines"),
        ("\u200b\u2063", "Guest"),
        ("\u3164\u2800", "Guest"),
        ("e" + "\u0301" * 30, "é" + "\u0301" * 3),
    ],
)
def test_a_name_is_one_line_that_can_be_seen(client: Client, written: str, shown: str) -> None:
    # when
    room = create(client, name=written)
    # then
    heading = re.search(r'<h1 id="room-title"><bdi>(.*?)</bdi>', client.get(f"/room/{room.pk}/").content.decode())
    assert heading is not None
    assert heading[1] == shown or (shown == "Guest" and heading[1].startswith(shown))


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", '<div hx-get="/" hx-trigger="load">'])
def test_a_name_is_text_everywhere(client: Client, name: str) -> None:
    # given
    room = create(client, name=name)
    invitee = Client()
    invitee.post("/lobby/quick/")
    Admission.objects.create(room=room, user=user_of(invitee), inviter=user_of(client), is_answered=False)
    # when / then
    pages = [client.get(f"/room/{room.pk}/"), client.get(f"/room/{room.pk}/options/"), Client().get("/lobby/")]
    for page in [*pages, Client().get(f"/join/{room.invite}/"), invitee.get("/lobby/")]:
        html = page.content.decode()
        assert "<img src=x" not in html
        assert "<div hx-get" not in html
        assert name.strip("<>")[:8] in html or "&lt;" in html


# By its link


def test_story_2_the_link_asks_a_visitor_who_to_be_and_takes_them_in(client: Client) -> None:
    # given
    room = create(client, visibility="link")
    visitor = Client()
    # when the link is opened, nothing is made yet
    page = visitor.get(f"/join/{room.invite}/")
    # then
    assert f"{user_of(client).display_name} invites you to play belote." in text_of(page)
    for offer in ("Play as a guest", "Log in", "Sign up"):
        assert offer in text_of(page)
    assert f"?next=/join/{room.invite}/" in page.content.decode()
    assert "data-submit-at-once" not in page.content.decode()
    assert (User.objects.count(), room.seatings.count()) == (1, 1)
    # when
    answer = visitor.post(f"/join/{room.invite}/")
    # then
    assert answer.headers["Location"] == f"/room/{room.pk}/"
    assert room.seatings.filter(user=user_of(visitor)).exists()
    # and who sits there is led on
    assert visitor.get(f"/join/{room.invite}/").headers["Location"] == f"/room/{room.pk}/"


def test_who_is_known_comes_in_at_once_but_not_out_of_another_seat(client: Client) -> None:
    # given
    room = create(client, visibility="link")
    known, seated, player = Client(), Client(), Client()
    for visitor in (known, seated):
        create(visitor, name="Elsewhere")
    known.post(f"/room/{Seating.objects.get(user=user_of(known)).room_id}/leave/")
    player.post("/play/")
    # when / then
    assert "data-submit-at-once" in known.get(f"/join/{room.invite}/").content.decode()
    page = seated.get(f"/join/{room.invite}/")
    assert "data-submit-at-once" not in page.content.decode()
    assert "You have a seat in Elsewhere. If you come in here, you give it up." in text_of(page)
    page = player.get(f"/join/{room.invite}/")
    assert "data-submit-at-once" not in page.content.decode()
    assert "Return to your table" in text_of(page)
    answer = player.post(f"/join/{room.invite}/", follow=True)
    assert "You are in the middle of another match." in text_of(answer)
    assert room.seatings.count() == 1


def test_the_fifth_looks_on_and_a_match_is_watched_where_that_is_allowed(client: Client) -> None:
    # given
    room = create(client, visibility="link")
    client.post(f"/room/{room.pk}/computers/easy/")
    fifth, late = Client(), Client()
    # when
    answer = fifth.post(f"/join/{room.invite}/", follow=True)
    # then
    assert "You have no seat here: you can look on." in text_of(answer)
    # and when it plays, who comes watches
    client.post(f"/room/{room.pk}/start/")
    assert late.post(f"/join/{room.invite}/").headers["Location"] == f"/table/{Match.objects.get().pk}/"
    # and where spectators are not admitted, the page says so
    Room.objects.update(has_spectators=False)
    answer = Client().post(f"/join/{room.invite}/", follow=True)
    assert "Spectators are not admitted here." in text_of(answer)


def test_a_link_to_a_closed_room_says_so_and_a_wrong_one_is_not_found(client: Client) -> None:
    room = create(client, visibility="link")
    client.post(f"/room/{room.pk}/leave/")
    page = Client().get(f"/join/{room.invite}/")
    assert "This room is closed." in text_of(page)
    assert "Play as a guest" not in text_of(page)
    assert Client().get("/join/AAAAAAAAAAAAAAAA/").status_code == 404
    assert Client().post("/join/AAAAAAAAAAAAAAAA/").status_code == 404
    assert User.objects.count() == 1


# The lobby


def test_the_empty_lobby_says_what_to_do(client: Client) -> None:
    assert "Press Quick match" in text_of(client.get("/lobby/"))
    create(Client())
    page = client.get("/lobby/?clock=15&target=abc")
    assert "No room fits at the moment." in text_of(page)
    assert 'ws-connect="/ws/lobby/?clock=15"' in page.content.decode()


def test_the_lobby_offers_what_one_can_do_in_each_room(client: Client) -> None:
    # given
    mine, host = create(client, name="Mine"), Client()
    host.post(f"/room/{create(host, name='Playing').pk}/start/", {"level": "easy"})
    create(Client(), name="Hidden", visibility="link")
    # when
    page = client.get("/lobby/")
    # then
    assert "Hidden" not in text_of(page)
    assert "Return to your room" in text_of(page)
    assert f'href="/table/{Match.objects.get().pk}/"' in page.content.decode()
    assert f'formaction="/room/{mine.pk}/sit/"' in Client().get("/lobby/").content.decode()
    Room.objects.update(has_spectators=False)
    assert f'href="/table/{Match.objects.get().pk}/"' not in client.get("/lobby/").content.decode()


def test_quick_match_seats_visitors_who_wait_for_each_others_pages(client: Client) -> None:
    # when
    answers = [Client().post("/lobby/quick/") for _ in range(4)]
    # then
    room = Room.objects.get()
    assert [answer.headers["Location"] for answer in answers] == [f"/room/{room.pk}/"] * 4
    assert room.seatings.count() == 4
    assert not Match.objects.exists()


def test_an_invitation_is_shown_and_answered(client: Client) -> None:
    # given
    room = create(client, visibility="link")
    luc, mari = Client(), Client()
    for visitor in (luc, mari):
        visitor.post("/lobby/quick/")
        Admission.objects.create(room=room, user=user_of(visitor), inviter=user_of(client), is_answered=False)
    # when / then
    assert f"{user_of(client).display_name} invites you to Chez Mari." in text_of(luc.get("/lobby/"))
    assert luc.post(f"/room/{room.pk}/invitation/", {"answer": "accept"}).headers["Location"] == f"/room/{room.pk}/"
    assert room.seatings.filter(user=user_of(luc)).exists()
    mari.post(f"/room/{room.pk}/invitation/", {"answer": "decline"})
    assert "invites you" not in text_of(mari.get("/lobby/"))
    assert not room.seatings.filter(user=user_of(mari)).exists()


def test_every_page_leads_back_to_the_room_that_one_waits_in(client: Client) -> None:
    room = create(client)
    for page in ("/", "/rules/", "/lobby/", "/account/preferences/"):
        assert f'href="/room/{room.pk}/"' in client.get(page).content.decode(), page
    client.post(f"/room/{room.pk}/start/", {"level": "easy"})
    assert "Return to your room" not in text_of(client.get("/rules/"))
    assert "Return to your table" in text_of(client.get("/rules/"))
