"""Guests: people who play without an account."""

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts import barriers
from accounts.addresses import client_address
from accounts.models import User
from belote_site import rates
from belote_site.retention import GUEST_SESSION


def ensure_player(request: HttpRequest) -> User:
    """Who is signed in, else a new guest, signed in with a fresh session that lasts a year.

    Raises Barred when nobody can become a guest from there now, TooOften when one address made more guests than
    settings.GUEST_LIMIT allows, and ValueError for anything but a POST: a link or a prefetch must not make a row.
    """
    if request.method != "POST":
        raise ValueError("A guest is made by POST only.")
    if isinstance(request.user, User):
        return request.user
    address = client_address(request)
    barriers.refuse_guests_from(address)
    rates.count("guest", address, settings.GUEST_LIMIT)
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
