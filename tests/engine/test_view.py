"""What each viewer is shown. That nothing else shines through is tested in ``tests/secrecy``."""

from __future__ import annotations

import pytest

from games.engine.commands import EndMatch
from games.engine.notation import format_card, parse_hand
from games.engine.play import Duty
from games.engine.rules import Phase
from games.engine.seats import Seat
from games.engine.view import table_view
from tests.engine.given import Driven, E, N, S, W


def test_given_nothing_is_dealt_when_viewed_then_no_cards() -> None:
    view = table_view(Driven().now, N)

    assert view.phase is Phase.BETWEEN_DEALS
    assert (view.hand, view.card_counts, view.turn_up, view.trick, view.turn) == (0, (0, 0, 0, 0), None, None, None)


def test_given_an_auction_when_a_spectator_looks_then_public_facts_and_no_hand() -> None:
    view = table_view(Driven().deal().bid("-").now, None)

    assert view.viewer is None
    assert view.hand == 0
    assert view.card_counts == (5, 5, 5, 5)
    assert view.turn_up is not None
    assert format_card(view.turn_up) == "JD"
    assert (view.dealer, view.turn) == (N, S)
    assert [bid.seat for bid in view.bids] == [E]
    assert (view.legal_bids, view.legal, view.duty) == ((), 0, None)


@pytest.mark.parametrize("viewer", Seat)
def test_given_an_auction_when_a_seat_looks_then_its_own_five_cards(viewer: Seat) -> None:
    view = table_view(Driven().deal().now, viewer)

    assert view.hand == parse_hand(["8H 9H TH 9D TD", "7S 8S 9S JH QH", "TS JS QS KH AH", "KS AS 7H 7D 8D"][viewer])
    assert bool(view.legal_bids) == (viewer is E)


@pytest.mark.parametrize("viewer", [N, S, W, None])
def test_given_play_when_another_seat_is_on_turn_then_no_legal_cards(viewer: Seat | None) -> None:
    view = table_view(Driven().deal().bid("D").now, viewer)

    assert view.turn is E
    assert (view.legal, view.duty, view.legal_bids, view.may_announce) == (0, None, (), 0)


def test_given_play_when_the_seat_on_turn_looks_then_its_legal_cards_and_duty() -> None:
    view = table_view(Driven().deal().bid("D").play("KD").now, S)

    assert view.legal == parse_hand("AD")
    assert view.duty is Duty.BEAT_TRUMP
    assert view.card_counts == (8, 7, 8, 8)
    assert (view.belote_seat, len(view.belote_cards)) == (E, 1)


def test_given_a_match_ended_in_mid_deal_when_viewed_then_other_hands_stay_hidden() -> None:
    driven = Driven().deal().bid("D").play("KD")
    driven.server(EndMatch())

    assert table_view(driven.now, None).hand == 0
    assert table_view(driven.now, N).hand == driven.running.hands[N]
    assert table_view(driven.now, S).legal == 0
