"""After a commit, a nudge to every socket that it concerns: ids and versions, never a state."""

from __future__ import annotations

from uuid import UUID

from django.dispatch import receiver

from accounts.models import Relation, User
from accounts.sessions import group_of_user
from accounts.signals import relation_changed
from belote_site.groups import tell_after_commit
from games.engine.seats import Occupant, Seat
from games.services.matches import match_changed
from games.services.presence import people_changed, tab_opened
from games.services.seating import invited, match_started, room_changed
from games.services.talk import line_said, lines_changed

LOBBY_GROUP = "lobby"


def group_of(match_id: UUID) -> str:
    """Return the channel group of a match's table."""
    return f"match.{match_id.hex}"


def room_group(room_id: UUID) -> str:
    """Return the channel group of a room: its own page and its tables."""
    return f"room.{room_id.hex}"


@receiver(match_changed)
def nudge_table(*, match_id: UUID, version: int, acting: Occupant | None, **_: object) -> None:
    tell_after_commit(group_of(match_id), {"type": "table.nudge", "version": version})
    if acting is None:
        # Between two deals: the score that the lobby shows has changed.
        tell_after_commit(LOBBY_GROUP, {"type": "lobby.nudge"})


@receiver(people_changed)
def tell_of_people(*, match_id: UUID | None, **_: object) -> None:
    if match_id is not None:
        tell_after_commit(group_of(match_id), {"type": "table.people"})


@receiver(tab_opened)
def retire_older_tabs(*, match_id: UUID, seat: Seat, tab: int, **_: object) -> None:
    tell_after_commit(group_of(match_id), {"type": "table.tab", "seat": int(seat), "tab": tab})


@receiver(room_changed)
def nudge_room(*, room_id: UUID, **_: object) -> None:
    tell_after_commit(room_group(room_id), {"type": "room.nudge"})
    tell_after_commit(LOBBY_GROUP, {"type": "lobby.nudge"})


@receiver(match_started)
def lead_to_the_table(*, room_id: UUID, match_id: UUID, **_: object) -> None:
    tell_after_commit(room_group(room_id), {"type": "room.match", "match_id": str(match_id)})


@receiver(invited)
def tell_of_an_invitation(*, user_id: int, **_: object) -> None:
    tell_after_commit(group_of_user(user_id), {"type": "room.invited"})


@receiver(line_said)
def pass_on_what_is_said(*, room_id: UUID, line_id: int, **_: object) -> None:
    tell_after_commit(room_group(room_id), {"type": "room.talk", "line_id": line_id})


@receiver(lines_changed)
def let_the_room_read_anew(*, room_id: UUID, **_: object) -> None:
    tell_after_commit(room_group(room_id), {"type": "talk.anew"})


@receiver(relation_changed)
def act_on_a_decision_at_once(*, owner: User, other: User, kind: Relation.Kind, **_: object) -> None:
    """Whoever was muted is not read any more, and whoever was blocked may have to go."""
    if kind != Relation.Kind.FOLLOW:
        tell_after_commit(group_of_user(owner.pk), {"type": "talk.anew"})
    if kind == Relation.Kind.BLOCK:
        tell_after_commit(group_of_user(other.pk), {"type": "access.check"})
