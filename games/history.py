"""What the game adds to the past of a person that staff look at: matches, reports about and by them."""

from __future__ import annotations

from django.db.models import Count, QuerySet
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext, pgettext

from accounts.history import Chapter, Fact, moment
from accounts.models import User
from accounts.signals import history_requested
from games import results, selectors
from games.models import MatchSeat, Report, Result, Standing
from games.reports import visible_to

REPORTS_NAMED = 5

Outcome = MatchSeat.Outcome


@receiver(history_requested)
def chapters(*, user: User, reader: User, **_: object) -> list[Chapter]:
    """Return the chapters on a person's matches and on the reports that the reader may know of."""
    visible = visible_to(reader)
    return [
        _matches(user),
        Chapter(
            gettext("Reports about this person"),
            _reports(visible.filter(reported=user)),
            gettext("Nobody has reported this person."),
        ),
        Chapter(
            gettext("Reports by this person"),
            _reports(visible.filter(reporter=user)),
            gettext("This person has reported nobody."),
        ),
    ]


def _matches(person: User) -> Chapter:
    rows = Result.objects.filter(person=person.public_id).values("outcome").annotate(count=Count("pk"))
    counts = {row["outcome"]: row["count"] for row in rows.order_by()}
    played = sum(counts.get(outcome, 0) for outcome in (Outcome.WON, Outcome.LOST, Outcome.LEFT))
    facts = [
        Fact(pgettext("matches", "Won"), str(counts.get(Outcome.WON, 0))),
        Fact(pgettext("matches", "Lost"), str(counts.get(Outcome.LOST, 0))),
        Fact(pgettext("matches", "Left"), _share(counts.get(Outcome.LEFT, 0), played)),
        Fact(gettext("Void"), str(MatchSeat.objects.filter(user=person, outcome=Outcome.VOID).count())),
        Fact(gettext("Rating"), _rating(person)),
    ]
    running = selectors.running_match(person.pk)
    if running is not None:
        address = reverse("admin:games_match_change", args=[running.pk])
        facts.insert(0, Fact(gettext("Now"), gettext("plays a match"), address))
    return Chapter(gettext("Matches"), facts, "")


def _share(part: int, whole: int) -> str:
    return f"{part} ({results.percentage(part, whole)})" if part else "0"


def _rating(person: User) -> str:
    standing = Standing.objects.filter(user=person).first()
    if standing is None:
        return gettext("none yet")
    if standing.is_provisional:
        return gettext("%(points)d, provisional") % {"points": standing.points}
    return str(standing.points)


def _reports(found: QuerySet[Report]) -> list[Fact]:
    """Return how many there are and what came of them, then the newest by name."""
    total = found.count()
    if not total:
        return []
    came_of_it = found.filter(resolution=Report.Resolution.ACTED).count()
    waiting = found.exclude(status=Report.Status.RESOLVED).count()
    counts = gettext("%(count)d in all: %(acted)d led to something, %(waiting)d not resolved yet") % {
        "count": total,
        "acted": came_of_it,
        "waiting": waiting,
    }
    return [
        Fact(gettext("How many"), counts),
        *[
            Fact(
                moment(report.created_at),
                f"{report.get_ground_display()} · {report.get_resolution_display() or report.get_status_display()}",
                reverse("admin:games_report_change", args=[report.pk]),
            )
            for report in found.order_by("-created_at", "-pk")[:REPORTS_NAMED]
        ],
    ]
