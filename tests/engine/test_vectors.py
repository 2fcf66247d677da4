"""Hand-written positions and scores, one test for each, and what must come of them (R2 to R7, R9.2)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.ai.easy import lowest_card
from games.engine.auction import Bid, bidding_round, legal_bids
from games.engine.cards import POINTS, cards_in
from games.engine.dealing import TURN_UP, first_hands, full_hands
from games.engine.notation import format_card, format_hand, parse_card, parse_deck, parse_hand, parse_suit
from games.engine.play import Trick, legal_cards, trick_winner
from games.engine.rules import BeloteCall, Litige, Phase, RuleSet, Undertrump
from games.engine.scoring import match_winner, score_deal
from games.engine.seats import BySeat, ByTeam, Seat, Team
from tests.engine.given import Driven, at_last_card, at_play

type Vector = dict[str, Any]

VECTORS: list[Vector] = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text())["vectors"]
OPTIONS = {"undertrump": Undertrump, "belote": BeloteCall, "litige": Litige}


def of_kind(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", [pytest.param(v, id=v["id"]) for v in VECTORS if v["kind"] == kind])


def rules_of(vector: Vector) -> RuleSet:
    return RuleSet(**{name: OPTIONS[name](value) for name, value in vector.get("rules", {}).items()})


def trick_of(plays: list[tuple[int, str]], leader: int) -> Trick:
    seats = [leader, *(seat for seat, _ in plays)] if not plays else [seat for seat, _ in plays]
    assert all(Seat(before).left == after for before, after in pairwise(seats))
    return Trick(Seat(seats[0]), tuple(parse_card(card) for _, card in plays))


def score_of(deal: Vector, held: int, rules: RuleSet) -> Any:
    belote = deal["belote_team"]
    return score_deal(
        Team(deal["taker_team"]),
        ByTeam(*deal["card_points"]),
        ByTeam(*deal["tricks_won"]),
        Team(deal["last_trick_team"]),
        None if belote is None else Team(belote),
        held,
        rules,
    )


def test_given_the_vectors_when_sorted_by_kind_then_no_kind_is_left_out() -> None:
    assert {v["kind"] for v in VECTORS} == {
        "legal", "trick", "score", "game", "bids", "deal", "belote", "lowest",
    }  # fmt: skip
    assert len(VECTORS) == 43


@of_kind("legal")
def test_given_a_trick_when_a_seat_is_next_then_its_legal_cards(vector: Vector) -> None:
    seat = Seat(vector["seat"])
    hand = parse_hand(" ".join(vector["hand"]))

    legal = legal_cards(hand, trick_of(vector["trick"], seat), parse_suit(vector["trump"]), seat, rules_of(vector))

    assert set(format_hand(legal).split()) == set(vector["expect"])


@of_kind("trick")
def test_given_a_full_trick_when_won_then_its_winner_and_points(vector: Vector) -> None:
    trick, trump = trick_of(vector["trick"], 0), parse_suit(vector["trump"])

    points = sum(POINTS[trump][card] for card in trick.cards) + (10 if vector["last"] else 0)

    assert {"winner": trick_winner(trick, trump), "points": points} == vector["expect"]


@of_kind("score")
def test_given_a_deal_played_out_when_scored_then_who_writes_what(vector: Vector) -> None:
    score = score_of(vector, vector["held"], rules_of(vector))

    seen = {
        "outcome": score.outcome,
        "capot": score.capot,
        "scores": list(score.scores),
        "held_out": score.held_out,
        "trick_points": list(score.trick_points),
    }
    assert {key: seen[key] for key in vector["expect"]} == vector["expect"]


@of_kind("game")
def test_given_totals_when_the_deals_are_played_then_the_match_stands_so(vector: Vector) -> None:
    driven = Driven(rules_of(vector))
    driven.state = driven.now._replace(totals=ByTeam(*vector["totals"]), held=vector["held"])

    for deal in vector["deals"]:
        assert driven.now.phase is not Phase.OVER
        driven.deal()
        if deal == "all_passed":
            driven.bid("- - - - - - - -")
            continue
        assert deal["belote_team"] is None
        driven.bid("- - - - S")
        at_last_card(
            driven,
            Team(deal["taker_team"]),
            ByTeam(*deal["card_points"]),
            ByTeam(*deal["tricks_won"]),
            Team(deal["last_trick_team"]),
        ).play("8D")

    now = driven.now
    assert {"totals": list(now.totals), "held": now.held, "winner": now.winner} == vector["expect"]
    assert (now.phase is Phase.OVER) == (now.winner is not None)
    assert match_winner(now.totals, now.rules) == now.winner


@of_kind("bids")
def test_given_a_turned_card_when_a_seat_bids_then_what_it_may_say(vector: Vector) -> None:
    turn_up = parse_card(vector["turn_up"])
    bids = tuple(Bid(Seat(n % 4), None) for n in range(4 * (vector["round"] - 1)))

    legal = legal_bids(bids, turn_up)

    assert bidding_round(bids) == vector["round"]
    assert ["pass" if suit is None else "SHDC"[suit] for suit in legal] == vector["expect"]


@of_kind("deal")
def test_given_a_deck_when_dealt_then_the_packets(vector: Vector) -> None:
    deck = parse_deck(" ".join(vector["deck"]))
    dealer, taker = Seat(vector["dealer"]), Seat(vector["taker"])

    def sets(hands: BySeat[int]) -> list[set[str]]:
        return [set(format_hand(hand).split()) for hand in hands]

    assert format_card(deck[TURN_UP]) == vector["expect"]["turn_up"]
    assert sets(first_hands(deck, dealer)) == [set(hand) for hand in vector["expect"]["first"]]
    assert sets(full_hands(deck, dealer, taker)) == [set(hand) for hand in vector["expect"]["full"]]


@of_kind("belote")
def test_given_cards_and_words_when_the_deal_is_scored_then_whose_belote_it_is(vector: Vector) -> None:
    plays = vector["plays"]
    hands = BySeat(*[" ".join(card for seat, card, _ in plays if seat == wanted) for wanted in Seat])
    driven = at_play(hands, vector["trump"], rules=rules_of(vector))

    for seat, card, said in plays:
        driven.state = driven.now._replace(deal=driven.running._replace(turn=Seat(seat), trick=Trick(Seat(seat))))
        driven.play(card + "!" * said)
    at_last_card(driven, Team.NORTH_SOUTH, ByTeam(90, 62), ByTeam(5, 3), Team.NORTH_SOUTH).play("8D")

    result = driven.now.results[-1].score
    assert result is not None
    assert result.belote_team == vector["expect"]
    assert sum(result.judged) == 162 + (0 if vector["expect"] is None else 20)


@of_kind("lowest")
def test_given_legal_cards_when_easy_plays_then_the_lowest(vector: Vector) -> None:
    legal = parse_hand(" ".join(vector["legal"]))

    card = lowest_card(legal, parse_suit(vector["trump"]))

    assert card in cards_in(legal)
    assert format_card(card) == vector["expect"]
