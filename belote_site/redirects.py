"""Where a visitor may be sent on to."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def local_address(request: HttpRequest, address: str, otherwise: str) -> str:
    """Return ``address`` when it is a page of this site, else ``otherwise``."""
    allowed = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if allowed and address.startswith("/") else otherwise
