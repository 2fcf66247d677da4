"""Deletes what accounts hold past its time (`belote_site.retention`)."""

import logging

from django.contrib.sessions.models import Session
from django.tasks import task
from django.utils import timezone

from belote_site import retention

logger = logging.getLogger(__name__)


@task
def purge() -> None:
    """Delete what is past its time. What a run that was cut off leaves behind, the next one deletes."""
    sessions = retention.purge(Session.objects.filter(expire_date__lt=timezone.now()))
    logger.info("purged %d sessions", sessions)
