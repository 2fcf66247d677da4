"""The pages of matches that are over: the replay, the moments that it steps to, and the analysis of a deal."""

from __future__ import annotations

import math
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_http_methods, require_safe
from django_htmx.http import trigger_client_event

from accounts.preferences import preferences_of
from belote_site.rates import TooOften
from games import analyses, replay_regions, selectors
from games.engine.seats import BySeat, Seat
from games.engine.view import table_view
from games.frame import Reading
from games.models import Match
from games.moments import Course, Moment
from games.replay_regions import Scene
from games.replays import Replay, replay_of
from games.services import analyses as asking
from games.tables import reading_of


@require_safe
def replay(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A match that is over, at the moment asked for by ``?deal=3&step=12`` or ``?at=deal-3-trick-5``."""
    found, names, reading = _look_up(request, match_id)
    context = {
        "match_id": match_id,
        "match": Match.objects.get(pk=match_id),
        "about": replay_regions.match(table_view(found.final, None), names, reading),
        "moment": _moment(request, match_id, found, names, reading),
    }
    return render(request, "games/replay/replay.html", context)


@cache_control(private=True, no_cache=True)
@conditional_page
@require_safe
def moment(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The part of the replay's page that another moment changes; queries as above."""
    shown = _moment(request, match_id, *_look_up(request, match_id))
    if shown is None:
        raise Http404
    return render(request, "games/replay/moment.html", {"moment": shown, "match_id": match_id})


def _look_up(request: HttpRequest, match_id: UUID) -> tuple[Replay, BySeat[str], Reading]:
    try:
        found = replay_of(match_id)
        people = selectors.people_at(match_id)
    except selectors.MatchNotFound as error:
        raise Http404 from error
    names = BySeat(*[people[seat].name(seat) for seat in Seat])
    return found, names, reading_of(preferences_of(request.user, get_language() or "en"))


def _moment(
    request: HttpRequest, match_id: UUID, found: Replay, names: BySeat[str], reading: Reading
) -> replay_regions.Context | None:
    if found.course is None:
        return None
    at = _asked_for(request, found.course)
    return replay_regions.moment(_scene(request, match_id, found, at, names, reading))


def _scene(
    request: HttpRequest, match_id: UUID, found: Replay, at: Moment, names: BySeat[str], reading: Reading
) -> Scene:
    end = table_view(found.final, None)
    known = analyses.analysis_of(match_id, at.deal)
    may_ask = request.user.is_authenticated
    return Scene(found.at(at), found.end_of(at.deal), end, found.course, at, names, reading, known, may_ask)


def _asked_for(request: HttpRequest, course: Course) -> Moment:
    if "at" in request.GET:
        return course.find(request.GET["at"])
    return course.at(request.GET.get("deal", ""), request.GET.get("step", "0"))


@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """How far the analysis of a deal is; a POST asks for it, which takes somebody the site knows, if only as a guest.

    By htmx the answer is its part of the page, which tells the page when it is done; else the replay.
    """
    found, names, reading = _look_up(request, match_id)
    asked_for = (request.POST if request.method == "POST" else request.GET).get("deal", "")
    deal = {str(number): number for number in found.states}.get(asked_for)
    if deal is None:
        raise Http404
    page = resolve_url("games:replay", match_id)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(page)
    refusal = _ask_for(request, match_id, deal) if request.method == "POST" else ""
    if request.method == "POST" and request.headers.get("HX-Request") != "true":
        if refusal:
            messages.error(request, refusal)
        return redirect(f"{page}?deal={deal}")
    scene = _scene(request, match_id, found, Moment(deal, 0), names, reading)
    shown = replay_regions.analysis(scene, refusal)
    if shown is None:
        raise Http404
    answer = render(request, "games/replay/analysis.html", {"analysis": shown, "match_id": match_id})
    return trigger_client_event(answer, "analysed", after="swap") if shown["state"] == "done" else answer


def _ask_for(request: HttpRequest, match_id: UUID, deal: int) -> str:
    """Ask for an analysis; return '' or why it is not begun now."""
    try:
        asking.request(request.user, match_id, deal)
    except asking.NoSuchDeal as error:
        raise Http404 from error
    except asking.TooManyWaiting:
        return gettext("Very many deals are being analysed at the moment. Please try again in a few minutes.")
    except TooOften as refusal:
        minutes = math.ceil(refusal.retry_after / 60)
        return ngettext(
            "You have asked for many analyses. Please try again in %(count)d minute.",
            "You have asked for many analyses. Please try again in %(count)d minutes.",
            minutes,
        ) % {"count": minutes}
    return ""
