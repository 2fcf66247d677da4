"""The second factor: codes of an app on the phone (RFC 6238), with recovery codes for the day on which it is lost.

django-allauth keeps and checks them. Here is how it does so on this site, and whether a session was opened with one.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from io import BytesIO

import segno
from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy

from accounts.models import User


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": gettext_lazy("Set up the second factor first."),
        "incorrect_code": gettext_lazy("This code is wrong, or it was used already. Type the one that is shown now."),
    }

    def get_totp_label(self, user: User) -> str:
        return user.username

    def build_totp_svg(self, url: str) -> str:
        drawn = BytesIO()
        segno.make(url, error="m").save(drawn, kind="svg", border=3, light="#fff")
        return drawn.getvalue().decode()

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret; raises cryptography's InvalidToken when the site's secret key is another one now."""
        return _cipher().decrypt(encrypted_text).decode()


def was_given(request: HttpRequest) -> bool:
    """Whether whoever is signed in has given their second factor in this session.

    One given before the present second factor was set up does not count: it may have been somebody else's.
    """
    totp = Authenticator.objects.filter(user_id=request.user.pk, type=Authenticator.Type.TOTP).first()
    return totp is not None and any(
        step["method"] == "mfa" and step["at"] >= totp.created_at.timestamp()
        for step in get_authentication_records(request, request.user)
    )


def is_set_up(user: User) -> bool:
    """Whether somebody has a second factor."""
    return Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists()


def _cipher() -> Fernet:
    # A database or a backup of it that gets into wrong hands opens no account.
    key = salted_hmac("accounts.second_factor", "secrets of authenticators", algorithm="sha256").digest()
    return Fernet(urlsafe_b64encode(key))
