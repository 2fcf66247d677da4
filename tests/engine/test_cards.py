"""Cards, seats and their text (R1)."""

from __future__ import annotations

import pytest

from games.engine.cards import (
    ALL_CARDS,
    POINTS,
    STRENGTH,
    TRUMPS_OVER,
    CardSet,
    Rank,
    Suit,
    cards_in,
    make_card,
    rank_of,
    suit_of,
)
from games.engine.notation import (
    CARD_NAMES,
    format_card,
    format_cards,
    format_hand,
    format_suit,
    format_trick,
    parse_card,
    parse_cards,
    parse_deck,
    parse_hand,
    parse_suit,
    parse_trick,
)
from games.engine.play import Trick
from games.engine.rules import RuleSet
from games.engine.seats import BySeat, ByTeam, Seat, Team
from tests.engine.given import E, N, S, W


@pytest.mark.parametrize("card", range(32))
def test_given_a_card_when_written_and_read_then_it_is_the_same(card: int) -> None:
    assert parse_card(format_card(card)) == card
    assert make_card(suit_of(card), rank_of(card)) == card


def test_given_names_when_read_then_suit_and_rank() -> None:
    assert (suit_of(parse_card("JS")), rank_of(parse_card("JS"))) == (Suit.SPADES, Rank.JACK)
    assert (suit_of(parse_card("TD")), rank_of(parse_card("TD"))) == (Suit.DIAMONDS, Rank.TEN)
    assert [format_suit(suit) for suit in Suit] == ["S", "H", "D", "C"]
    assert [parse_suit(letter) for letter in "SHDC"] == list(Suit)


@pytest.mark.parametrize("trump", Suit)
def test_given_a_trump_suit_when_points_are_added_then_152(trump: Suit) -> None:
    assert sum(POINTS[trump]) == 152
    assert sum(POINTS[trump][card] for card in range(32) if suit_of(card) is trump) == 62


@pytest.mark.parametrize(
    ("suit", "order"),
    [
        pytest.param("H", "7H 8H QH KH TH AH 9H JH", id="R1.3"),
        pytest.param("D", "7D 8D 9D JD QD KD TD AD", id="R1.4"),
    ],
)
def test_given_hearts_as_trump_when_a_suit_is_sorted_then_the_order_of_the_rule(suit: str, order: str) -> None:
    strength = STRENGTH[Suit.HEARTS][parse_suit(suit)]

    assert format_cards(sorted(parse_cards(order), key=strength.__getitem__)) == order
    assert len({strength[card] for card in parse_cards(order)}) == 8


def test_given_hearts_as_trump_when_asked_what_beats_a_card_then_higher_trumps() -> None:
    over = TRUMPS_OVER[Suit.HEARTS]

    assert format_hand(over[parse_card("AH")]) == "9H JH"
    assert over[parse_card("JH")] == 0
    assert over[parse_card("AS")] == parse_hand("7H 8H 9H TH JH QH KH AH")


def test_given_a_card_set_when_used_as_a_set_then_it_reads_like_one() -> None:
    hand = CardSet(parse_hand("9H JS TD"))

    assert parse_card("JS") in hand
    assert parse_card("AS") not in hand
    assert len(hand) == 3
    assert list(hand) == sorted(parse_cards("JS 9H TD"))
    assert str(hand) == repr(hand) == "{JS 9H TD}"
    assert hand == parse_hand("JS 9H TD")
    assert list(cards_in(ALL_CARDS)) == list(range(32))
    assert str(CardSet(0)) == "{}"


@pytest.mark.parametrize(
    ("parse", "text", "complaint"),
    [
        (parse_card, "10H", "'10H' is no card"),
        (parse_card, "js", "'js' is no card"),
        (parse_card, "", "'' is no card"),
        (parse_suit, "X", "'X' is no suit"),
        (parse_suit, "SH", "'SH' is no suit"),
        (parse_suit, "", "'' is no suit"),
        (parse_cards, "JS 9H JS", "stands twice"),
        (parse_hand, "JS ZZ", "'ZZ' is no card"),
        (parse_trick, "AD 9H", "is no trick"),
        (parse_trick, "X: AD", "is no trick"),
        (parse_trick, ": AD", "is no trick"),
        (parse_trick, "N: AD 9H KD QD JD", "at most four cards"),
        (parse_deck, "JS 9H", "a deck has 32 cards, not 2"),
    ],
)
def test_given_text_that_is_wrong_when_read_then_the_error_says_why(parse: object, text: str, complaint: str) -> None:
    assert callable(parse)
    with pytest.raises(ValueError, match=complaint):
        parse(text)


@pytest.mark.parametrize("text", ["N: AD 9H", "W: 7S", "S:", "E: AD 9H TD KD"])
def test_given_a_trick_when_read_and_written_then_it_is_the_same(text: str) -> None:
    assert format_trick(parse_trick(text)) == text


def test_given_a_trick_when_read_then_leader_cards_and_next_seat() -> None:
    trick = parse_trick("W: AD 9H")

    assert trick == Trick(W, parse_cards("AD 9H"))
    assert trick.next_seat is E


def test_given_all_cards_when_read_as_a_deck_then_their_order_is_kept() -> None:
    assert parse_deck(" ".join(reversed(CARD_NAMES))) == tuple(range(31, -1, -1))


def test_given_a_seat_when_play_goes_on_then_clockwise() -> None:
    assert [seat.left for seat in Seat] == [E, S, W, N]
    assert [seat.right for seat in Seat] == [W, N, E, S]
    assert [seat.partner for seat in Seat] == [S, W, N, E]
    assert W.order() == (W, N, E, S)
    assert [N.after(steps) for steps in range(6)] == [N, E, S, W, N, E]
    assert [seat.team for seat in Seat] == [Team.NORTH_SOUTH, Team.EAST_WEST] * 2
    assert [team.other for team in Team] == [Team.EAST_WEST, Team.NORTH_SOUTH]


def test_given_values_by_seat_or_team_when_one_is_put_then_only_that_one_differs() -> None:
    assert BySeat(1, 2, 3, 4).put(S, 9) == BySeat(1, 2, 9, 4)
    assert ByTeam(1, 2).put(Team.NORTH_SOUTH, 9) == ByTeam(9, 2)
    assert ByTeam(1, 2).put(Team.EAST_WEST, 9) == ByTeam(1, 9)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"target": 1001}, "target must be one of"),
        ({"version": "2.0.0"}, "unknown rules version"),
        ({"undertrump": "must"}, "undertrump must be one of"),
        ({"belote": None}, "belote must be one of"),
        ({"litige": "held"}, "litige must be one of"),
    ],
)
def test_given_options_that_do_not_exist_when_a_rule_set_is_made_then_refused(
    options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        RuleSet(**options)  # type: ignore[arg-type]
