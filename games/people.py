"""The people whom somebody knows: met at a table, followed, muted, blocked; and where those one follows are now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext, pgettext

from accounts.models import Relation, User
from games import selectors
from games.engine.seats import Seat
from games.models import Match, MatchSeat, Seating

MATCHES_LOOKED_AT = 20

Kind = Relation.Kind


@dataclass(frozen=True, slots=True)
class Actions:
    """What somebody may do about a person, for templates/games/people/actions.html.

    ``room_id`` is the room that they may invite the person into, ``match_id`` what a report would be about.
    """

    person: User
    is_followed: bool
    is_muted: bool
    is_blocked: bool
    room_id: UUID | None
    match_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person is: a sentence, and a link with its words when the reader may go there."""

    text: str
    address: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A person in one of the lists. ``place`` is None for whoever is nowhere, or of whom one is not told.

    ``ended_at``, ``outcome`` and ``side`` speak of the last match together, from the reader's side.
    """

    person: User
    actions: Actions
    place: Place | None = None
    ended_at: datetime | None = None
    outcome: str = ""
    side: str = ""


def actions_on(user: User | None, person: User) -> Actions | None:
    """Return what somebody may do about a person; None for oneself and for visitors."""
    if user is None or user.pk == person.pk:
        return None
    return _actions(user, [person])[person.pk]


def played_with(user: User) -> list[Acquaintance]:
    """Return the people of somebody's last matches, the newest first, each once; without those they have blocked."""
    own = {
        seat.match_id: seat
        for seat in MatchSeat.objects.filter(user=user, match__ended_at__isnull=False)
        .select_related("match")
        .order_by("-match__ended_at")[:MATCHES_LOOKED_AT]
    }
    others = MatchSeat.objects.filter(match__in=own, user__isnull=False, user__is_active=True).exclude(user=user)
    last: dict[int, MatchSeat] = {}
    for seat in others.select_related("user", "match").order_by("-match__ended_at", "seat"):
        last.setdefault(seat.user_id, seat)
    actions = _actions(user, [seat.user for seat in last.values()], {pk: seat.match_id for pk, seat in last.items()})
    return [
        Acquaintance(
            person=seat.user,
            actions=actions[seat.user_id],
            ended_at=seat.match.ended_at,
            outcome=own[seat.match_id].get_outcome_display(),
            side=_side(own[seat.match_id], seat),
        )
        for seat in last.values()
        if not actions[seat.user_id].is_blocked
    ]


def followed(user: User) -> list[Acquaintance]:
    """Return the people whom somebody follows, those who are at a table first.

    Of people who have blocked the reader one is not told where they are.
    """
    people = list(_related(user, Kind.FOLLOW))
    actions = _actions(user, people)
    places = _places(user, people)
    known = [Acquaintance(person, actions[person.pk], places.get(person.pk)) for person in people]
    return sorted(known, key=lambda one: (one.place is None, one.person.display_name.casefold()))


def avoided(user: User) -> list[Acquaintance]:
    """Return the people whom somebody has muted or blocked."""
    people = list(_related(user, Kind.MUTE, Kind.BLOCK))
    actions = _actions(user, people)
    known = [Acquaintance(person, actions[person.pk]) for person in people]
    return sorted(known, key=lambda one: one.person.display_name.casefold())


def _related(user: User, *kinds: Relation.Kind) -> Iterable[User]:
    related = Relation.objects.filter(owner=user, kind__in=kinds)
    return User.objects.filter(pk__in=related.values("other"), is_active=True)


def _actions(user: User, people: list[User], matches: dict[int, UUID] | None = None) -> dict[int, Actions]:
    kinds = set(Relation.objects.filter(owner=user, other__in=people).values_list("other_id", "kind"))
    room_id = Seating.objects.values_list("room_id", flat=True).filter(user=user).first()
    there = set(Seating.objects.filter(room_id=room_id, user__in=people).values_list("user_id", flat=True))
    return {
        person.pk: Actions(
            person=person,
            is_followed=(person.pk, Kind.FOLLOW) in kinds,
            is_muted=(person.pk, Kind.MUTE) in kinds,
            is_blocked=(person.pk, Kind.BLOCK) in kinds,
            room_id=None if person.pk in there else room_id,
            match_id=(matches or {}).get(person.pk),
        )
        for person in people
    }


def _places(user: User, people: list[User]) -> dict[int, Place]:
    hidden = set(
        Relation.objects.filter(owner__in=people, other=user, kind=Kind.BLOCK).values_list("owner_id", flat=True)
    )
    playing = dict(
        MatchSeat.objects.filter(user__in=people, is_playing=True, match__status=Match.Status.RUNNING).values_list(
            "user_id", "match_id"
        )
    )
    sitting = dict(Seating.objects.filter(user__in=people).values_list("user_id", "room_id"))
    places = {}
    for person in people:
        if person.pk in hidden:
            continue
        if person.pk in playing:
            places[person.pk] = _at_a_table(user, playing[person.pk])
        elif person.pk in sitting:
            places[person.pk] = _in_a_room(user, sitting[person.pk])
    return places


def _at_a_table(user: User, match_id: UUID) -> Place:
    try:
        _, seat = selectors.place_at(match_id, user.pk)
    except selectors.MatchNotFound:
        return Place(gettext("Playing"))
    if seat is not None:
        return Place(gettext("At your table"), reverse("games:table", args=[match_id]), gettext("Go to the table"))
    return Place(gettext("At a table"), reverse("games:table", args=[match_id]), pgettext("a match", "Watch"))


def _in_a_room(user: User, room_id: UUID) -> Place:
    try:
        room = selectors.room_for(room_id, user.pk)
    except selectors.RoomNotFound:
        return Place(gettext("In a room"))
    address = reverse("games:room", args=[room_id])
    if room.seatings.filter(user=user).exists():
        return Place(gettext("In your room"), address, gettext("Go to the room"))
    if room.seatings.count() == len(Seat):
        return Place(gettext("In a room, which is full"), address, gettext("Look in"))
    return Place(gettext("In a room"), address, pgettext("a room", "Join"))


def _side(mine: MatchSeat, theirs: MatchSeat) -> str:
    if Seat(mine.seat).team is Seat(theirs.seat).team:
        return pgettext("in the last match", "as your partner")
    return pgettext("in the last match", "as your opponent")
