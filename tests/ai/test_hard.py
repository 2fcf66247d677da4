"""Hard plays what is best over the worlds that it cannot tell apart (R9.4)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import chain
from statistics import fmean

import pytest

from games.ai.beliefs import Beliefs
from games.ai.hard import FEWEST_WORLDS, WORTH, Hard
from games.ai.normal import Normal
from games.ai.playout import OpenDeal
from games.ai.position import Position
from games.ai.weights import load_weights
from games.engine.cards import POINTS, Card, Mask, Rank, Suit, cards_in, make_card, mask_of
from games.engine.commands import Pass, PlayCard, Take
from games.engine.notation import format_card, parse_suit
from games.engine.play import Trick, legal_cards, trick_winner
from games.engine.rules import Litige, RuleSet, Undertrump
from games.engine.scoring import LAST_TRICK, score_deal
from games.engine.seats import ByTeam, Seat, Team
from games.engine.view import TableView, table_view
from tests.ai.given import N, bidding, playing
from tests.properties.random_matches import random_match

NORMAL = Normal(load_weights())
HARD = Hard(NORMAL)


def endings(seed: int, rules: RuleSet, held: int) -> Iterator[TableView]:
    """Yield views of a choice of cards, as the seat on turn sees it, with so many cards left at most."""
    for _, state in random_match(random.Random(seed), rules, deals=6):
        if state.turn is not None:
            view = table_view(state, state.turn)
            if view.legal & view.legal - 1 and max(view.card_counts) == held:
                yield view


def lead_with_perfect_play(view: TableView, world: tuple[Mask, ...], card: Card) -> int:
    """Return by how much the viewer's side is ahead at the end when all play for points and know every hand."""
    assert view.trump is not None
    assert view.taker is not None
    assert view.trick is not None
    assert view.viewer is not None
    trump = view.trump

    @cache
    def best(hands: tuple[Mask, ...], trick: Trick) -> tuple[int, ...]:
        """Points of each side, the last trick's ten included, then tricks of each side."""
        found = [after(hands, trick, card) for card in cards_in(legal(hands, trick))]
        return max(found, key=lambda end: end[trick.next_seat.team])

    def legal(hands: tuple[Mask, ...], trick: Trick) -> Mask:
        return legal_cards(hands[trick.next_seat], trick, trump, trick.next_seat, view.rules)

    def after(hands: tuple[Mask, ...], trick: Trick, card: Card) -> tuple[int, ...]:
        held = tuple(hand & ~(1 << card) for hand in hands)
        cards = (*trick.cards, card)
        if len(cards) < 4:
            return best(held, Trick(trick.leader, cards))
        winner = trick_winner(Trick(trick.leader, cards), trump)
        ahead = [0, 0, 0, 0]
        ahead[winner.team] = sum(POINTS[trump][card] for card in cards) + LAST_TRICK * (not any(held))
        ahead[2 + winner.team] = 1
        rest = best(held, Trick(winner)) if any(held) else (0, 0, 0, 0)
        return tuple(map(sum, zip(ahead, rest, strict=True)))

    north_south, east_west, *tricks = after(world, view.trick, card)
    points = [view.card_points[0] + north_south, view.card_points[1] + east_west]
    last = Team.NORTH_SOUTH if points[0] >= LAST_TRICK else Team.EAST_WEST
    points[last] -= LAST_TRICK
    for won in view.tricks:
        tricks[won.winner.team] += 1
    belote = belote_side(view, world)
    scores = score_deal(view.taker.team, ByTeam(*points), ByTeam(*tricks), last, belote, 0, view.rules).scores
    return scores[view.viewer.team] - scores[view.viewer.team.other]


def lead_with_normal_play(view: TableView, world: tuple[Mask, ...], card: Card) -> int:
    """Return by how much the viewer's side is ahead at the end when normal plays every other card."""
    assert view.viewer is not None
    deal = OpenDeal(Position.of(view), list(world), belote_side(view, world), view.rules)
    deal.points = list(view.card_points)
    for won in view.tricks:
        deal.tricks[won.winner.team] += 1
    deal.play(card)
    deal.play_out(NORMAL)
    return deal.lead_of(view.viewer.team)


def belote_side(view: TableView, world: tuple[Mask, ...]) -> Team | None:
    """Return the side of the seat that was dealt king and queen of trump."""
    assert view.trick is not None
    assert view.trump is not None
    had = list(world)
    for trick in (view.trick, *[won.trick for won in view.tricks]):
        for place, seen in enumerate(trick.cards):
            had[trick.leader.after(place)] |= 1 << seen
    pair = mask_of(make_card(view.trump, rank) for rank in (Rank.QUEEN, Rank.KING))
    return next((seat.team for seat in Seat if had[seat] & pair == pair), None)


@pytest.mark.parametrize(
    "rules", [RuleSet(), RuleSet(undertrump=Undertrump.MAY, litige=Litige.FAIL)], ids=["default", "other"]
)
@pytest.mark.parametrize("held", [2, 3])
def test_given_few_worlds_when_hard_values_a_card_then_the_mean_over_all_of_them_both_ways(
    rules: RuleSet, held: int
) -> None:
    compared = 0
    for view in chain.from_iterable(endings(seed, rules, held) for seed in range(4)):
        beliefs = Beliefs.of(view)
        split = {won.winner.team for won in view.tricks}
        if beliefs.worlds > FEWEST_WORLDS or len(split) < 2:
            continue
        values = HARD.card_values(view)
        for card, value in values.items():
            worlds = [beliefs.world(number) for number in range(beliefs.worlds)]
            assert value == pytest.approx(
                fmean(
                    how(view, world, card)
                    for how in (lead_with_perfect_play, lead_with_normal_play)
                    for world in worlds
                )
            )
        answer = HARD.choose(view)
        assert isinstance(answer, PlayCard)
        assert values[answer.card] == max(values.values())
        compared += 1
    assert compared > 4


def test_given_cards_that_do_the_same_when_hard_values_them_then_the_first_speaks_for_them() -> None:
    # Nobody else holds a card between the seven and the nine of clubs, and none of the three counts.
    values = HARD.card_values(playing("7C 8C 9C AH TH 7D AS KS", "N:"))

    assert [format_card(card) for card in values if card >> 3 == parse_suit("C")] == ["7C"]


def test_given_a_tie_when_hard_plays_then_the_cheaper_card() -> None:
    compared = 0
    for seed in range(4):
        for view in endings(seed, RuleSet(), 2):
            assert view.trump is not None
            values = HARD.card_values(view)
            tied = [card for card, value in values.items() if value == max(values.values())]
            answer = HARD.choose(view)
            assert isinstance(answer, PlayCard)
            assert POINTS[view.trump][answer.card] == min(POINTS[view.trump][card] for card in tied)
            compared += len(tied) > 1
    assert compared


@pytest.mark.parametrize(
    ("hand", "turn_up", "passes", "answer"),
    [
        ("JS 9S AS AH TH", "TS", 0, Take(Suit.SPADES)),
        ("7S 8H QD KD 9C", "7H", 0, Pass()),
        ("JS 9S AS AH TH", "7C", 4, Take(Suit.SPADES)),
        ("7S 8H QD KD 9C", "JH", 5, Pass()),
    ],
)
def test_given_a_clear_hand_when_hard_bids_then_the_clear_bid(
    hand: str, turn_up: str, passes: int, answer: Take | Pass
) -> None:
    assert HARD.choose(bidding(hand, turn_up, passes)) == answer


def test_given_an_auction_when_hard_values_the_bids_then_every_legal_one_and_passing_first() -> None:
    values = HARD.bid_values(bidding("JS 9S AS AH TH", "7C", 4))

    assert list(values) == [None, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS]
    assert values[Suit.SPADES] > values[Suit.HEARTS] > values[Suit.DIAMONDS]


def test_given_the_same_view_when_hard_is_asked_again_then_the_same_values_whatever_it_thought_of_between() -> None:
    view, other = playing("7C 8C TC AH TH 7D AS KS", "N:"), playing("7H 9H TC AH TH 7D AS KS", "N:KH")
    first = HARD.card_values(view)
    HARD.card_values(other)

    assert HARD.card_values(view) == first == Hard(NORMAL).card_values(view)


@pytest.mark.parametrize("hurry", [True, False])
def test_given_a_time_that_is_over_when_hard_thinks_then_on_the_fewest_worlds(hurry: bool) -> None:
    view = playing("7C 9C TC AH TH 7D AS KS", "N:")
    worths = NORMAL.values(Position.of(view), view.hand, view.legal)

    values = Hard(NORMAL, 0.0 if hurry else None).card_values(view)

    # A score is a whole number, so a mean over so many worlds is a whole number of parts.
    totals = [FEWEST_WORLDS * (value - WORTH * worths[card]) for card, value in values.items()]
    assert all(abs(total - round(total)) < 1e-6 for total in totals) is hurry


def test_given_an_option_that_has_dropped_out_when_the_best_of_then_falls_back_then_it_does_not_come_first() -> None:
    # given: the doubtful one is behind early, but only the lucky one; that is found out later
    scores = {
        "lucky": [20, 0] * 5 + [-50] * 40,
        "steady": [8, 10] * 25,
        "doubtful": [0, 19] * 5 + [99] * 40,
    }
    tried: list[str] = []

    def outcome(world: int, option: str) -> float:
        tried.append(option)
        return scores[option][world]

    # when
    values = HARD._compare(range(50), list(scores), outcome, 1000, {"doubtful"})
    # then
    assert tried.count("doubtful") == 10
    assert max(values, key=values.__getitem__) == "steady"
    assert values["doubtful"] == values["steady"] - 0.5


def test_given_an_ending_and_a_time_that_is_over_when_hard_thinks_then_it_still_answers() -> None:
    for view in endings(3, RuleSet(), 4):
        assert isinstance(Hard(NORMAL, 0.0).choose(view), PlayCard)


def test_given_a_view_of_another_seats_turn_when_hard_is_asked_then_it_says_so() -> None:
    view = playing("7C 8C TC AH TH 7D AS KS", "N:", taker=N)._replace(legal=0)

    with pytest.raises(ValueError, match="nothing to bid or to play"):
        HARD.choose(view)


def test_it_plays_by_the_beliefs_that_it_was_given_and_by_those_of_the_view_without() -> None:
    view = next(endings(5, RuleSet(), held=4))
    believed: list[TableView] = []

    def believe(seen: TableView) -> Beliefs:
        believed.append(seen)
        return Beliefs.of(seen)

    assert Hard(NORMAL, believe=believe).choose(view) == HARD.choose(view)
    assert believed == [view]
