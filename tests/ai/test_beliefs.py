"""Beliefs against brute force: every deal of the unseen cards is tried against the whole history, with the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from games.ai.beliefs import Beliefs, Hands
from games.engine.cards import ALL_CARDS, Card, Mask, Suit, cards_in, mask_of
from games.engine.notation import format_trick, parse_card, parse_hand, parse_trick
from games.engine.play import Trick, announceable, legal_cards, trick_winner
from games.engine.rules import BeloteCall, Phase, RuleSet, Undertrump
from games.engine.seats import BySeat, Seat
from games.engine.view import TableView, table_view
from tests.ai.given import E, N, S, bidding, playing
from tests.properties.random_matches import random_match

MUST, MAY = Undertrump
AUTO, MANUAL = BeloteCall
ROOMS = [
    pytest.param(RuleSet(undertrump=undertrump, belote=belote), id=f"{undertrump}-{belote}")
    for undertrump, belote in product(Undertrump, BeloteCall)
]
POSITIONS = 100_000
CASES = Counter({1: 40, 2: 80, 3: 60, 4: 15})
"""How many positions are tried in each room, by the number of cards that seats hold."""

type Moves = list[tuple[Trick, Card, Mask]]
"""The moves of a seat: the trick before it, the card, and that card with those that the seat has played since."""


def positions(rng: random.Random, rules: RuleSet) -> Iterator[tuple[TableView, BySeat[Mask]]]:
    """Yield a view of each position of random matches, by one of the seats, with the true hands."""
    while True:
        for _, state in random_match(rng, rules, deals=4):
            if state.phase is Phase.PLAY and state.deal is not None:
                yield table_view(state, rng.choice(list(Seat))), state.deal.hands


def moves(view: TableView) -> BySeat[Moves]:
    """Return what the seats have done, their last move first."""
    assert view.trick is not None
    made: BySeat[Moves] = BySeat([], [], [], [])
    since = [0, 0, 0, 0]
    for trick in (view.trick, *[won.trick for won in reversed(view.tricks)]):
        for place in reversed(range(len(trick.cards))):
            seat, card = trick.leader.after(place), trick.cards[place]
            since[seat] |= 1 << card
            made[seat].append((Trick(trick.leader, trick.cards[:place]), card, since[seat]))
    return made


def played(made: BySeat[Moves]) -> Mask:
    return mask_of(card for seen in made for _, card, _ in seen)


def could_have(view: TableView, seat: Seat, hand: Mask, made: Moves) -> bool:
    """Tell whether a seat with this hand may have played and said what it did."""
    assert view.trump is not None
    assert view.turn_up is not None
    at_first = hand | (made[-1][2] if made else 0)
    if at_first >> view.turn_up & 1 != (seat is view.taker):
        return False
    speaks = seat is view.belote_seat
    for trick, card, since in made:
        held = hand | since
        if not legal_cards(held, trick, view.trump, seat, view.rules) >> card & 1:
            return False
        said = speaks and card in view.belote_cards
        has_said = speaks and not since >> view.belote_cards[0] & 1
        may = announceable(held, view.trump, seat, seat if has_said else None) >> card & 1
        if (said and not may) or (may and not said and view.rules.belote is AUTO):
            return False
    return True


def every_deal(view: TableView) -> set[Hands]:
    """Return all the hands that the viewer cannot exclude, by trying each."""
    assert view.viewer is not None
    made = moves(view)
    unseen = ALL_CARDS & ~view.hand & ~played(made)
    left, across, right = view.viewer.order()[1:]
    fitting = {
        seat: {
            hand
            for hand in map(mask_of, combinations(cards_in(unseen), view.card_counts[seat]))
            if could_have(view, seat, hand, made[seat])
        }
        for seat in (left, across, right)
    }
    return {
        tuple(BySeat(*[view.hand] * 4).put(left, first).put(across, second).put(right, unseen ^ first ^ second))
        for first, second in product(fitting[left], fitting[across])
        if not first & second and unseen ^ first ^ second in fitting[right]
    }


def shares(deals: set[Hands], viewer: Seat) -> dict[Card, BySeat[float]]:
    """Return in which part of the deals each seat but the viewer holds each card."""
    cards = mask_of(card for hands in deals for seat in viewer.order()[1:] for card in cards_in(hands[seat]))
    return {
        card: BySeat(*[sum(hands[seat] >> card & 1 for hands in deals) / len(deals) for seat in Seat])
        for card in cards_in(cards)
    }


def after(trick: str, undertrump: Undertrump = MUST, belote: BeloteCall = AUTO) -> TableView:
    """Return the view of the seat that plays next in or after a first trick; it holds clubs only, spades are trumps."""
    rules = RuleSet(undertrump=undertrump, belote=belote)
    first = parse_trick(trick)
    if len(first.cards) < 4:
        return playing("7C 8C 9C TC JC QC KC AC", trick, rules=rules)
    next_trick = format_trick(Trick(trick_winner(first, Suit.SPADES)))
    return playing("7C 8C 9C TC JC QC KC", next_trick, tricks=(trick,), rules=rules)


def chances(view: TableView, card: str) -> BySeat[float]:
    return Beliefs.of(view).probabilities()[parse_card(card)]


@pytest.mark.parametrize("rules", ROOMS)
def test_given_few_cards_when_every_deal_is_tried_then_those_that_fit_are_the_worlds(rules: RuleSet) -> None:
    tried: Counter[int] = Counter()
    for view, truth in positions(random.Random(41), rules):
        size = max(view.card_counts)
        if tried[size] == CASES[size]:
            continue
        tried[size] += 1
        deals = every_deal(view)
        beliefs = Beliefs.of(view)

        assert tuple(truth) in deals
        assert beliefs.worlds == len(deals)
        assert {beliefs.world(number) for number in range(beliefs.worlds)} == deals
        assert beliefs.probabilities() == shares(deals, beliefs.seat)
        if tried == CASES:
            break


def test_given_any_limits_when_every_deal_is_tried_then_those_that_fit_are_the_worlds() -> None:
    rng = random.Random(42)
    for _ in range(300):
        seat = rng.choice(list(Seat))
        wanted = BySeat(*[rng.randint(0, 3) for _ in Seat])
        cards = rng.sample(range(32), sum(wanted))
        truth = [mask_of(cards.pop() for _ in range(count)) for count in wanted]
        unseen = mask_of(card for other in seat.order()[1:] for card in cards_in(truth[other]))
        limits = BySeat(*[unseen & (hand | rng.getrandbits(32)) for hand in truth]).put(seat, truth[seat])
        left, across, right = seat.order()[1:]
        deals = {
            tuple(BySeat(*truth).put(left, first).put(across, second).put(right, unseen ^ first ^ second))
            for first in map(mask_of, combinations(cards_in(limits[left]), wanted[left]))
            for second in map(mask_of, combinations(cards_in(limits[across] & ~first), wanted[across]))
            if not (unseen ^ first ^ second) & ~limits[right]
        }
        beliefs = Beliefs.where(seat, limits, wanted)

        assert beliefs.worlds == len(deals)
        assert {beliefs.world(number) for number in range(beliefs.worlds)} == deals
        assert beliefs.probabilities() == shares(deals, seat)


@pytest.mark.parametrize("rules", ROOMS)
def test_given_random_positions_when_a_world_is_sampled_then_it_is_possible_and_so_is_the_truth(rules: RuleSet) -> None:
    rng = random.Random(43)
    source = positions(rng, rules)
    for _ in range(POSITIONS // len(ROOMS)):
        view, truth = next(source)
        beliefs = Beliefs.of(view)
        made = moves(view)
        (world,) = beliefs.sample(rng, 1)

        assert all(not truth[seat] & ~beliefs.may_hold[seat] for seat in Seat)
        assert world[beliefs.seat] == view.hand
        assert tuple(hand.bit_count() for hand in world) == view.card_counts
        assert world[0] | world[1] | world[2] | world[3] == ALL_CARDS & ~played(made)
        assert all(could_have(view, seat, world[seat], made[seat]) for seat in beliefs.seat.order()[1:])


def test_given_worlds_of_different_kinds_when_they_are_sampled_then_all_come_equally_often() -> None:
    rng = random.Random(44)
    red, black = parse_hand("7H 8H 9H TH"), parse_hand("7S 8S")
    beliefs = Beliefs.where(N, (parse_hand("AC AD"), red | black, red, red | black), (2, 2, 2, 2))
    draws = 20_000

    times = Counter(world for _ in range(draws) for world in beliefs.sample(rng, 3))

    expected = 3 * draws / beliefs.worlds
    spread = sum((times[beliefs.world(number)] - expected) ** 2 / expected for number in range(beliefs.worlds))
    assert beliefs.worlds == 6 + 2 * 4 * 3 + 6
    assert len(times) == beliefs.worlds
    assert spread < 70  # chi-square, 35 degrees of freedom: once in 2,000 times for a fair sampler


def test_given_fewer_worlds_than_asked_for_when_sampled_then_each_comes_once_in_order() -> None:
    beliefs = Beliefs.where(N, (1, 14, 14, 14), (1, 1, 1, 1))

    assert beliefs.sample(random.Random(45), 6) == [beliefs.world(number) for number in range(6)]
    assert len(beliefs.sample(random.Random(45), 200)) == 6


def test_given_more_worlds_than_asked_for_when_sampled_then_none_comes_twice() -> None:
    beliefs = Beliefs.where(N, (1, 14, 14, 14), (1, 1, 1, 1))
    rng = random.Random(46)

    assert all(len(set(beliefs.sample(rng, 5))) == 5 for _ in range(20))


@pytest.mark.parametrize("undertrump", Undertrump)
@pytest.mark.parametrize(
    ("trick", "must", "may"),
    [
        pytest.param("N: KD 9D", "", "", id="it followed, which no duty to beat bounds (R4.2)"),
        pytest.param("N: KD 7H", "D S", "D S", id="no ruff over an opponent's plain card (R4.5)"),
        pytest.param("N: KD 7S", "D", "D", id="a ruff"),
        pytest.param("N: AD 7D 7H", "D", "D", id="a discard while the partner wins (R4.4)"),
        pytest.param("N: AD 7D 7S", "D", "D", id="a low trump while the partner wins (R4.4)"),
        pytest.param("N: 7D 8D 7H", "D S", "D S", id="the partner led, but no longer wins"),
        pytest.param(
            "N: 7D TS 7H", "D S", "D JS 9S AS", id="no undertrump (R4.6): in a room that frees, only no overruff"
        ),
        pytest.param("N: 7D TS 7S", "D JS 9S AS", "D JS 9S AS", id="an undertrump: no overruff (R4.5)"),
        pytest.param("N: 7D TS AS", "D", "D", id="an overruff"),
        pytest.param("N: 7D JS 7H", "D S", "D", id="nobody can overruff the jack"),
        pytest.param("N: 7D 8D TS 7S", "D JS 9S AS", "D JS 9S AS", id="an undertrump by the last seat"),
        pytest.param("N: 7D TS 8D 7H", "D", "D", id="a discard while the partner's ruff wins (R4.4)"),
        pytest.param("N: 7D TS 7S 7H", "D", "D", id="an opponent undertrumped, the partner still wins (R4.4)"),
        pytest.param("N: 7D TS JS 7H", "D S", "D", id="an opponent overruffed the partner"),
        pytest.param("N: TS 7S", "JS 9S AS", "JS 9S AS", id="a lower trump on a trump lead (R4.3)"),
        pytest.param("N: TS AS", "", "", id="a higher trump on a trump lead"),
        pytest.param("N: TS 7H", "S", "S", id="no trump on a trump lead (R4.3)"),
        pytest.param("N: 7S 9S 8S AS", "JS", "JS", id="the partner's winning trump is to be beaten (R4.3)"),
        pytest.param("N: 7S AS TS 7H", "S", "S", id="trumps are owed to the partner's winning trump"),
    ],
)
def test_given_a_card_when_a_duty_was_in_force_then_it_shows_what_the_duty_proves_and_no_more(
    trick: str, must: str, may: str, undertrump: Undertrump
) -> None:
    view = after(trick, undertrump)
    assert view.trick is not None
    last = (view.trick if view.trick.cards else view.tricks[0].trick).next_seat.right
    beliefs = Beliefs.of(view)

    missing = mask_of(beliefs.probabilities()) & ~beliefs.may_hold[last]

    words = (must if undertrump is MUST else may).split()
    shown = mask_of(card for word in words for card in (suit_cards(word) if len(word) == 1 else [parse_card(word)]))
    assert missing == shown & ~view.hand & ~played(moves(view))


def suit_cards(letter: str) -> list[Card]:
    return [parse_card(rank + letter) for rank in "789TJQKA"]


def test_given_a_discard_while_the_partner_wins_when_trumps_are_out_then_the_seat_may_hold_them_still() -> None:
    chance = chances(after("N: AD 7D 7H"), "JS")

    assert chance[S] > chance[E] == chance[N] > 0


@pytest.mark.parametrize("holder", [N, E])
def test_given_the_turned_card_when_it_is_not_played_then_it_is_with_the_taker(holder: Seat) -> None:
    view = after("N: KD 9D")._replace(taker=holder, turn_up=parse_card("JS"))

    assert chances(view, "JS") == BySeat(0.0, 0.0, 0.0, 0.0).put(holder, 1.0)


@pytest.mark.parametrize("belote", BeloteCall)
@pytest.mark.parametrize(("card", "other"), [("KS", "QS"), ("QS", "KS")])
def test_given_belote_when_it_is_said_then_the_seat_holds_the_other_half(
    card: str, other: str, belote: BeloteCall
) -> None:
    view = after(f"N: {card} AS", belote=belote)._replace(belote_seat=N, belote_cards=(parse_card(card),))

    assert chances(view, other) == BySeat(1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("card", "other"), [("KS", "QS"), ("QS", "KS")])
def test_given_half_a_belote_when_it_is_played_without_the_word_then_the_room_decides_what_it_shows(
    card: str, other: str
) -> None:
    assert chances(after(f"N: {card} AS", belote=AUTO), other)[N] == 0
    assert chances(after(f"N: {card} AS", belote=MANUAL), other)[N] > 0


def test_given_no_viewer_when_beliefs_are_asked_then_it_says_whose_view_it_needs() -> None:
    with pytest.raises(ValueError, match="one of the four"):
        Beliefs.of(after("N: KD 9D")._replace(viewer=None))


def test_given_an_auction_when_beliefs_are_asked_then_it_says_that_no_suit_is_taken() -> None:
    with pytest.raises(ValueError, match="no suit has been taken"):
        Beliefs.of(bidding("7C 8C 9C TC JC", "AD"))


@pytest.mark.parametrize(
    ("limits", "wanted"),
    [
        pytest.param((1, 14, 14, 14), (1, 1, 1, 2), id="more places than cards"),
        pytest.param((1, 6, 6, 6), (1, 1, 1, 1), id="a card that nobody may hold"),
        pytest.param((1, 2, 2, 12), (1, 1, 1, 1), id="two seats that need the same card"),
    ],
)
def test_given_limits_that_no_deal_fits_when_counted_then_they_are_refused(
    limits: Hands, wanted: tuple[int, int, int, int]
) -> None:
    with pytest.raises(ValueError, match="contradicts itself"):
        Beliefs.where(N, limits, wanted)


@pytest.mark.parametrize("number", [-1, 6])
def test_given_a_number_that_no_world_has_when_it_is_asked_for_then_it_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"world {number} is none of the 6"):
        Beliefs.where(N, (1, 14, 14, 14), (1, 1, 1, 1)).world(number)
