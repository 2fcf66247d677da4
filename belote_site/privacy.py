"""What must not stay in a cache, nor end up in an error report."""

from collections.abc import Callable
from types import FrameType
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.debug import SafeExceptionReporterFilter


class PrivatePagesMiddleware:
    """Every page shows who is signed in, or a hand: no cache may keep one unless its view says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


class NoFrameVariables(SafeExceptionReporterFilter):
    """Local variables hold decks and hands: an error report names files and lines only, in debug mode as well."""

    def is_active(self, request: HttpRequest | None) -> bool:
        return True

    def get_post_parameters(self, request: HttpRequest | None) -> dict[str, Any]:
        return {}

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> list[tuple[str, Any]]:
        return []
