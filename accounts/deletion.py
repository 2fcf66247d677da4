"""The end of an account or of a guest."""

from __future__ import annotations

import logging

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts.models import User
from accounts.signals import account_closing

logger = logging.getLogger(__name__)


def delete_account(user: User) -> None:
    """Delete a person with all that is only theirs. Receivers of `account_closing` let go of what they hold first:
    a seat at a table is left. What stays (results, events, reports) holds a random number that leads nowhere any more.
    """
    kind = "guest" if user.is_guest else "account"
    with transaction.atomic():
        account_closing.send(User, user=user)
        _forget_in_the_log_of_staff(user)
        user.delete()
    logger.info("one %s deleted", kind)


def _forget_in_the_log_of_staff(user: User) -> None:
    entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk))
    entries.update(object_repr=str(user.public_id))
