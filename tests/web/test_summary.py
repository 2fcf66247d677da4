"""What a deal was worth and why, as it is told after the deal and in the score sheet."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.commands import CommitDeal, EndMatch, Next
from games.engine.rules import Litige, RuleSet
from games.engine.seats import ByTeam, Seat
from games.engine.shuffle import commitment_of
from tests.engine.given import EW, Driven, E, N, S, W, at_last_card, seed_of
from tests.web.shown import ended, page

OUTCOMES: dict[str, tuple[dict[str, Any], str, list[str], tuple[str, str]]] = {
    "made": (
        {"points": (90, 62)},
        "Mari takes spades: contract made",
        ["The takers have 100 and the defence 62: each side scores its points (R6.2)."],
        ("100", "62"),
    ),
    "made with belote": (
        {"points": (90, 62), "belote": N},
        "Mari takes spades: contract made",
        [
            "The takers have 120 and the defence 62: each side scores its points (R6.2).",
            "Belote gives the takers 20 points (R5.1).",
        ],
        ("120", "62"),
    ),
    "made, belote of the defence": (
        {"points": (90, 62), "belote": E},
        "Mari takes spades: contract made",
        [
            "The takers have 100 and the defence 82: each side scores its points (R6.2).",
            "Belote gives the defence 20 points (R5.1).",
        ],
        ("100", "82"),
    ),
    "belote half said": (
        {"points": (90, 62), "belote": N, "words": 1},
        "Mari takes spades: contract made",
        [
            "The takers have 100 and the defence 62: each side scores its points (R6.2).",
            "Only one of the words belote and rebelote was said, so the 20 points are lost (R5.2).",
        ],
        ("100", "62"),
    ),
    "failed": (
        {"points": (60, 92)},
        "Mari takes spades: contract failed",
        ["The takers have 70 and the defence 92: the defence scores 162 (R6.3)."],
        ("0", "162"),
    ),
    "failed, belote kept": (
        {"points": (50, 102), "belote": S},
        "Mari takes spades: contract failed",
        [
            "The takers have 80 and the defence 102: the defence scores 162 (R6.3).",
            "The takers keep the 20 points of their belote (R5.4).",
        ],
        ("20", "162"),
    ),
    "capot": (
        {"points": (152, 0), "tricks": (8, 0)},
        "Mari takes spades: contract made",
        [
            "Capot: the takers won all eight tricks, which is worth 252 in place of 162 (R6.4).",
            "The takers have 252 and the defence 0: each side scores its points (R6.2).",
        ],
        ("252", "0"),
    ),
    "capot, belote kept by the defence": (
        {"points": (152, 0), "tricks": (8, 0), "belote": W},
        "Mari takes spades: contract made",
        [
            "Capot: the takers won all eight tricks, which is worth 252 in place of 162 (R6.4).",
            "The takers have 252 and the defence 20: each side scores its points (R6.2).",
            "The defence keeps the 20 points of its belote (R5.4).",
        ],
        ("252", "20"),
    ),
    "capot of the defence": (
        {"points": (0, 152), "tricks": (0, 8), "last": EW},
        "Mari takes spades: contract failed",
        [
            "Capot: the defence won all eight tricks, which is worth 252 in place of 162 (R6.4).",
            "The takers have 0 and the defence 252: the contract fails (R6.4).",
        ],
        ("0", "252"),
    ),
    "litige, held": (
        {"points": (71, 81), "held": 30},
        "Mari takes spades: litige, a tie",
        [
            "Both sides have 81: nobody has won the deal (R6.5).",
            "The defence scores its points; the takers' 81 are held for the next winner (R6.5).",
            "With what was held before, 111 points are held now (R6.6).",
        ],
        ("0", "81"),
    ),
    "litige with the takers' belote, held": (
        {"points": (61, 91), "belote": N},
        "Mari takes spades: litige, a tie",
        [
            "Both sides have 91: nobody has won the deal (R6.5).",
            "The defence scores its points; the takers' 71 are held for the next winner (R6.5).",
            "The takers keep the 20 points of their belote (R5.4).",
        ],
        ("20", "91"),
    ),
    "litige, all held": (
        {"points": (81, 71), "belote": E, "rules": RuleSet(litige=Litige.HELD_ALL)},
        "Mari takes spades: litige, a tie",
        [
            "Both sides have 91: nobody has won the deal (R6.5).",
            "The 162 trick points of both sides are held for the next winner (R6.5).",
            "The defence keeps the 20 points of its belote (R5.4).",
        ],
        ("0", "20"),
    ),
    "litige that fails": (
        {"points": (71, 81), "rules": RuleSet(litige=Litige.FAIL)},
        "Mari takes spades: contract failed",
        ["Both sides have 81, which fails at this table: the defence scores 162 (R6.5)."],
        ("0", "162"),
    ),
    "held points to the takers": (
        {"points": (90, 62), "held": 81},
        "Mari takes spades: contract made",
        [
            "The takers have 100 and the defence 62: each side scores its points (R6.2).",
            "The 81 points that were held go to the takers (R6.6).",
        ],
        ("181", "62"),
    ),
    "held points to the defence": (
        {"points": (60, 92), "held": 81},
        "Mari takes spades: contract failed",
        [
            "The takers have 70 and the defence 92: the defence scores 162 (R6.3).",
            "The 81 points that were held go to the defence (R6.6).",
        ],
        ("0", "243"),
    ),
    "equal beyond the target": (
        {"points": (90, 62), "totals": (950, 988)},
        "Mari takes spades: contract made",
        [
            "The takers have 100 and the defence 62: each side scores its points (R6.2).",
            "Both sides have 1050: another deal decides the match (R7.2).",
        ],
        ("100", "62"),
    ),
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_given_an_outcome_when_summed_up_then_the_verdict_and_every_reason(outcome: str) -> None:
    situation, verdict, reasons, (north_south, east_west) = OUTCOMES[outcome]

    driven = ended(**situation)
    ours, theirs = page(driven, S)["summary"], page(driven, W)["summary"]

    assert ours["is_open"]
    assert (ours["title"], ours["verdict"], ours["suit"]) == ("Deal 1", verdict, "spades")
    assert ours["reasons"] == reasons == theirs["reasons"]
    assert (ours["scored_us"], ours["scored_them"]) == (north_south, east_west)
    assert (theirs["scored_us"], theirs["scored_them"]) == (east_west, north_south)
    totals = [str(total) for total in driven.now.totals]
    assert [ours["total_us"], ours["total_them"]] == totals


def test_given_a_scored_deal_when_summed_up_then_its_parts_stand_in_rows() -> None:
    driven = ended((80, 72), belote=E, held=40)

    shown = page(driven)["summary"]

    assert [(row["label"], row["us"], row["them"]) for row in shown["rows"]] == [
        ("Card points", "80", "72"),
        ("Last trick", "10", "–"),
        ("Belote", "–", "20"),
        ("Held points", "–", "40"),
    ]
    assert (shown["scored_us"], shown["scored_them"]) == ("0", "222")


def test_given_a_deal_that_was_played_out_when_looking_back_then_the_last_trick_has_its_ten_points() -> None:
    shown = page(ended((90, 62)))

    assert shown["last_trick"]["text"] == "Mari won it: 10 points"
    assert [entry["text"] for entry in shown["play_log"]["entries"]][-3:] == [
        "Mari wins the trick: 10 points",
        "Mari takes spades: contract made",
        "Scored: Us 100, Them 62",
    ]
    assert shown["felt"]["is_finished"]


def test_given_a_capot_when_summed_up_then_it_stands_in_place_of_card_points_and_last_trick() -> None:
    shown = page(ended((152, 0), (8, 0)))["summary"]

    assert [(row["label"], row["us"], row["them"]) for row in shown["rows"]] == [("Capot", "252", "–")]


def test_given_a_deal_that_all_passed_when_summed_up_then_it_is_thrown_in_and_listed() -> None:
    driven = Driven().deal()
    driven.state = driven.now._replace(held=81)

    driven.bid("- - - - - - - -")
    shown = page(driven)

    assert shown["summary"]["verdict"] == "All passed twice: the deal is thrown in"
    assert shown["summary"]["reasons"] == [
        "All passed twice, so nobody scores (R3.4).",
        "The 81 points held so far stay held (R3.4).",
    ]
    assert shown["summary"]["rows"] == []
    assert [(row["number"], row["us"], row["them"], row["note"]) for row in shown["sheet"]["rows"]] == [
        (1, 0, 0, "all passed")
    ]
    assert shown["sheet"]["chart"] is None
    assert shown["felt"]["turn_up"].code == "JD"
    assert (shown["topbar"]["held"], shown["topbar"]["held_text"]) == (81, "Held: 81")


def test_given_a_summary_when_next_is_said_then_the_button_waits_and_the_line_changes() -> None:
    driven = ended((90, 62))

    before = page(driven)
    driven.do(S, Next(1))
    after = page(driven)

    assert before["status"] == {"text": "Press Next deal when you are ready", "is_my_turn": True}
    assert before["is_my_turn"]
    assert [(b["command"], b["label"], b["is_waiting"]) for b in before["actions"]["buttons"]] == [
        ("next", "Next deal", False)
    ]
    assert after["status"] == {"text": "The next deal starts when everybody is ready", "is_my_turn": False}
    assert [b["is_waiting"] for b in after["actions"]["buttons"]] == [True]
    assert not after["is_my_turn"]
    assert page(driven, None)["actions"]["buttons"] == []


def test_given_a_target_that_is_reached_when_summed_up_then_the_match_is_won_and_lost() -> None:
    driven = ended((90, 62), totals=(950, 900), held=0)

    ours, theirs, others = (page(driven, viewer) for viewer in (S, W, None))

    assert (ours["summary"]["title"], ours["summary"]["is_won"]) == ("You win the match", True)
    assert (theirs["summary"]["title"], theirs["summary"]["is_won"]) == ("They win the match", False)
    assert (others["summary"]["title"], others["summary"]["is_won"]) == ("North–South win the match", False)
    assert ours["summary"]["is_final"]
    assert ours["summary"]["verdict"] == "The match ends 1050 to 962."
    assert ours["summary"]["reasons"] == [
        "Mari takes spades: contract made",
        "The takers have 100 and the defence 62: each side scores its points (R6.2).",
        "A side has reached 1000, and the higher total wins (R7.1).",
    ]
    assert ours["actions"]["play_again"]
    assert not others["actions"]["play_again"]
    assert ours["status"] == {"text": "You win the match", "is_my_turn": False}


def test_given_held_points_at_the_end_when_summed_up_then_they_are_void() -> None:
    driven = ended((71, 81), totals=(500, 950))

    assert "The 81 points still held are void (R7.4)." in page(driven)["summary"]["reasons"]


def test_given_a_match_that_is_broken_off_when_summed_up_then_it_is_void() -> None:
    driven = Driven().deal()

    driven.server(EndMatch())
    shown = page(driven)

    assert (shown["summary"]["title"], shown["summary"]["is_final"]) == ("The match is void", True)
    assert shown["summary"]["verdict"] == "The match was ended before either side had won it."
    assert shown["summary"]["reasons"] == ["The deal was broken off"]
    assert [row["note"] for row in shown["sheet"]["rows"]] == ["broken off"]
    assert {item["reason"] for item in shown["hand"]["cards"]} == {"The match is over (R7.1)."}


def test_given_a_match_that_a_moderator_ended_when_summed_up_then_everybody_is_told() -> None:
    driven = Driven().deal()

    driven.server(EndMatch(by_moderator=True))

    for viewer in (*Seat, None):
        verdict = page(driven, viewer)["summary"]["verdict"]
        assert verdict == "A moderator ended the match before either side had won it."


def test_given_a_match_that_ends_after_a_deal_was_thrown_in_when_listed_then_all_passed() -> None:
    driven = Driven().deal().bid("- - - - - - - -")
    later = Driven().deal().bid("- - - - - - - -")
    later.server(CommitDeal(commitment_of(seed_of(2))))

    driven.server(EndMatch())
    later.server(EndMatch())

    for each in (driven, later):
        assert [row["note"] for row in page(each)["sheet"]["rows"]] == ["all passed"]


def test_given_several_deals_when_listed_then_rows_notes_and_the_line_follow_the_totals() -> None:
    driven = ended((50, 102), belote=N)
    driven.deal().bid("- - - - - - - -")
    driven.deal().bid("- - - - S")
    at_last_card(driven, EW, ByTeam(80, 72), ByTeam(4, 4), EW).play("8D")

    sheet = page(driven)["sheet"]

    assert [(row["us"], row["them"], row["total_us"], row["total_them"]) for row in sheet["rows"]] == [
        (20, 162, 20, 162),
        (0, 0, 20, 162),
        (80, 82, 100, 244),
    ]
    assert [(row["suit"], row["taker"], row["note"]) for row in sheet["rows"]] == [
        ("spades", "Mari", "failed, belote"),
        ("", "", "all passed"),
        ("spades", "Aino", ""),
    ]
    assert sheet["chart"]["us_points"] == "0.0,96.0 96.0,94.1 192.0,94.1 288.0,86.4"
    assert sheet["chart"]["them_points"] == "0.0,96.0 96.0,80.4 192.0,80.4 288.0,72.6"
    assert (sheet["chart"]["us_x"], sheet["chart"]["us_y"], sheet["chart"]["target_y"]) == ("288.0", "86.4", "0.0")
    assert sheet["chart"]["label"] == "Totals after 3 deals: Us 100, Them 244"
