"""The plain players do what their words say, and answer whenever they are asked."""

from __future__ import annotations

import random

import pytest

from games.arena import NAMES, player_named
from games.engine.commands import PlayCard
from games.engine.decide import decide
from games.engine.notation import format_card
from games.engine.rules import RuleSet
from games.engine.view import table_view
from tests.ai.given import E, bidding, playing
from tests.properties.random_matches import random_match


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        # On lead: the cheapest of the cards of which no higher one is unseen.
        ("AH TH JS 9S AS 7C 8C KD", "N:", "TH"),
        ("AH KH JS 9S AS 7C 8C KD", "N:", "AH"),
        # None is high: the lowest.
        ("TH KH 9S AS 7C 8C QD KD", "N:", "7C"),
        # An opponent is winning: as cheaply as it can, a ruff included.
        ("TH AH 7S 8S 7C 8C QD KD", "N:KH", "TH"),
        ("7S JS 9S 8S 7C 8C QD KD", "N:KH", "7S"),
        # It cannot: the lowest.
        ("7H QH 7S 8S 7C 8C QD KD", "N:KH", "7H"),
        # The partner is winning, and an opponent may still beat it: the lowest.
        ("7H QH 7S 8S 7C 8C QD KD", "N:KH 8H", "7H"),
        ("7H AH 7S 8S 7C 8C QD KD", "N:KH 8H", "7H"),
        # The partner's trick is safe: the most points.
        ("7H TH 7S 8S 7C 8C QD KD", "N:8H AH 9H", "TH"),
        # It does not take that trick from its partner for the sake of points,
        ("8C JS 9S TC 7D 8D QD KD", "N:8H AH 9H", "TC"),
        ("7H JH AH TH 7C 8D QD KD", "N:8H QH 9H", "JH"),
        # and where it has to, as cheaply as it can.
        ("AH TH 7S 8S 7C 8D QD KD", "N:8H QH 9H", "TH"),
    ],
)
def test_given_a_trick_when_greedy_plays_then_as_its_words_say(hand: str, trick: str, card: str) -> None:
    answer = player_named("greedy", 1).choose(playing(hand, trick))

    assert isinstance(answer, PlayCard)
    assert format_card(answer.card) == card


def test_given_a_trick_that_it_could_win_when_lowest_plays_then_the_lowest() -> None:
    answer = player_named("lowest", 1).choose(playing("7H AH 7S 8S 7C 8C QD KD", "N:KH", taker=E))

    assert isinstance(answer, PlayCard)
    assert format_card(answer.card) == "7H"


@pytest.mark.parametrize("name", ["lowest", "greedy"])
@pytest.mark.parametrize(("hand", "turn_up"), [("JS 9S AS TH AH", "KS"), ("7S 8H QD KC 9C", "KS")])
def test_given_an_auction_when_a_plain_player_bids_then_like_normal(name: str, hand: str, turn_up: str) -> None:
    view = bidding(hand, turn_up)

    assert player_named(name, 1).choose(view) == player_named("normal", 1).choose(view)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "hard"])
def test_given_random_matches_when_a_player_answers_twice_then_legal_and_the_same(name: str) -> None:
    for seed in range(5):
        for _, state in random_match(random.Random(seed), RuleSet(), deals=2):
            if state.turn is not None:
                view = table_view(state, state.turn)
                answer = player_named(name, 7).choose(view)
                assert decide(state, state.turn, answer)
                assert player_named(name, 7).choose(view) == answer
