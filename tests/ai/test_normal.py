"""The normal player: what R9.3 promises, position by position."""

from __future__ import annotations

import pytest

from games.engine.commands import PlayCard
from games.engine.rules import BeloteCall, RuleSet, Undertrump
from games.engine.seats import Seat
from tests.ai.given import NORMAL, E, N, S, W, played, playing


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("JS 8S 7H", "N: AD 7D KD", "8S", id="a low trump ruffs as well as the jack"),
        pytest.param("9S 7S KH", "N: JS", "7S", id="the nine does not beat the jack"),
        pytest.param("AS 8S KH", "N: JS 9S 7S", "8S", id="nor does the ace beat both"),
        pytest.param("AS QS KH", "E: 8S 7S JS", "QS", id="nothing to win and nothing to save"),
        pytest.param("AS TS QS KH", "N: KS 7S 8S", "TS", id="the ten takes the trick as well as the ace"),
        pytest.param("9S JS 7H", "N: AS 7S 8S", "9S", id="of two honours that win, the lower"),
        pytest.param("9S 7S 8H", "N: 8S JS TS", "7S", id="the nine does not help a partner that has won"),
        pytest.param("AS 7S 8S", "N: AD JD KD", "7S", id="undertrumps aside, low trumps take a plain trick"),
    ],
)
def test_given_a_lower_card_that_does_the_same_when_normal_plays_then_it_saves_its_honour(
    hand: str, trick: str, card: str
) -> None:
    assert played(playing(hand, trick)) == card


@pytest.mark.parametrize(
    ("hand", "trick"),
    [
        pytest.param("8S 7H 9C", "N: 7D AD 8D", id="partner wins with the led suit, last to play"),
        pytest.param("JS AS 7H", "N: 7D AD 8D", id="honours are no exception"),
        pytest.param("TS 7H", "N: KD 7S TD", id="partner wins with a ruff"),
    ],
)
def test_given_a_partner_whom_nobody_can_beat_when_normal_is_void_then_it_does_not_ruff(hand: str, trick: str) -> None:
    assert not played(playing(hand, trick)).endswith("S")


def test_given_an_opponent_left_who_has_no_trumps_and_no_better_card_when_normal_is_third_then_no_ruff() -> None:
    # West has shown that it has no trumps; the ace cannot be beaten.
    view = playing("8S 7H 9C", "N: AD 7D", tricks=("N: JS 7S 9S 8H",))

    assert played(view) in {"7H", "9C"}


def test_given_only_trumps_when_the_partner_is_safe_then_normal_plays_the_low_one() -> None:
    assert played(playing("JS 7S", "N: 7D AD 8D")) == "7S"


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("TD 9D 7H", "N: 7D AD 8D", "TD", id="follows with the ten"),
        pytest.param("KH 7H 8C", "N: 7D AD 8D", "KH", id="discards points"),
        pytest.param("QD 9D 7H", "N: 7D 8S JD", "QD", id="partner ruffed"),
        pytest.param("TS 7S 7H", "N: 8S JS QS", "TS", id="partner's trump"),
    ],
)
def test_given_a_partners_safe_trick_when_normal_plays_then_it_puts_points_on_it(
    hand: str, trick: str, card: str
) -> None:
    assert played(playing(hand, trick)) == card


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        pytest.param("7S 8H AC", "E: AD KD TD", "7S", id="last to play"),
        pytest.param("8S 7S KH", "E: AD", None, id="second to play"),
    ],
)
def test_given_an_opponent_who_is_winning_when_normal_is_void_then_it_ruffs(
    hand: str, trick: str, card: str | None
) -> None:
    answer = played(playing(hand, trick))

    assert answer.endswith("S")
    assert card in {None, answer}


def test_given_an_opponents_sure_trick_when_normal_follows_then_it_gives_no_ten() -> None:
    assert played(playing("TD 7D", "N: AD 8D 9D")) == "7D"


def test_given_the_highest_card_and_points_to_win_when_normal_is_last_then_it_takes_the_trick() -> None:
    assert played(playing("AD 7D", "N: TD 8D 9D")) == "AD"


def test_given_the_taker_with_the_two_best_trumps_when_it_leads_then_it_draws_trumps() -> None:
    answer = played(playing("JS 9S AS 7S 8H 7D 8D 7C", "N:", taker=N))

    assert answer.endswith("S")
    assert answer != "7S"


def test_given_no_trumps_outside_when_normal_leads_then_a_master_does_the_same_as_its_jack() -> None:
    tricks = ("N: AS 7S 8S 9S", "W: AH 7H 8H 9H", "W: KH TS QS KS")

    assert played(playing("JS AD 7D 8C 9C", "N:", taker=N, tricks=tricks)) != "JS"


@pytest.mark.parametrize("taker", [N, E, S, W])
def test_given_a_side_ace_and_a_bare_ten_when_normal_leads_then_not_the_ten(taker: Seat) -> None:
    assert played(playing("AH 7H TD 8C 9C 7C 7S 8S", "N:", taker=taker)) != "TD"


def test_given_freedom_from_undertrumping_when_an_opponent_has_overruffed_then_normal_keeps_its_honour() -> None:
    view = playing("9S 7H", "N: AD JS", rules=RuleSet(undertrump=Undertrump.MAY))

    assert played(view) == "7H"


@pytest.mark.parametrize(("belote", "says"), [(BeloteCall.MANUAL, True), (BeloteCall.AUTO, False)])
def test_given_the_belote_pair_when_normal_plays_one_then_it_announces_where_the_room_asks(
    belote: BeloteCall, says: bool
) -> None:
    answer = NORMAL.choose(playing("QS KS", "N: JS", rules=RuleSet(belote=belote)))

    assert isinstance(answer, PlayCard)
    assert answer.announce is says


def test_given_a_view_of_another_seats_turn_when_normal_is_asked_then_it_says_so() -> None:
    with pytest.raises(ValueError, match="nothing to bid or to play"):
        NORMAL.choose(playing("QS KS", "N: 7S")._replace(legal=0))
