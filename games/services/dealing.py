"""What a deal is made from: its seed, the browsers' contributions, and the deck that follows (docs/fair-deals.md)."""

from __future__ import annotations

import secrets
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from games.engine import shuffle
from games.engine.commands import CommitDeal, StartDeal
from games.engine.rules import Phase
from games.engine.seats import Occupant, Seat
from games.engine.state import MatchState
from games.models import DealSeed, MatchSeat, Presence


def awaits_contributions(match_id: UUID, state: MatchState) -> bool:
    """Tell whether a browser may still contribute: of somebody who is there, or who is on the way to a new table."""
    silent = [s for s in Seat if state.acting(s) is Occupant.PERSON and state.contributions[s] is None]
    if not silent or not settings.CONTRIBUTION_SECONDS:
        return False
    here = Presence.objects.filter(match_id=match_id, seen_until__gt=timezone.now()).values("seat")
    rows = MatchSeat.objects.filter(match_id=match_id, seat__in=silent)
    return rows.filter(Q(newest_tab=0) | Q(seat__in=here.filter(seat__isnull=False))).exists()


def start_deal(match_id: UUID, state: MatchState) -> StartDeal:
    """Return the command that deals what the match is committed to."""
    if state.phase is not Phase.COMMITTED:
        # Refused by `decide`: nothing is committed to.
        return StartDeal(())
    seed, contributions = seed_of(match_id, state.deal_number), state.contributions
    deck = shuffle.deck_from_seed(seed, match_id.bytes, state.deal_number, contributions)
    is_first = state.next_dealer is None
    return StartDeal(deck, shuffle.dealer_from_seed(seed, match_id.bytes, contributions) if is_first else None)


def new_commitment(match_id: UUID, state: MatchState) -> CommitDeal:
    """Draw and store the seed of the next deal, and return the command that commits to it. Inside a transaction."""
    seed = secrets.token_bytes(shuffle.SEED_BYTES)
    # A seed that an interrupted commitment left behind stays the seed of its deal.
    row, _ = DealSeed.objects.get_or_create(match_id=match_id, deal=state.deal_number + 1, defaults={"seed": seed})
    return CommitDeal(shuffle.commitment_of(bytes(row.seed)))


def seed_of(match_id: UUID, deal: int) -> bytes:
    """Return the secret seed of a deal that is committed to."""
    return bytes(DealSeed.objects.values_list("seed", flat=True).get(match_id=match_id, deal=deal))
