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
STEPS = ["deal_committed", "contributed", "deal_started", "seed_revealed"]
CONTRIBUTED = 1


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
    """Return, by the number of each deal, what the record says of its making.

    What comes twice, or in another order, is refused: a number that came in after the cards were dealt proves nothing.
    """
    deals = {}
    for place, item in enumerate(record["events"], start=1):
        event = item["event"]
        if event["type"] not in STEPS:
            continue
        number, step = event["deal"], STEPS.index(event["type"])
        if type(number) is not int:
            raise ValueError(f"event {place} is of no deal")
        if step == 0 and number == len(deals) + 1:
            deals[number] = {"step": 0, "numbers": [None] * 4, "commitment": event["commitment"]}
            continue
        deal = deals.get(number)
        if deal is None or step < deal["step"] or (step == deal["step"] and step != CONTRIBUTED):
            raise ValueError(f"event {place} does not come here: {STEPS[step]} of deal {number}")
        deal["step"] = step
        if step == CONTRIBUTED:
            seat = event["seat"]
            if type(seat) is not int or not 0 <= seat < 4 or deal["numbers"][seat] is not None:
                raise ValueError(f"event {place}: a seat that is none, or that has sent a number before")
            deal["numbers"][seat] = bytes.fromhex(event["bits"])
        elif event["type"] == "deal_started":
            deal.update(deck=event["deck"], dealer=event["dealer"])
        elif "deck" in deal:
            deal["secret"] = bytes.fromhex(event["seed"])
        else:
            raise ValueError(f"event {place}: the secret of deal {number}, which was not dealt")
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


def members(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a member stands twice in one object, so it can be read in two ways")
    return dict(pairs)


def main(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file, object_pairs_hook=members)
    match = uuid.UUID(record["match"]).bytes
    faulty = 0
    deals = gather(record)
    for number, deal in sorted(deals.items()):
        if "deck" not in deal:
            print(f"deal {number}: its cards were never dealt")
            continue
        if "secret" not in deal:
            faulty += 1
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
