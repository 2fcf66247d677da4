"""The lobby: the rooms that are open, and a seat with one click."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import ensure_player
from accounts.models import User
from games import lobby as reading
from games import options, selectors
from games.engine.rules import TARGETS
from games.room_views import refusal_text
from games.services import matches, rooms


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    wanted = reading.Filter.from_query(request.GET.dict())
    user_id = request.user.pk if isinstance(request.user, User) else None
    query = urlencode(wanted.query)
    return render(
        request,
        "games/lobby/lobby.html",
        {
            **reading.context_of(wanted, user_id),
            "wanted": wanted,
            "clocks": [{"value": int(value), "label": label} for value, label in options.CLOCK],
            "targets": TARGETS,
            "socket_url": "/ws/lobby/" + (f"?{query}" if query else ""),
        },
    )


def open_invitations(request: HttpRequest) -> dict[str, object]:
    """Context processor: the invitations that every page tells of, looked up when a template asks."""

    def find() -> list[reading.Invitation]:
        user = getattr(request, "user", None)
        return reading.invitations(user.pk) if isinstance(user, User) else []

    return {"open_invitations": SimpleLazyObject(find)}


@require_POST
def quick_match(request: HttpRequest) -> HttpResponse:
    """One click to a table with people: the fullest room that waits, else a new one."""
    try:
        user = ensure_player(request)
        room = rooms.quick_match(user)
    except matches.AlreadyPlaying as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("games:lobby")
    match = selectors.running_match(user.pk)
    return redirect("games:table", match.pk) if match is not None else redirect("games:room", room.pk)
