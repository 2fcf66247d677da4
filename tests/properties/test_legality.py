"""One legality function, against a naive reading of R4."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import Suit
from games.engine.notation import CARD_NAMES, format_hand, parse_hand
from games.engine.play import Trick, duty, legal_cards, trick_winner
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat
from tests.properties import naive_rules

RULES = {option: RuleSet(undertrump=option) for option in Undertrump}
POSITIONS = 100_000


def agree(cards: list[int], size: int, played: int, leader: Seat, trump: Suit) -> list[str]:
    """Compare both readings for a hand of so many cards and a trick of the next ones; return the rules that bound."""
    hand, trick_cards = cards[:size], tuple(cards[size : size + played])
    trick = Trick(leader, trick_cards)
    seat = trick.next_seat
    names = [CARD_NAMES[card] for card in hand]
    plays = [((leader + place) % 4, CARD_NAMES[card]) for place, card in enumerate(trick_cards)]
    mask = parse_hand(" ".join(names))

    bound = []
    for option, rules in RULES.items():
        rule, expected = naive_rules.legal(names, plays, "SHDC"[trump], seat, option)
        legal = legal_cards(mask, trick, trump, seat, rules)
        assert sorted(format_hand(legal).split()) == sorted(expected), (names, plays, trump, option)
        assert duty(mask, trick, trump, seat, rules).rule == rule, (names, plays, trump, option)
        bound.append(rule)
    if plays:
        assert trick_winner(trick, trump) == naive_rules.winner(plays, "SHDC"[trump])
    return bound


def test_given_100000_random_positions_when_judged_then_the_naive_reading_agrees() -> None:
    rng = random.Random(20161)
    deck = list(range(32))
    bound: Counter[str] = Counter()

    for _ in range(POSITIONS):
        rng.shuffle(deck)
        bound.update(agree(deck, rng.randint(1, 8), rng.randrange(4), Seat(rng.randrange(4)), Suit(rng.randrange(4))))

    assert set(bound) == {"R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R4.6", "R4.7"}
    assert min(bound.values()) > 1000


@settings(max_examples=300, deadline=None)
@given(
    cards=st.permutations(range(32)),
    size=st.integers(1, 8),
    played=st.integers(0, 3),
    leader=st.sampled_from(Seat),
    trump=st.sampled_from(Suit),
)
def test_given_any_position_when_judged_then_the_naive_reading_agrees(
    cards: list[int], size: int, played: int, leader: Seat, trump: Suit
) -> None:
    agree(cards, size, played, leader, trump)
