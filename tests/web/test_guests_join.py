"""Guests become accounts, or join one; whose sessions end and whose sockets are told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts import sessions
from accounts.adapter import AccountAdapter
from accounts.models import Relation, TakenName, User
from accounts.signals import guest_joined

pytestmark = pytest.mark.django_db

PASSWORD = "kolm-punast-kassi"
SIGN_UP = {"username": "Marie", "email": "", "password1": PASSWORD, "password2": PASSWORD}
LOG_IN = {"login": "Marie", "password": PASSWORD, "remember": "on"}
YEAR = 365 * 24 * 3600


@pytest.fixture
def guest(client: Client) -> User:
    """A guest, signed in for a year in `client`, with a preference and a person that it follows."""
    guest = User.objects.create_guest()
    guest.theme = "dark"
    guest.save()
    Relation.objects.create(owner=guest, other=User.objects.create_user("nadia"), kind=Relation.Kind.FOLLOW)
    client.force_login(guest)
    session = client.session
    session.set_expiry(YEAR)
    session.save()
    client.cookies["sessionid"] = session.session_key
    return guest


@pytest.fixture
def joined() -> Iterator[list[tuple[int, int, bool]]]:
    """Who joined whom, and whether the guest's row was there still."""
    seen: list[tuple[int, int, bool]] = []

    def note(sender: type[User], guest: User, account: User, **kwargs: object) -> None:
        seen.append((guest.pk, account.pk, User.objects.filter(pk=guest.pk).exists()))

    guest_joined.connect(note)
    yield seen
    guest_joined.disconnect(note)


def user_of_session(client: Client) -> int | None:
    pk = client.session.get(SESSION_KEY)
    return None if pk is None else int(pk)


# Signing up


def test_a_guest_that_signs_up_keeps_its_row_and_all_that_hangs_on_it(
    client: Client, guest: User, joined: list[Any]
) -> None:
    # when
    answer = client.post("/account/signup/", SIGN_UP)
    # then
    assert answer.headers["Location"] == "/"
    marie = User.objects.get(username="Marie")
    assert (marie.pk, marie.public_id, marie.theme) == (guest.pk, guest.public_id, "dark")
    assert (marie.is_guest, marie.guest_number, marie.check_password(PASSWORD)) == (False, None, True)
    assert marie.relations.count() == 1
    assert joined == []
    # and it is found under its name from now on
    assert Client().post("/account/login/", LOG_IN).status_code == 302


def test_the_session_of_a_guest_that_signs_up_is_a_new_one_without_the_guests_year(client: Client, guest: User) -> None:
    before = client.session.session_key

    client.post("/account/signup/", SIGN_UP)

    assert user_of_session(client) == guest.pk
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()
    assert client.session.get_expiry_age() == 14 * 24 * 3600


def test_other_browsers_of_a_guest_that_signs_up_are_signed_out(client: Client, guest: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(guest)

    client.post("/account/signup/", SIGN_UP)

    assert not elsewhere.get("/rules/").wsgi_request.user.is_authenticated


def test_a_refused_form_leaves_the_guest_as_it_was(client: Client, guest: User) -> None:
    User.objects.create_user("marie")

    answer = client.post("/account/signup/", SIGN_UP)

    assert "username" in answer.context["form"].errors
    row = User.objects.get(pk=guest.pk)
    assert (row.is_guest, row.username) == (True, guest.username)
    assert user_of_session(client) == guest.pk


def test_a_guest_whose_row_has_become_an_account_meanwhile_is_not_taken_over(client: Client, guest: User) -> None:
    # given the same guest in another browser, with a form that was opened before
    request = client.get("/account/signup/").wsgi_request
    User.objects.filter(pk=guest.pk).update(is_guest=False, username="Marie")
    # then
    assert AccountAdapter(request).new_user(request).pk is None


@pytest.mark.django_db(transaction=True)
def test_a_guest_that_signs_up_twice_at_once_becomes_one_of_the_two(settings: Settings) -> None:
    # given two tabs of one guest
    guest = User.objects.create_guest()
    start = threading.Barrier(2)
    tabs = {name: Client() for name in ("Marie", "nadia")}
    for tab in tabs.values():
        tab.force_login(guest)

    def press(name: str) -> None:
        start.wait()
        tabs[name].post("/account/signup/", SIGN_UP | {"username": name})
        connection.close()

    threads = [threading.Thread(target=press, args=[name]) for name in tabs]
    # when
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # then no account has lost its name to the other
    row = User.objects.get(pk=guest.pk)
    assert not row.is_guest
    for account in User.objects.all():
        assert User.objects.get_by_natural_key(account.username) == account
    assert {"Marie", "nadia"} - set(User.objects.values_list("username", flat=True)) <= {
        name for name, tab in tabs.items() if not tab.get("/rules/").wsgi_request.user.is_authenticated
    }


def test_a_guest_sees_that_its_matches_stay(client: Client, guest: User) -> None:
    assert "Your seat, your matches and your preferences stay yours" in client.get("/account/signup/").content.decode()
    assert "move to your account" in client.get("/account/login/").content.decode()


# Logging in


def test_a_guest_that_logs_in_joins_the_account_and_goes(
    client: Client, guest: User, joined: list[tuple[int, int, bool]]
) -> None:
    # given
    marie = User.objects.create_user("Marie", password=PASSWORD)
    before = client.session.session_key
    # when
    answer = client.post("/account/login/", LOG_IN | {"next": "/rules/"})
    # then
    assert answer.headers["Location"] == "/rules/"
    assert joined == [(guest.pk, marie.pk, True)]
    assert not User.objects.filter(pk=guest.pk).exists()
    assert user_of_session(client) == marie.pk
    assert not Session.objects.filter(session_key=before).exists()
    assert client.session.get_expiry_age() == 14 * 24 * 3600


def test_a_wrong_password_leaves_the_guest_as_it_was(client: Client, guest: User, joined: list[Any]) -> None:
    User.objects.create_user("Marie", password=PASSWORD)

    client.post("/account/login/", LOG_IN | {"password": "wrong"})

    assert user_of_session(client) == guest.pk
    assert joined == []


def test_when_a_receiver_fails_guest_and_session_are_as_before(client: Client, guest: User) -> None:
    User.objects.create_user("Marie", password=PASSWORD)
    before = client.session.session_key

    def fail(sender: type[User], guest: User, account: User, **kwargs: object) -> None:
        Relation.objects.filter(owner=guest).update(owner=account)
        raise RuntimeError("cannot take the seat over")

    guest_joined.connect(fail)
    try:
        with pytest.raises(RuntimeError, match="seat"):
            client.post("/account/login/", LOG_IN)
    finally:
        guest_joined.disconnect(fail)

    assert User.objects.get(pk=guest.pk, is_guest=True).relations.count() == 1
    assert Session.objects.filter(session_key=before).exists()


def test_an_account_that_logs_in_takes_nothing_from_a_visitor(client: Client, joined: list[Any]) -> None:
    User.objects.create_user("Marie", password=PASSWORD)

    client.post("/account/login/", LOG_IN)

    assert joined == []


def test_a_guest_that_resets_a_password_stays_a_guest_until_it_logs_in(
    client: Client, guest: User, joined: list[tuple[int, int, bool]]
) -> None:
    # given
    marie = User.objects.create_user("Marie", "marie@example.org", PASSWORD)
    client.post("/account/password/reset/", {"email": "marie@example.org"})
    link = mail.outbox[0].body.split("http://testserver")[1].split()[0]
    # when
    page = client.get(link, follow=True)
    new = {"password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}
    client.post(page.redirect_chain[-1][0], new)
    # then
    assert user_of_session(client) == guest.pk
    client.post("/account/login/", LOG_IN | {"password": "neli-sinist-koera"})
    assert joined == [(guest.pk, marie.pk, True)]


# Sockets are told


@pytest.fixture
def told(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Any:
    """Run something to its commit, and return the users whose sockets are asked to look at their sessions."""

    def run(action: Any, *users: User) -> set[str]:
        layer = get_channel_layer()

        async def listen() -> dict[str, str]:
            channels = {}
            for user in users:
                channels[user.display_name] = await layer.new_channel()
                await layer.group_add(sessions.group_of_user(user.pk), channels[user.display_name])
            return channels

        channels = async_to_sync(listen)()
        with django_capture_on_commit_callbacks(execute=True):
            action()

        async def heard() -> set[str]:
            found = set()
            for name, channel in channels.items():
                queue = layer.channels.get(channel)
                if queue is not None and not queue.empty():
                    assert (await layer.receive(channel)) == {"type": "session.check"}
                    found.add(name)
            return found

        return async_to_sync(heard)()

    return run


@pytest.fixture
def marie(client: Client) -> User:
    marie = User.objects.create_user("Marie", "marie@example.org", PASSWORD)
    client.force_login(marie)
    return marie


@pytest.fixture
def nadia() -> User:
    return User.objects.create_user("nadia")


def test_logging_out_is_told_once_the_session_is_gone(client: Client, marie: User, nadia: User, told: Any) -> None:
    scope = {"session": client.session, "user": marie}
    assert sessions.is_signed_in(scope)

    assert told(lambda: client.post("/account/logout/"), marie, nadia) == {"Marie"}

    assert not sessions.is_signed_in(scope)


def test_logging_out_of_the_admin_is_told_as_well(client: Client, marie: User, told: Any) -> None:
    User.objects.update(is_staff=True)

    assert told(lambda: client.post("/admin/logout/"), marie) == {"Marie"}


def test_a_new_password_is_told_and_ends_the_others(client: Client, marie: User, told: Any) -> None:
    elsewhere = Client()
    elsewhere.force_login(marie)
    scope = {"session": elsewhere.session, "user": marie}
    new = {"oldpassword": PASSWORD, "password1": "neli-sinist-koera", "password2": "neli-sinist-koera"}

    assert told(lambda: client.post("/account/password/change/", new), marie) == {"Marie"}

    assert not sessions.is_signed_in(scope)


def test_being_switched_off_or_deleted_is_told(client: Client, marie: User, nadia: User, told: Any) -> None:
    marie.is_active = False
    assert told(marie.save, marie, nadia) == {"Marie"}
    assert not sessions.is_signed_in({"session": client.session, "user": marie})
    assert told(nadia.delete, marie, User(pk=nadia.pk, username="nadia")) == {"nadia"}


def test_signing_up_and_joining_are_told_to_the_guests_sockets(client: Client, guest: User, told: Any) -> None:
    name = guest.display_name
    scope = {"session": client.session, "user": guest}

    assert told(lambda: client.post("/account/signup/", SIGN_UP), guest) == {name}

    assert not sessions.is_signed_in(scope)
    # and a second guest that joins the account
    other = Client()
    second = User.objects.create_guest()
    other.force_login(second)
    assert told(lambda: other.post("/account/login/", LOG_IN), second) == {second.display_name}


def test_what_ends_no_session_is_not_told(client: Client, marie: User, told: Any) -> None:
    def choose_a_language() -> None:
        client.post("/account/language/", {"language": "th", "next": "/"})

    assert told(choose_a_language, marie) == set()


def test_sessions_that_run_out_by_themselves_are_deleted_in_silence(client: Client, marie: User, told: Any) -> None:
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")

    assert told(lambda: Session.objects.all().delete(), marie) == set()


def test_an_undone_change_is_not_told(marie: User, told: Any) -> None:
    def change_and_undo() -> None:
        with transaction.atomic():
            marie.set_password("something else")
            marie.save()
            transaction.set_rollback(True)

    assert told(change_and_undo, marie) == set()
    assert TakenName.objects.filter(user=marie).exists()
