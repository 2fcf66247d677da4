"""Redealing the cards that a seat cannot see never changes what a level plays (R9.1); a player that peeks is found."""

from __future__ import annotations

import random
import subprocess
import sys
from io import StringIO
from itertools import islice, permutations

import pytest
from django.core.management import CommandError, call_command

from games import noninterference
from games.ai.player import PLAYERS
from games.engine.cards import Mask, cards_in
from games.engine.commands import Pass, PlayCard, Take
from games.engine.dealing import full_hands
from games.engine.errors import IllegalCommand
from games.engine.events import (
    Announcement,
    BidMade,
    CardPlayed,
    DealCommitted,
    DealStarted,
    Event,
    MatchStarted,
)
from games.engine.notation import format_hand, parse_card, parse_deck, parse_suit
from games.engine.rules import BeloteCall, RuleSet, Undertrump
from games.engine.seats import BySeat, Occupant, Seat
from games.engine.state import DealState, MatchState
from games.engine.view import TableView, table_view
from games.noninterference import Answer, Ask, Pair, examine, first_difference, pairs
from games.redeals import Redeals
from games.side_by_side import side_by_side
from tests.secrecy.redeal import check_replay

N, E, S, W = Seat
EASY, NORMAL, HARD = Occupant.EASY, Occupant.NORMAL, Occupant.HARD

# How many positions, and in how many processes.
EXAMINED = {EASY: (10_000, 1), NORMAL: (10_000, 1), HARD: (300, 2)}


def deal_of(state: MatchState) -> DealState:
    assert state.deal is not None
    return state.deal


def some_pairs(seed: int, count: int) -> list[Pair]:
    return list(islice(pairs(random.Random(seed)), count))


def log_of(state: MatchState, deal: DealState) -> list[Event]:
    """Return the events of a match that stands in its first deal, were it dealt and played like this."""
    log: list[Event] = [
        MatchStarted(state.rules, state.occupants),
        DealCommitted(deal.number, state.commitment),
        DealStarted(deal.number, deal.dealer, deal.deck),
    ]
    log += [BidMade(seat, suit) for seat, suit in deal.bids]
    for leader, cards in [*[won.trick for won in deal.tricks], deal.trick]:
        for place, card in enumerate(cards):
            said = None
            if card in deal.belote_cards:
                said = list(Announcement)[deal.belote_cards.index(card)]
            log.append(CardPlayed(leader.after(place), card, said))
    return log


def can_have_happened(state: MatchState, deal: DealState) -> bool:
    """Tell whether the rules give these bids and cards, replayed through `decide`, and end in this deal."""
    try:
        return check_replay(log_of(state, deal)).deal == deal
    except (AssertionError, IllegalCommand):
        return False


def all_redeals(state: MatchState, seat: Seat) -> set[BySeat[Mask]]:
    """Return all hands that the others may hold, by trying every way in which the unseen cards may lie."""
    deal = deal_of(state)
    unseen = [card for other in seat.order()[1:] for card in cards_in(deal.hands[other])]
    places = [deal.deck.index(card) for card in unseen]
    played = [0, 0, 0, 0]
    for leader, cards in [*[won.trick for won in deal.tricks], deal.trick]:
        for place, card in enumerate(cards):
            played[leader.after(place)] |= 1 << card
    ways: dict[BySeat[Mask], DealState] = {}
    assert deal.taker is not None
    for cards in permutations(unseen):
        deck = list(deal.deck)
        for place, card in zip(places, cards, strict=True):
            deck[place] = card
        dealt = full_hands(tuple(deck), deal.dealer, deal.taker)
        hands = BySeat(*[held & ~gone for held, gone in zip(dealt, played, strict=True)])
        # The turned card is seen to go to the taker.
        if deck[20] == deal.turn_up:
            ways.setdefault(hands, deal._replace(deck=tuple(deck), hands=hands))
    return {hands for hands, other in ways.items() if can_have_happened(state, other)}


def test_given_the_levels_when_listed_then_each_is_examined() -> None:
    assert list(EXAMINED) == list(PLAYERS)


@pytest.mark.parametrize("level", EXAMINED)
def test_given_redeals_of_what_a_seat_cannot_see_when_a_level_answers_then_always_the_same(level: Occupant) -> None:
    positions, jobs = EXAMINED[level]
    done: list[int] = []

    result = examine(level, positions, 1, jobs, done.append)

    assert result.difference is None, str(result.difference)
    assert result.bids + result.cards == positions == done[-1]
    assert result.bids > positions / 20
    assert done == sorted(done)


def test_given_pairs_when_looked_at_then_they_are_choices_of_all_kinds() -> None:
    found = some_pairs(2, 1500)

    for seat, dealt, redealt in found:
        view = table_view(dealt, seat)
        assert len(view.legal_bids) > 1 or view.legal.bit_count() > 1
        assert table_view(redealt, seat) == view
        assert deal_of(redealt).hands != deal_of(dealt).hands
    rules = {pair.dealt.rules for pair in found}
    assert {(r.undertrump, r.belote) for r in rules} == {(u, b) for u in Undertrump for b in BeloteCall}
    assert {pair.seat for pair in found} == set(Seat)
    assert {len(deal_of(pair.dealt).bids) for pair in found if pair.dealt.turn and not deal_of(pair.dealt).trump} >= {
        *range(1, 8)
    }
    tricks = [len(deal_of(pair.dealt).tricks) for pair in found if deal_of(pair.dealt).trump is not None]
    assert {number for number in range(8) if tricks.count(number) > 40} == set(range(7))
    said = [deal_of(pair.dealt).belote_cards for pair in found]
    assert {len(cards) for cards in said} == {0, 1, 2}


def test_given_redeals_when_replayed_through_the_rules_then_they_can_have_happened() -> None:
    for pair in some_pairs(3, 400):
        assert can_have_happened(pair.dealt, deal_of(pair.dealt))
        assert can_have_happened(pair.dealt, deal_of(pair.redealt)), str(pair)


def test_given_late_positions_when_redealt_often_then_all_hands_come_that_the_rules_allow_and_no_others() -> None:
    rng = random.Random(4)
    late = (pair for pair in pairs(rng) if len(deal_of(pair.dealt).tricks) in (5, 6))
    sizes = []
    for seat, dealt, _ in islice(late, 30):
        deal = deal_of(dealt)
        if sum(deal.hands[other].bit_count() for other in seat.order()[1:]) > 6:
            continue
        redeals = Redeals(deal, seat, dealt.rules)

        drawn = {redeals.draw(rng).hands for _ in range(600)}

        assert drawn == all_redeals(dealt, seat)
        sizes.append(len(drawn))
    assert len(sizes) > 5
    assert max(sizes) > 20


def test_given_a_redeal_against_what_is_proved_when_replayed_then_it_is_noticed() -> None:
    noticed = 0
    for seat, dealt, _ in some_pairs(5, 300):
        deal = deal_of(dealt)
        if deal.trump is None or len(deal.tricks) < 3:
            continue
        # Two cards of others change places, whatever R4 and R5 prove of them.
        left, partner = (max(cards_in(deal.hands[other]), default=None) for other in (seat.left, seat.partner))
        if left is None or partner is None or deal.turn_up in (left, partner):
            continue
        swap = {left: partner, partner: left}
        deck = tuple(swap.get(card, card) for card in deal.deck)
        both = 1 << left | 1 << partner
        hands = deal.hands.put(seat.left, deal.hands[seat.left] ^ both)
        wrong = deal._replace(deck=deck, hands=hands.put(seat.partner, hands[seat.partner] ^ both))
        noticed += not can_have_happened(dealt, wrong)
    assert noticed > 20


def lowest_or_highest(view: TableView, *, low: bool) -> Answer:
    if view.legal_bids:
        suit = view.legal_bids[-1]
        return Pass() if low or suit is None else Take(suit)
    legal = list(cards_in(view.legal))
    return PlayCard(legal[0] if low else legal[-1])


def another_hand(state: MatchState, seat: Seat) -> Answer:
    """Peek at the cards of the seat to the left."""
    return lowest_or_highest(table_view(state, seat), low=bool(deal_of(state).hands[seat.left] % 2))


def partners_ace(state: MatchState, seat: Seat) -> Answer:
    """Peek at one card of the partner."""
    return lowest_or_highest(table_view(state, seat), low=bool(deal_of(state).hands[seat.partner] >> 7 & 1))


def the_stock(state: MatchState, seat: Seat) -> Answer:
    """Peek at the card below the turned one, while bids are made."""
    view = table_view(state, seat)
    return lowest_or_highest(view, low=not view.legal_bids or deal_of(state).deck[21] < 16)


def what_was_asked_last() -> Ask:
    """Return a player that remembers the hand that it was asked for before."""
    before = [0]

    def choose(state: MatchState, seat: Seat) -> Answer:
        view = table_view(state, seat)
        last, before[0] = before[0], view.hand
        return lowest_or_highest(view, low=bool(last.bit_count() % 2))

    return choose


@pytest.mark.parametrize("peek", [another_hand, partners_ace, the_stock, what_was_asked_last()])
def test_given_a_player_that_peeks_when_examined_then_it_is_found_within_few_positions(peek: Ask) -> None:
    rng = random.Random(6)
    found = [first_difference(peek, list(islice(pairs(rng), 150)), rng) is not None for _ in range(5)]

    assert all(found)


def test_given_a_view_that_shows_hidden_cards_when_examined_then_it_is_found() -> None:
    pair = some_pairs(7, 1)[0]
    deal = deal_of(pair.redealt)
    shown = deal._replace(hands=deal.hands.put(pair.seat, deal.hands[pair.seat.left]))
    leaking = pair._replace(redealt=pair.redealt._replace(deal=shown))

    found = first_difference(lambda _state, _seat: Pass(), [pair, leaking], random.Random(1))

    assert found is not None
    assert found.pair is leaking
    assert "The view itself is another" in str(found)


DECK = parse_deck("7S 8S 9S TS JS QS KS AS 7H 8H 9H TH JH QH KH AH 7D 8D 9D TD JD QD KD AD 7C 8C 9C TC JC QC KC AC")


def test_given_a_difference_when_shown_then_the_position_stands_in_notation_as_the_seat_sees_it() -> None:
    dealt = check_replay(
        [
            MatchStarted(RuleSet(), BySeat(EASY, EASY, EASY, EASY)),
            DealCommitted(1, bytes(32)),
            DealStarted(1, N, DECK),
            BidMade(E, None),
            BidMade(S, parse_suit("D")),
            CardPlayed(E, parse_card("7S")),
            CardPlayed(S, parse_card("TS")),
        ]
    )
    redealt = dealt._replace(deal=Redeals(deal_of(dealt), W, dealt.rules).draw(random.Random(1)))

    def another_card(state: MatchState, seat: Seat) -> Answer:
        return PlayCard(parse_card("KS" if state is dealt else "AS"))

    found = first_difference(another_card, [Pair(W, dealt, redealt)], random.Random(1))

    north, east, south, _ = map(format_hand, deal_of(redealt).hands)
    assert str(found).splitlines() == [
        "rules: undertrump must, belote auto, litige held",
        "dealer N, turned JD",
        "bids: E passes, S takes D",
        "trick 1 E: 7S TS",
        "W holds KS AS 7H 7D 8D 9C TC JC",
        "answers KS when the others hold N: 8H 9H TH 9D TD QC KC AC, E: 8S 9S JH QH QD KD AD, S: JS QS KH AH JD 7C 8C",
        f"answers AS when the others hold N: {north}, E: {east}, S: {south}",
    ]


def test_given_the_command_when_a_level_sees_nothing_then_it_says_how_much_was_examined() -> None:
    out = StringIO()

    call_command("noninterference", "easy", positions=30, seed=2, jobs=2, stdout=out)

    assert out.getvalue().startswith("easy plays by what its seat can see: the same answers after a redeal in 30 pos")


def test_given_the_command_when_a_level_remembers_then_it_fails_and_shows_the_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Remembering:
        def __init__(self) -> None:
            self.asked = 0

        def choose(self, view: TableView) -> Answer:
            self.asked += 1
            return lowest_or_highest(view, low=self.asked % 3 == 0)

    monkeypatch.setattr(noninterference, "PLAYERS", {**PLAYERS, EASY: Remembering()})

    with pytest.raises(
        CommandError, match=r"(?s)cards that its seat cannot see.*bids: .* holds .*answers .*answers"
    ) as e:
        call_command("noninterference", "easy", positions=30, stdout=StringIO())
    assert e.value.returncode == 1


@pytest.mark.parametrize("wrong", ["--positions=0", "--jobs=0", "--jobs=1000"])
def test_given_impossible_figures_when_asked_for_then_the_command_says_what_to_give(wrong: str) -> None:
    with pytest.raises(CommandError, match="give "):
        call_command("noninterference", "easy", wrong)


def test_given_any_number_of_jobs_when_examined_then_the_same_result() -> None:
    assert examine(EASY, 90, 3, 1, lambda _: None) == examine(EASY, 90, 3, 3, lambda _: None)
    assert list(side_by_side(abs, [-3, 1, -2], 2)) == [3, 1, 2]


def test_given_a_process_that_examines_when_started_then_django_is_not_there() -> None:
    code = "import games.noninterference, sys; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
