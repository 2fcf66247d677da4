"""Deletes what accounts hold past its time (`belote_site.retention`)."""

import logging

from django.contrib.sessions.models import Session
from django.tasks import task
from django.utils import timezone

from accounts.models import TakenName
from belote_site import retention

logger = logging.getLogger(__name__)


@task
def purge() -> None:
    """Delete what is past its time. What a run that was cut off leaves behind, the next one deletes."""
    now = timezone.now()
    sessions = retention.purge(Session.objects.filter(expire_date__lt=now))
    names = retention.purge(TakenName.objects.filter(until__lt=now))
    logger.info("purged %d sessions, %d reserved names", sessions, names)
