"""Given: somebody with an account, signed in, on a site that runs in a process of its own."""

from __future__ import annotations

from tests.site_process import Site

_MAKE = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.models import User
user = User.objects.create_user({name!r}, language={language!r}, is_staff={staff}, is_superuser={staff})
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print("SIGNED IN", session.session_key, user.public_id)
"""


def new_account(site: Site, name: str, language: str = "en", *, staff: bool = False) -> tuple[str, str]:
    """Return the key of the session of a new account, and its public id; with ``staff`` it may do everything."""
    output = site.manage("shell", "-v", "0", "-c", _MAKE.format(name=name, language=language, staff=staff))
    _, _, key, public_id = next(line for line in output.splitlines() if line.startswith("SIGNED IN")).split()
    return key, public_id
