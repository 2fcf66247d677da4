"""Whether the session that a socket was opened in still holds."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from accounts.models import User


def is_signed_in(scope: Mapping[str, Any]) -> bool:
    """Tell whether the socket's user is signed in now: the session is stored, and neither log-out, a new password nor
    being switched off has ended it. Reads the database."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(scope["session"].session_key)
    session = store.load()
    user = User.objects.filter(pk=session.get(SESSION_KEY), is_active=True).first()
    return (
        user is not None
        and user.pk == scope["user"].pk
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    )
