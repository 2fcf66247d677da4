"""Which cards a seat may play, why, and who wins a trick (R4)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from games.engine.cards import STRENGTH, SUIT_CARDS, TRUMPS_OVER, Card, Mask, Rank, Suit, make_card
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat


class Trick(NamedTuple):
    """The cards of a trick in the order played, from its leader clockwise; none to four of them."""

    leader: Seat
    cards: tuple[Card, ...] = ()

    @property
    def next_seat(self) -> Seat:
        """The seat that plays the next card."""
        return self.leader.after(len(self.cards))


class WonTrick(NamedTuple):
    """A finished trick and the seat that won it."""

    trick: Trick
    winner: Seat


class Duty(StrEnum):
    """What the rules ask of the seat on turn; each names its rule in `rule`."""

    LEAD = "lead"
    """R4.1: any card."""
    FOLLOW = "follow"
    """R4.2: the led plain suit."""
    BEAT_TRUMP = "beat_trump"
    """R4.3: trump led, a higher trump is held."""
    FOLLOW_TRUMP = "follow_trump"
    """R4.3: trump led, only lower trumps are held."""
    PARTNER_WINS = "partner_wins"
    """R4.4: void while the partner is winning, any card."""
    RUFF = "ruff"
    """R4.5: void, an opponent is winning with a plain card."""
    OVERRUFF = "overruff"
    """R4.5: void, an opponent is winning with a trump that can be beaten."""
    UNDERTRUMP = "undertrump"
    """R4.6: void, only lower trumps, and the room says that one of them must be played."""
    FREE_OF_UNDERTRUMP = "free_of_undertrump"
    """R4.6: void, only lower trumps, and the room frees the seat."""
    DISCARD = "discard"
    """R4.7: void and without trumps, any card."""

    @property
    def rule(self) -> str:
        """The rule's number."""
        return _DUTY_RULES[self]


_DUTY_RULES = {
    Duty.LEAD: "R4.1",
    Duty.FOLLOW: "R4.2",
    Duty.BEAT_TRUMP: "R4.3",
    Duty.FOLLOW_TRUMP: "R4.3",
    Duty.PARTNER_WINS: "R4.4",
    Duty.RUFF: "R4.5",
    Duty.OVERRUFF: "R4.5",
    Duty.UNDERTRUMP: "R4.6",
    Duty.FREE_OF_UNDERTRUMP: "R4.6",
    Duty.DISCARD: "R4.7",
}


def legal_cards(hand: Mask, trick: Trick, trump: Suit, seat: Seat, rules: RuleSet) -> Mask:
    """Return the cards of ``hand`` that ``seat`` may play on ``trick`` (R4.1 to R4.7).

    The result is never empty for a hand that is not empty.

    Raises:
        ValueError: it is not the seat's turn in this trick.
    """
    leader, cards = trick
    count = len(cards)
    if leader + count & 3 != seat or count == 4:
        raise _not_next(seat, trick)
    if not count:
        return hand
    lead = cards[0] >> 3
    following = hand & SUIT_CARDS[lead]
    if following and lead != trump:
        return following
    trumps = hand & SUIT_CARDS[trump]
    if not trumps or (lead != trump and _partner_wins(cards, STRENGTH[trump][lead])):
        return hand
    over, over_row = trumps, TRUMPS_OVER[trump]
    for card in cards:
        over &= over_row[card]
    if over:
        return over
    return trumps if lead == trump or rules.undertrump is Undertrump.MUST else hand


def _not_next(seat: Seat, trick: Trick) -> ValueError:
    return ValueError(f"{seat.name} is not next to play on {trick}")


def _partner_wins(cards: tuple[Card, ...], strength: tuple[int, ...]) -> bool:
    """Tell whether the partner of the next seat is winning (R4.4)."""
    count = len(cards)
    if count < 2:
        return False
    partners = strength[cards[count - 2]]
    return partners > strength[cards[count - 1]] and (count == 2 or partners > strength[cards[0]])


def duty(hand: Mask, trick: Trick, trump: Suit, seat: Seat, rules: RuleSet) -> Duty:
    """Return what the rules ask of ``seat``; arguments and errors as in `legal_cards`."""
    if trick.next_seat != seat or len(trick.cards) == 4:
        raise _not_next(seat, trick)
    if not trick.cards:
        return Duty.LEAD
    lead = trick.cards[0] >> 3
    trumps = hand & SUIT_CARDS[trump]
    over = trumps
    for card in trick.cards:
        over &= TRUMPS_OVER[trump][card]
    if lead == trump:
        if not trumps:
            return Duty.DISCARD
        return Duty.BEAT_TRUMP if over else Duty.FOLLOW_TRUMP
    if hand & SUIT_CARDS[lead]:
        return Duty.FOLLOW
    if not trumps:
        return Duty.DISCARD
    if _partner_wins(trick.cards, STRENGTH[trump][lead]):
        return Duty.PARTNER_WINS
    if over:
        ruffed = any(card >> 3 == trump for card in trick.cards)
        return Duty.OVERRUFF if ruffed else Duty.RUFF
    return Duty.UNDERTRUMP if rules.undertrump is Undertrump.MUST else Duty.FREE_OF_UNDERTRUMP


def trick_winner(trick: Trick, trump: Suit) -> Seat:
    """Return the seat that is winning a trick of one to four cards (R4.8).

    Raises:
        ValueError: the trick has no card.
    """
    leader, cards = trick
    if not cards:
        raise ValueError("an empty trick has no winner")
    strength = STRENGTH[trump][cards[0] >> 3]
    best, winner = -1, 0
    for index, card in enumerate(cards):
        if strength[card] > best:
            best, winner = strength[card], index
    return leader.after(winner)


def announceable(hand: Mask, trump: Suit, seat: Seat, belote_seat: Seat | None) -> Mask:
    """Return the cards of ``hand`` with which ``seat`` may say belote or rebelote (R5.1, R5.5).

    ``belote_seat`` is the seat that has said belote in this deal; without that word there is no rebelote (R5.2).
    """
    pair = BELOTE_PAIRS[trump]
    held = hand & pair
    return held if held == pair or belote_seat is seat else 0


BELOTE_PAIRS = tuple(1 << make_card(suit, Rank.QUEEN) | 1 << make_card(suit, Rank.KING) for suit in Suit)
"""``BELOTE_PAIRS[trump]``: the queen and king of trump (R5.1)."""
