"""The pages: front page, table, rules, and the buttons that start and leave a match."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import ensure_player
from accounts.models import User
from accounts.preferences import preferences_of
from games import options, rendering, selectors, talk
from games.engine.cards import Rank, Suit, make_card
from games.engine.rules import TARGETS
from games.engine.seats import Occupant
from games.engine.view import table_view
from games.forms import PlayNowForm
from games.models import Level, Match, MatchSeat
from games.room_views import refusal_text
from games.rulebook import SECTIONS
from games.services import matches, rooms, seating
from games.tables import frame_of, has_clocks, reading_of

HERO = [make_card(Suit.HEARTS, rank) for rank in (Rank.JACK, Rank.NINE, Rank.ACE, Rank.TEN, Rank.KING)]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    letters = reading_of(preferences_of(request.user, get_language() or "en")).letters
    return render(
        request,
        "games/home.html",
        {
            "hero_cards": [rendering.card_face(card, letters) for card in HERO],
            "levels": options.levels(),
            "level": Level.NORMAL.value,
            "targets": TARGETS,
            "target": 1000,
        },
    )


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """One click: a guest account if need be, a table with three computers, and the hand."""
    form = PlayNowForm(request.POST)
    if not form.is_valid():
        messages.error(request, gettext("That table cannot be set up. Please choose from what the page offers."))
        return redirect("games:home")
    user = ensure_player(request)
    match = rooms.play_now(user, Occupant(form.cleaned_data["level"]), form.cleaned_data["target"])
    return redirect("games:table", match.pk)


@never_cache
@require_safe
def table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The table, for those who sit at it and for those who may watch."""
    try:
        room_id, seat = selectors.place_at(match_id, request.user.pk)
        state = selectors.current_state(match_id)
        company = selectors.company_at(match_id)
    except selectors.MatchNotFound as error:
        raise Http404 from error
    reading = reading_of(preferences_of(request.user, get_language() or "en"))
    timing = selectors.timing_of(match_id) if has_clocks(state) else None
    frame = frame_of(table_view(state, seat), company, timing, reading)
    return render(
        request,
        "games/watch.html" if seat is None else "games/table.html",
        {
            **rendering.page_context(frame),
            **talk.panel_context(room_id, request.user if isinstance(request.user, User) else None, may_be_alone=False),
            "match_id": match_id,
            "socket_url": f"/ws/match/{match_id}/",
            "has_others": has_clocks(state),
        },
    )


@require_POST
def rematch(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Another match at this table: at once where everybody wants it, else to the room, where one sees who does."""
    try:
        match = rooms.rematch(request.user, match_id)
    except selectors.MatchNotFound as error:
        raise Http404 from error
    except seating.SeatTaken:
        messages.info(request, gettext("Your seat in this room has been given up. Choose a room here."))
        return redirect("games:lobby")
    except matches.AlreadyPlaying:
        messages.error(request, gettext("You are in the middle of another match. Finish it or leave it first."))
        return redirect("games:home")
    except (seating.Suspended, seating.NotNow) as refusal:
        messages.error(request, refusal_text(refusal))
        return redirect("games:lobby")
    if match is None:
        return redirect("games:room", selectors.place_at(match_id, request.user.pk)[0])
    return redirect("games:table", match.pk)


@require_POST
def leave(request: HttpRequest, match_id: UUID) -> HttpResponse:
    try:
        goes_on = seating.leave(match_id, request.user)
    except selectors.MatchNotFound as error:
        if request.user.is_anonymous or not MatchSeat.objects.filter(match=match_id, user=request.user).exists():
            raise Http404 from error
        # The second of two clicks: there is nothing to leave any more.
        goes_on = None
    if goes_on is None:
        return redirect("games:home")
    if goes_on:
        messages.info(
            request, gettext("You have left the table. A computer plays on for you; the match counts as lost.")
        )
    else:
        messages.info(request, gettext("You have left the table. The match does not count."))
    return redirect("games:home")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "games/rules.html", {"sections": SECTIONS})


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """For a load balancer: the process answers and reaches its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})


def running_match(request: HttpRequest) -> dict[str, object]:
    """Context processor: the table that every page offers to return to, looked up when a template asks."""

    def find() -> Match | None:
        user = getattr(request, "user", None)
        return selectors.running_match(user.pk) if user is not None else None

    return {"running_match": SimpleLazyObject(find)}
