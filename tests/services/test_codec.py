"""`codec`: every event comes back as it went; old logs load; damage is told."""

from __future__ import annotations

import json

import pytest

from games import codec
from games.engine.cards import Suit
from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    Cause,
    Contributed,
    DealCommitted,
    DealScored,
    DealStarted,
    DealThrownIn,
    Event,
    MatchEnded,
    MatchStarted,
    NextSaid,
    SeatGivenBack,
    SeatTakenOver,
    SeedRevealed,
    TimeRanOut,
)
from games.engine.notation import parse_card
from games.engine.rules import BeloteCall, Litige, RuleSet, Undertrump
from games.engine.scoring import score_deal
from games.engine.seats import BySeat, ByTeam, Occupant, Seat, Team

CAPOT = score_deal(Team.EAST_WEST, ByTeam(0, 152), ByTeam(0, 8), Team.EAST_WEST, Team.NORTH_SOUTH, 81, RuleSet())
LITIGE = score_deal(Team.NORTH_SOUTH, ByTeam(81, 71), ByTeam(5, 3), Team.EAST_WEST, None, 0, RuleSet())

EVENTS: list[Event] = [
    MatchStarted(
        RuleSet(2000, Undertrump.MAY, BeloteCall.MANUAL, Litige.HELD_ALL),
        BySeat(Occupant.EASY, Occupant.PERSON, Occupant.NORMAL, Occupant.PERSON),
    ),
    DealCommitted(3, bytes(range(32))),
    Contributed(Seat.EAST, 3, bytes(range(16))),
    DealStarted(3, Seat.WEST, tuple(range(31, -1, -1))),
    BidMade(Seat.NORTH, None),
    BidMade(Seat.EAST, Suit.CLUBS),
    CardPlayed(Seat.SOUTH, parse_card("KC"), Announcement.BELOTE),
    CardPlayed(Seat.SOUTH, parse_card("7D")),
    DealScored(3, CAPOT),
    DealScored(4, LITIGE),
    DealThrownIn(5),
    SeedRevealed(3, bytes(32)),
    NextSaid(Seat.EAST, 5),
    TimeRanOut(Seat.NORTH),
    TimeRanOut(Seat.SOUTH, Seat.NORTH),
    *[SeatTakenOver(Seat.WEST, cause) for cause in Cause],
    SeatGivenBack(Seat.WEST),
    MatchEnded(Team.EAST_WEST),
    MatchEnded(None),
    MatchEnded(None, by_moderator=True),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_from_json_as_it_went(event: Event) -> None:
    # when
    stored = json.dumps(codec.encode(event))
    # then
    assert codec.decode(json.loads(stored)) == event


@pytest.mark.parametrize(
    "damaged",
    [
        {"type": "card_played", "seat": 0},
        {"type": "card_played", "seat": 4, "card": "JS"},
        {"type": "card_played", "seat": 0, "card": "1S"},
        {"type": "bid_made", "seat": 0, "suit": "X"},
        {"type": "deal_started", "deal": 1, "dealer": 0, "deck": "JS JS"},
        {"type": "deal_committed", "deal": 1, "commitment": "xyz"},
        {"type": "contributed", "seat": 0, "deal": 1, "bits": "0g"},
        {"type": "time_ran_out", "seat": 0},
        {"type": "seat_taken_over", "seat": 0, "cause": "tired"},
        {"type": "seat_given_back", "seat": 4},
        {"type": "match_started", "rules": {"target": 1000}, "occupants": []},
        {"type": "something_else"},
        {},
    ],
)
def test_a_damaged_event_is_a_clear_error(damaged: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        codec.decode(damaged)


@pytest.mark.parametrize("schema", [0, codec.SCHEMA + 1])
def test_an_unknown_schema_is_a_clear_error(schema: int) -> None:
    with pytest.raises(ValueError, match="not known here"):
        codec.decode({"type": "match_ended", "winner": None}, schema)
