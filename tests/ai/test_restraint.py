"""Which partner is safe, and which cards R9.3 leaves to be weighed."""

from __future__ import annotations

import pytest

from games.ai.position import Position
from games.ai.restraint import partner_is_safe, weighed_cards
from games.engine.notation import parse_hand
from tests.ai.given import playing

WEST_WITHOUT_TRUMPS = ("N: JS 7S 9S 8H",)
EAST_WITHOUT_TRUMPS = ("N: JS 8H 9S 7S",)


@pytest.mark.parametrize(
    ("hand", "trick", "tricks", "safe"),
    [
        pytest.param("8S 7H", "N: AD 7D", WEST_WITHOUT_TRUMPS, True, id="the seat left has no trumps"),
        pytest.param("8S 7H", "N: AD 7D", EAST_WITHOUT_TRUMPS, False, id="another seat has none"),
        pytest.param("8S 7H", "N: AD 7D", (), False, id="the seat left may ruff"),
        pytest.param("8S 7H", "N: KD 7D", WEST_WITHOUT_TRUMPS, False, id="the seat left may hold the ace"),
        pytest.param("AD TD", "N: KD 7D", WEST_WITHOUT_TRUMPS, True, id="the higher cards are in the own hand"),
        pytest.param("8S 7H", "N: JS TS", (), True, id="the highest trump"),
        pytest.param("8S 7H", "N: 7D AD 8D", (), True, id="last to play"),
        pytest.param("8S 7H", "N: AD 7D 8D", (), False, id="an opponent wins"),
        pytest.param("8S 7H", "N: 7D AD", (), False, id="an opponent wins so far"),
        pytest.param("8S 7H", "N: AD", (), False, id="the partner has not played"),
        pytest.param("8S 7H", "N:", (), False, id="on lead"),
    ],
)
def test_given_a_trick_when_asked_whether_the_partner_is_safe_then_by_what_all_have_seen(
    hand: str, trick: str, tricks: tuple[str, ...], safe: bool
) -> None:
    view = playing(hand, trick, tricks=tricks)

    assert partner_is_safe(Position.of(view), view.hand) is safe


@pytest.mark.parametrize(
    ("hand", "trick", "left"),
    [
        pytest.param("9S 7S", "N: AD", "9S 7S", id="the nine is harder to overruff than the seven"),
        pytest.param("JS 9S AS TS", "N:", "TS", id="four in a row all win the trick"),
        pytest.param("JS AS 7S", "N:", "JS AS 7S", id="the nine beats the ace, the jack it does not"),
        pytest.param(
            "AS TS 7S", "N: QS JS KS", "TS", id="the partner's jack wins: the ten gives points, the ace is saved"
        ),
        pytest.param("KH QH 8C 7S", "N: 7D AD 8D", "KH QH", id="points on a safe trick, no ruff"),
        pytest.param("9H 8C 7S", "N: 7D AD 8D", "9H 8C", id="no points to give"),
    ],
)
def test_given_legal_cards_when_r93_has_spoken_then_these_are_left(hand: str, trick: str, left: str) -> None:
    view = playing(hand, trick)

    assert weighed_cards(Position.of(view), view.hand, view.legal) == parse_hand(left)
