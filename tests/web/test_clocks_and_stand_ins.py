"""What the table shows of clocks and of computers that play for persons: seats, status, buttons, hand, play log."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string

from games import rendering
from games.engine.commands import EndMatch, GiveBack, Pass, PlayCard, PlayFor, TakeOver
from games.engine.events import Cause
from games.engine.notation import parse_card
from games.engine.rules import BeloteCall, RuleSet
from games.engine.seats import BySeat, Seat
from games.engine.view import table_view
from games.rendering import Frame, SeatClock, Sitter
from tests.engine.given import Driven, E, N, S, W, at_play
from tests.web.shown import ENGLISH, frame_of, log_lines, page, sitters

NOW = 1_800_000_000.0
NO_CLOCKS: BySeat[SeatClock | None] = BySeat(None, None, None, None)


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW)


def shown(driven: Driven, viewer: Seat | None, **fields: Any) -> dict[str, Any]:
    return rendering.page_context(frame_of(driven, viewer)._replace(**fields))


def clock_of(driven: Driven, seat: Seat, clock: SeatClock) -> dict[str, Any]:
    """The clock of a seat, as its own person sees it."""
    context: dict[str, Any] = shown(driven, seat, clocks=NO_CLOCKS.put(seat, clock))["seats"]["me"]["clock"]
    return context


# Clocks


@pytest.mark.parametrize(
    ("left", "reserve", "text", "is_reserve"),
    [
        (30, 60, "0:30", False),
        (29.2, 60, "0:30", False),
        (60, 0, "1:00", False),
        (0.4, 60, "0:01", False),
        (0, 60, "+1:00", True),
        (-12.5, 60, "+0:48", True),
        (-59.9, 60, "+0:01", True),
        (-61, 60, "+0:00", True),
        (-3, 0, "+0:00", True),
    ],
)
def test_given_a_seat_on_turn_when_shown_then_its_turn_is_counted_and_then_its_reserve(
    left: float, reserve: float, text: str, is_reserve: bool
) -> None:
    clock = clock_of(Driven().deal(), E, SeatClock(NOW + left, reserve))

    assert (clock["text"], clock["is_reserve"], clock["is_running"]) == (text, is_reserve, True)
    assert (clock["ends_in"], clock["reserve"]) == (round(1000 * left), 1000 * reserve)


def test_given_a_seat_that_waits_when_shown_then_its_reserve_stands_still() -> None:
    clock = clock_of(Driven().deal(), N, SeatClock(None, 42.4))

    assert (clock["text"], clock["is_running"], clock["is_reserve"], clock["last_text"]) == ("+0:43", False, False, "")


def test_given_a_running_clock_when_rendered_then_the_script_learns_how_long_and_the_number_is_not_read_aloud() -> None:
    driven = Driven().deal()
    clocks = BySeat(SeatClock(None, 60), SeatClock(NOW + 12.5, 60), None, None)

    html = render_to_string("games/table/seat.html", {"seat": shown(driven, N, clocks=clocks)["seats"]["left"]})
    waits = render_to_string("games/table/seat.html", {"seat": shown(driven, N, clocks=clocks)["seats"]["me"]})
    none = render_to_string("games/table/seat.html", {"seat": shown(driven, N, clocks=clocks)["seats"]["top"]})

    assert '<p class="seat-time" aria-hidden="true"><span class="seat-clock seat-clock-running"' in html
    assert 'data-ends-in="12500" data-reserve="60000" data-last-text=""' in html
    assert "data-ends-in" not in waits
    assert ">+1:00<" in waits
    assert "seat-clock" not in none


def test_given_ones_own_turn_when_its_clock_runs_then_the_last_seconds_are_announced_to_oneself_alone() -> None:
    driven = Driven().deal()
    clocks = NO_CLOCKS.put(E, SeatClock(NOW + 12, 60))

    mine, theirs = shown(driven, E, clocks=clocks)["seats"]["me"], shown(driven, N, clocks=clocks)["seats"]["left"]

    assert mine["clock"]["last_text"] == "Less than 10 seconds are left for your turn."
    assert theirs["clock"]["last_text"] == ""
    assert mine["state_text"] == "Aino, your seat, 5 cards, on turn, 60 seconds in reserve"


def test_given_a_clock_that_starts_when_told_then_that_seat_alone_is_sent() -> None:
    before = frame_of(Driven().deal())
    after = before._replace(clocks=NO_CLOCKS.put(E, SeatClock(NOW + 30, 60)))

    message = rendering.update(after, before)

    assert message.count("hx-swap-oob") == 2
    assert 'id="seat-right"' in message


# A computer that makes one move


def test_given_a_move_whose_time_ran_out_when_shown_then_the_seat_says_so_until_the_next_move() -> None:
    driven = Driven().deal()

    driven.server(PlayFor(E, Pass()))
    played = page(driven)["seats"]["right"]
    driven.bid("-")
    later = page(driven)["seats"]["right"]

    assert (played["connection"], played["connection_text"], played["bubble"]) == ("", "Time ran out", "Pass")
    assert "Time ran out" in render_to_string("games/table/seat.html", {"seat": played})
    assert "Time ran out" in played["state_text"]
    assert later["connection_text"] == ""


def test_given_a_move_that_somebody_asked_for_when_shown_then_no_time_is_said_to_have_run_out() -> None:
    driven = Driven().deal()

    driven.server(PlayFor(E, Pass(), asked_by=N))

    assert page(driven)["seats"]["right"]["connection_text"] == "The computer played"


def test_given_somebody_who_does_not_play_when_one_may_ask_then_a_button_offers_the_computer() -> None:
    driven = Driven().deal()

    asked = shown(driven, N, may_ask_for=E)["actions"]
    html = render_to_string("games/table/actions.html", {"actions": asked})

    assert [(b["command"], b["label"], b["is_primary"]) for b in asked["buttons"]] == [
        ("play_for", "Let the computer play for Aino", False)
    ]
    assert 'id="act-play_for"' in html
    assert 'data-command="play_for"' in html
    assert shown(driven, N)["actions"]["buttons"] == []


# A computer that stands in


@pytest.mark.parametrize(
    ("cause", "text"),
    [
        (Cause.GONE, "A computer plays"),
        (Cause.IDLE, "A computer plays"),
        (Cause.LEFT, "Has left; a computer plays"),
        (Cause.REMOVED, "Was removed; a computer plays"),
    ],
)
@pytest.mark.parametrize("connected", [True, False])
def test_given_a_seat_that_is_stood_in_for_when_shown_then_everyone_is_told_and_it_has_no_clock(
    cause: Cause, text: str, connected: bool
) -> None:
    driven = Driven().deal()
    driven.server(TakeOver(W, cause))
    people = sitters().put(W, Sitter("Somchai", connected=connected))
    clocks = NO_CLOCKS.put(W, SeatClock(None, 60))

    for viewer, position in ((S, "left"), (N, "right"), (E, "top"), (None, "left")):
        seat = rendering.page_context(Frame(table_view(driven.now, viewer), people, ENGLISH, clocks))["seats"][position]
        assert (seat["connection"], seat["connection_text"], seat["clock"]) == ("computer", text, None)
        assert seat["state_text"].endswith(f", 5 cards, {text}")


def test_given_a_seat_that_is_stood_in_for_when_it_is_on_turn_then_others_see_whose_turn_it_is() -> None:
    driven = Driven().deal()
    driven.server(TakeOver(E, Cause.GONE))

    others = page(driven)

    assert others["seats"]["right"]["is_turn"]
    assert others["status"]["text"] == "Aino to bid"


@pytest.mark.parametrize("cause", [Cause.GONE, Cause.IDLE])
@pytest.mark.parametrize("bids", ["", "- - D", "- - - - - - - -"])
def test_given_ones_own_seat_stood_in_for_when_shown_then_one_can_only_come_back(cause: Cause, bids: str) -> None:
    driven = Driven().deal().bid(bids)
    driven.server(TakeOver(E, cause))

    mine = page(driven, E)

    assert mine["status"] == {"text": "A computer plays for you", "is_my_turn": False}
    assert [(b["command"], b["label"], b["is_primary"]) for b in mine["actions"]["buttons"]] == [
        ("back", "I am back", True)
    ]
    assert {(item["state"], item["reason"]) for item in mine["hand"]["cards"]} == {
        ("waiting", "A computer plays for you: press “I am back” first.")
    }
    assert not mine["is_my_turn"]
    driven.server(GiveBack(E))
    assert "back" not in [b["command"] for b in page(driven, E)["actions"]["buttons"]]
    assert page(driven, E)["is_my_turn"]


def test_given_ones_own_seat_stood_in_for_when_belote_could_be_said_then_it_is_not_offered() -> None:
    driven = at_play(BySeat("KH QH", "7C AC", "8C TC", "9C JC"), "H", "N:", RuleSet(belote=BeloteCall.MANUAL))

    driven.server(TakeOver(N, Cause.IDLE))

    assert not page(driven, N)["actions"]["announce"]


def test_given_a_summary_when_a_person_is_stood_in_for_then_nobody_waits_for_that_seat() -> None:
    driven = Driven().deal().bid("- - - - - - - -")
    driven.server(TakeOver(W, Cause.IDLE))

    seats = page(driven)["seats"]

    assert [seats[at]["is_turn"] for at in ("me", "left", "top", "right")] == [True, False, True, True]


def test_given_a_match_that_is_over_when_one_was_stood_in_for_then_there_is_nothing_to_come_back_to() -> None:
    driven = Driven().deal()
    driven.server(TakeOver(S, Cause.GONE))
    driven.server(EndMatch())

    mine = page(driven)

    assert mine["status"]["text"] == "The match is void"
    assert mine["actions"]["buttons"] == []
    assert mine["actions"]["play_again"]


# The play log


def test_given_absences_when_logged_then_each_is_a_sentence_in_its_place() -> None:
    driven = Driven().deal()
    driven.server(PlayFor(E, Pass()))
    driven.server(TakeOver(S, Cause.GONE))
    driven.bid("- D").play("AD")
    driven.server(GiveBack(S))
    driven.server(PlayFor(S, PlayCard(parse_card("9C")), asked_by=E))
    driven.play("JD")
    driven.server(TakeOver(E, Cause.IDLE))
    driven.play("9D")
    driven.server(TakeOver(N, Cause.LEFT))
    driven.server(TakeOver(W, Cause.REMOVED))

    assert log_lines(driven) == [
        "Deal 1. Dealer: Mari. Turned card: jack of diamonds.",
        "Time ran out: the computer plays for Aino",
        "Aino: pass",
        "The computer plays for Luc, whose connection is lost",
        "Luc: pass",
        "Somchai takes diamonds",
        "Aino: ace of diamonds",
        "Luc is back and plays again",
        "The computer played for Luc because Aino asked for it",
        "Luc: nine of clubs",
        "Somchai: jack of diamonds",
        "The computer plays for Aino, whose time ran out twice",
        "Mari: nine of diamonds",
        "Somchai wins the trick: 45 points",
        "The computer plays for Mari, who has left the table",
        "The computer plays for Somchai, whom a moderator has removed",
    ]


def test_given_absences_around_a_deal_when_logged_then_they_stand_with_the_deal_that_is_shown() -> None:
    driven = Driven()
    driven.server(TakeOver(S, Cause.GONE))
    before = log_lines(driven)
    driven.deal().bid("- - - - - - - -")
    driven.server(GiveBack(S))
    summed_up = log_lines(driven)
    driven.deal()

    assert before == ["The computer plays for Luc, whose connection is lost"]
    assert summed_up[1] == before[0]
    assert summed_up[-1] == "Luc is back and plays again"
    assert [line for line in log_lines(driven) if "Luc" in line] == []


def test_given_a_match_that_ends_after_somebody_left_when_logged_then_the_end_stands_last() -> None:
    driven = Driven().deal().bid("-")
    driven.server(TakeOver(S, Cause.LEFT))
    driven.server(EndMatch())

    assert log_lines(driven)[-2] == "The computer plays for Luc, who has left the table"
