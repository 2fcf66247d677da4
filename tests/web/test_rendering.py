"""What a viewer is shown of the table: positions made by commands, read off the contexts of the templates."""

from __future__ import annotations

import random

import pytest

from games import rendering
from games.engine.cards import Suit, mask_of
from games.engine.commands import PlayCard
from games.engine.notation import parse_card, parse_cards, parse_hand
from games.engine.play import Duty
from games.engine.rules import BeloteCall, RuleSet, Undertrump
from games.engine.seats import BySeat, ByTeam
from games.engine.view import table_view
from games.frame import in_hand_order
from games.rendering import Frame, Reading, Sitter
from tests.engine.given import Driven, E, N, S, W, at_play
from tests.web.shown import ENGLISH, frame_of, log_lines, page, sitters

# Bidding


def test_given_the_first_round_when_on_turn_then_one_is_asked_about_the_turned_suit() -> None:
    driven = Driven().deal()

    mine, theirs = page(driven, E), page(driven, S)

    assert mine["status"] == {"text": "Do you take diamonds as trump?", "is_my_turn": True}
    assert [(b["command"], b["suit_code"], b["label"]) for b in mine["actions"]["buttons"]] == [
        ("take", "D", "Take diamonds"),
        ("pass", "", "Pass"),
    ]
    assert mine["felt"]["turn_up"].code == "JD"
    assert theirs["status"] == {"text": "Aino to bid", "is_my_turn": False}
    assert theirs["actions"]["buttons"] == []
    assert {item["state"] for item in mine["hand"]["cards"]} == {"waiting"}


def test_given_the_second_round_when_on_turn_then_the_other_suits_are_offered() -> None:
    driven = Driven().deal().bid("- - - -")

    shown = page(driven, E)

    assert shown["status"]["text"] == "Name a trump suit other than diamonds, or pass"
    assert [b["suit_code"] for b in shown["actions"]["buttons"]] == ["S", "H", "C", ""]


def test_given_bids_when_nobody_has_led_then_they_stand_in_bubbles_and_go_with_the_first_card() -> None:
    driven = Driven().deal().bid("- - - - - H")

    bidding = page(driven)["seats"]
    driven.play("7S")
    playing = page(driven)["seats"]

    assert [bidding[at]["bubble"] for at in ("right", "me", "left", "top")] == ["Pass", "Hearts", "Pass", "Pass"]
    assert [bidding[at]["bubble_is_new"] for at in ("right", "me", "left", "top")] == [False, True, False, False]
    assert bidding["me"]["bubble_suit"] == "hearts"
    assert {playing[at]["bubble"] for at in playing} == {""}


# Playing

DUTIES = [
    (Duty.LEAD, "S:", "7H AS", "", "Your turn: lead any card", RuleSet()),
    (Duty.FOLLOW, "N: 7C 8C", "9C AS", "AS", "Clubs led: you must follow", RuleSet()),
    (Duty.BEAT_TRUMP, "N: QH 7H", "JH 8H AS", "8H AS", "Trumps led: play a higher one", RuleSet()),
    (Duty.FOLLOW_TRUMP, "N: JH 7H", "8H AS", "AS", "Trumps led: you must play one", RuleSet()),
    (Duty.PARTNER_WINS, "N: AC 7C", "8H AS", "", "Your partner is winning: play any card", RuleSet()),
    (Duty.RUFF, "N: 7C AC", "8H AS", "AS", "You cannot follow: you must trump", RuleSet()),
    (Duty.OVERRUFF, "N: 7C 8H", "9H 7H AS", "7H AS", "You cannot follow: play a higher trump", RuleSet()),
    (Duty.UNDERTRUMP, "N: 7C JH", "7H AS", "AS", "You cannot follow: you must trump, even with a lower one", RuleSet()),
    (
        Duty.FREE_OF_UNDERTRUMP,
        "N: 7C JH",
        "7H AS",
        "",
        "You cannot beat the trump: play any card",
        RuleSet(undertrump=Undertrump.MAY),
    ),
    (Duty.DISCARD, "N: 7C AC", "8D AS", "", "You have neither the suit led nor a trump: play any card", RuleSet()),
]


@pytest.mark.parametrize(("duty", "trick", "hand", "illegal", "line", "rules"), DUTIES, ids=lambda v: str(v))
def test_given_a_duty_when_on_turn_then_it_is_said_and_each_illegal_card_tells_why(
    duty: Duty, trick: str, hand: str, illegal: str, line: str, rules: RuleSet
) -> None:
    driven = at_play(BySeat("", "", hand, ""), "H", trick, rules)
    assert table_view(driven.now, S).duty is duty

    shown = page(driven)

    assert shown["status"] == {"text": line, "is_my_turn": True}
    assert {item["card"].code for item in shown["hand"]["cards"] if item["state"] == "illegal"} == set(illegal.split())
    for item in shown["hand"]["cards"]:
        if item["state"] == "illegal":
            refused = driven.refuses(S, PlayCard(parse_card(item["card"].code)))
            assert item["reason"] == rendering.refusal_text(refused)
            assert refused.rule in item["reason"]
        else:
            assert (item["state"], item["reason"]) == ("legal", "")


def test_given_another_seat_on_turn_when_looking_at_the_hand_then_every_card_waits() -> None:
    driven = at_play(BySeat("", "AC", "9C AS", ""), "H", "N: 7C")

    shown = page(driven)

    assert shown["status"] == {"text": "Aino to play", "is_my_turn": False}
    assert {(item["state"], item["reason"]) for item in shown["hand"]["cards"]} == {
        ("waiting", "It is not your turn (R2.1).")
    }


def test_given_a_running_trick_when_shown_then_the_cards_lie_before_their_seats_and_the_best_is_known() -> None:
    driven = at_play(BySeat("", "", "9C AS", ""), "H", "N: 7C 8H")

    felt = page(driven)["felt"]

    assert [(play["card"].code, play["position"], play["is_best"]) for play in felt["plays"]] == [
        ("7C", "top", False),
        ("8H", "right", True),
    ]
    assert not felt["is_finished"]


def test_given_a_finished_trick_when_nobody_has_led_then_it_stays_with_its_winner_marked() -> None:
    driven = at_play(BySeat("8S", "", "9C AS", "AC"), "H", "N: 7C 8H", taker=N)

    driven.play("9C AC")
    finished, others = page(driven)["felt"], page(driven, E)["felt"]
    driven.state = driven.now._replace(deal=driven.running._replace(hands=BySeat(0, parse_hand("7S"), 0, 0)))
    driven.play("7S")
    next_led = page(driven)

    assert [(play["card"].code, play["is_winner"]) for play in finished["plays"]] == [
        ("7C", False),
        ("8H", True),
        ("9C", False),
        ("AC", False),
    ]
    assert finished["is_finished"]
    assert finished["winner_text"] == "Aino wins the trick"
    assert others["winner_text"] == "You win the trick"
    assert [play["card"].code for play in next_led["felt"]["plays"]] == ["7S"]
    assert [play["card"].code for play in next_led["last_trick"]["plays"]] == ["7C", "8H", "9C", "AC"]
    assert next_led["last_trick"]["text"] == "Aino won it: 11 points"


def test_given_belote_when_said_then_the_word_stands_until_the_next_card_is_led_and_in_the_log() -> None:
    driven = at_play(BySeat("KH QH 7D", "7C 8S", "9H 9S", "8C TS"), "H", "N:")

    driven.play("KH")
    said = page(driven)["seats"]["top"]
    driven.play("7C 9H 8C")
    finished = page(driven)["seats"]["top"]
    driven.play("9S")
    gone = page(driven)["seats"]["top"]
    driven.play("TS QH")
    again = page(driven)["seats"]["top"]

    assert (said["bubble"], said["bubble_is_new"]) == ("Belote!", True)
    assert (finished["bubble"], finished["bubble_is_new"]) == ("Belote!", False)
    assert gone["bubble"] == ""
    assert (again["bubble"], again["bubble_is_new"]) == ("Rebelote!", True)
    spoken = [line for line in log_lines(driven) if "belote" in line]
    assert spoken == ["Mari: belote", "Mari: rebelote"]


@pytest.mark.parametrize(("plays", "label"), [("", "Say “belote”"), ("KH! 7C 8C 9C", "Say “rebelote”")])
def test_given_the_manual_option_when_a_word_may_be_said_then_it_is_offered(plays: str, label: str) -> None:
    driven = at_play(BySeat("KH QH", "7C AC", "8C TC", "9C JC"), "H", "N:", RuleSet(belote=BeloteCall.MANUAL))

    driven.play(plays)
    actions = page(driven, N)["actions"]

    assert (actions["announce"], actions["announce_label"]) == (True, label)
    assert not page(driven, E)["actions"]["announce"]


# The hand


@pytest.mark.parametrize(
    ("hand", "trump", "weakest_first", "order"),
    [
        ("7S JS 9S AH TD KC", "S", False, "JS 9S 7S AH KC TD"),
        ("7S AS TS KS", None, False, "AS TS KS 7S"),
        ("7S AS TS KS", None, True, "7S KS TS AS"),
        ("9D 7D AS AH AC", "D", False, "9D 7D AS AH AC"),
        ("9D 7D AS AH AC", "D", True, "7D 9D AS AH AC"),
        ("AS AH AD", None, False, "AH AS AD"),
        ("AS AC AD", None, False, "AS AD AC"),
        ("AH AD AC", "D", False, "AD AC AH"),
    ],
)
def test_given_a_hand_when_sorted_then_trump_first_and_the_colours_alternate(
    hand: str, trump: str | None, weakest_first: bool, order: str
) -> None:
    suit = None if trump is None else Suit("SHDC".index(trump))

    cards = in_hand_order(parse_hand(hand), suit, weakest_first=weakest_first)

    assert cards == list(parse_cards(order))


def test_given_every_set_of_suits_when_sorted_then_no_card_is_lost() -> None:
    rng = random.Random(3)
    for _ in range(500):
        hand = mask_of(rng.sample(range(32), rng.randint(0, 8)))
        for trump in (None, *Suit):
            cards = in_hand_order(hand, trump, weakest_first=False)
            assert mask_of(cards) == hand
            assert len(cards) == hand.bit_count()


def test_given_other_letters_and_order_when_shown_then_the_hand_follows_them_and_the_names_do_not() -> None:
    driven = Driven().deal()

    shown = rendering.page_context(frame_of(driven)._replace(reading=Reading("VDRA", weakest_first=True)))["hand"][
        "cards"
    ]

    assert [(item["card"].code, item["card"].index) for item in shown] == [
        ("JS", "V"),
        ("QS", "D"),
        ("TS", "10"),
        ("KH", "R"),
        ("AH", "A"),
    ]
    assert shown[0]["card"].name == "jack of spades"
    assert 'card-rank">V<' in shown[0]["card"].html
    assert [item["key"] for item in shown] == [1, 2, 3, 4, 5]


# Seats and scores


def test_given_a_spectator_when_shown_then_south_sits_at_the_bottom_and_there_is_no_hand() -> None:
    driven = Driven().deal()

    shown = page(driven, None)

    assert {at: seat["name"] for at, seat in shown["seats"].items()} == {
        "me": "Luc",
        "left": "Somchai",
        "top": "Mari",
        "right": "Aino",
    }
    assert "hand" not in shown
    assert (shown["topbar"]["us_label"], shown["topbar"]["them_label"]) == ("North–South", "East–West")
    assert not shown["is_my_turn"]


def test_given_north_when_shown_then_east_sits_on_the_left_and_the_scores_are_norths() -> None:
    driven = Driven().deal()
    driven.state = driven.now._replace(totals=ByTeam(12, 34))

    north, east = page(driven, N), page(driven, E)

    assert [north["seats"][at]["name"] for at in ("me", "left", "top", "right")] == ["Mari", "Aino", "Luc", "Somchai"]
    assert [north["seats"][at]["team"] for at in ("me", "left", "top", "right")] == ["us", "them", "us", "them"]
    assert (north["topbar"]["us"], north["topbar"]["them"]) == (12, 34)
    assert (east["topbar"]["us"], east["topbar"]["them"]) == (34, 12)


def test_given_a_seat_without_a_connection_when_shown_then_everyone_is_told() -> None:
    driven = Driven().deal()
    away = sitters().put(W, Sitter("Somchai", connected=False))

    seat = rendering.page_context(Frame(table_view(driven.now, S), away, ENGLISH))["seats"]["left"]

    assert (seat["connection"], seat["connection_text"]) == ("away", "Connection lost")
    assert seat["state_text"] == "Somchai, opponent on your left, 5 cards, Connection lost"


def test_given_a_taker_when_shown_then_the_bar_and_the_seat_say_so() -> None:
    driven = Driven().deal().bid("- - D")

    shown = page(driven)

    assert shown["topbar"]["trump"] == "diamonds"
    assert shown["topbar"]["trump_text"] == "Trump is diamonds, taken by Somchai."
    assert shown["topbar"]["taker_team"] == "them"
    assert shown["seats"]["left"]["is_taker"]
    assert shown["seats"]["top"]["state_text"] == "Mari, your partner, dealer, 8 cards"


def test_given_a_deal_when_logged_then_each_line_is_a_sentence() -> None:
    driven = Driven().deal().bid("- - D").play("AD 9C JD 9D")

    assert log_lines(driven) == [
        "Deal 1. Dealer: Mari. Turned card: jack of diamonds.",
        "Aino: pass",
        "Luc: pass",
        "Somchai takes diamonds",
        "Aino: ace of diamonds",
        "Luc: nine of clubs",
        "Somchai: jack of diamonds",
        "Mari: nine of diamonds",
        "Somchai wins the trick: 45 points",
    ]
