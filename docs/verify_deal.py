#!/usr/bin/env python3
"""Verify the deals of a belote record, with nothing but Python 3.8 or newer.

    python3 verify_deal.py belote-….json

For each deal whose secret is in the record it makes the deck anew and compares. It ends with status 1 when anything
does not hold. What is computed, and why, is stated in docs/fair-deals.md; how a record looks, in docs/record.md.
"""

import hashlib
import hmac
import json
import sys
import uuid

CARDS = [rank + suit for suit in "SHDC" for rank in "789TJQKA"]
SEATS = ["North", "East", "South", "West"]


def stream(secret, label, match, deal, numbers):
    """Yield the bytes of HMAC-SHA256(secret, label, match, deal, presence and number of each seat, block) of blocks
    0, 1, 2 …"""
    head = label + match + deal.to_bytes(4, "big")
    for number in numbers:
        head += bytes(17) if number is None else b"\x01" + number
    block = 0
    while True:
        yield from hmac.new(secret, head + block.to_bytes(4, "big"), hashlib.sha256).digest()
        block += 1


def below(source, n):
    """Draw a number below n; bytes that would make some numbers likelier than others are left out."""
    limit = 256 - 256 % n
    while True:
        byte = next(source)
        if byte < limit:
            return byte % n


def deck_of(secret, match, deal, numbers):
    """Shuffle the 32 cards (Fisher and Yates, the last place first)."""
    source = stream(secret, b"belote-deal-1", match, deal, numbers)
    deck = list(range(32))
    for last in range(31, 0, -1):
        other = below(source, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return " ".join(CARDS[card] for card in deck)


def first_dealer_of(secret, match, numbers):
    return below(stream(secret, b"belote-dealer-1", match, 1, numbers), 4)


def gather(record):
    """Return, by the number of each deal, what the record says of its making."""
    deals = {}
    for item in record["events"]:
        event = item["event"]
        kind = event["type"]
        if kind == "deal_committed":
            deals[event["deal"]] = {"commitment": event["commitment"], "numbers": [None] * 4}
        elif kind == "contributed":
            deals[event["deal"]]["numbers"][event["seat"]] = bytes.fromhex(event["bits"])
        elif kind == "deal_started":
            deals[event["deal"]].update(deck=event["deck"], dealer=event["dealer"])
        elif kind == "seed_revealed":
            deals[event["deal"]]["secret"] = bytes.fromhex(event["seed"])
    return deals


def faults_of(match, number, deal):
    """Yield what does not hold of a deal whose secret is known."""
    secret, numbers = deal["secret"], deal["numbers"]
    if hashlib.sha256(secret).hexdigest() != deal["commitment"]:
        yield "the commitment is not the SHA-256 of the secret"
    if deck_of(secret, match, number, numbers) != deal.get("deck"):
        yield "the deck does not follow from the secret and the random numbers"
    if number == 1 and first_dealer_of(secret, match, numbers) != deal.get("dealer"):
        yield "the first dealer does not follow from the secret and the random numbers"


def main(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    match = uuid.UUID(record["match"]).bytes
    faulty = 0
    deals = gather(record)
    for number, deal in sorted(deals.items()):
        if "secret" not in deal:
            print(f"deal {number}: its secret is not in the record, so it cannot be verified")
            continue
        faults = list(faults_of(match, number, deal))
        faulty += bool(faults)
        given = [name for name, bits in zip(SEATS, deal["numbers"]) if bits is not None]
        print(f"deal {number}: {'; '.join(faults) or 'holds'} (random numbers from {', '.join(given) or 'nobody'})")
    print(f"{len(deals)} deals, of them wrong: {faulty}")
    return 1 if faulty or not deals else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1]))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        sys.exit(f"{sys.argv[1]} cannot be read as a record: {type(error).__name__}: {error}")
