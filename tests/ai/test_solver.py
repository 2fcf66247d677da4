"""The solver against a plain minimax over the rules, which knows no shortcut."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest

from games.ai.solver import Solver
from games.engine.cards import ALL_CARDS, POINTS, SUIT_CARDS, Card, Mask, Suit, cards_in, mask_of
from games.engine.notation import parse_card, parse_hand
from games.engine.play import Trick, legal_cards, trick_winner
from games.engine.rules import RuleSet, Undertrump
from games.engine.seats import Seat

type Hands = tuple[Mask, ...]

RULES = {undertrump: RuleSet(undertrump=undertrump) for undertrump in Undertrump}
ROOMS = list(product(Suit, Undertrump))


class Position(NamedTuple):
    """The hands by seat, without the cards of the running trick."""

    hands: Hands
    trick: Trick


def after(position: Position, card: Card, trump: Suit) -> tuple[Position, int]:
    """Return the position after a card, and what North-South took with it."""
    hands, (leader, cards) = position
    seat = leader.after(len(cards))
    hands = (*hands[:seat], hands[seat] ^ 1 << card, *hands[seat + 1 :])
    trick = Trick(leader, (*cards, card))
    if len(trick.cards) < 4:
        return Position(hands, trick), 0
    winner = trick_winner(trick, trump)
    points = sum(POINTS[trump][card] for card in trick.cards) + (0 if any(hands) else 10)
    return Position(hands, Trick(winner)), 0 if winner & 1 else points


def legal(position: Position, trump: Suit, undertrump: Undertrump) -> Iterator[Card]:
    seat = position.trick.next_seat
    return cards_in(legal_cards(position.hands[seat], position.trick, trump, seat, RULES[undertrump]))


def brute_force(trump: Suit, undertrump: Undertrump) -> Callable[[Position], dict[Card, int]]:
    """Return a minimax that looks at every legal card, and remembers what positions between two tricks are worth."""
    known: dict[tuple[Hands, Seat], int] = {}

    def worth(hands: Hands, trick: Trick) -> int:
        leader, cards = trick
        if len(cards) == 4:
            winner = trick_winner(trick, trump)
            taken = 0 if winner & 1 else sum([POINTS[trump][card] for card in cards])
            if not any(hands):
                return taken if winner & 1 else taken + 10
            if (hands, winner) not in known:
                known[hands, winner] = worth(hands, Trick(winner))
            return taken + known[hands, winner]
        return (min if leader + len(cards) & 1 else max)(values(Position(hands, trick)).values())

    def values(position: Position) -> dict[Card, int]:
        hands, trick = position
        leader, cards = trick
        seat = trick.next_seat
        found = {}
        for card in legal(position, trump, undertrump):
            held = list(hands)
            held[seat] ^= 1 << card
            found[card] = worth(tuple(held), Trick(leader, (*cards, card)))
        return found

    return values


def solved(solver: Solver, position: Position) -> dict[Card, int]:
    return solver.values(position.hands, *position.trick)


def random_position(rng: random.Random, count: int, among: Mask = ALL_CARDS) -> Position:
    """Return a position in which somebody is to lead, each seat with so many of some cards."""
    cards = rng.sample(list(cards_in(among)), 4 * count)
    hands = tuple(mask_of(cards[place::4]) for place in range(4))
    return Position(hands, Trick(Seat(rng.randrange(4))))


def into_the_trick(position: Position, steps: int, room: tuple[Suit, Undertrump], rng: random.Random) -> Position:
    for _ in range(steps):
        position, _ = after(position, rng.choice(list(legal(position, *room))), room[0])
    return position


@pytest.mark.parametrize(("count", "endings"), [(1, 100), (2, 500), (3, 1000), (4, 2000), (5, 16)])
def test_given_random_endings_when_solved_then_every_value_is_that_of_brute_force(count: int, endings: int) -> None:
    rng = random.Random(count)

    for number in range(endings):
        room = ROOMS[number % 8]
        position = into_the_trick(random_position(rng, count), number // 8 % 4, room, rng)
        expected = brute_force(*room)(position)

        assert solved(Solver(*room), position) == expected, (room, position)
        value = Solver(*room).value(position.hands, *position.trick)
        assert value == (min if position.trick.next_seat & 1 else max)(expected.values())


@pytest.mark.parametrize("trump", Suit)
def test_given_endings_in_two_suits_when_solved_then_every_value_is_that_of_brute_force(trump: Suit) -> None:
    """Sequences, cards worth nothing beside each other, and the duty to overtrump are the rule here."""
    rng = random.Random(trump)

    for number in range(200):
        room = trump, list(Undertrump)[number % 2]
        among = SUIT_CARDS[trump] | SUIT_CARDS[trump + 1 + number % 3 & 3]
        position = into_the_trick(random_position(rng, 3, among), number // 2 % 4, room, rng)

        assert solved(Solver(*room), position) == brute_force(*room)(position), (room, position)


@pytest.mark.parametrize("undertrump", Undertrump)
def test_given_one_solver_for_many_deals_when_solved_again_then_the_values_of_fresh_solvers(
    undertrump: Undertrump,
) -> None:
    rng = random.Random(7)
    room = Suit.HEARTS, undertrump
    solver = Solver(*room)
    # One hand is known and the others are dealt anew, so that most positions come up again, in part at other seats.
    own, unseen = parse_hand("9S JH 8C"), list(cards_in(parse_hand("7S TS AS QH KH 9H 7C KC TC")))

    for number in range(600):
        rng.shuffle(unseen)
        hands = (own, *(mask_of(unseen[place::3]) for place in range(3)))
        position = into_the_trick(Position(hands, Trick(Seat(number // 4 % 4))), number % 4, room, rng)

        assert solved(solver, position) == solved(Solver(*room), position), position


def test_given_values_that_are_known_already_when_solved_then_the_others_are_what_they_were() -> None:
    rng = random.Random(11)

    for number in range(100):
        room = ROOMS[number % 8]
        position = into_the_trick(random_position(rng, 4), number // 8 % 4, room, rng)
        values = solved(Solver(*room), position)
        known = dict(rng.sample(list(values.items()), rng.randrange(len(values) + 1)))

        assert Solver(*room).values(position.hands, *position.trick, known=known) == values


@pytest.mark.parametrize(("count", "deals", "room"), [(8, 1, ROOMS[0]), (8, 1, ROOMS[3]), (6, 8, ROOMS[4])])
def test_given_a_whole_deal_when_each_seat_plays_its_best_card_then_the_value_is_kept_to_the_end(
    count: int, deals: int, room: tuple[Suit, Undertrump]
) -> None:
    rng = random.Random(count)

    for _ in range(deals):
        solver = Solver(*room)
        position = random_position(rng, count)
        promised, taken = solver.value(position.hands, *position.trick), 0
        while any(position.hands):
            values = solved(solver, position)
            best = (min if position.trick.next_seat & 1 else max)(values.values())
            assert taken + best == promised
            assert set(values) == set(legal(position, *room))
            if max(position.hands).bit_count() < count:
                assert values == solved(Solver(*room), position)
            position, points = after(position, next(card for card in values if values[card] == best), room[0])
            taken += points
        assert taken == promised


def test_given_a_partner_who_must_overtake_when_solved_then_the_rest_cannot_be_claimed_with_the_trump() -> None:
    hands = tuple(map(parse_hand, ("9S AH", "7H 8D", "JS 7D", "8H 9D")))

    values = Solver(Suit.SPADES, Undertrump.MUST).values(hands, Seat.NORTH)

    # The nine falls to the jack (R4.3), and South has only a diamond to go on with.
    assert values == {parse_card("9S"): 34, parse_card("AH"): 55}


def test_given_the_last_card_when_solved_then_the_trick_with_its_ten() -> None:
    hands = tuple(map(parse_hand, ("", "", "AH", "TH")))

    assert Solver(Suit.SPADES, Undertrump.MAY).values(hands, Seat.NORTH, (parse_card("KH"), parse_card("9D"))) == {
        parse_card("AH"): 35
    }


@pytest.mark.parametrize(
    ("hands", "cards"),
    [
        (("9S AH", "7H 8D", "JS 7D", "8H"), ()),
        (("9S", "7H 8D", "JS 7D", "8H 9D"), ()),
        (("9S AH", "7H 8D", "JS 7D", "8H AH"), ()),
        (("9S", "7H", "JS", "8H"), ("KH",)),
        (("9S", "7H", "JS", "8H"), ("KH", "QH", "TH", "JH")),
        (("", "", "", ""), ()),
    ],
    ids=["a card short", "the leader short", "one card twice", "a card too many", "a full trick", "none left"],
)
def test_given_cards_that_are_no_position_when_solved_then_it_says_what_a_position_needs(
    hands: tuple[str, ...], cards: tuple[str, ...]
) -> None:
    solver = Solver(Suit.SPADES, Undertrump.MUST)

    for ask in (solver.value, solver.values):
        with pytest.raises(ValueError, match="as many cards of each seat"):
            ask(tuple(map(parse_hand, hands)), Seat.NORTH, tuple(map(parse_card, cards)))
