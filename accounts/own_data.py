"""The pages on which a person takes their data along, or goes."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.deletion import delete_account
from accounts.export import own_data
from accounts.models import User
from belote_site import rates
from belote_site.retention import REPORT, RESERVED_NAME

TRIES = "10/hour"
"""How often the password may be given: whoever found a browser signed in shall not guess it here."""


class DeletionForm(forms.Form):
    """Confirms that somebody means it: an account with its password, a guest by sending the form at all."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.is_guest:
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(gettext("That is not your password. Nothing has been deleted."))
        return password

    def clean(self) -> dict[str, Any] | None:
        if self.user.is_staff:
            raise forms.ValidationError(
                gettext("Staff are named in the record of what staff did. Ask to have your staff rights taken first.")
            )
        return super().clean()


@login_required
@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """All of one's own data as a JSON file; `accounts.export` says what is in it."""
    response = JsonResponse(own_data(request.user), json_dumps_params={"ensure_ascii": False, "indent": 2})
    response.headers["Content-Disposition"] = 'attachment; filename="belote-own-data.json"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Says what goes and what stays, asks for the password, and deletes the account or guest."""
    user = request.user
    form = DeletionForm(user, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        rates.count("deletion", user.pk, TRIES)
    if not form.is_valid():
        periods = {"report_days": REPORT.days, "name_days": RESERVED_NAME.days}
        return render(request, "accounts/delete.html", {"form": form, **periods}, status=422 if form.errors else 200)
    delete_account(user)
    logout(request)
    messages.success(request, gettext("Everything that was yours is deleted. Thank you for playing, and farewell."))
    return redirect("games:home")
