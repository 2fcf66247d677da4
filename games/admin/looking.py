"""Opening what staff see of a running match, which is written down, and bars from sitting down in it."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.contrib.admin import AdminSite
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

from accounts.audit import Refused
from games.models import Match
from games.services import moderation

IS_BARRED = gettext_lazy(
    "Whoever opens a match that is played sees no hidden card there, and cannot sit down in it any more."
)


def refused_look(request: HttpRequest, site: AdminSite, matches: Iterable[Match]) -> HttpResponse | None:
    """Write down that a member of staff looks at matches that are played; None unless they may not.

    Who plays in one gets a page that says so, and sees nothing of it here.
    """
    for match in matches:
        if match.status != Match.Status.RUNNING or request.method not in ("GET", "HEAD"):
            continue
        try:
            moderation.open_match(request.user, match.pk)
        except Refused as refusal:
            context = {
                **site.each_context(request),
                "title": gettext_lazy("This match is not for you"),
                "sentence": refusal.sentence,
            }
            return TemplateResponse(request, "admin/staff/refused.html", context, status=403)
    return None


def matches_among(ids: Iterable[str]) -> QuerySet[Match]:
    """Return the matches whose ids stand in an address, which may hold anything."""
    known = []
    for text in ids:
        try:
            known.append(UUID(text))
        except ValueError:
            continue
    return Match.objects.filter(pk__in=known)
