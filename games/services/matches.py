"""Matches: one transaction that loads, decides, appends, and announces after its commit.

Every change of a match goes through `submit` (a seat's command) or through the server's own steps here. A version and
an action id make a repeated, late or out-of-order command harmless. The server's clock is the only one: what is due
and when stands on the match.
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

from accounts.sanctions import Scope, barred
from games import archive, codec, selectors
from games.ai.player import PLAYERS
from games.engine.commands import (
    Command,
    Contribute,
    EndMatch,
    GiveBack,
    Next,
    PlayFor,
    RevealSeed,
    SeatCommand,
    ServerCommand,
    StartMatch,
    TakeOver,
)
from games.engine.decide import SERVER, Actor, decide
from games.engine.errors import IllegalCommand, Reason
from games.engine.events import Cause, Event
from games.engine.evolve import evolve
from games.engine.rules import Phase
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import MatchState
from games.engine.view import table_view
from games.models import GameEvent, Match, MatchSeat, Room
from games.services import dealing, results

match_changed = Signal()
"""Sent inside the transaction of every change, with ``match_id``, ``version``, ``due_at`` and ``acting``: who plays the
seat on turn, None when nobody is on turn."""

match_ended = Signal()
"""Sent inside the transaction in which a match ends, with ``match_id`` and ``room_id``; its results are booked."""

SUMMARY_LASTS = timedelta(seconds=15)
ABSENT_TURN_LASTS = timedelta(minutes=3)
LAPSES = 2
"""So many turns in a row that run out, and the computer takes the seat."""

_random = secrets.SystemRandom()


class AlreadyPlaying(Exception):
    """Somebody who should sit down is in the middle of a match."""


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


def start(room: Room) -> Match:
    """Start a match with the people and computers who sit in a room; in a rated room four accounts play a rated one,
    unless one of them is suspended from those. Inside a transaction.

    Raises:
        AlreadyPlaying: one of them plays elsewhere.
        ValueError: a seat is empty.
    """
    seatings = {s.seat: s for s in room.seatings.select_related("user")}
    if len(seatings) != len(Seat):
        raise ValueError("a match starts when all four seats are filled")
    persons = sum(s.occupant is Occupant.PERSON for s in seatings.values())
    accounts = [s.user.pk for s in seatings.values() if s.user is not None and not s.user.is_guest]
    is_rated = room.is_rated and len(accounts) == len(Seat)
    if is_rated:
        is_rated = not any(barred(pk, Scope.RATED) for pk in accounts)
    match = Match.objects.create(room=room, clock=room.clock if persons > 1 else None, is_rated=is_rated)
    now = timezone.now()
    try:
        with transaction.atomic():
            MatchSeat.objects.bulk_create(
                MatchSeat(match=match, seat=seat, level=row.level)
                if row.user is None
                else MatchSeat(
                    match=match, seat=seat, user=row.user, person=row.user.public_id, is_playing=True, absent_since=now
                )
                for seat, row in seatings.items()
            )
    except IntegrityError as error:
        raise AlreadyPlaying from error
    _record(match.pk, None, SERVER, StartMatch(room.rules, BySeat(*[seatings[seat].occupant for seat in Seat])))
    match.refresh_from_db()
    return match


def submit(match_id: UUID, seat: Seat, command: SeatCommand, version: int, action_id: UUID | None = None) -> Answer:
    """Do what a seat asks: persist its events, then announce them.

    ``version`` is the one that the seat saw. `Next` and `Contribute` name their deal instead: four people may say them
    at once.

    Raises:
        selectors.MatchNotFound: there is no such match.
    """
    try:
        with transaction.atomic():
            state = selectors.load_state(match_id)
            # After the state: the twin of this action may commit in between, and would make it look stale otherwise.
            if _is_known(match_id, seat, action_id):
                return Answer(Status.ACCEPTED, version_of(match_id))
            if version != state.version and not isinstance(command, Next | Contribute):
                return Answer(Status.STALE, state.version)
            after = _record(match_id, state, seat, command, action_id)
            return Answer(Status.ACCEPTED, after.version)
    except IllegalCommand as refusal:
        return Answer(Status.REFUSED, state.version, refusal.reason)
    except IntegrityError:
        # Another writer took the sequence number, or the same action came in twice at once.
        known = _is_known(match_id, seat, action_id)
        return Answer(Status.ACCEPTED if known else Status.STALE, version_of(match_id))


def contribute(match_id: UUID, seat: Seat, deal: int, bits: bytes) -> Answer:
    """Add a browser's random bytes to the deal that is committed to; again, when somebody else was faster."""
    while True:
        answer = submit(match_id, seat, Contribute(deal, bits), version=0)
        if answer.status is not Status.STALE:
            return answer


def deal_cards(match_id: UUID, version: int) -> Answer:
    """Deal although somebody who is there has contributed nothing: the time for it is over."""
    return _serve(match_id, version, lambda state: dealing.start_deal(match_id, state))


def start_next_deal(match_id: UUID, version: int) -> Answer:
    """Deal although not every person has said next: the summary has been shown long enough."""
    return _serve(match_id, version, lambda state: dealing.new_commitment(match_id, state))


def play_lapsed_turn(match_id: UUID, version: int, asked_by: Seat | None = None) -> Answer:
    """Let the computer make the one move of a person whose time has run out, or whom ``asked_by`` waits for in vain."""

    def move(state: MatchState) -> ServerCommand:
        seat = state.turn
        if seat is None:
            # Refused by `decide`: nobody is on turn.
            return GiveBack(Seat.NORTH)
        chosen = PLAYERS[Occupant.NORMAL].choose(table_view(state, seat))
        return PlayFor(seat, chosen, asked_by)

    return _serve(match_id, version, move)


def play_for_absent(match_id: UUID, asked_by: Seat, version: int) -> Answer:
    """Let the computer make the move that a table without a clock has waited for too long; else it is too early."""
    timing = selectors.timing_of(match_id)
    if timing.clock is not None or timing.turn_since is None or timezone.now() - timing.turn_since < ABSENT_TURN_LASTS:
        return Answer(Status.STALE, version_of(match_id))
    return play_lapsed_turn(match_id, version, asked_by)


def take_over(match_id: UUID, seat: Seat, cause: Cause) -> Answer:
    """Give a person's seat to the computer."""
    return _insist(match_id, TakeOver(seat, cause))


def give_back(match_id: UUID, seat: Seat) -> Answer:
    """Give a seat that the computer holds back to its person; refused when they have left on purpose."""
    return _insist(match_id, GiveBack(seat))


def end(match_id: UUID, *, by_moderator: bool = False) -> bool:
    """End a match, void; tell whether it was running."""
    return _insist(match_id, EndMatch(by_moderator)).status is Status.ACCEPTED


def announce(match_id: UUID, state: MatchState, due_at: datetime | None) -> None:
    """Tell of a change of a match, or prompt again what is due. Inside a transaction."""
    acting = None if state.turn is None else state.acting(state.turn)
    match_changed.send(Match, match_id=match_id, version=state.version, due_at=due_at, acting=acting)


def version_of(match_id: UUID) -> int:
    """Return the version of a match."""
    return Match.objects.values_list("version", flat=True).get(pk=match_id)


def _insist(match_id: UUID, command: ServerCommand) -> Answer:
    """Serve a command that does not depend on the version: again, when somebody else was faster."""
    while True:
        answer = _serve(match_id, version_of(match_id), lambda _: command)
        if answer.status is not Status.STALE:
            return answer


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
        return Answer(Status.STALE, version_of(match_id))


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
    changes: dict[str, object] = {"version": after.version}
    if seat is not None and after.occupants[seat] is Occupant.PERSON:
        changes["last_seen_at"] = now
    due_at = None
    if after.phase is Phase.OVER:
        changes.update(status=Match.Status.VOID if after.winner is None else Match.Status.WON, ended_at=now)
        changes.update(due_at=None, turn_since=None, record_head=archive.stored_record(match_id).head)
    else:
        timing = Match.objects.values_list("clock", "due_at", "turn_since", "reserves").get(pk=match_id)
        due_at, turn_since, reserves = _timing(state, after, *timing, now)
        changes.update(due_at=due_at, turn_since=turn_since, reserves=reserves)
    Match.objects.filter(pk=match_id).update(**changes)
    if after.phase is Phase.OVER:
        _book_outcomes(match_id, after)
    announce(match_id, after, due_at)
    committed = after
    transaction.on_commit(lambda: selectors.states.put(match_id, committed))
    return after


def _book_outcomes(match_id: UUID, state: MatchState) -> None:
    """Say what the match was for each person: lost for whoever left, or whose seat a computer holds at the end."""
    for row in MatchSeat.objects.filter(match_id=match_id, level=""):
        seat = Seat(row.seat)
        row.is_playing = False
        if not row.outcome:
            if state.winner is None:
                row.outcome = MatchSeat.Outcome.VOID
            elif state.stand_ins[seat] is not None:
                row.outcome = MatchSeat.Outcome.LEFT
            else:
                row.outcome = MatchSeat.Outcome.WON if seat.team is state.winner else MatchSeat.Outcome.LOST
        row.save(update_fields=["is_playing", "outcome"])
    results.book(match_id)
    room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
    match_ended.send(Match, match_id=match_id, room_id=room_id)


def _server_step(match_id: UUID, state: MatchState) -> ServerCommand | None:
    """Return what the server has to do next on its own, None when it is somebody else's turn."""
    over = state.phase is Phase.OVER
    for result in state.results:
        if result.seed is None and (over or result.score is not None):
            return RevealSeed(result.number, dealing.seed_of(match_id, result.number))
    if over:
        return None
    for seat in Seat:
        if state.lapses[seat] >= LAPSES and state.stand_ins[seat] is None:
            return TakeOver(seat, Cause.IDLE)
    if state.phase is Phase.COMMITTED:
        return None if dealing.awaits_contributions(match_id, state) else dealing.start_deal(match_id, state)
    persons = {seat for seat in Seat if state.acting(seat) is Occupant.PERSON}
    all_said = persons and persons <= state.next_said
    if state.phase is Phase.BETWEEN_DEALS or (state.phase is Phase.SUMMARY and all_said):
        return dealing.new_commitment(match_id, state)
    return None


def _timing(
    before: MatchState | None,
    after: MatchState,
    clock: int | None,
    due_at: datetime | None,
    turn_since: datetime | None,
    reserves: list[float],
    now: datetime,
) -> tuple[datetime | None, datetime | None, list[float]]:
    """Return when the server acts next, since when the seat on turn is asked, and the reserves.

    Who was asked and still is keeps their time, also when a computer held the seat for a moment: going and coming back
    gains nothing. A person who took longer than the clock pays with their reserve.
    """
    is_same_turn = before is not None and _turn(before) == _turn(after)
    if before is not None:
        asked = before.turn
        acting = None if asked is None else before.acting(asked)
        if is_same_turn and (asked is None or acting is after.acting(asked)):
            return due_at, turn_since, reserves
        if asked is not None and acting is Occupant.PERSON and clock is not None and turn_since:
            over = max(timedelta(0), now - turn_since - timedelta(seconds=clock))
            reserves = [*reserves]
            reserves[asked] = round(max(0.0, reserves[asked] - over.total_seconds()), 3)
            # What is paid for does not count again.
            turn_since += over
    if not is_same_turn or turn_since is None:
        turn_since = now
    is_persons = after.turn is not None and after.acting(after.turn) is Occupant.PERSON
    return due_after(after, clock, reserves, turn_since if is_persons else now), turn_since, reserves


def _turn(state: MatchState) -> tuple[object, ...]:
    """Return which move is waited for."""
    deal = state.deal
    return state.deal_number, state.phase, 0 if deal is None else deal.moves


def due_after(state: MatchState, clock: int | None, reserves: list[float], now: datetime) -> datetime | None:
    """Return when the server has to act if nobody does; drawn here, so that it cannot depend on a hand."""
    if state.phase is Phase.SUMMARY:
        persons = sum(occupant is Occupant.PERSON for occupant in state.occupants)
        return now + SUMMARY_LASTS if persons > 1 else None
    if state.phase is Phase.COMMITTED:
        return now + timedelta(seconds=settings.CONTRIBUTION_SECONDS)
    deal, seat = state.deal, state.turn
    if deal is None or seat is None:
        return None
    if state.acting(seat) is Occupant.PERSON:
        return None if clock is None else now + timedelta(seconds=clock + reserves[seat])
    leads_again = deal.tricks and not deal.trick.cards
    seconds = _random.uniform(1.5, 2.0) if leads_again else _random.uniform(0.7, 1.3)
    return now + timedelta(seconds=seconds * settings.COMPUTER_PACE)


def _is_known(match_id: UUID, seat: Seat, action_id: UUID | None) -> bool:
    if action_id is None:
        return False
    return GameEvent.objects.filter(match_id=match_id, seat=seat, action_id=action_id).exists()
