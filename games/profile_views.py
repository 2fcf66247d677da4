"""The page of a person: for everybody the name and the results, for oneself the way to all that can be changed. And the
leaderboard, which leads to these pages."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from belote_site.retention import GUEST
from games import charts, leaderboard, people, results
from games.models import Standing


@login_required
@require_safe
def own_profile(request: HttpRequest) -> HttpResponse:
    return _profile(request, request.user)


@require_safe
def profile(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """An account's page. Guests have none: they come and go."""
    if request.user.is_authenticated and request.user.public_id == public_id:
        return redirect("games:own_profile")
    return _profile(request, get_object_or_404(User, public_id=public_id, is_guest=False, is_active=True))


@require_safe
def ranking(request: HttpRequest) -> HttpResponse:
    """The leaderboard, page by page."""
    user = request.user if isinstance(request.user, User) else None
    return render(request, "games/leaderboard.html", {"board": leaderboard.page_of(request.GET.get("page"), user)})


def _profile(request: HttpRequest, person: User) -> HttpResponse:
    context = {
        "person": person,
        "statistics": results.statistics_of(person),
        "standing": Standing.objects.filter(user=person).first(),
        "rank": leaderboard.rank_of(person),
        "rating_chart": charts.rating_chart(results.ratings_of(person)),
        "form_chart": charts.form_chart(results.form_of(person)),
        "partners": results.partners_of(person),
        "results": results.last_results(person),
        "guest_days": GUEST.days,
        "actions": people.actions_on(request.user if isinstance(request.user, User) else None, person),
    }
    return render(request, "accounts/profile.html", context)
