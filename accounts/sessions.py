"""Whether the session that a socket was opened in still holds, and telling sockets when that may have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import F
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import Sanction, User
from belote_site.groups import tell_after_commit

_ENDS_SESSIONS = {"password", "is_active"}


def group_of_user(pk: int) -> str:
    """The group that all sockets of a user join.

    They get ``{"type": "session.check"}`` after the commit of whatever may have ended a session of that user, and then
    ask `is_signed_in`.
    """
    return f"user.{pk}"


def is_signed_in(scope: Mapping[str, Any]) -> bool:
    """Tell whether the socket's user is signed in now: the session is stored, neither log-out, a new password, a new
    second factor nor being switched off has ended it, and they are not banned. Reads the database."""
    return are_signed_in([scope])[0]


def are_signed_in(scopes: Sequence[Mapping[str, Any]]) -> list[bool]:
    """Tell of each of several sockets what `is_signed_in` tells of one, with two queries for all of them."""
    keys = {scope["session"].session_key for scope in scopes} - {None}
    sessions = Session.objects.filter(expire_date__gt=timezone.now()).in_bulk(keys)
    banned = Sanction.objects.in_force().filter(scope=Sanction.Scope.SITE, user__isnull=False).values("user_id")
    users = User.objects.filter(is_active=True).exclude(pk__in=banned).in_bulk({scope["user"].pk for scope in scopes})

    def holds(scope: Mapping[str, Any]) -> bool:
        session, user = sessions.get(scope["session"].session_key), users.get(scope["user"].pk)
        if session is None or user is None:
            return False
        held = session.get_decoded()
        is_theirs = held.get(SESSION_KEY) == str(user.pk)
        return is_theirs and constant_time_compare(held.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())

    return [holds(scope) for scope in scopes]


def end_all(user: User) -> None:
    """End all sessions of a user, now that they ask for more than what was given when they were opened.

    Whoever goes on in the session of the request calls Django's `update_session_auth_hash` then.
    """
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    check_sockets(user.pk)


def check_sockets(user_pk: int) -> None:
    """Have all sockets of a user look, after the commit, whether they are signed in still."""
    tell_after_commit(group_of_user(user_pk), {"type": "session.check"})


@receiver(post_save, sender=User)
def _user_saved(instance: User, update_fields: frozenset[str] | None, **kwargs: object) -> None:
    if update_fields is None or _ENDS_SESSIONS & update_fields:
        check_sockets(instance.pk)


@receiver(post_delete, sender=User)
def _user_deleted(instance: User, **kwargs: object) -> None:
    check_sockets(instance.pk)


@receiver(post_delete, sender=Session)
def _session_deleted(instance: Session, **kwargs: object) -> None:
    # Whatever ends a session deletes its row: log-out here and in the admin, logging in as somebody else, a new key.
    # The signal of a log-out would come too early, while the session is there still.
    if instance.expire_date < timezone.now():
        return
    user_pk = instance.get_decoded().get(SESSION_KEY)
    if user_pk is not None:
        check_sockets(int(user_pk))
