"""What an operator should not forget; asked by ``manage.py check --deploy``."""

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register(deploy=True)
def somebody_answers_for_the_site(**options: Any) -> list[checks.CheckMessage]:
    """The privacy notice and the terms name who runs the site and how to reach them."""
    missing = [
        variable
        for variable, value in (("BELOTE_OPERATOR", settings.OPERATOR), ("BELOTE_CONTACT", settings.CONTACT))
        if not value
    ]
    return [
        checks.Warning(
            f"{variable} is not set, so the privacy notice does not say who runs the site or how to reach them.",
            hint="BELOTE_OPERATOR is a name, BELOTE_CONTACT an e-mail address.",
            id="belote_site.W001",
        )
        for variable in missing
    ]


@checks.register(deploy=True)
def staff_need_a_second_factor(**options: Any) -> list[checks.CheckMessage]:
    """A password alone does not open the pages of staff."""
    if settings.STAFF_NEED_SECOND_FACTOR:
        return []
    return [
        checks.Warning(
            "BELOTE_STAFF_SECOND_FACTOR is off, so a guessed or stolen password opens the admin.",
            hint="Unset it: in production, staff need a second factor then.",
            id="belote_site.W002",
        )
    ]


@checks.register(deploy=True)
def proxies_are_counted(**options: Any) -> list[checks.CheckMessage]:
    """Behind a proxy that is forgotten, everybody comes from one network, and a ban keeps all guests out of it."""
    if settings.TRUSTED_PROXIES:
        return []
    return [
        checks.Warning(
            "BELOTE_TRUSTED_PROXIES is 0: all visitors seem to come from the proxy, and one ban keeps every guest out.",
            hint="Set it to the number of your proxies; one belongs in front of the site, to end TLS.",
            id="belote_site.W003",
        )
    ]
