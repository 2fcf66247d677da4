"""Whole recorded deals, one for each corner case: their decisions alone must lead to everything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine.cards import POINTS
from games.engine.events import CardPlayed, DealScored
from games.engine.notation import format_card, format_hand, parse_deck
from games.engine.rules import Phase
from games.engine.seats import BySeat, ByTeam, Seat
from games.engine.view import table_view
from tests.engine.given import Driven
from tests.engine.test_vectors import rules_of

type Record = dict[str, Any]

DEALS: list[Record] = json.loads((Path(__file__).parent / "data" / "deals.json").read_text())["deals"]


def words(suits: tuple[Any, ...]) -> list[str]:
    return ["pass" if suit is None else "SHDC"[suit] for suit in suits]


def held_by(hands: BySeat[int]) -> list[set[str]]:
    return [set(format_hand(hand).split()) for hand in hands]


class Reader:
    """Drives a match along a record and compares what the record says with what the engine did."""

    def __init__(self, record: Record) -> None:
        self.driven = Driven(rules_of(record))

    def deal_start(self, line: Record) -> None:
        self.driven.state = self.driven.now._replace(totals=ByTeam(*line["totals"]), held=line["held"])
        self.driven.deal(parse_deck(" ".join(line["deck"])), Seat(line["dealer"]))
        assert self.driven.running.number == line["deal"]

    def dealt(self, line: Record) -> None:
        assert held_by(self.driven.running.hands) == [set(hand) for hand in line["hands"]]
        assert [len(hand) for hand in line["hands"]] == [5 if line["step"] == 1 else 8] * 4
        if line["step"] == 1:
            assert format_card(self.driven.running.turn_up) == line["turn_up"]

    def bid(self, line: Record) -> None:
        seat = Seat(line["seat"])
        assert self.driven.turn == seat
        assert words(table_view(self.driven.now, seat).legal_bids) == line["legal"]
        self.driven.bid("-" if line["action"] == "pass" else line["action"])

    def contract(self, line: Record) -> None:
        deal = self.driven.running
        assert deal.taker is not None
        assert (deal.taker, deal.taker.team, words((deal.trump,))) == (line["taker"], line["team"], [line["trump"]])
        assert format_card(deal.turn_up) == line["turn_up"]
        assert (1 if len(deal.bids) <= 4 else 2) == line["round"]

    def play(self, line: Record) -> None:
        seat = Seat(line["seat"])
        view = table_view(self.driven.now, seat)
        assert self.driven.turn == seat
        assert len(view.tricks) + 1 == line["trick"]
        assert set(format_hand(view.legal).split()) == set(line["legal"])
        assert bool(view.may_announce) == line["may_announce"]

        before = len(self.driven.log)
        self.driven.play(line["card"])

        played = self.driven.log[before]
        assert isinstance(played, CardPlayed)
        assert (played.seat, format_card(played.card), played.announcement) == (seat, line["card"], line["belote"])

    def trick_won(self, line: Record) -> None:
        deal = self.driven.running
        trick, winner = deal.tricks[-1]
        assert deal.trump is not None
        points = sum(POINTS[deal.trump][card] for card in trick.cards)
        assert (winner, winner.team, points) == (line["seat"], line["team"], line["card_points"])
        assert (len(deal.tricks), len(deal.tricks) == 8) == (line["trick"], line["last"])

    def deal_scored(self, line: Record) -> None:
        scored = next(event for event in self.driven.log if isinstance(event, DealScored))
        score = scored.score
        belote_team = None if line["belote_seat"] is None else Seat(line["belote_seat"]).team
        assert score._asdict() == {
            "outcome": line["outcome"],
            "taker_team": line["taker_team"],
            "capot": line["capot"],
            "belote_team": belote_team,
            "last_trick_team": self.driven.running.tricks[-1].winner.team,
            "trick_points": tuple(line["trick_points"]),
            "judged": tuple(line["judged"]),
            "scores": tuple(line["scores"]),
            "held_in": line["held_in"],
            "held_out": line["held_out"],
            "held_paid_to": line["held_paid_to"],
        }
        assert self.driven.running.belote_seat == line["belote_seat"]
        assert self.driven.now.totals == tuple(line["totals"])
        assert self.driven.now.held == line["held_out"]


@pytest.mark.parametrize("record", [pytest.param(record, id=record["title"]) for record in DEALS])
def test_given_a_recorded_deal_when_its_decisions_are_replayed_then_all_else_follows(record: Record) -> None:
    reader = Reader(record)

    for line in record["events"]:
        getattr(reader, line["type"])(line)

    assert record["events"][-1]["type"] == "deal_scored"
    assert reader.driven.now.phase is Phase.SUMMARY
