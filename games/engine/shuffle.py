"""The verifiable shuffle: a published commitment, a secret seed, and the deck that follows from it.

``block(i) = HMAC-SHA256(seed, label | match | deal | contributions | i)`` with fixed-length fields: the label's ASCII
bytes, 16 bytes of match id, the deal's number as 4 bytes big-endian, for North, East, South and West a presence byte
(0 or 1) and 16 bytes (zero when absent), and the block's number as 4 bytes big-endian. The blocks, one after the
other, are a stream of bytes; a draw below *n* takes the next byte and rejects it unless it is under the greatest
multiple of *n* that a byte can hold. The deck is the Fisher-Yates shuffle (Durstenfeld's form, last place first) of
the 32 cards in index order, so that each of the 32! decks is equally likely for a random seed (R2.4).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from games.engine.dealing import Deck
from games.engine.seats import BySeat, Seat

SEED_BYTES = 32
CONTRIBUTION_BYTES = 16
_DEAL_LABEL = b"belote-deal-1"
_DEALER_LABEL = b"belote-dealer-1"

type Contributions = BySeat[bytes | None]
NO_CONTRIBUTIONS: Contributions = BySeat(None, None, None, None)


def commitment_of(seed: bytes) -> bytes:
    """Return the 32 bytes that are published before the deal: the SHA-256 of the seed."""
    return hashlib.sha256(seed).digest()


def deck_from_seed(seed: bytes, match_id: bytes, deal: int, contributions: Contributions = NO_CONTRIBUTIONS) -> Deck:
    """Return the deck of a deal.

    Args:
        seed: 32 secret bytes.
        match_id: 16 bytes.
        deal: its number in the match, from 1.
        contributions: 16 bytes from each seat that sent some.

    Raises:
        ValueError: a field has the wrong length.
    """
    stream = _stream(seed, _DEAL_LABEL, match_id, deal, contributions)
    deck = list(range(32))
    for last in range(31, 0, -1):
        other = _below(stream, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def dealer_from_seed(seed: bytes, match_id: bytes, contributions: Contributions = NO_CONTRIBUTIONS) -> Seat:
    """Draw the first dealer of a match (R2.5) from the seed of its first deal; arguments as in `deck_from_seed`."""
    return Seat(_below(_stream(seed, _DEALER_LABEL, match_id, 1, contributions), 4))


def _stream(seed: bytes, label: bytes, match_id: bytes, deal: int, contributions: Contributions) -> Iterator[int]:
    if len(seed) != SEED_BYTES or len(match_id) != 16:
        raise ValueError("a seed has 32 bytes and a match id 16")
    if any(part is not None and len(part) != CONTRIBUTION_BYTES for part in contributions):
        raise ValueError("a contribution has 16 bytes")
    fields = b"".join(bytes(17) if part is None else b"\x01" + part for part in contributions)
    message = label + match_id + deal.to_bytes(4, "big") + fields
    block = 0
    while True:
        yield from hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        block += 1


def _below(stream: Iterator[int], n: int) -> int:
    limit = 256 - 256 % n
    while (byte := next(stream)) >= limit:
        pass
    return byte % n
