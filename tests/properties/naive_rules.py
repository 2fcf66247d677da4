"""The rules once more, straight from the text of R1 and R4 to R6: strings and lists, no masks and no shared tables."""

from __future__ import annotations

TRUMPS_HIGH_TO_LOW = ["J", "9", "A", "T", "K", "Q", "8", "7"]
PLAIN_HIGH_TO_LOW = ["A", "T", "K", "Q", "J", "9", "8", "7"]
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}

type Play = tuple[int, str]
"""A seat, 0 to 3 from North clockwise, and its card, such as ``TH``."""


def points(cards: list[str], trump: str) -> int:
    return sum(TRUMP_POINTS[card[0]] if card[1] == trump else PLAIN_POINTS[card[0]] for card in cards)


def higher_trumps(hand: list[str], trick: list[Play], trump: str) -> list[str]:
    """Return the trumps of a hand that are higher than every trump in the trick."""
    in_trick = [TRUMPS_HIGH_TO_LOW.index(card[0]) for _, card in trick if card[1] == trump]
    return [
        card
        for card in hand
        if card[1] == trump and all(TRUMPS_HIGH_TO_LOW.index(card[0]) < other for other in in_trick)
    ]


def winner(trick: list[Play], trump: str) -> int:
    """R4.8."""
    trumps = [(TRUMPS_HIGH_TO_LOW.index(card[0]), seat) for seat, card in trick if card[1] == trump]
    if trumps:
        return min(trumps)[1]
    led = trick[0][1][1]
    return min((PLAIN_HIGH_TO_LOW.index(card[0]), seat) for seat, card in trick if card[1] == led)[1]


def legal(hand: list[str], trick: list[Play], trump: str, seat: int, undertrump: str) -> tuple[str, list[str]]:
    """Return the rule that binds a seat, and the cards that it leaves to it."""
    if trick == []:
        return "R4.1", hand
    led = trick[0][1][1]
    of_led_suit = [card for card in hand if card[1] == led]
    trumps = [card for card in hand if card[1] == trump]
    higher = higher_trumps(hand, trick, trump)
    if led == trump and trumps:
        return "R4.3", higher if higher else trumps
    if of_led_suit:
        return "R4.2", of_led_suit
    if not trumps:
        return "R4.7", hand
    partner = (seat + 2) % 4
    if winner(trick, trump) == partner:
        return "R4.4", hand
    if higher:
        return "R4.5", higher
    return "R4.6", trumps if undertrump == "must" else hand


def score(
    tricks: list[list[Play]], trump: str, taker: int, belote_seat: int | None, held: int, litige: str
) -> tuple[str, list[int], int]:
    """Return the outcome, what North–South and East–West write down, and what is held afterwards (R6)."""
    mine, yours = taker % 2, 1 - taker % 2
    in_tricks = [0, 0]
    taken_by = [winner(trick, trump) % 2 for trick in tricks]
    for side, trick in zip(taken_by, tricks, strict=True):
        in_tricks[side] += points([card for _, card in trick], trump)
    in_tricks[taken_by[-1]] += 10
    failed_is_worth = 162
    if len(set(taken_by)) == 1:
        in_tricks[taken_by[0]] = 252
        if taken_by[0] == yours:
            failed_is_worth = 252
    belote = [0, 0]
    if belote_seat is not None:
        belote[belote_seat % 2] = 20
    judged = [in_tricks[0] + belote[0], in_tricks[1] + belote[1]]

    written = list(belote)
    if judged[mine] > judged[yours]:
        written = list(judged)
        written[mine] += held
        return "made", written, 0
    if judged[mine] == judged[yours] and litige == "held":
        written[yours] += in_tricks[yours]
        return "litige", written, held + in_tricks[mine]
    if judged[mine] == judged[yours] and litige == "held_all":
        return "litige", written, held + in_tricks[mine] + in_tricks[yours]
    written[yours] += failed_is_worth + held
    return "failed", written, 0
