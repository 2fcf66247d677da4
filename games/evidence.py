"""What a log says of the shuffle of each deal, and whether deck and first dealer follow from it (R2.4, R2.5).

It is gathered before the log is walked along, because a seed is published after its deck was used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from games.engine.dealing import Deck
from games.engine.events import Contributed, DealCommitted, DealStarted, Event, SeedRevealed
from games.engine.seats import Seat
from games.engine.shuffle import (
    CONTRIBUTION_BYTES,
    NO_CONTRIBUTIONS,
    SEED_BYTES,
    Contributions,
    commitment_of,
    dealer_from_seed,
    deck_from_seed,
)


@dataclass(slots=True)
class _Shuffle:
    commitment: bytes = b""
    contributions: Contributions = NO_CONTRIBUTIONS
    dealer: Seat | None = None
    deck: Deck = ()
    seed: bytes | None = None
    revealed_in: int = 0


class Evidence:
    """The shuffles of a match, by deal; of fields that have no right length only what `decide` refuses is left out."""

    def __init__(self, match_id: bytes, events: Iterable[tuple[int, Event]]) -> None:
        """Gather from the events of a log and their numbers."""
        self.match_id = match_id
        self._shuffles: defaultdict[int, _Shuffle] = defaultdict(_Shuffle)
        for number, event in events:
            self._note(number, event)

    def _note(self, number: int, event: Event) -> None:
        match event:
            case DealCommitted(deal, commitment):
                self._shuffles[deal].commitment = commitment
            case Contributed(seat, deal, bits) if len(bits) == CONTRIBUTION_BYTES:
                shuffle = self._shuffles[deal]
                shuffle.contributions = shuffle.contributions.put(seat, bits)
            case DealStarted(deal, dealer, deck):
                self._shuffles[deal].dealer, self._shuffles[deal].deck = dealer, deck
            case SeedRevealed(deal, seed) if len(seed) == SEED_BYTES:
                self._shuffles[deal].seed, self._shuffles[deal].revealed_in = seed, number

    def against(self, event: Event) -> str:
        """Return how an event of the log breaks with the seed of its deal; empty when it does not, or has none.

        A seed that does not fit its commitment is `decide`'s to refuse; when the deck follows from it all the same, it
        is the commitment that is wrong.
        """
        match event:
            case DealCommitted(deal):
                shuffle = self._shuffles[deal]
                seed = shuffle.seed
                if seed is None or commitment_of(seed) == shuffle.commitment or not self._follows(deal, seed):
                    return ""
                return (
                    f"the commitment is not the SHA-256 of the seed in event {shuffle.revealed_in}, "
                    "from which the deck follows"
                )
            case DealStarted(deal):
                shuffle = self._shuffles[deal]
                seed = shuffle.seed
                if seed is None or commitment_of(seed) != shuffle.commitment:
                    return ""
                source = f"the seed in event {shuffle.revealed_in} and the contributions"
                if not self._follows(deal, seed):
                    return f"the deck does not follow from {source}"
                first = dealer_from_seed(seed, self.match_id, shuffle.contributions)
                if deal == 1 and shuffle.dealer is not first:
                    return f"the first dealer that follows from {source} is {first.name.title()}"
            case SeedRevealed(_, seed) if len(seed) != SEED_BYTES:
                return f"the seed has {len(seed)} bytes, not {SEED_BYTES}"
        return ""

    def _follows(self, deal: int, seed: bytes) -> bool:
        shuffle = self._shuffles[deal]
        return deck_from_seed(seed, self.match_id, deal, shuffle.contributions) == shuffle.deck
