"""Given: matches that are over, with a log that was really played (tests/golden)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.seats import Seat, Team
from games.models import GameEvent, Match, MatchSeat, Room
from games.services import results
from tests.site_process import ROOT

LOG = json.loads((ROOT / "tests" / "golden" / "default_rules.json").read_text())
WINNER = Team(LOG["result"]["winner"])
TOTALS = LOG["result"]["totals"]
_DEALT = [index for index, event in enumerate(LOG["events"]) if event["type"] == "deal_started"]
_SO_FAR = LOG["events"][: _DEALT[1] + 1]
SECRET_DECK: str = _SO_FAR[-1]["deck"]


def finished_match(
    people: Mapping[Seat, User], *, ago: timedelta = timedelta(0), outcome: MatchSeat.Outcome | None = None
) -> Match:
    """A match that a side won some time ago, with these people; normal computers have the other seats.

    With ``outcome``, it was that for all of them.
    """
    host = next(iter(people.values()))
    room = Room.objects.create(host=host, name="By the stove", closed_at=timezone.now() - ago)
    match = Match.objects.create(
        room=room, status=Match.Status.WON, version=len(LOG["events"]), ended_at=timezone.now() - ago
    )
    GameEvent.objects.bulk_create(
        GameEvent(match=match, sequence=index, schema=LOG["schema"], payload=payload)
        for index, payload in enumerate(LOG["events"], start=1)
    )
    for seat in Seat:
        user = people.get(seat)
        won = MatchSeat.Outcome.WON if seat.team is WINNER else MatchSeat.Outcome.LOST
        MatchSeat.objects.create(
            match=match,
            seat=seat,
            user=user,
            person=user and user.public_id,
            level="" if user else "normal",
            outcome=(outcome or won) if user else "",
        )
    with transaction.atomic():
        results.book(match.pk)
    match.refresh_from_db()
    return match


def running_match(people: Mapping[Seat, User]) -> Match:
    """A match whose second deal has just been dealt; its deck is `SECRET_DECK`."""
    room = Room.objects.create(host=next(iter(people.values())))
    match = Match.objects.create(room=room, version=len(_SO_FAR))
    GameEvent.objects.bulk_create(
        GameEvent(match=match, sequence=index, schema=LOG["schema"], payload=payload)
        for index, payload in enumerate(_SO_FAR, start=1)
    )
    for seat in Seat:
        user = people.get(seat)
        MatchSeat.objects.create(
            match=match,
            seat=seat,
            user=user,
            person=user and user.public_id,
            level="" if user else "normal",
            is_playing=user is not None,
        )
    return match
