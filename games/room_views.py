"""The pages of a room: making it, waiting in it, its options, and coming in by its link."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.decisions import end_in_words
from accounts.guests import ensure_player
from accounts.models import User
from games import options, selectors, talk, waiting_room
from games.engine.seats import Occupant, Seat
from games.forms import RoomForm, SeatForm, StartForm
from games.models import Level, Room, Seating
from games.services import matches, rooms, seating
from games.services.talk import BadLine

REFUSALS = (seating.SeatTaken, seating.NotNow, seating.NotTheHost, seating.Suspended, matches.AlreadyPlaying, BadLine)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_room(request: HttpRequest) -> HttpResponse:
    """The form for a new room, and making it; a guest is made with it if need be."""
    form = RoomForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            room = rooms.create(ensure_player(request), form.save(commit=False))
        except (matches.AlreadyPlaying, seating.Suspended) as refusal:
            form.add_error(None, refusal_text(refusal))
        except BadLine as refusal:
            form.add_error("name", refusal_text(refusal))
        else:
            return redirect("games:room", room.pk)
    return render(request, "games/room/new.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@require_safe
def room(request: HttpRequest, room_id: UUID) -> HttpResponse:
    return _page(request, _room_for(request, room_id))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def room_options(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """The page of a room with the form for its options open, for the host."""
    found = _room_for(request, room_id)
    form = RoomForm(request.POST or None, instance=found)
    if request.method != "POST":
        return _page(request, found, form)
    if not form.is_valid():
        return _page(request, Room.objects.get(pk=room_id), form)
    return _act(request, room_id, lambda user: rooms.change(user, room_id, form.cleaned_data))


@require_POST
def sit(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """Take a seat or move to another; a visitor becomes a guest."""
    _room_for(request, room_id)
    form = SeatForm(request.POST)
    if not form.is_valid():
        raise Http404
    seat = form.cleaned_data["seat"]
    is_new = not isinstance(request.user, User)
    ensure_player(request)
    answer = _act(request, room_id, lambda user: seating.sit(user, room_id, None if seat is None else Seat(seat)))
    # The socket of the page was opened for a visitor and must be opened anew.
    return (
        HttpResponseClientRedirect(reverse("games:room", args=[room_id])) if is_new and _has_script(request) else answer
    )


@require_POST
def fill(request: HttpRequest, room_id: UUID, level: str) -> HttpResponse:
    """Put computers of a level into one seat, or into all the free ones."""
    form = SeatForm(request.POST)
    if not form.is_valid() or level not in Level.values:
        raise Http404
    seat = form.cleaned_data["seat"]
    return _act(
        request,
        room_id,
        lambda user: rooms.fill(user, room_id, Occupant(level), None if seat is None else Seat(seat)),
    )


@require_POST
def clear(request: HttpRequest, room_id: UUID) -> HttpResponse:
    form = SeatForm(request.POST)
    if not form.is_valid() or form.cleaned_data["seat"] is None:
        raise Http404
    return _act(request, room_id, lambda user: rooms.clear(user, room_id, Seat(form.cleaned_data["seat"])))


@require_POST
def start(request: HttpRequest, room_id: UUID) -> HttpResponse:
    form = StartForm(request.POST)
    if not form.is_valid():
        raise Http404

    def begin(user: User) -> None:
        if form.cleaned_data["level"]:
            rooms.fill(user, room_id, Occupant(form.cleaned_data["level"]))
        rooms.start(user, room_id)

    return _act(request, room_id, begin)


@require_POST
def ready(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """Say that one wants another match in this room."""
    last = _room_for(request, room_id).matches.order_by("-started_at").first()
    if last is None:
        raise Http404
    return _act(request, room_id, lambda user: rooms.rematch(user, last.pk))


@require_POST
def get_up(request: HttpRequest, room_id: UUID) -> HttpResponse:
    _room_for(request, room_id)
    try:
        seating.get_up(_somebody(request), room_id)
    except seating.NotNow as refusal:
        return _answer(request, room_id, refusal_text(refusal))
    messages.info(request, gettext("You have left the room."))
    return redirect("games:lobby")


@require_POST
def invitation(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """Answer an invitation: accept it and sit down, or decline it."""
    user = _somebody(request)
    _room_for(request, room_id)
    seating.answer_invitation(user, room_id)
    if request.POST.get("answer") != "accept":
        return redirect("games:lobby")
    return _act(request, room_id, lambda user: seating.sit(user, room_id))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invite: str) -> HttpResponse:
    """Who opens an invite link is asked in, and lands in a free seat or as a spectator."""
    user = request.user if isinstance(request.user, User) else None
    try:
        found = waiting_room.invited_to(invite, user)
        if request.method == "POST" and found.closed_at is None:
            return _come_in(request, invite)
    except selectors.RoomNotFound as error:
        raise Http404 from error
    if user is not None and found.seatings.filter(user=user).exists():
        return redirect("games:room", found.pk)
    other_seat = waiting_room.seat_waiting(user)
    return render(
        request,
        "games/room/join.html",
        {
            **waiting_room.context_of(found, user, ""),
            "invite": invite,
            "leaves": other_seat and options.title_of(other_seat.room),
        },
    )


def refusal_text(refusal: Exception) -> str:
    """Return what a refusal of a service means and what one can do, in the active language."""
    match refusal:
        case seating.SeatTaken():
            return gettext("That seat is taken. Choose another one.")
        case seating.HasLookedIn():
            return gettext("You have opened the page of this match as staff: you can sit down here when it is over.")
        case seating.NotTheHost():
            return gettext("Only the host of this room can do that.")
        case seating.Suspended():
            end = end_in_words(refusal.sanction)
            if not end:
                return gettext("You are suspended from rated matches for good. The notice about it says why.")
            return gettext("You are suspended from rated matches until %(end)s. The notice about it says why.") % {
                "end": end
            }
        case BadLine():
            return str(refusal.sentence)
        case matches.AlreadyPlaying():
            return gettext("You are in the middle of a match. Finish it, or leave its table, first.")
        case _:
            return gettext("That is not possible now: look at what has changed in the room.")


def waiting_in(request: HttpRequest) -> dict[str, object]:
    """Context processor: the waiting room that every page offers to return to, looked up when a template asks."""

    def find() -> Room | None:
        user = getattr(request, "user", None)
        found: Seating | None = waiting_room.seat_waiting(user) if isinstance(user, User) else None
        return found.room if found is not None else None

    return {"waiting_room": SimpleLazyObject(find)}


def _has_script(request: HttpRequest) -> bool:
    """Tell whether the page's script has sent this: it wants a message, not a page."""
    return request.headers.get("HX-Request") == "true"


def _somebody(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def _room_for(request: HttpRequest, room_id: UUID) -> Room:
    try:
        return selectors.room_for(room_id, request.user.pk)
    except selectors.RoomNotFound as error:
        raise Http404 from error


def _page(request: HttpRequest, found: Room, form: RoomForm | None = None) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    context = waiting_room.context_of(found, user, f"{request.scheme}://{request.get_host()}")
    if not (context["is_host"] and context["is_waiting"]):
        form = None
    return render(
        request,
        "games/room/room.html",
        {**context, **talk.panel_context(found.pk, user), "form": form, "socket_url": f"/ws/room/{found.pk}/"},
        status=422 if form is not None and form.errors else 200,
    )


def _act(request: HttpRequest, room_id: UUID, action: Callable[[User], object]) -> HttpResponse:
    """Do something in a room, and show the room again with what came of it."""
    user = _somebody(request)
    _room_for(request, room_id)
    try:
        action(user)
    except (selectors.RoomNotFound, selectors.MatchNotFound) as error:
        raise Http404 from error
    except REFUSALS as refusal:
        return _answer(request, room_id, refusal_text(refusal))
    return _answer(request, room_id, "")


def _answer(request: HttpRequest, room_id: UUID, problem: str) -> HttpResponse:
    """Show the room again: by its socket to a page that has one, which is only told of the problem here."""
    match = selectors.running_match(request.user.pk)
    if match is not None and match.room_id == room_id and not problem:
        address = reverse("games:table", args=[match.pk])
        return HttpResponseClientRedirect(address) if _has_script(request) else redirect(address)
    if _has_script(request):
        notice = {"text": problem, "kind": "refusal"}
        return render(request, "games/table/notice.html", {"notice": notice, "oob": True})
    if problem:
        messages.error(request, problem)
    return redirect("games:room", room_id)


def _come_in(request: HttpRequest, invite: str) -> HttpResponse:
    user = ensure_player(request)
    entered = seating.enter(user, invite)
    address = waiting_room.context_of(entered, user, "")["match_address"]
    if address:
        return redirect(str(address))
    if not entered.seatings.filter(user=user).exists():
        messages.info(request, gettext("You have no seat here: you can look on."))
    return redirect("games:room", entered.pk)
