"""After a commit, a nudge to every socket of the table: a match id and a version, never a state."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.dispatch import receiver

from belote_site.groups import tell_after_commit
from games.services.matches import match_changed, people_changed


def group_of(match_id: UUID) -> str:
    """Return the channel group of a match's table."""
    return f"match.{match_id.hex}"


@receiver(match_changed)
def nudge_after_commit(*, match_id: UUID, version: int, due_at: datetime | None, **_: object) -> None:
    tell_after_commit(group_of(match_id), {"type": "table.nudge", "version": version})


@receiver(people_changed)
def tell_of_people_after_commit(*, match_id: UUID, **_: object) -> None:
    tell_after_commit(group_of(match_id), {"type": "table.people"})
