"""The transactions of one process on SQLite wait in a queue, and none is forgotten in it."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import User
from belote_site.sqlite import base

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has many writers"),
]


class _Undone(Exception):
    pass


def test_a_transaction_begins_when_the_one_before_it_has_ended() -> None:
    # given a thread that wants to write while this one does
    begun = threading.Event()

    def write() -> None:
        with transaction.atomic():
            begun.set()
        connection.close()

    thread = threading.Thread(target=write)
    with transaction.atomic():
        User.objects.create_guest()
        thread.start()
        # then it waits
        assert base._turn.locked()
        assert not begun.is_set()
    # and has its turn as soon as this one has committed
    assert begun.wait(5)
    thread.join()
    assert not base._turn.locked()


def test_the_turn_is_passed_on_however_a_transaction_ends() -> None:
    with suppress(_Undone), transaction.atomic():
        User.objects.create_guest()
        raise _Undone
    assert not base._turn.locked()

    with transaction.atomic():
        with suppress(_Undone), transaction.atomic():
            raise _Undone
        # a savepoint is not the end
        assert base._turn.locked()
    assert not base._turn.locked()

    with suppress(_Undone), transaction.atomic():
        connection.close()
        raise _Undone
    assert not base._turn.locked()


def test_a_transaction_that_cannot_begin_does_not_keep_the_turn() -> None:
    # given a transaction of another process
    connection.ensure_connection()
    other = connection.Database.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    connection.cursor().execute("PRAGMA busy_timeout = 10")
    # when
    with pytest.raises(OperationalError, match="locked"), transaction.atomic():
        raise AssertionError("it began")
    # then
    assert not base._turn.locked()
    other.close()
    connection.close()
