"""Guests: people who play without an account."""

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.addresses import client_address
from accounts.models import User
from belote_site.rates import seconds_to_wait
from belote_site.retention import GUEST_SESSION


class TooManyGuests(Exception):
    """One address made more guests than settings.GUEST_LIMIT allows; it may try again in `retry_after` seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"too many new guests from one address; try again in {retry_after} s")
        self.retry_after = retry_after


def ensure_player(request: HttpRequest) -> User:
    """Who is signed in, else a new guest, signed in with a fresh session that lasts a year.

    Raises TooManyGuests, and ValueError for anything but a POST: a link or a prefetch must not make a row.
    """
    if request.method != "POST":
        raise ValueError("A guest is made by POST only.")
    if isinstance(request.user, User):
        return request.user
    wait = seconds_to_wait("guest", client_address(request), settings.GUEST_LIMIT)
    if wait:
        raise TooManyGuests(wait)
    guest = User.objects.create_guest()
    form_secret = request.META.get("CSRF_COOKIE")
    login(request, guest)
    # A guest had no rights before that a new secret would have to protect, and the forms of other open tabs, a second
    # click included, stay good.
    if form_secret is not None:
        request.META["CSRF_COOKIE"] = form_secret
    # As a number of seconds it starts anew with every visit that changes the session; a timedelta would be a fixed day.
    request.session.set_expiry(int(GUEST_SESSION.total_seconds()))
    return guest
