"""The forms of logging in, signing up and what belongs to it: django-allauth's, in our words."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth
from allauth.account.models import EmailAddress
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from cryptography.fernet import InvalidToken
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts import names
from accounts.barriers import is_email_barred
from accounts.models import User

_PASSWORD_HELP = gettext_lazy("At least 8 characters; neither a common password nor one like your name.")


class LoginForm(allauth.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["login"], gettext_lazy("Name"), autocapitalize="none", spellcheck="false")
        _word(self.fields["password"], gettext_lazy("Password"))
        _word(self.fields["remember"], gettext_lazy("Stay logged in on this device"))
        self.fields["remember"].initial = True

    def clean_login(self) -> str:
        """The name as it is stored, from any spelling of it."""
        typed: str = self.cleaned_data["login"]
        try:
            return User.objects.get_by_natural_key(typed).username
        except User.DoesNotExist:
            return names.fold(typed)


class SignUpForm(allauth.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(
            self.fields["username"],
            gettext_lazy("Name"),
            gettext_lazy("2 to 20 letters and digits. Everybody at the table sees it."),
            autocapitalize="none",
            spellcheck="false",
        )
        _word(
            self.fields["email"],
            gettext_lazy("E-mail address (optional)"),
            gettext_lazy("Only for a new password when you forget yours. Without it, your password cannot be reset."),
        )
        _word(self.fields["password1"], gettext_lazy("Password"), _PASSWORD_HELP)
        _word(self.fields["password2"], gettext_lazy("The same password again"))
        if not settings.SENDS_MAIL:
            del self.fields["email"]

    def save(self, request: HttpRequest) -> User:
        """The new account, or the guest of before. Raises models.NameTaken, and changes nothing then."""
        with transaction.atomic():
            return super().save(request)


class ResetPasswordForm(allauth.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["email"], gettext_lazy("E-mail address"))

    def clean_email(self) -> str:
        email = super().clean_email()
        if is_email_barred(email) and not EmailAddress.objects.is_verified(email):
            # Other accounts have only written it down.
            self.users = []
        return email


class NewPasswordForm(allauth.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["password1"], gettext_lazy("New password"), _PASSWORD_HELP)
        _word(self.fields["password2"], gettext_lazy("The new password again"))


class ChangePasswordForm(allauth.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["oldpassword"], gettext_lazy("The password that you use now"))
        _word(self.fields["password1"], gettext_lazy("New password"), _PASSWORD_HELP)
        _word(self.fields["password2"], gettext_lazy("The new password again"))


class ConfirmPasswordForm(allauth.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["password"], gettext_lazy("Password"))


class EmailForm(allauth.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word(self.fields["email"], gettext_lazy("E-mail address"))


class CodeForm(AuthenticateForm):
    """Asks for a code of the second factor, or for a recovery code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word_code(self.fields["code"], gettext_lazy("Code"), maxlength="12")
        # Nothing else is to be done on its page.
        self.fields["code"].widget.attrs["autofocus"] = True

    def clean_code(self) -> str:
        try:
            return super().clean_code()
        except InvalidToken as error:
            raise forms.ValidationError(
                gettext_lazy("The site cannot read your second factor any more. Ask its operator to remove it.")
            ) from error


class FirstCodeForm(ActivateTOTPForm):
    """Asks for a code of the app that has just been given the secret."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _word_code(self.fields["code"], gettext_lazy("The six digits that the app shows"), maxlength="7")


def _word_code(field: forms.Field, label: Promise, maxlength: str) -> None:
    _word(field, label, autocapitalize="none", spellcheck="false", inputmode="numeric", maxlength=maxlength)


def _word(field: forms.Field, label: Promise, help_text: Promise | str = "", **attributes: str) -> None:
    """Give a field of django-allauth our own words, and none inside the field, where they vanish when one types."""
    field.label, field.help_text = label, help_text
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs |= attributes
