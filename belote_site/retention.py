"""How long things about people are kept: one table, which the purges act on and a page of the site shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

GUEST = timedelta(days=30)
GUEST_SESSION = timedelta(days=365)
ACCOUNT_SESSION = timedelta(days=14)
CHAT_LINE = timedelta(days=30)
REPORT = timedelta(days=90)
HINT = timedelta(days=30)
RESERVED_NAME = timedelta(days=365)
SEEN_NETWORK = timedelta(days=30)
BARRED_NETWORK = timedelta(days=30)
SANCTION = timedelta(days=365)
PRESENCE = timedelta(hours=1)
CLOSED_ROOM = timedelta(days=30)
FAILED_JOB = timedelta(days=7)

BATCH = 500


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: what is kept, for how long, and counted from when.

    `period` is None for what has no end of its own; `until` says then what ends it.
    """

    what: Promise
    period: timedelta | None
    until: Promise

    @property
    def length(self) -> str:
        """The period in words, in the active language; empty without one."""
        if self.period is None:
            return ""
        if self.period < timedelta(days=1):
            hours = self.period // timedelta(hours=1)
            return ngettext("%(hours)d hour", "%(hours)d hours", hours) % {"hours": hours}
        return ngettext("%(days)d day", "%(days)d days", self.period.days) % {"days": self.period.days}


RULES = (
    Rule(
        gettext_lazy("Your account: user name, password (as a hash), e-mail address if you gave one, preferences"),
        None,
        gettext_lazy("Until you delete your account."),
    ),
    Rule(
        gettext_lazy("The secrets of your second factor, encrypted, if you have set one up"),
        None,
        gettext_lazy("Until you turn it off or delete your account."),
    ),
    Rule(
        gettext_lazy("A guest: its number and preferences"),
        GUEST,
        gettext_lazy("After the guest's last finished match, or after its first visit when there is none."),
    ),
    Rule(
        gettext_lazy("The random number of a guest that you played as before you logged in to your account"),
        None,
        gettext_lazy("Until you delete your account."),
    ),
    Rule(
        gettext_lazy("Whom you follow, mute or block"),
        None,
        gettext_lazy("Until you take it back, or one of you two is deleted."),
    ),
    Rule(
        gettext_lazy("Matches: every card played, the result, and the ratings after it"),
        None,
        gettext_lazy("For good. When you delete your account, your name goes and a random number stays."),
    ),
    Rule(
        gettext_lazy("Your place on the leaderboard"),
        None,
        gettext_lazy("Until you delete your account."),
    ),
    Rule(
        gettext_lazy("What is said at a table"),
        CHAT_LINE,
        gettext_lazy("After it was said, or until its author is deleted."),
    ),
    Rule(
        gettext_lazy("Reports, with a copy of the lines they are about"),
        REPORT,
        gettext_lazy("After the report, also when an account is deleted meanwhile."),
    ),
    Rule(
        gettext_lazy("Hints for moderators: numbers measured about how you played and with whom, without any card"),
        HINT,
        gettext_lazy("After your last match. They are about the matches and reports of that time and no older ones."),
    ),
    Rule(
        gettext_lazy("A user name that was given up, in a form that can only be compared: nobody shall pose as you"),
        RESERVED_NAME,
        gettext_lazy("After the account was deleted or took another name."),
    ),
    Rule(
        gettext_lazy("Decisions of moderators about you: what, why and for how long"),
        SANCTION,
        gettext_lazy("After it has ended, also when the account is deleted meanwhile."),
    ),
    Rule(
        gettext_lazy("What staff did: when, to what and why, with random numbers in the place of names"),
        None,
        gettext_lazy("For good. When you delete your account, the number leads nowhere any more."),
    ),
    Rule(
        gettext_lazy("That a member of staff has opened a match that is played"),
        None,
        gettext_lazy("Until the match is over. The record of what staff did keeps that it was opened."),
    ),
    Rule(
        gettext_lazy("From which networks you came, in a form that can only be compared: no address is stored"),
        SEEN_NETWORK,
        gettext_lazy("After the day on which you came from there."),
    ),
    Rule(
        gettext_lazy("Of somebody who is banned: the networks of before, in the same form, to keep new guests out"),
        BARRED_NETWORK,
        gettext_lazy("After the ban began, or until it is lifted."),
    ),
    Rule(
        gettext_lazy("Of somebody who is banned: the name and the e-mail address, in a form that can only be compared"),
        None,
        gettext_lazy("Until the ban ends; a name at least as long as any that was given up."),
    ),
    Rule(
        gettext_lazy("Who came into a room, and rooms in which no match was played"),
        CLOSED_ROOM,
        gettext_lazy("After the room has closed."),
    ),
    Rule(
        gettext_lazy("That you have a table open"),
        PRESENCE,
        gettext_lazy("After you have closed it."),
    ),
    Rule(
        gettext_lazy("That a browser is signed in to an account"),
        ACCOUNT_SESSION,
        gettext_lazy("After signing in, or until you log out."),
    ),
    Rule(
        gettext_lazy("That a browser belongs to a guest"),
        GUEST_SESSION,
        gettext_lazy("After the last visit that changed something."),
    ),
    Rule(
        gettext_lazy("Errors of background work: numbers of matches, no names"),
        FAILED_JOB,
        gettext_lazy("After the error."),
    ),
)


def batches(rows: models.QuerySet[Any]) -> Iterator[models.QuerySet[Any]]:
    """Yield what is to go, some hundred rows at a time, so that nobody waits long for the database.

    Each batch has to be gone, or to fall out of `rows`, before the next one is asked for.
    """
    while keys := list(rows.values_list("pk", flat=True).order_by("pk")[:BATCH]):
        yield rows.model._default_manager.filter(pk__in=keys)


def purge(rows: models.QuerySet[Any]) -> int:
    """Delete rows in batches, each in a transaction of its own; return how many, without what went along with them."""
    deleted = 0
    for batch in batches(rows):
        deleted += batch.delete()[1].get(rows.model._meta.label, 0)
    return deleted
