"""Which pages may open a socket here: our own, and no other."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Asgi = Callable[[dict[str, Any], Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]


class ExactOrigin:
    """Refuses a socket unless its one Origin header is, letter for letter, an origin of this site.

    Browsers write origins in one way only, so a comparison of texts is exact in scheme, host and port. Without
    configured origins (local play) the site's origin is http:// and the Host that was asked, if it is an allowed one.
    """

    def __init__(self, application: Asgi) -> None:
        self.application = application

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        application = self.application if _from_this_site(scope) else WebsocketDenier.as_asgi()
        await application(scope, receive, send)


def _from_this_site(scope: dict[str, Any]) -> bool:
    origins = _values(scope, b"origin")
    return len(origins) == 1 and origins[0] in (settings.SITE_ORIGINS or _origins_asked(scope))


def _origins_asked(scope: dict[str, Any]) -> list[str]:
    hosts = _values(scope, b"host")
    if len(hosts) != 1 or not validate_host(split_domain_port(hosts[0])[0], settings.ALLOWED_HOSTS):
        return []
    return [f"http://{hosts[0]}"]


def _values(scope: dict[str, Any], name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]
