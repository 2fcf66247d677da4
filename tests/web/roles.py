"""Given: one room, its last match, everybody who could come to its pages and sockets, and what a page answers them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.messages import ERROR, get_messages
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver

from accounts import relations
from accounts.models import User
from games.engine.seats import Occupant, Seat
from games.models import Match, Room
from games.services import matches, rooms, seating

PASSWORD = "kolm-punast-kassi"
"""Of every account."""

ROLES = ("anonymous", "guest", "account", "host", "seated", "spectator", "blocked", "elsewhere", "staff")
"""Who comes. `spectator` has come by the link and has no seat; so has `blocked`, whom `seated` has blocked since;
`elsewhere` plays in another room; `staff` may do everything in the admin."""

PLACES = {
    "public waiting": (Room.Visibility.PUBLIC, True, False),
    "public playing": (Room.Visibility.PUBLIC, True, True),
    "closed waiting": (Room.Visibility.PUBLIC, False, False),
    "closed playing": (Room.Visibility.PUBLIC, False, True),
    "private waiting": (Room.Visibility.LINK, True, False),
    "private playing": (Room.Visibility.LINK, True, True),
}
"""Visibility, whether others may watch, whether a match runs. A room that waits has had a match, which was broken off.

`public` and `closed` rooms are found by everybody, `closed` ones let nobody watch; `private` ones are entered by link.
"""

NOT_THERE = {"room_id": "00000000-0000-4000-8000-000000000000", "invite": "no-such-invite"}
NOT_THERE["match_id"] = NOT_THERE["room_id"]


@dataclass(frozen=True, slots=True)
class World:
    """A room of one of the `PLACES`: host South, `seated` North, a computer West; East is free while it waits."""

    room: Room
    match: Match
    users: dict[str, User]
    sessions: dict[str, str]
    bystander: User
    other_match: Match

    @property
    def values(self) -> dict[str, str]:
        """What stands in the addresses of this world's pages."""
        return {
            "room_id": str(self.room.pk),
            "match_id": str(self.match.pk),
            "invite": self.room.invite,
            "level": "easy",
            "deal": "1",
            "public_id": str(self.bystander.public_id),
            "object_id": str(self.bystander.pk),
            "app_label": "accounts",
            "act": "no-such-act",
            "content_type_id": "1",
            "uidb36": "1",
            "key": "no-such-key",
            "url": "nothing",
        }

    def ask(self, role: str, method: str, address: str, form: dict[str, str] | None = None) -> HttpResponse:
        """GET a page or POST to it, as somebody; each time with a browser as it was before."""
        browser = Client()
        if self.sessions[role]:
            browser.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return browser.get(address) if method == "GET" else browser.post(address, form)

    def outcome_of(self, answer: Any) -> str:
        """Return the status, or where one is sent; with a "!" when one is told there that it was refused."""
        if answer.status_code != 302:
            return str(answer.status_code)
        address = answer.headers["Location"].partition("?")[0]
        known = {
            answer.wsgi_request.path: "itself",
            f"/room/{self.room.pk}/": "room",
            f"/table/{self.match.pk}/": "table",
            f"/table/{self.other_match.pk}/": "own",
            "/": "home",
            "/lobby/": "lobby",
            "/account/login/": "login",
            "/account/signup/": "signup",
            "/account/password/confirm/": "confirm",
            "/account/password/change/": "pass",
            "/admin/login/": "door",
            "/account/password/reset/done/": "done",
            "/people/": "people",
            "/rules/": "rules",
        }
        if address.startswith("/admin/") and address not in known:
            return "inside"
        is_new = address.startswith(("/room/", "/table/"))
        refused = any(message.level == ERROR for message in get_messages(answer.wsgi_request))
        return known.get(address, "new" if is_new else address) + "!" * refused


def world_of(place: str, mark: str = "", secret: str = "") -> World:
    """Make a room and everybody of `ROLES`; ``mark`` tells the names of one world from those of another.

    ``secret`` is the hash of the password, which takes a while to make.
    """
    visibility, has_spectators, is_playing = PLACES[place]
    accounts = [role for role in ROLES if role not in ("anonymous", "guest", "staff")]
    secret = secret or make_password(PASSWORD)
    users = {role: User.objects.create(username=role + mark, password=secret) for role in accounts}
    users["guest"] = User.objects.create_guest()
    users["staff"] = User.objects.create(username="staff" + mark, password=secret, is_staff=True, is_superuser=True)
    room = rooms.create(users["host"], Room(visibility=visibility, has_spectators=has_spectators, clock=30))
    seating.enter(users["seated"], room.invite)
    for role in ("spectator", "blocked"):
        seating.enter(users[role], room.invite)
        seating.get_up(users[role], room.pk)
    relations.block(users["seated"], users["blocked"])
    rooms.fill(users["host"], room.pk, Occupant.EASY)
    match = rooms.start(users["host"], room.pk)
    if not is_playing:
        matches.end(match.pk)
        rooms.clear(users["host"], room.pk, Seat.EAST)
    other_match = rooms.play_now(users["elsewhere"], Occupant.EASY, 501)
    room.refresh_from_db()
    bystander = User.objects.create(username="bystander" + mark, password=secret)
    sessions = {role: session_of(users.get(role)) for role in ROLES}
    return World(room, match, users, sessions, bystander, other_match)


def session_of(user: User | None) -> str:
    """Sign somebody in, and return the key of the session; '' for nobody."""
    if user is None:
        return ""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def routes() -> list[str]:
    """Return every address of the site, with its parameters in angle brackets."""

    def walk(patterns: list[Any], before: str) -> Iterator[str]:
        for one in patterns:
            here = before + str(one.pattern).removeprefix("^").removesuffix("$")
            if isinstance(one, URLPattern):
                yield re.sub(r"<\w+:", "<", re.sub(r"\(\?P(<\w+>)[^)]*\)", r"\1", here))
            else:
                yield from walk(one.url_patterns, here)

    return sorted(set(walk(get_resolver().url_patterns, "/")))


def address_of(route: str, values: dict[str, str]) -> str:
    """Return an address of `routes` with its parameters filled in."""
    return re.sub(r"<(\w+)>", lambda found: values[found[1]], route)


def comparable(answer: HttpResponse) -> tuple[object, ...]:
    """Return all of an answer but what is new each time: form secret, nonce, and the address that was asked."""
    address: str = answer.wsgi_request.path  # type: ignore[attr-defined]
    body = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', r"\1", answer.content.decode())
    headers = {name: re.sub(r"nonce-[^']*", "nonce", value) for name, value in answer.headers.items()}
    headers["Content-Length"] = ""
    return answer.status_code, sorted(headers.items()), sorted(answer.cookies), body.replace(address, "ADDRESS")
