"""Records that are brought here: verified, then stored as matches that count nowhere."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from games import archive
from games.archive import Finding
from games.engine.seats import Occupant, Seat
from games.engine.state import MatchState
from games.models import GameEvent, Match, MatchSeat, Room
from games.record import Record


def take_in(record: Record) -> Finding:
    """Store the match of a record, marked as imported, unless it is faulty or a match of that id is here already.

    Return what was found before: the record was stored if its validity is UNPROVEN and its match was not known. It
    keeps its id, which its decks depend on. Nobody sits in it, it has no outcomes, its room is closed.
    """
    finding = archive.examine(record)
    if finding.is_known or finding.state is None:
        return finding
    try:
        with transaction.atomic():
            _store(record, finding.state)
    except IntegrityError:
        # Somebody else has brought it in the meantime.
        return archive.examine(record)
    return finding


def _store(record: Record, state: MatchState) -> None:
    now = timezone.now()
    rules = state.rules
    room = Room.objects.create(
        target=rules.target,
        undertrump=rules.undertrump,
        belote=rules.belote,
        litige=rules.litige,
        has_spectators=False,
        closed_at=now,
    )
    match = Match.objects.create(
        pk=record.match,
        room=room,
        status=Match.Status.VOID if state.winner is None else Match.Status.WON,
        version=state.version,
        ended_at=now,
        record_head=record.head,
        is_booked=True,
        is_imported=True,
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(match=match, seat=seat, level="" if occupant is Occupant.PERSON else occupant)
        for seat, occupant in zip(Seat, state.occupants, strict=True)
    )
    GameEvent.objects.bulk_create(
        GameEvent(match=match, sequence=number, schema=entry["schema"], payload=entry["event"])
        for number, entry in enumerate(record.events, start=1)
    )
