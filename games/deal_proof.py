"""What is public of the making of a deal, and whether its cards follow from it (`games.engine.shuffle`)."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from games import codec, selectors
from games.engine.dealing import Deck
from games.engine.events import DealStarted
from games.engine.seats import Seat
from games.engine.shuffle import Contributions, commitment_of, dealer_from_seed, deck_from_seed
from games.engine.state import MatchState
from games.engine.view import published_deck
from games.models import GameEvent, Match


@dataclass(frozen=True, slots=True)
class DealProof:
    """What a deal was made from.

    ``seed`` and ``deck`` are None until the seed is published, ``dealer`` before the cards are dealt. ``is_over``: the
    match is, so that every seed is published that ever will be.
    """

    match_id: UUID
    deal: int
    commitment: bytes
    contributions: Contributions
    dealer: Seat | None
    seed: bytes | None
    deck: Deck | None
    is_over: bool

    @property
    def commitment_holds(self) -> bool:
        """Whether the commitment is the SHA-256 of the seed."""
        return self.seed is not None and commitment_of(self.seed) == self.commitment

    @property
    def deck_follows(self) -> bool:
        """Whether the deck is the one that the seed and the contributions give."""
        if self.seed is None:
            return False
        return deck_from_seed(self.seed, self.match_id.bytes, self.deal, self.contributions) == self.deck

    @property
    def dealer_follows(self) -> bool:
        """Whether the first dealer of the match is the one that they give (R2.5)."""
        if self.seed is None:
            return False
        return dealer_from_seed(self.seed, self.match_id.bytes, self.contributions) is self.dealer


def proof_of(match_id: UUID, deal: int) -> DealProof:
    """Return what is public of the making of a deal.

    Raises:
        selectors.MatchNotFound: there is no such match, or it has come to no such deal.
    """
    state = selectors.current_state(match_id)
    is_over = Match.objects.filter(pk=match_id).exclude(status=Match.Status.RUNNING).exists()
    for result in state.results:
        if result.number == deal:
            deck = _published_deck(match_id, deal, state)
            return DealProof(
                match_id, deal, result.commitment, result.contributions, result.dealer, result.seed, deck, is_over
            )
    if deal != state.deal_number or not deal:
        raise selectors.MatchNotFound(match_id)
    dealer = None if state.deal is None else state.deal.dealer
    return DealProof(match_id, deal, state.commitment, state.contributions, dealer, None, None, is_over)


def _published_deck(match_id: UUID, deal: int, state: MatchState) -> Deck | None:
    rows = GameEvent.objects.filter(match_id=match_id, payload__type="deal_started", payload__deal=deal)
    for schema, payload in rows.values_list("schema", "payload"):
        event = codec.decode(payload, schema)
        if isinstance(event, DealStarted):
            return published_deck(state, event)
    return None
