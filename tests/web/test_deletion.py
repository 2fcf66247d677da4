"""Deleting an account or a guest: who may, what goes, what stays, and that nothing says whose it was."""

from __future__ import annotations

import logging

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.deletion import delete_account
from accounts.models import NameTaken, Relation, TakenName, User
from accounts.signals import account_closing
from games import results
from games.engine.seats import Seat
from games.models import ChatLine, GameEvent, MatchSeat, Report, Room, Seating
from tests.services.past import finished_match

pytestmark = pytest.mark.django_db

PASSWORD = "a pass phrase of mine"


@pytest.fixture
def marie() -> User:
    return User.objects.create_user("marie", "marie@belote.example", PASSWORD)


def test_an_account_goes_with_its_password_and_is_told_farewell(client: Client, marie: User) -> None:
    # given
    client.login(username="marie", password=PASSWORD)
    page = client.get("/account/delete/").content.decode()
    assert "365 days" in page
    assert "90 days" in page
    # when
    answer = client.post("/account/delete/", {"password": PASSWORD}, follow=True)
    # then
    assert answer.redirect_chain == [("/", 302)]
    assert "farewell" in answer.content.decode()
    assert not User.objects.exists()
    assert not answer.wsgi_request.user.is_authenticated


@pytest.mark.parametrize("form", [{}, {"password": ""}, {"password": "something else"}])
def test_without_the_password_nothing_goes(client: Client, marie: User, form: dict[str, str]) -> None:
    client.force_login(marie)

    answer = client.post("/account/delete/", form)

    assert answer.status_code == 422
    assert "password" in answer.context["form"].errors
    assert User.objects.filter(pk=marie.pk).exists()


def test_passwords_cannot_be_tried_without_end(client: Client, marie: User) -> None:
    client.force_login(marie)

    statuses = [client.post("/account/delete/", {"password": f"try {n}"}).status_code for n in range(11)]

    assert statuses == [422] * 10 + [429]


def test_the_name_of_a_deleted_account_stays_taken(client: Client, marie: User) -> None:
    delete_account(marie)

    with pytest.raises(NameTaken):
        User.objects.create_user("Marie")


def test_a_guest_goes_by_a_plain_confirmation(client: Client) -> None:
    guest = User.objects.create_guest()
    client.force_login(guest)
    assert 'type="password"' not in client.get("/account/delete/").content.decode()
    assert User.objects.exists()

    client.post("/account/delete/")

    assert not User.objects.exists()


def test_a_visitor_has_nothing_to_delete(client: Client) -> None:
    assert client.get("/account/delete/").status_code == 302
    assert client.post("/account/delete/").status_code == 302


def test_a_foreign_page_cannot_delete_anybody() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(User.objects.create_guest())

    assert browser.post("/account/delete/").status_code == 403
    assert User.objects.exists()


def test_staff_have_to_give_up_their_rights_first(client: Client, marie: User) -> None:
    User.objects.update(is_staff=True)
    client.force_login(marie)

    answer = client.post("/account/delete/", {"password": PASSWORD})

    assert answer.status_code == 422
    assert "staff rights" in answer.content.decode()
    assert User.objects.exists()


def test_other_browsers_are_signed_out_as_well(client: Client, marie: User) -> None:
    other = Client()
    other.force_login(marie)
    client.force_login(marie)

    client.post("/account/delete/", {"password": PASSWORD})

    assert not other.get("/").wsgi_request.user.is_authenticated


def test_whoever_holds_something_of_the_account_is_asked_first_in_the_same_transaction(marie: User) -> None:
    class CannotLetGo(Exception):
        pass

    def receiver(*, user: User, **_: object) -> None:
        assert user.hosted_rooms.all().delete()[0] == 1
        raise CannotLetGo

    Room.objects.create(host=marie)
    account_closing.connect(receiver)
    try:
        with pytest.raises(CannotLetGo):
            delete_account(marie)
    finally:
        account_closing.disconnect(receiver)

    assert marie.hosted_rooms.exists()


def test_what_was_only_theirs_goes_and_what_others_need_stays_without_a_name(marie: User) -> None:
    # given
    jaan = User.objects.create_user("jaan")
    match = finished_match({Seat.SOUTH: marie, Seat.NORTH: jaan})
    events = list(GameEvent.objects.order_by("pk").values())
    room = Room.objects.create(host=marie)
    Seating.objects.create(room=room, seat=Seat.SOUTH, user=marie)
    ChatLine.objects.create(room=room, author=marie, text="hello")
    Relation.objects.create(owner=marie, other=jaan, kind=Relation.Kind.FOLLOW)
    Relation.objects.create(owner=jaan, other=marie, kind=Relation.Kind.BLOCK)
    report = Report.objects.create(reporter=jaan, reported=marie, ground="spam", lines=[{"text": "hello"}])
    # when
    public_id = marie.public_id
    delete_account(marie)
    # then
    assert not ChatLine.objects.exists()
    assert not Relation.objects.exists()
    assert not Seating.objects.exists()
    report.refresh_from_db()
    assert (report.reported, report.lines) == (None, [{"text": "hello"}])
    assert not TakenName.objects.filter(skeleton__contains="marie").exists()
    seat = MatchSeat.objects.get(match=match, seat=Seat.SOUTH)
    assert (seat.user, seat.person) == (None, public_id)
    assert list(GameEvent.objects.order_by("pk").values()) == events
    # and the partner's list of results has no name
    assert results.last_results(jaan)[0].partner == results.Opposite("Deleted account", None)


def test_the_record_of_what_staff_did_forgets_the_name(marie: User) -> None:
    root = User.objects.create_superuser("root")
    LogEntry.objects.create(
        user=root,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(marie.pk),
        object_repr="marie",
        action_flag=CHANGE,
    )

    delete_account(marie)

    assert "marie" not in LogEntry.objects.get().object_repr


def test_the_log_says_that_somebody_went_but_not_who(marie: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="accounts"):
        delete_account(marie)

    lines = [record.getMessage() for record in caplog.records]
    assert lines == ["one account deleted"]
