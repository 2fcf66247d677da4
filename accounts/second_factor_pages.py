"""Pages of the second factor: django-allauth's, in the order in which somebody comes to need them."""

from __future__ import annotations

from typing import Any

from allauth.account.stages import LoginStage, LoginStageController
from allauth.mfa.base import views as base
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp import views as totp
from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts import second_factor, sessions
from accounts.entrance import ForAccounts, has_account
from accounts.entrance_forms import CodeForm
from belote_site.redirects import local_address


class Overview(ForAccounts, base.IndexView):
    pass


class SetUp(ForAccounts, totp.ActivateTOTPView):
    """Shows the secret to an app and asks for the first code. Whoever was sent here goes on there afterwards.

    The account's other sessions end: whoever has one has not shown that they hold the second factor.
    """

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        secret = context["form"].secret
        # Whoever types it keeps their place: apps ignore the spaces.
        in_fours = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
        return context | {"secret": in_fours, "next": _next(self.request)}

    def form_valid(self, form: Form) -> HttpResponse:
        # First: a crash in between costs a log-in, and no session outlives the change.
        sessions.end_all(self.request.user)
        update_session_auth_hash(self.request, self.request.user)
        response = super().form_valid(form)
        # The code was right: this session has the second factor, as if it had been asked for at the log-in.
        totp_device = Authenticator.objects.get(user=self.request.user, type=Authenticator.Type.TOTP)
        post_authentication(self.request, totp_device)
        return response

    def get_success_url(self) -> str:
        address = super().get_success_url()
        wanted = _next(self.request)
        return f"{address}?{urlencode({'next': wanted})}" if wanted else address


class _WithSecondFactor(ForAccounts):
    """Asks for a code first, where there is a second factor and this session was opened without it: the password alone
    neither removes nor replaces it."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if has_account(request) and second_factor.is_set_up(request.user) and not second_factor.was_given(request):
            return redirect(address_of_next_step(request, request.get_full_path()))
        return super().dispatch(request, *args, **kwargs)


class TurnOff(_WithSecondFactor, totp.DeactivateTOTPView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        needed = self.request.user.is_staff and settings.STAFF_NEED_SECOND_FACTOR
        return super().get_context_data(**kwargs) | {"is_needed": needed}


class RecoveryCodes(_WithSecondFactor, recovery.ViewRecoveryCodesView):
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"next": _next(self.request)}


class NewRecoveryCodes(_WithSecondFactor, recovery.GenerateRecoveryCodesView):
    pass


@method_decorator(never_cache, name="dispatch")
class GiveCode(FormView):
    """Asks for a code: of who is logging in, after the password; and of an account that has logged in without one,
    since the second factor was set up elsewhere later.

    django-allauth's own page is none for guests, who are signed in already.
    """

    template_name = "mfa/authenticate.html"
    form_class = CodeForm
    stage: LoginStage | None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if has_account(request):
            self.stage, self.person = None, request.user
            if second_factor.was_given(request) or not second_factor.is_set_up(request.user):
                return redirect(self.get_success_url())
        else:
            self.stage = LoginStageController.enter(request, AuthenticateStage.key)
            if self.stage is None or not second_factor.is_set_up(self.stage.login.user):
                return redirect("account_login")
            self.person = self.stage.login.user
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"user": self.person}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {
            "next": _next(self.request),
            "is_logging_in": self.stage is not None,
        }

    def form_valid(self, form: CodeForm) -> HttpResponse:
        form.save()
        return super().form_valid(form) if self.stage is None else self.stage.exit()

    def get_success_url(self) -> str:
        return _next(self.request) or resolve_url(settings.LOGIN_REDIRECT_URL)


def address_of_next_step(request: HttpRequest, wanted: str) -> str:
    """Return the page on which an account gives its second factor, or sets it up, and goes on to ``wanted`` then."""
    page = "mfa_authenticate" if second_factor.is_set_up(request.user) else "mfa_activate_totp"
    return f"{reverse(page)}?{urlencode({'next': wanted})}"


def _next(request: HttpRequest) -> str:
    """Return the page of this site that somebody was on the way to, or ''."""
    return local_address(request, request.POST.get("next") or request.GET.get("next", ""), "")
