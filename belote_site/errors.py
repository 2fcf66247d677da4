"""Pages for what went wrong. The page for a fault of ours needs no context, since making one may be what failed."""

import logging
from collections.abc import Callable
from functools import partial

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views import defaults

from belote_site.rates import TooOften

logger = logging.getLogger(__name__)

BUSY_SECONDS = 5
"""When to try again while the database does not answer."""

forbidden = partial(defaults.permission_denied, template_name="errors/403.html")
not_found = partial(defaults.page_not_found, template_name="errors/404.html")
server_error = partial(defaults.server_error, template_name="errors/500.html")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own page looks for the token of a form, and fails again over the body that made no sense."""
    return render(request, "errors/400.html", status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form that came without our cookie or from another site; the reason is for the log alone."""
    return render(request, "errors/csrf.html", status=403)


def too_many_requests(request: HttpRequest, retry_after: int) -> HttpResponse:
    """Someone asks too often; `retry_after` in seconds."""
    response = render(request, "errors/429.html", {"retry_after": retry_after}, status=429)
    response.headers["Retry-After"] = str(retry_after)
    return response


def asked_too_often(request: HttpRequest) -> HttpResponse:
    """What django-allauth answers above its limits, which are all of a minute."""
    return too_many_requests(request, 60)


class PagesForRefusals:
    """Gives a visitor who opens the address of a button the page for a missing page, where Django's 405 is blank,
    whoever does something too often the page that says how long to wait, and 503 while the database does not answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or response.content:
            return response
        page = render(request, "errors/404.html", status=405)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooOften):
            return too_many_requests(request, exception.retry_after)
        if isinstance(exception, OperationalError):
            logger.error("%s: the database did not take what was asked: %s", request.path, exception)
            response = HttpResponse(render_to_string("errors/500.html"), status=503)
            response.headers["Retry-After"] = str(BUSY_SECONDS)
            return response
        return None
