"""Legal cards, the duty behind them and the refusal of others (R4)."""

from __future__ import annotations

import pytest

from games.engine.cards import Suit
from games.engine.commands import Pass, PlayCard
from games.engine.decide import SERVER
from games.engine.errors import IllegalCommand, Reason, ReasonCode
from games.engine.notation import format_hand, parse_card, parse_hand, parse_trick
from games.engine.play import Duty, duty, legal_cards, trick_winner
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import BySeat, Seat
from tests.engine.given import Driven, E, N, S, W, at_play

MUST = RuleSet()
MAY = RuleSet(undertrump=Undertrump.MAY)
HEARTS = Suit.HEARTS


@pytest.mark.parametrize(
    ("trick", "hand", "asked", "rule", "legal"),
    [
        pytest.param("N:", "7S JH AD", Duty.LEAD, "R4.1", "7S JH AD", id="lead"),
        pytest.param("N: 7D", "AD 8D JH", Duty.FOLLOW, "R4.2", "8D AD", id="follow, no duty to beat"),
        pytest.param("N: AD 9H", "8D JH", Duty.FOLLOW, "R4.2", "8D", id="follow although ruffed"),
        pytest.param("N: TH", "9H AH 7H AS", Duty.BEAT_TRUMP, "R4.3", "9H AH", id="beat the trump led"),
        pytest.param("N: 9H 8H", "JH AH", Duty.BEAT_TRUMP, "R4.3", "JH", id="beat the partner's winning trump"),
        pytest.param("N: 7H AS QH", "KH 8H", Duty.BEAT_TRUMP, "R4.3", "KH", id="beat the best, plain cards apart"),
        pytest.param("N: JH", "9H 7H AS", Duty.FOLLOW_TRUMP, "R4.3", "7H 9H", id="trump led, none higher"),
        pytest.param("N: JH", "AS TC", Duty.DISCARD, "R4.7", "AS TC", id="trump led, no trump"),
        pytest.param(
            "N: AD 7D", "7H JH AS", Duty.PARTNER_WINS, "R4.4", "7H JH AS", id="partner wins with a plain card"
        ),
        pytest.param("N: AD 9H 8H", "JH 7H AS", Duty.PARTNER_WINS, "R4.4", "7H JH AS", id="partner's ruff stands"),
        pytest.param("N: 7D TD", "7H JH AS", Duty.RUFF, "R4.5", "7H JH", id="opponent wins with a plain card"),
        pytest.param("N: 7D", "7H AS", Duty.RUFF, "R4.5", "7H", id="second seat ruffs"),
        pytest.param("N: AD TH", "9H QH AS", Duty.OVERRUFF, "R4.5", "9H", id="opponent ruffed, can be beaten"),
        pytest.param("N: AD 7H TH", "9H QH AS", Duty.OVERRUFF, "R4.5", "9H", id="partner's ruff overruffed"),
        pytest.param("N: AD 9H", "AH 8H KC", Duty.UNDERTRUMP, "R4.6", "8H AH", id="only lower trumps"),
        pytest.param("N: AD 9H", "AS KC", Duty.DISCARD, "R4.7", "AS KC", id="no suit, no trump"),
    ],
)
def test_given_a_trick_when_a_seat_is_next_then_its_duty_rule_and_cards(
    trick: str, hand: str, asked: Duty, rule: str, legal: str
) -> None:
    running, cards = parse_trick(trick), parse_hand(hand)
    seat = running.next_seat

    assert duty(cards, running, HEARTS, seat, MUST) is asked
    assert asked.rule == rule
    assert legal_cards(cards, running, HEARTS, seat, MUST) == parse_hand(legal)


def test_given_undertrump_may_when_only_lower_trumps_are_held_then_any_card() -> None:
    trick, hand = parse_trick("N: AD 9H"), parse_hand("AH 8H KC")

    assert duty(hand, trick, HEARTS, S, MAY) is Duty.FREE_OF_UNDERTRUMP
    assert Duty.FREE_OF_UNDERTRUMP.rule == "R4.6"
    assert legal_cards(hand, trick, HEARTS, S, MAY) == hand


def test_given_undertrump_may_when_a_higher_trump_is_held_then_it_must_be_played() -> None:
    trick, hand = parse_trick("N: AD 9H"), parse_hand("JH 8H KC")

    assert duty(hand, trick, HEARTS, S, MAY) is Duty.OVERRUFF
    assert legal_cards(hand, trick, HEARTS, S, MAY) == parse_hand("JH")


def test_given_every_duty_when_asked_for_its_rule_then_it_has_one() -> None:
    assert {each.rule for each in Duty} == {"R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R4.6", "R4.7"}


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("N: 7D", N),
        ("N: 7D AS", N),
        ("N: KD TD", E),
        ("N: AD 7H JD 8H", W),
        ("E: JH 9H AH TH", E),
        ("W: 9S 8H 7H AS", N),
    ],
)
def test_given_a_trick_when_judged_then_who_is_winning(trick: str, winner: Seat) -> None:
    assert trick_winner(parse_trick(trick), HEARTS) is winner


@pytest.mark.parametrize("trick", ["N:", "N: AD", "N: AD 7D TD KD"])
def test_given_a_trick_when_a_seat_that_is_not_next_is_asked_then_an_error(trick: str) -> None:
    with pytest.raises(ValueError, match="is not next to play"):
        legal_cards(parse_hand("7S"), parse_trick(trick), HEARTS, W, MUST)
    with pytest.raises(ValueError, match="is not next to play"):
        duty(parse_hand("7S"), parse_trick(trick), HEARTS, W, MUST)


def test_given_a_full_trick_when_its_leader_is_asked_then_an_error() -> None:
    with pytest.raises(ValueError, match="is not next to play"):
        legal_cards(parse_hand("7S"), parse_trick("N: AD 7D TD KD"), HEARTS, N, MUST)


def test_given_no_card_when_asked_for_a_winner_then_an_error() -> None:
    with pytest.raises(ValueError, match="no winner"):
        trick_winner(parse_trick("N:"), HEARTS)


@pytest.mark.parametrize(
    ("trick", "hand", "card", "reason"),
    [
        ("N: 7D", "AD JH", "JH", Reason(ReasonCode.MUST_FOLLOW, "R4.2", Suit.DIAMONDS)),
        ("N: TH", "9H 7H", "7H", Reason(ReasonCode.MUST_BEAT_TRUMP, "R4.3", HEARTS)),
        ("N: TH", "9H AS", "AS", Reason(ReasonCode.MUST_BEAT_TRUMP, "R4.3", HEARTS)),
        ("N: JH", "9H AS", "AS", Reason(ReasonCode.MUST_FOLLOW_TRUMP, "R4.3", HEARTS)),
        ("N: 7D TD", "7H AS", "AS", Reason(ReasonCode.MUST_RUFF, "R4.5", HEARTS)),
        ("N: AD TH", "9H QH AS", "QH", Reason(ReasonCode.MUST_OVERRUFF, "R4.5", HEARTS)),
        ("N: AD TH", "9H QH AS", "AS", Reason(ReasonCode.MUST_OVERRUFF, "R4.5", HEARTS)),
        ("N: AD 9H", "AH KC", "KC", Reason(ReasonCode.MUST_UNDERTRUMP, "R4.6", HEARTS)),
        ("N: AD 9H", "AH KC", "KD", Reason(ReasonCode.NOT_IN_HAND)),
    ],
)
def test_given_a_trick_when_an_illegal_card_is_played_then_refused_with_its_rule(
    trick: str, hand: str, card: str, reason: Reason
) -> None:
    seat = parse_trick(trick).next_seat
    driven = at_play(BySeat("", "", "", "").put(seat, hand), "H", trick)

    assert driven.refuses(seat, PlayCard(parse_card(card))) == reason


@pytest.mark.parametrize("card", [-1, 32, 99])
def test_given_a_turn_when_a_card_that_does_not_exist_is_played_then_refused(card: int) -> None:
    driven = Driven().deal().bid("D")

    assert driven.refuses(E, PlayCard(card)) == Reason(ReasonCode.NOT_IN_HAND)


def test_given_a_turn_when_another_seat_or_the_server_plays_then_refused() -> None:
    driven = Driven().deal().bid("D")

    assert driven.refuses(S, PlayCard(parse_card("TS"))) == Reason(ReasonCode.NOT_YOUR_TURN, "R2.1")
    assert driven.refuses(SERVER, PlayCard(parse_card("7S"))) == Reason(ReasonCode.SEATS_ONLY)


def test_given_a_card_played_when_it_is_played_again_then_refused() -> None:
    driven = Driven().deal().bid("D").play("7S")

    assert driven.refuses(E, PlayCard(parse_card("7S"))) == Reason(ReasonCode.NOT_YOUR_TURN, "R2.1")
    driven.play("TS KS 9D")
    assert driven.turn is N
    assert not driven.running.hands[E] & parse_hand("7S")


def test_given_four_cards_when_the_trick_is_full_then_its_winner_leads_and_has_its_points() -> None:
    driven = Driven().deal().bid("D").play("7S TS KS 8H")
    deal = driven.running

    assert deal.tricks[-1].winner is S
    assert deal.tricks[-1].trick == parse_trick("E: 7S TS KS 8H")
    assert driven.turn is S
    assert deal.trick == parse_trick("S:")
    assert deal.card_points == (14, 0)
    assert format_hand(deal.hands[E]) == "8S 9S JH QH JD QD KD"


def test_given_no_match_when_a_seat_acts_then_refused() -> None:
    driven = Driven()
    driven.state = None

    for command in (PlayCard(0), Pass()):
        with pytest.raises(IllegalCommand) as refused:
            driven.do(N, command)
        assert refused.value.reason == Reason(ReasonCode.NOT_STARTED)
        assert str(refused.value) == "not_started"
