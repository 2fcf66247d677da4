"""The pages of matches that are over: the replay, and the moments that it steps to."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from accounts.preferences import preferences_of
from games import replay_regions, selectors
from games.engine.seats import BySeat, Seat
from games.engine.view import table_view
from games.frame import Reading
from games.models import Match
from games.moments import Course, Moment
from games.replays import Replay, replay_of
from games.tables import reading_of


@require_safe
def replay(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A match that is over, at the moment asked for by ``?deal=3&step=12`` or ``?at=deal-3-trick-5``."""
    found, names, reading = _look_up(request, match_id)
    context = {
        "match": Match.objects.get(pk=match_id),
        "about": replay_regions.match(table_view(found.final, None), names, reading),
        "moment": _moment(request, found, names, reading),
    }
    return render(request, "games/replay/replay.html", context)


@cache_control(private=True, no_cache=True)
@conditional_page
@require_safe
def moment(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The part of the replay's page that another moment changes; queries as above."""
    found, names, reading = _look_up(request, match_id)
    shown = _moment(request, found, names, reading)
    if shown is None:
        raise Http404
    return render(request, "games/replay/moment.html", {"moment": shown})


def _look_up(request: HttpRequest, match_id: UUID) -> tuple[Replay, BySeat[str], Reading]:
    try:
        found = replay_of(match_id)
        people = selectors.people_at(match_id)
    except selectors.MatchNotFound as error:
        raise Http404 from error
    names = BySeat(*[people[seat].name(seat) for seat in Seat])
    return found, names, reading_of(preferences_of(request.user, get_language() or "en"))


def _moment(request: HttpRequest, found: Replay, names: BySeat[str], reading: Reading) -> replay_regions.Context | None:
    if found.course is None:
        return None
    at = _asked_for(request, found.course)
    end = table_view(found.final, None)
    scene = replay_regions.Scene(found.at(at), found.end_of(at.deal), end, found.course, at, names, reading)
    return replay_regions.moment(scene)


def _asked_for(request: HttpRequest, course: Course) -> Moment:
    if "at" in request.GET:
        return course.find(request.GET["at"])
    return course.at(request.GET.get("deal", ""), request.GET.get("step", "0"))
