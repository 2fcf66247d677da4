"""Deletes what accounts hold past its time (`belote_site.retention`)."""

import logging

from django.contrib.sessions.models import Session
from django.db.models import Case, QuerySet, When
from django.db.models.functions import Coalesce
from django.tasks import task
from django.utils import timezone

from accounts.models import Barrier, Sanction, SeenNetwork, TakenName
from belote_site import retention

logger = logging.getLogger(__name__)


@task
def purge() -> None:
    """Delete what is past its time. What a run that was cut off leaves behind, the next one deletes."""
    now = timezone.now()
    sessions = retention.purge(Session.objects.filter(expire_date__lt=now))
    names = retention.purge(TakenName.objects.filter(until__lt=now))
    networks = retention.purge(SeenNetwork.objects.filter(day__lte=(now - retention.SEEN_NETWORK).date()))
    barriers = retention.purge(Barrier.objects.filter(until__lt=now))
    sanctions = retention.purge(_ended_sanctions().filter(ended_at__lt=now - retention.SANCTION))
    logger.info(
        "purged %d sessions, %d reserved names, %d networks, %d barriers, %d sanctions",
        sessions,
        names,
        networks,
        barriers,
        sanctions,
    )


def _ended_sanctions() -> QuerySet[Sanction]:
    """Sanctions with ``ended_at``; a warning is over when it is given, one for good that holds has no end."""
    end_of_warning = Case(When(kind=Sanction.Kind.WARNING, then="starts_at"))
    return Sanction.objects.annotate(ended_at=Coalesce("lifted_at", "until", end_of_warning))
