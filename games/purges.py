"""Deletes what games hold past its time (`belote_site.retention`), and the guests who have stopped playing."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.tasks import task
from django.utils import timezone

from accounts.deletion import delete_account
from accounts.models import User
from belote_site import retention
from games.models import Admission, ChatLine, Hint, Match, MatchSeat, Presence, Report, Result, Room, Seating

logger = logging.getLogger(__name__)


@task
def purge() -> None:
    """Delete what is past its time. What a run that was cut off leaves behind, the next one deletes."""
    now = timezone.now()
    closed = Room.objects.filter(closed_at__lt=now - retention.CLOSED_ROOM)
    counts = {
        "presences": retention.purge(Presence.objects.filter(seen_until__lt=now - retention.PRESENCE)),
        "lines": retention.purge(ChatLine.objects.filter(created_at__lt=now - retention.CHAT_LINE)),
        "reports": retention.purge(Report.objects.filter(created_at__lt=now - retention.REPORT)),
        "hints": retention.purge(_old_hints()),
        "admissions": retention.purge(Admission.objects.filter(room__in=closed)),
        "rooms without a match": retention.purge(closed.filter(matches=None)),
        "guests": _purge_guests(),
    }
    logger.info("purged %s", ", ".join(f"{count} {what}" for what, count in counts.items()))


def _old_hints() -> QuerySet[Hint]:
    """Hints about people who have finished no match for a while."""
    start = timezone.now() - retention.HINT
    results = Result.objects.filter(person=OuterRef("user__public_id"), ended_at__gte=start)
    return Hint.objects.filter(~Exists(results))


def _purge_guests() -> int:
    deleted = 0
    for batch in retention.batches(_idle_guests()):
        for key in batch.values_list("pk", flat=True):
            with transaction.atomic():
                # Locked and asked again: a guest may have sat down since.
                guest = _idle_guests().select_for_update().filter(pk=key).first()
                if guest is not None:
                    delete_account(guest)
                    deleted += 1
    return deleted


def _idle_guests() -> QuerySet[User]:
    """Guests who have finished no match for a while and sit nowhere."""
    start = timezone.now() - retention.GUEST
    seats = MatchSeat.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(
        ~Exists(Seating.objects.filter(user=OuterRef("pk"))),
        ~Exists(seats.filter(match__status=Match.Status.RUNNING)),
        ~Exists(seats.filter(match__status=Match.Status.WON, match__ended_at__gte=start)),
        is_guest=True,
        date_joined__lt=start,
    )
