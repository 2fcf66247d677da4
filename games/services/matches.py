"""The only writer: one transaction that loads, decides, appends, and announces after its commit.

Every change of a match goes through `submit` (a seat's command) or through the server's own steps here. A version and
an action id make a repeated, late or out-of-order command harmless.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from games import codec, selectors
from games.engine import shuffle
from games.engine.commands import (
    Command,
    CommitDeal,
    EndMatch,
    Next,
    RevealSeed,
    SeatCommand,
    ServerCommand,
    StartDeal,
    StartMatch,
)
from games.engine.decide import SERVER, Actor, decide
from games.engine.errors import IllegalCommand, Reason
from games.engine.events import Event
from games.engine.evolve import evolve
from games.engine.rules import Phase
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.models import DealSeed, GameEvent, Match, Presence, Room, Seating

match_changed = Signal()
"""Sent inside the transaction of every change, with ``match_id``, ``version`` and ``due_at``."""

people_changed = Signal()
"""Sent inside the transaction in which a person came or went, with ``match_id``."""

PRESENCE_LASTS = timedelta(seconds=30)
SUMMARY_LASTS = timedelta(seconds=15)
ABANDONED_AFTER = timedelta(hours=24)
OVERDUE_AFTER = timedelta(seconds=1)
TABS = 8
"""Open sockets of one seat: enough for every device and tab of a person, too few to slow a table down."""

_random = secrets.SystemRandom()


class Status(StrEnum):
    """What became of a command."""

    ACCEPTED = "accepted"
    STALE = "stale"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command, and the version that the match is at; ``reason`` when it was refused."""

    status: Status
    version: int
    reason: Reason | None = None


def play_now(user: User, level: Occupant, target: int) -> Match:
    """Seat a person South among three computers of a level and start a match; the running one when there is one.

    Raises:
        ValueError: the target is not one of R7.3, or the level is no computer player's.
    """
    if level is Occupant.PERSON:
        raise ValueError("a computer player has a level")
    with transaction.atomic():
        running = _running_match_locked(user)
        if running is not None:
            return running
        room = Room(host=user, target=target)
        rules = room.rules
        room.save()
        occupants = BySeat(level, level, Occupant.PERSON, level)
        Seating.objects.bulk_create(
            Seating(room=room, seat=seat, user=user)
            if occupants[seat] is Occupant.PERSON
            else Seating(room=room, seat=seat, level=level)
            for seat in Seat
        )
        return _start(room, StartMatch(rules, occupants))


def play_again(user: User, match_id: UUID) -> Match:
    """Start another match at the table of an ended one; the running one when there is one already.

    Raises:
        selectors.MatchNotFound: the user has no seat at that table.
    """
    selectors.seat_of(match_id, user.pk)
    with transaction.atomic():
        running = _running_match_locked(user)
        if running is not None:
            return running
        room = Room.objects.get(matches=match_id)
        occupants = {s.seat: s.occupant for s in room.seatings.all()}
        return _start(room, StartMatch(room.rules, BySeat(*[occupants[seat] for seat in Seat])))


def submit(match_id: UUID, seat: Seat, command: SeatCommand, version: int, action_id: UUID | None = None) -> Answer:
    """Do what a seat asks: persist its events, then announce them.

    ``version`` is the one that the seat saw. `Next` names its deal instead, so that four people may say it at once.

    Raises:
        selectors.MatchNotFound: there is no such match.
    """
    try:
        with transaction.atomic():
            state = selectors.load_state(match_id)
            # After the state: the twin of this action may commit in between, and would make it look stale otherwise.
            if _is_known(match_id, seat, action_id):
                return Answer(Status.ACCEPTED, _version(match_id))
            if version != state.version and not isinstance(command, Next):
                return Answer(Status.STALE, state.version)
            after = _record(match_id, state, seat, command, action_id)
            return Answer(Status.ACCEPTED, after.version)
    except IllegalCommand as refusal:
        return Answer(Status.REFUSED, state.version, refusal.reason)
    except IntegrityError:
        # Another writer took the sequence number, or the same action came in twice at once.
        known = _is_known(match_id, seat, action_id)
        return Answer(Status.ACCEPTED if known else Status.STALE, _version(match_id))


def start_next_deal(match_id: UUID, version: int) -> Answer:
    """Deal although not every person has said next: the summary has been shown long enough."""
    return _serve(match_id, version, lambda state: _new_commitment(match_id, state))


def leave(match_id: UUID, user: User) -> None:
    """Get up from a table with computers only: the match ends void. Nothing happens when it is over already.

    Raises:
        selectors.MatchNotFound: the user has no seat there.
    """
    selectors.seat_of(match_id, user.pk)
    _end(match_id)


def end_abandoned_matches() -> int:
    """End, void, the matches that no person has been at for 24 hours; return how many."""
    now = timezone.now()
    abandoned = Match.objects.filter(status=Match.Status.RUNNING, last_seen_at__lt=now - ABANDONED_AFTER).exclude(
        presences__seen_until__gt=now
    )
    ended = 0
    for match_id in abandoned.values_list("pk", flat=True):
        ended += _end(match_id)
    return ended


class TooManyTabs(Exception):
    """The seat has as many open sockets as a seat may have."""


def arrive(match_id: UUID, seat: Seat, channel: str) -> None:
    """A person of the table has opened a socket: the match goes on, with new time for what fell due meanwhile.

    Raises:
        TooManyTabs: the person has `TABS` of them already.
    """
    now = timezone.now()
    with transaction.atomic():
        Presence.objects.filter(match_id=match_id, seen_until__lt=now).delete()
        tabs = Presence.objects.filter(match_id=match_id, seat=seat).count()
        if tabs >= TABS:
            raise TooManyTabs
        Presence.objects.create(match_id=match_id, seat=seat, channel=channel, seen_until=now + PRESENCE_LASTS)
        Match.objects.filter(pk=match_id).update(last_seen_at=now)
        if not tabs:
            people_changed.send(Match, match_id=match_id)
        overdue = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING, due_at__lt=now).exists()
        if overdue:
            state = selectors.load_state(match_id)
            due_at = _due_at(state)
            Match.objects.filter(pk=match_id, version=state.version).update(due_at=due_at)
            match_changed.send(Match, match_id=match_id, version=state.version, due_at=due_at)


def stay(match_id: UUID, seat: Seat, channel: str) -> int:
    """A socket is still open. Prompt what is overdue, as after a worker was killed; return the match's version."""
    now = timezone.now()
    Presence.objects.update_or_create(
        channel=channel, defaults={"match_id": match_id, "seat": seat, "seen_until": now + PRESENCE_LASTS}
    )
    version, due_at = Match.objects.values_list("version", "due_at").get(pk=match_id)
    if due_at is not None and due_at < now - OVERDUE_AFTER:
        with transaction.atomic():
            # The conditional update lets one of several sockets prompt.
            if Match.objects.filter(pk=match_id, version=version, due_at=due_at).update(due_at=now):
                match_changed.send(Match, match_id=match_id, version=version, due_at=now)
    return version


def depart(match_id: UUID, seat: Seat, channel: str) -> None:
    """A socket has closed."""
    with transaction.atomic():
        Presence.objects.filter(channel=channel).delete()
        Match.objects.filter(pk=match_id).update(last_seen_at=timezone.now())
        if not Presence.objects.filter(match_id=match_id, seat=seat).exists():
            people_changed.send(Match, match_id=match_id)


def _running_match_locked(user: User) -> Match | None:
    """Return the match that a user is in. Two clicks at once come here one after the other: the row is locked."""
    User.objects.select_for_update().get(pk=user.pk)
    return selectors.running_match(user.pk)


def _start(room: Room, command: StartMatch) -> Match:
    match = Match.objects.create(room=room)
    _record(match.pk, None, SERVER, command)
    match.refresh_from_db()
    return match


def _end(match_id: UUID) -> bool:
    while Match.objects.filter(pk=match_id, status=Match.Status.RUNNING).exists():
        if _serve(match_id, _version(match_id), lambda _: EndMatch()).status is Status.ACCEPTED:
            return True
    return False


def _serve(match_id: UUID, version: int, command_for: Callable[[MatchState], ServerCommand]) -> Answer:
    try:
        with transaction.atomic():
            state = selectors.load_state(match_id)
            if version != state.version:
                return Answer(Status.STALE, state.version)
            return Answer(Status.ACCEPTED, _record(match_id, state, SERVER, command_for(state)).version)
    except IllegalCommand as refusal:
        return Answer(Status.REFUSED, state.version, refusal.reason)
    except IntegrityError:
        return Answer(Status.STALE, _version(match_id))


def _record(
    match_id: UUID, state: MatchState | None, actor: Actor, command: Command, action_id: UUID | None = None
) -> MatchState:
    """Append what follows from a command, the server's own next steps included. Inside a transaction."""
    events: list[Event] = []
    after = state
    next_command: Command | None = command
    next_actor = actor
    while next_command is not None:
        for event in decide(after, next_actor, next_command):
            after = evolve(after, event)
            events.append(event)
        if after is None:
            raise ValueError("a command of the server made no event")
        next_actor, next_command = SERVER, _server_step(match_id, after)
    if after is None:
        raise ValueError("nothing was recorded")

    first = state.version + 1 if state else 1
    seat = actor if isinstance(actor, Seat) else None
    GameEvent.objects.bulk_create(
        GameEvent(
            match_id=match_id,
            sequence=first + index,
            schema=codec.SCHEMA,
            payload=codec.encode(event),
            seat=seat if index == 0 else None,
            action_id=action_id if index == 0 else None,
        )
        for index, event in enumerate(events)
    )
    now = timezone.now()
    due_at = _due_at(after)
    changes: dict[str, object] = {"version": after.version, "due_at": due_at}
    if seat is not None and after.occupants[seat] is Occupant.PERSON:
        changes["last_seen_at"] = now
    if after.phase is Phase.OVER:
        changes["status"] = Match.Status.VOID if after.winner is None else Match.Status.WON
        changes["ended_at"] = now
    Match.objects.filter(pk=match_id).update(**changes)
    match_changed.send(Match, match_id=match_id, version=after.version, due_at=due_at)
    committed = after
    transaction.on_commit(lambda: selectors.states.put(match_id, committed))
    return after


def _server_step(match_id: UUID, state: MatchState) -> ServerCommand | None:
    """Return what the server has to do next on its own, None when it is somebody else's turn."""
    over = state.phase is Phase.OVER
    for result in state.results:
        if result.seed is None and (over or result.score is not None):
            return RevealSeed(result.number, _seed(match_id, result.number))
    if state.phase is Phase.COMMITTED:
        seed = _seed(match_id, state.deal_number)
        first_dealer = None if state.next_dealer is not None else shuffle.dealer_from_seed(seed, match_id.bytes)
        return StartDeal(shuffle.deck_from_seed(seed, match_id.bytes, state.deal_number), first_dealer)
    persons = {seat for seat in Seat if state.occupants[seat] is Occupant.PERSON}
    if state.phase is Phase.BETWEEN_DEALS or (state.phase is Phase.SUMMARY and persons <= state.next_said):
        return _new_commitment(match_id, state)
    return None


def _new_commitment(match_id: UUID, state: MatchState) -> CommitDeal:
    seed = secrets.token_bytes(shuffle.SEED_BYTES)
    # A seed that an interrupted commitment left behind stays the seed of its deal.
    row, _ = DealSeed.objects.get_or_create(match_id=match_id, deal=state.deal_number + 1, defaults={"seed": seed})
    return CommitDeal(shuffle.commitment_of(bytes(row.seed)))


def _seed(match_id: UUID, deal: int) -> bytes:
    return bytes(DealSeed.objects.values_list("seed", flat=True).get(match_id=match_id, deal=deal))


def _due_at(state: MatchState) -> datetime | None:
    """Return when the server has to act if nobody does; drawn here, so that it cannot depend on a hand."""
    if state.phase is Phase.SUMMARY:
        persons = sum(occupant is Occupant.PERSON for occupant in state.occupants)
        return timezone.now() + SUMMARY_LASTS if persons > 1 else None
    deal = state.deal
    if deal is None or deal.turn is None or state.occupants[deal.turn] is Occupant.PERSON:
        return None
    leads_again = deal.tricks and not deal.trick.cards
    seconds = _random.uniform(1.5, 2.0) if leads_again else _random.uniform(0.7, 1.3)
    return timezone.now() + timedelta(seconds=seconds * settings.COMPUTER_PACE)


def _is_known(match_id: UUID, seat: Seat, action_id: UUID | None) -> bool:
    if action_id is None:
        return False
    return GameEvent.objects.filter(match_id=match_id, seat=seat, action_id=action_id).exists()


def _version(match_id: UUID) -> int:
    return Match.objects.values_list("version", flat=True).get(pk=match_id)
