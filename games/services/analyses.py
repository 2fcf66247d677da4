"""Analyses of deals: asked for, taken up, kept up to date while they are worked on, and stored for good.

A job is only a prompt here as well. What waits stands in the rows; whoever works on one holds it for a while and holds
it anew as it goes on. What a killed process leaves behind is taken up again when that while is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from belote_site import rates
from games import codec
from games.deal_analysis import AnalysedMove, Move, moves_of
from games.engine.notation import format_card
from games.models import DealAnalysis, GameEvent, Match

analysis_requested = Signal()
"""Sent inside the transaction in which an analysis begins to wait."""

MOST_WAITING = 100
"""So many that somebody has asked for wait at most, on the whole site: some minutes of work."""

MOST_BEFORE_A_SAMPLE = 10
"""With so many waiting, whoever asked for them, no deal is drawn."""

HELD_FOR = timedelta(seconds=30)
MOST_ATTEMPTS = 3
"""Whatever ends the process that works on a deal time and again would do so for ever."""


class NoSuchDeal(Exception):
    """There is nothing to analyse: no such match, or it is still played, or the deal was not played out."""


class TooManyWaiting(Exception):
    """So many analyses wait that another one is not taken; later there is room again."""


@dataclass(frozen=True, slots=True)
class Work:
    """A deal that somebody has taken up: the row and which attempt it is."""

    analysis_id: int
    attempt: int
    match_id: UUID
    deal: int


def request(user: User, match_id: UUID, deal: int) -> DealAnalysis:
    """Ask for the analysis of a deal. The first time it begins to wait; later the same one is returned.

    One that has failed begins anew. Who may see the match is asked before; who asked is not stored.

    Raises:
        NoSuchDeal: there is no such match, it is not over, or the deal was not played out.
        TooManyWaiting: the site has more to do than it should.
        rates.TooOften: they ask all the time.
    """
    with transaction.atomic():
        known = DealAnalysis.objects.filter(match_id=match_id, deal=deal).first()
        if known is not None and known.status != DealAnalysis.Status.FAILED:
            # Somebody waits for it from now on.
            _waiting().filter(pk=known.pk, is_sample=True).update(is_sample=False)
            return known
        if known is None and not _is_played_out(match_id, deal):
            raise NoSuchDeal(f"deal {deal} of match {match_id}")
        if _waiting().filter(is_sample=False).count() >= MOST_WAITING:
            raise TooManyWaiting
        rates.count("analysis", user.pk, settings.ANALYSIS_LIMIT)
        # Two may ask at once.
        analysis, is_new = DealAnalysis.objects.get_or_create(match_id=match_id, deal=deal)
        if not is_new:
            failed = DealAnalysis.objects.filter(pk=analysis.pk, status=DealAnalysis.Status.FAILED)
            failed.update(
                status=DealAnalysis.Status.WAITING,
                attempts=0,
                moves_done=0,
                requested_at=timezone.now(),
                finished_at=None,
                is_sample=False,
            )
            analysis.refresh_from_db()
        analysis_requested.send(DealAnalysis)
        return analysis


def add_sample(match_id: UUID, deal: int) -> bool:
    """Let a deal that the site has drawn wait, behind all that somebody asks for; tell whether it does now.

    One that is known already does not, nor any while much waits.

    Raises:
        NoSuchDeal: as for `request`.
    """
    with transaction.atomic():
        if not _is_played_out(match_id, deal):
            raise NoSuchDeal(f"deal {deal} of match {match_id}")
        if _waiting().count() >= MOST_BEFORE_A_SAMPLE:
            return False
        _, is_new = DealAnalysis.objects.get_or_create(match_id=match_id, deal=deal, defaults={"is_sample": True})
        if is_new:
            analysis_requested.send(DealAnalysis)
        return is_new


def take_up() -> Work | None:
    """Hold the deal that has waited longest and that nobody holds, samples last; None when there is none.

    What was attempted too often has failed.
    """
    while True:
        now = timezone.now()
        free = _waiting().filter(Q(held_until=None) | Q(held_until__lt=now)).order_by("is_sample", "requested_at", "pk")
        row = free.first()
        if row is None:
            return None
        work = Work(row.pk, row.attempts + 1, row.match_id, row.deal)
        mine = free.filter(pk=row.pk, attempts=row.attempts)
        if row.attempts >= MOST_ATTEMPTS:
            mine.update(status=DealAnalysis.Status.FAILED, finished_at=now)
        elif mine.update(attempts=F("attempts") + 1, held_until=now + HELD_FOR, moves_done=0):
            return work


def moves_to_analyse(work: Work) -> list[Move]:
    """Return the moves of the deal.

    Raises:
        ValueError: the log of the match is damaged.
    """
    rows = GameEvent.objects.filter(match_id=work.match_id).order_by("sequence").values_list("schema", "payload")
    return moves_of((codec.decode(payload, schema) for schema, payload in rows), work.deal)


def go_on(work: Work, moves_done: int) -> bool:
    """Hold a deal for longer and say how far it is; tell whether it is still held at all."""
    return _change(work, held_until=timezone.now() + HELD_FOR, moves_done=moves_done)


def lay_down(work: Work) -> None:
    """Leave a deal to whoever takes it up next, as if it had not been taken up."""
    _change(work, held_until=None, attempts=work.attempt - 1)


def fail(work: Work) -> None:
    """Give a deal up, until somebody asks for it again."""
    _change(work, status=DealAnalysis.Status.FAILED, held_until=None, finished_at=timezone.now())


def finish(work: Work, moves: Iterable[AnalysedMove]) -> None:
    """Store what has come out, in the order of the play; nothing when somebody else has done so meanwhile."""
    stored = [
        {
            "seat": int(move.seat),
            "card": format_card(move.card),
            "values": {format_card(card): value for card, value in move.values.items()},
            "hard": format_card(move.hard),
        }
        for move in moves
    ]
    _change(
        work,
        status=DealAnalysis.Status.DONE,
        held_until=None,
        moves_done=len(stored),
        moves=stored,
        finished_at=timezone.now(),
    )


def _change(work: Work, **changes: object) -> bool:
    # In a transaction, so that SQLite's writers of this process wait for each other in their queue.
    with transaction.atomic():
        held = _waiting().filter(pk=work.analysis_id, attempts=work.attempt)
        return bool(held.update(**changes))


def _waiting() -> QuerySet[DealAnalysis]:
    return DealAnalysis.objects.filter(status=DealAnalysis.Status.WAITING)


def _is_played_out(match_id: UUID, deal: int) -> bool:
    scored = GameEvent.objects.filter(match_id=match_id, payload__type="deal_scored", payload__deal=deal)
    return scored.exclude(match__status=Match.Status.RUNNING).exists()
