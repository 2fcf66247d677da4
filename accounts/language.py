"""Which language someone reads the site in, decided in one place for pages and for sockets."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from accounts.models import User


def resolve_language(user: User | AnonymousUser, cookies: Mapping[str, str], accept_language: str) -> str:
    """The code of one of settings.LANGUAGES: the user's choice, else the cookie's, else the browser's."""
    if isinstance(user, User) and user.language:
        return user.language
    question = HttpRequest()
    question.COOKIES = dict(cookies)
    question.META["HTTP_ACCEPT_LANGUAGE"] = accept_language
    return translation.get_language_from_request(question)


def language_of_scope(scope: Mapping[str, Any]) -> str:
    """The language of a socket whose scope has been through AuthMiddlewareStack."""
    headers = dict(scope["headers"])
    accept_language = headers.get(b"accept-language", b"").decode("latin-1")
    return resolve_language(scope["user"], scope["cookies"], accept_language)


class LanguageMiddleware:
    """Activates the visitor's language for the request and says in the response which one it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = resolve_language(request.user, request.COOKIES, request.headers.get("Accept-Language", ""))
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response
