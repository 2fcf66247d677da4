"""Pages about oneself."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import PreferencesForm, VisitorForm
from accounts.language import resolve_language
from accounts.models import User
from accounts.preferences import THEME_COOKIE, preferences_of
from belote_site.redirects import local_address


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Shows the form and saves it: on the row of a user or guest, in cookies for anyone else."""
    if isinstance(request.user, User):
        form: PreferencesForm | VisitorForm = PreferencesForm(request.POST or None, instance=request.user)
    else:
        known = {
            "language": request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""),
            "theme": preferences_of(request.user, "", request.COOKIES.get(THEME_COOKIE, "")).theme,
        }
        form = VisitorForm(request.POST or None, initial=known)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/preferences.html", {"form": form}, status=422 if form.errors else 200)

    response = HttpResponseRedirect(reverse("accounts:preferences"))
    _remember(response, settings.LANGUAGE_COOKIE_NAME, form.cleaned_data["language"])
    if isinstance(form, PreferencesForm):
        form.save()
    else:
        _remember(response, THEME_COOKIE, form.cleaned_data["theme"])
    cookies = {settings.LANGUAGE_COOKIE_NAME: form.cleaned_data["language"]}
    with translation.override(resolve_language(request.user, cookies, request.headers.get("Accept-Language", ""))):
        messages.success(request, gettext("Your preferences are saved."))
    return response


@require_POST
def switch_language(request: HttpRequest) -> HttpResponse:
    """Keeps the posted `language` and goes back to the page named in `next`."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest()
    if isinstance(request.user, User):
        request.user.language = language
        request.user.save(update_fields=["language"])
    response = HttpResponseRedirect(local_address(request, request.POST.get("next", ""), "/"))
    _remember(response, settings.LANGUAGE_COOKIE_NAME, language)
    return response


def _remember(response: HttpResponse, cookie: str, value: str) -> None:
    if value:
        response.set_cookie(
            cookie,
            value,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(cookie, samesite="Lax")
