"""Pages of the way in and of its keys: django-allauth's, open to whom they are meant for.

A guest is signed in, but has no password: it may log in and sign up, and has nothing to change yet.
"""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth
from django.conf import settings
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect

from accounts.adapter import name_taken
from accounts.addresses import client_address
from accounts.barriers import is_email_barred
from accounts.models import NameTaken, User
from belote_site import rates


def has_account(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and not request.user.is_guest


class _NotForAccounts:
    """Sends who has logged in already on to where they wanted to go."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if has_account(request):
            return HttpResponseRedirect(self.get_authenticated_redirect_url())
        return super().dispatch(request, *args, **kwargs)


class ForAccounts:
    """Sends a guest to the page where it gets what this page would change."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.is_guest:
            return redirect("account_signup")
        return super().dispatch(request, *args, **kwargs)


class _KnowsWhetherMailIsSent:
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"sends_mail": settings.SENDS_MAIL}


class _KeepsGuests:
    """A guest that opens a link from a mail stays signed in, and joins the account when it logs in."""

    def logout(self) -> None:
        if has_account(self.request):
            super().logout()


class LogIn(_NotForAccounts, allauth.LoginView):
    pass


class SignUp(_NotForAccounts, _KnowsWhetherMailIsSent, allauth.SignupView):
    def form_valid(self, form: Form) -> HttpResponse:
        rates.count("sign-up", client_address(self.request), settings.SIGNUP_LIMIT)
        try:
            return super().form_valid(form)
        except NameTaken:
            form.add_error("username", name_taken())
            return self.form_invalid(form)


class ResetPassword(_KnowsWhetherMailIsSent, allauth.PasswordResetView):
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SENDS_MAIL:
            return self.get(request, *args, **kwargs)
        return super().post(request, *args, **kwargs)


class NewPassword(_KeepsGuests, allauth.PasswordResetFromKeyView):
    pass


class ConfirmEmail(_KeepsGuests, allauth.ConfirmEmailView):
    """Asks whether an address is to be confirmed. That of somebody banned is said to be no more than out of date."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        if self.object and is_email_barred(self.object.email_address.email):
            context["can_confirm"] = False
        return context

    def respond(self, success: bool) -> HttpResponse:
        return super().respond(success) if success else self.render_to_response(self.get_context_data())


class ChangePassword(ForAccounts, allauth.PasswordChangeView):
    pass


class ConfirmPassword(ForAccounts, allauth.ReauthenticateView):
    pass


class Email(ForAccounts, _KnowsWhetherMailIsSent, allauth.EmailView):
    pass
