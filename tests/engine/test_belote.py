"""Belote and rebelote (R5): who may say them, with which cards, and what a missing word costs.

In `PLAIN_DECK`, with diamonds taken by East, East holds JD QD KD; its partner West and the others hold no pair.
"""

from __future__ import annotations

import pytest

from games.engine.cards import Suit
from games.engine.commands import PlayCard
from games.engine.errors import Reason, ReasonCode
from games.engine.events import Announcement, CardPlayed
from games.engine.notation import parse_card, parse_cards, parse_hand
from games.engine.play import Trick, announceable
from games.engine.rules import BeloteCall, RuleSet
from games.engine.scoring import DealScore
from games.engine.seats import BySeat, ByTeam, Seat, Team
from games.engine.view import table_view
from tests.engine.given import EW, NS, Driven, E, N, S, W, at_last_card, at_play

MANUAL = RuleSet(belote=BeloteCall.MANUAL)
AUTO = RuleSet()
BETWEEN = "AD 7D 9D TD JD TS 8D"
"""What follows East's KD until East leads again."""


def east_holds_the_pair(rules: RuleSet) -> Driven:
    return Driven(rules).deal().bid("D")


def words(driven: Driven) -> list[tuple[Seat, str]]:
    return [(e.seat, e.announcement) for e in driven.log if isinstance(e, CardPlayed) and e.announcement is not None]


def scored(driven: Driven) -> DealScore:
    at_last_card(driven, EW, ByTeam(62, 90), ByTeam(3, 5), EW).play("8D")
    score = driven.now.results[-1].score
    assert score is not None
    return score


@pytest.mark.parametrize("said", ["", "!"])
@pytest.mark.parametrize(("first", "second"), [("KD", "QD"), ("QD", "KD")])
def test_given_auto_when_both_cards_fall_in_either_order_then_both_words_are_said(
    first: str, second: str, said: str
) -> None:
    driven = east_holds_the_pair(AUTO).play(f"{first}{said} {BETWEEN} {second}{said}")

    assert words(driven) == [(E, Announcement.BELOTE), (E, Announcement.REBELOTE)]
    assert driven.running.belote_seat is E
    assert driven.running.belote_cards == parse_cards(f"{first} {second}")
    assert scored(driven).belote_team is EW


@pytest.mark.parametrize(("first", "second"), [("KD", "QD"), ("QD", "KD")])
def test_given_manual_when_both_words_are_said_in_either_order_then_20(first: str, second: str) -> None:
    driven = east_holds_the_pair(MANUAL).play(f"{first}! {BETWEEN} {second}!")

    assert words(driven) == [(E, Announcement.BELOTE), (E, Announcement.REBELOTE)]
    score = scored(driven)
    assert score.belote_team is EW
    assert score.judged == (62, 120)


def test_given_manual_when_the_rebelote_is_forgotten_then_nothing() -> None:
    driven = east_holds_the_pair(MANUAL).play(f"KD! {BETWEEN} QD")

    assert words(driven) == [(E, Announcement.BELOTE)]
    assert scored(driven).belote_team is None


def test_given_manual_when_no_word_is_said_then_nothing() -> None:
    driven = east_holds_the_pair(MANUAL).play(f"KD {BETWEEN} QD")

    assert words(driven) == []
    assert driven.running.belote_seat is None
    assert scored(driven).belote_team is None


def test_given_manual_when_the_belote_was_forgotten_then_the_rebelote_is_refused() -> None:
    driven = east_holds_the_pair(MANUAL).play(f"KD {BETWEEN}")

    assert driven.refuses(E, PlayCard(parse_card("QD"), announce=True)) == Reason(ReasonCode.NO_BELOTE, "R5.5")
    driven.play("QD")
    assert words(driven) == []


@pytest.mark.parametrize("rules", [AUTO, MANUAL], ids=["auto", "manual"])
def test_given_both_cards_when_another_card_is_announced_then_refused(rules: RuleSet) -> None:
    driven = east_holds_the_pair(rules)

    for card in ("JD", "7S", "QH"):
        assert driven.refuses(E, PlayCard(parse_card(card), announce=True)) == Reason(ReasonCode.NO_BELOTE, "R5.5")


@pytest.mark.parametrize("rules", [AUTO, MANUAL], ids=["auto", "manual"])
@pytest.mark.parametrize("card", ["KH", "QH"])
def test_given_one_of_the_two_when_announced_then_refused_and_otherwise_silent(rules: RuleSet, card: str) -> None:
    driven = at_play(BySeat(f"{card} AS", "", "", ""), "H", rules=rules)

    assert driven.refuses(N, PlayCard(parse_card(card), announce=True)) == Reason(ReasonCode.NO_BELOTE, "R5.5")
    driven.play(card)
    assert words(driven) == []


def test_given_the_pair_in_the_hands_of_partners_when_both_fall_then_no_belote() -> None:
    driven = at_play(BySeat("KH", "7H", "QH", "8H"), "H").play("KH 7H QH 8H")

    assert words(driven) == []


def test_given_an_illegal_card_when_it_is_announced_then_the_card_is_what_is_refused() -> None:
    driven = at_play(BySeat("", "KH QH 7S", "", ""), "H", "N: AS", MANUAL)

    refused = driven.refuses(E, PlayCard(parse_card("KH"), announce=True))

    assert (refused.code, refused.rule) == (ReasonCode.MUST_FOLLOW, "R4.2")


@pytest.mark.parametrize("said", [True, False])
def test_given_the_belote_was_said_when_the_other_card_is_the_very_last_then_the_word_still_counts(said: bool) -> None:
    driven = at_play(BySeat("KH QH", "", "", ""), "H", rules=MANUAL).play("KH!")
    at_last_card(driven, NS, ByTeam(87, 62), ByTeam(5, 3), NS)
    driven.state = driven.now._replace(
        deal=driven.running._replace(
            trump=Suit.HEARTS,
            hands=BySeat(parse_hand("QH"), 0, 0, 0),
            trick=Trick(E, parse_cards("8C 7C 7D")),
            turn=N,
        )
    )

    driven.play("QH!" if said else "QH")

    score = driven.now.results[-1].score
    assert score is not None
    assert score.belote_team is (Team.NORTH_SOUTH if said else None)


@pytest.mark.parametrize(
    ("before", "may"),
    [
        ("", "KD QD"),
        (f"KD! {BETWEEN}", "QD"),
        (f"QD! {BETWEEN}", "KD"),
        (f"KD {BETWEEN}", ""),
    ],
)
def test_given_manual_when_east_is_on_turn_then_its_view_offers_the_words_left(before: str, may: str) -> None:
    driven = east_holds_the_pair(MANUAL).play(before)

    assert driven.turn is E
    assert table_view(driven.now, E).may_announce == parse_hand(may)
    for viewer in (N, S, W, None):
        assert table_view(driven.now, viewer).may_announce == 0


def test_given_auto_when_east_is_on_turn_then_its_view_offers_no_words() -> None:
    assert table_view(east_holds_the_pair(AUTO).now, E).may_announce == 0


def test_given_a_hand_when_asked_what_may_be_announced_then_the_pair_or_the_second_card() -> None:
    trump = Suit.DIAMONDS

    assert announceable(parse_hand("KD QD 7S"), trump, E, None) == parse_hand("KD QD")
    assert announceable(parse_hand("QD 7S"), trump, E, E) == parse_hand("QD")
    assert announceable(parse_hand("QD 7S"), trump, E, W) == 0
    assert announceable(parse_hand("QD 7S"), trump, E, None) == 0
    assert announceable(parse_hand("KS QS"), trump, E, None) == 0
