"""How django-allauth does things on this site: whose name is whose, what becomes of a guest, who is told what."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_lazy

from accounts import names
from accounts.addresses import client_address
from accounts.barriers import is_email_barred
from accounts.decisions import banned_page
from accounts.models import Sanction, TakenName, User
from accounts.sanctions import barred
from accounts.signals import guest_joined

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "duplicate_email": gettext_lazy("This is your e-mail address already."),
        "email_taken": gettext_lazy("This e-mail address cannot be used here."),
        "enter_current_password": gettext_lazy("This is not your password. Type the one that you use now."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "invalid_password_reset": gettext_lazy("This link no longer works."),
        "max_email_addresses": gettext_lazy("Remove the address that waits for its confirmation first."),
        "same_as_current": gettext_lazy("This is your e-mail address already."),
        "rate_limited": gettext_lazy("Too many attempts. Wait five minutes, then try again."),
        "too_many_login_attempts": gettext_lazy("Too many attempts. Wait five minutes, then try again."),
        "username_password_mismatch": gettext_lazy("No account has this name and this password. Check both."),
        "username_taken": gettext_lazy("Somebody has this name, or one that looks like it. Choose another one."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def is_ajax(self, request: HttpRequest) -> bool:
        """Never: these pages have no other form than HTML, and what is not offered cannot be got wrong."""
        return False

    def is_safe_url(self, url: str) -> bool:
        """Only a path of this site: the address of a host, our own included, is never needed."""
        return url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        names.check_spelling(username)
        names.check_reserved(username)
        if not shallow and not TakenName.objects.is_free(username):
            raise self.validation_error("username_taken")
        return names.tidy(username)

    def new_user(self, request: HttpRequest) -> User:
        """The row to sign up with: a guest keeps its own, and with it matches, seats and preferences."""
        guest = User.objects.select_for_update(no_key=True).filter(pk=request.user.pk, is_guest=True).first()
        return guest or User()

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.is_guest, user.guest_number = False, None
        return super().save_user(request, user, form, commit)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        # Wrong passwords are counted for all spellings of a name together.
        shared = {"username": names.letters_alone(credentials.get("username", ""))}
        super().pre_authenticate(request, **credentials | shared)

    def pre_login(self, request: HttpRequest, user: User, **login: Any) -> HttpResponse | None:
        """Whoever is banned is told why, and gets no session: only with the right password, as it comes to that."""
        answer: HttpResponse | None = super().pre_login(request, user, **login)
        ban = barred(user.pk, Sanction.Scope.SITE)
        if answer is not None or ban is None:
            return answer
        clear_login(request)
        return banned_page(request, ban)

    def login(self, request: HttpRequest, user: User) -> None:
        steps = get_authentication_records(request, user)
        with transaction.atomic():
            if isinstance(request.user, User) and request.user.is_guest and request.user.pk != user.pk:
                _join(request.user.pk, user)
            super().login(request, user)
        if not get_authentication_records(request, user):
            # A guest's session ended just now, and with it what it knew of the password and the second factor.
            for step in steps:
                record_authentication(request, user, **step)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Mark an address as confirmed, unless somebody else has confirmed it or its owner is banned; tell whether."""
        return not is_email_barred(email_address.email) and super().confirm_email(request, email_address)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            # smtplib's errors are among them. The account is there all the same, and mail can be asked for again.
            logger.warning("mail not sent: %s", error)
            messages.error(self.request, gettext("The e-mail could not be sent. Please try again later."))


def name_taken() -> ValidationError:
    """What the form says of a name that somebody took between the check and the save."""
    return ValidationError(AccountAdapter.error_messages["username_taken"], code="username_taken")


def _join(guest_pk: int, account: User) -> None:
    """What is the guest's becomes the account's, and the guest goes. Its session ends with the log-in."""
    guest = User.objects.select_for_update(no_key=True).filter(pk=guest_pk, is_guest=True).first()
    if guest is not None:
        guest_joined.send(User, guest=guest, account=account)
        guest.delete()
