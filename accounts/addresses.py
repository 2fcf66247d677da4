"""Where a request comes from, for limits on how often someone may do something."""

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

_NETWORK_OF_ONE_CUSTOMER = 64


def client_address(request: HttpRequest) -> str:
    """The visitor's address: an IPv4 address, or the /64 of an IPv6 one, since a single customer has all of it.

    X-Forwarded-For counts only as far as our own proxies wrote it (settings.TRUSTED_PROXIES), the nearest last.
    """
    return _customer(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a socket; "unknown" where the server does not tell who the peer is."""
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return _customer((scope.get("client") or [""])[0], ",".join(forwarded))


def _customer(address: str, forwarded_for: str) -> str:
    forwarded = forwarded_for.split(",")
    if settings.TRUSTED_PROXIES and len(forwarded) >= settings.TRUSTED_PROXIES:
        address = forwarded[-settings.TRUSTED_PROXIES].strip()
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, _NETWORK_OF_ONE_CUSTOMER), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)
